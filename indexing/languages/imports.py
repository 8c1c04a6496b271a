"""What a file imports, and what it exports under another name, from the matches of its queries.

`@import.module` with `@import.name` and `@import.alias`, or `@import.default` (the alias of what the module exports as
`default`); `@export.name` with `@export.alias` or `@export.default`.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from indexing.facts import HERE, Import

if TYPE_CHECKING:
    from collections.abc import Sequence

    import tree_sitter

    from indexing.languages.table import Language

__all__ = ["imports_in"]

SUFFIX: Final = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")


def imports_in(matches: Sequence[dict[str, list[tree_sitter.Node]]], path: str, language: Language) -> list[Import]:
    """All of them, by line; of one text that is imported whole and by names, the names."""
    by_text: dict[int, list[Import]] = {}
    for found in matches:
        if "import.module" in found:
            node = found["import.module"][0]
            by_text.setdefault(node.start_byte, []).append(_import(found, path, language))
    imports = [i for group in by_text.values() for i in _told(group)]
    for found in matches:
        if "export.name" in found:
            name, alias = _text(found["export.name"][0]), _text(found.get("export.alias", [None])[0]) or "default"
            if name != alias:
                imports.append(Import(HERE, name, alias, found["export.name"][0].start_point[0] + 1))
    return sorted(set(imports), key=lambda i: (i.line, i.module, i.name, i.alias))


def _import(found: dict[str, list[tree_sitter.Node]], path: str, language: Language) -> Import:
    node = found["import.module"][0]
    named = found.get("import.name", found.get("import.default", [node]))[0]
    absolute = _by_path if language.separator == "/" else _dotted
    module = absolute(_text(node), path)
    name = "default" if "import.default" in found else _text(named) if "import.name" in found else ""
    alias = _text(found["import.alias" if "import.alias" in found else "import.default"][0]) if (
        "import.alias" in found or "import.default" in found
    ) else name or module
    if not module:
        module, name = name, ""  # `from . import x` in the project's first folder
    return Import(module, name, alias, named.start_point[0] + 1)


def _told(group: list[Import]) -> list[Import]:
    return [i for i in group if i.name or i.alias != i.module] or group


def _dotted(module: str, path: str) -> str:
    """`..x` seen from `a/b/c.py` is `a.x`; what starts with no dot stays."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    if not level:
        return module
    folders = path.split("/")[:-1]
    kept = folders[: max(0, len(folders) - level + 1)]
    return ".".join([*kept, name] if name else kept)


def _by_path(module: str, path: str) -> str:
    """`../x.js` seen from `a/b/c.ts` is `./a/x`; a package's name stays."""
    if not re.match(r"\.\.?(?:/|$)", module):
        return module
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), module.partition("?")[0]))
    return "./" + SUFFIX.sub("", joined) if joined != "." else "./"


def _text(node: tree_sitter.Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text else ""
