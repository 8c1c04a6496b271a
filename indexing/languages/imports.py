"""What a file imports, and what it exports under another name, from the matches of its queries.

`@import.module` with `@import.name` and `@import.alias`, or `@import.default` (the alias of what the module exports as
`default`; where that is `exports`, it is handed on whole), or `@import.all`; `@export.name` with `@export.alias` or
`@export.default`; `@name.default`, a definition without a name, which is called after its file.
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

__all__ = ["file_title", "imports_in", "module_path"]

DEFAULT: Final = "default"
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
            alias = _text(found["export.alias"][0]) if "export.alias" in found else DEFAULT
            imports.append(Import(HERE, _text(found["export.name"][0]), alias, _line(found["export.name"][0])))
        elif "name.default" in found:
            imports.append(Import(HERE, file_title(path), DEFAULT, _line(found["name.default"][0])))
    kept = {i for i in imports if i.module != HERE or i.name != i.alias}
    return sorted(kept, key=lambda i: (i.line, i.module, i.name, i.alias))


def _import(found: dict[str, list[tree_sitter.Node]], path: str, language: Language) -> Import:
    node = found["import.module"][0]
    absolute = _by_path if language.separator == "/" else _dotted
    module = absolute(_text(node), path)
    if "import.all" in found:
        return Import(module, "*", "*", _line(node))
    if "import.default" in found:
        alias = _text(found["import.default"][0])
        return Import(module, DEFAULT, DEFAULT if alias == "exports" else alias, _line(found["import.default"][0]))
    name = _text(found["import.name"][0]) if "import.name" in found else ""
    alias = _text(found["import.alias"][0]) if "import.alias" in found else name or module
    line = _line(found["import.name" if name else "import.module"][0])
    if not module:
        module, name = name, ""  # `from . import x` in the project's first folder
    return Import(module, name, alias, line)


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
    return "./" + module_path(joined) if joined != "." else "./"


def module_path(path: str) -> str:
    """What a file is imported as: `a/b` for `a/b.ts`, `a/b.d.ts` and `a/b.mjs`."""
    return SUFFIX.sub("", path)


def file_title(path: str) -> str:
    """The name of what has none but its file's: `cart_gateway` of `src/cart.gateway.ts`, `cart` of `cart/src/index.js`."""
    parts = [re.sub(r"\W+", "_", part).strip("_") for part in module_path(path).split("/")]
    return next((part for part in reversed(parts) if part not in {"", "index", "src", "lib"}), DEFAULT)


def _text(node: tree_sitter.Node) -> str:
    return node.text.decode("utf-8", "replace") if node.text else ""


def _line(node: tree_sitter.Node) -> int:
    return int(node.start_point[0]) + 1
