"""In a checkout, the package that users install: `hybrid_retrieval.memory` and its like, as names of the folders at the
top.

The folders import each other as `memory`, `agents` and so on. Here `hybrid_retrieval.memory.errors` is the module
`memory.errors` itself, not a copy. The links beside this file say the same to type checkers and editors. An installed
wheel has the folders below `hybrid_retrieval`, and nothing of this (docs/decisions/0051-one-installed-package.md).
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

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


class _Alias(Loader):
    """Gives the module that another name leads to. It keeps its own name and place."""

    def __init__(self, name: str, spec: ModuleSpec) -> None:
        self._name = name
        self._spec = spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: ARG002 - the protocol's
        return import_module(self._name)

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has just written the alias's there

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002 - as runpy asks
        """For `python -m`."""
        code: CodeType | None = self._spec.loader.get_code(self._name)  # type: ignore[union-attr]  # a source file's has it
        return code


class _Folders(MetaPathFinder):
    """Finds the modules of the package in the folders at the top."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the protocol's
        target: ModuleType | None = None,  # noqa: ARG002 - as above
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        spec = find_spec(name) if package == __name__ and name.partition(".")[0] in _FOLDERS else None
        if spec is None:
            return None
        return spec_from_loader(
            fullname, _Alias(name, spec), origin=spec.origin, is_package=spec.submodule_search_locations is not None
        )


sys.meta_path.insert(0, _Folders())
