"""In a checkout, the package that users install: `hybrid_retrieval.memory` and its like, as names of the folders at the
top.

The folders import each other as `memory`, `agents` and so on. Here `hybrid_retrieval.memory.errors` is the module
`memory.errors` itself, not a copy. The links beside this file say the same to type checkers and editors. An installed
wheel has the folders below `hybrid_retrieval`, and of this only the former names
(docs/decisions/0051-one-installed-package.md).
"""

from __future__ import annotations

import sys

from hybrid_retrieval.aliases import Aliases, renamed

_FOLDERS = frozenset(
    {
        "agents",
        "apps",
        "configs",
        "evaluation",
        "extraction",
        "facades",
        "indexing",
        "inspector",
        "interfaces",
        "memory",
        "merging",
        "orchestrator",
        "replay",
        "synthesis",
        "wiring",
    }
)


def _folder(name: str) -> str | None:
    name = renamed(name) or name
    return name if name.partition(".")[0] in _FOLDERS else None


sys.meta_path.insert(0, Aliases(_folder))
