r"""What a file imports, what it exports under another name, and the package that it is part of.

`@import.module` with `@import.name` and `@import.alias`, or `@import.default` (the alias of what the module exports as
`default`; where that is `exports`, it is handed on whole), or `@import.all`; `@import.global` (for other files, too);
`@import.relative` (by path from here); `@import.tree`; `@import.child` (a module below this one); `@export.name` with
`@export.alias` or `@export.default`; `@name.default`, a definition without a name, which is called after its file.

Trees are Rust's `use a::{b, c::d as e}`, PHP's `use A\{B, C\D as E};`, Scala's `import a.{b, c => d, _}`, Elixir's
`alias A.{B, C}`.

A package's other files may use its names without importing them. Java, Kotlin, C#, PHP and C++ declare it; in Go it is
the folder, in Rust what the file is called below its crate's `src`, and in Ruby and C everything that is loaded, which
nothing in a file says.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from extraction.facts import HERE, Import
from extraction.languages.nodes import line_of, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ast_grep_py import SgNode

    from extraction.languages.matching import Match
    from extraction.languages.table import Language

_SOURCE: Final = re.compile(r"^(?:(.*)/)?src/(.*)$|^(?:(.*)/)?(?:tests|examples|benches)/(.*)$")
_ROOTS: Final = frozenset({"main", "lib", "mod"})
_KEYWORDS: Final = re.compile(r"^(?:use|import|alias)\s+(?:function\s+|const\s+)?|;$")
_RENAMED: Final = re.compile(r"(?:(?<!\s)\s+)?(?:=>|, as:)\s*")
_STAR: Final = re.compile(r"\b_(?=\s*[,}]|$)")
_OWN: Final = frozenset({"crate", "self", "super"})
DEFAULT: Final = "default"
SUFFIX: Final = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")


def package_name(language: Language, declared: str, path: str) -> str:
    """Its name; '' when the file is in none."""
    if language.packages == "go":
        return posixpath.dirname(path) or declared
    if language.packages == "rust":
        return crate_module(path)
    return declared


def crate_module(path: str) -> str:
    """`crates/cart::models.order` for `crates/cart/src/models/order.rs`: the crate's folder, and the module in it."""
    found = _SOURCE.match(path)
    root, inside = (found[1] or found[3] or "", found[2] or found[4]) if found else path.rpartition("/")[::2]
    parts = inside.removesuffix(".rs").split("/")
    if parts[-1] in _ROOTS:
        parts.pop()
    return f"{root}::{'.'.join(parts)}"


def leaves(text: str) -> Iterator[tuple[str, str, str]]:
    """(module, name, alias) of each leaf, dotted; a star's name and alias are `*`."""
    plain = re.sub(r"\s+", " ", _KEYWORDS.sub("", text.strip())).replace("::", ".").replace("\\", ".")
    plain = _STAR.sub("*", _RENAMED.sub(" as ", plain))
    for leaf in _flat(plain.strip().lstrip(".")):
        path, _, alias = leaf.partition(" as ")
        path = path.strip().removesuffix(".self")
        module, _, name = path.rpartition(".")
        yield module, name, alias.strip() or name


def _flat(text: str) -> Iterator[str]:
    """`a.{b, c.{d}}` is `a.b`, `a.c.d`; what is not closed is left out."""
    prefix, brace, rest = text.partition("{")
    if not brace:
        yield from filter(None, (one.strip() for one in prefix.split(",")))
        return
    depth, start = 0, 0
    for at, sign in enumerate(rest):
        if (sign == "," and not depth) or (sign == "}" and not depth):
            if rest[start:at].strip():
                yield from (prefix + inner for inner in _flat(rest[start:at].strip()))
            start = at + 1
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return


def crate_path(module: str, path: str, within: int) -> str:
    """A module of the file's own crate by its full name (`crates/cart::models`); another crate's stays `money.sums`.
    within: how many modules of the file itself are around the import; their names are the file's.
    """
    steps = module.split(".")
    if steps[0] not in _OWN:
        return module
    root, _, here = crate_module(path).rpartition("::")
    parts = here.split(".") if here and steps[0] != "crate" else []
    while steps and steps[0] in _OWN:
        if steps.pop(0) == "super":
            parts, within = (parts, within - 1) if within else (parts[:-1], 0)
    return f"{root}::{'.'.join([*parts, *steps])}"


def imports_in(matches: Sequence[Match], path: str, language: Language) -> list[Import]:
    """All of them, by line; of one text that is imported whole and by names, the names."""
    by_text: dict[int, list[Import]] = {}
    for found in matches:
        if "import.module" in found:
            node = found["import.module"]
            one = _of_package if language.packages else _import
            by_text.setdefault(start_of(node), []).append(one(found, path, language))
        elif "import.tree" in found:
            node = found["import.tree"]
            by_text[start_of(node)] = _tree(node, path, language)
        elif "import.child" in found:
            node = found["import.child"]
            root, _, inside = crate_module(path).rpartition("::")
            module = f"{root}::{inside}.{node.text()}".replace("::.", "::")
            by_text[start_of(node)] = [Import(module, "", node.text(), line_of(node))]
    imports = [i for group in by_text.values() for i in (_whole(group) if language.packages else _by_names(group))]
    for found in matches:
        if "export.name" in found:
            alias = found["export.alias"].text() if "export.alias" in found else DEFAULT
            imports.append(Import(HERE, found["export.name"].text(), alias, line_of(found["export.name"])))
        elif "name.default" in found:
            imports.append(Import(HERE, file_title(path), DEFAULT, line_of(found["name.default"])))
    kept = {i for i in imports if i.module != HERE or i.name != i.alias}
    return sorted(kept, key=lambda i: (i.line, i.module, i.name, i.alias))


def _import(found: Match, path: str, language: Language) -> Import:
    node = found["import.module"]
    absolute = _by_path if language.separator == "/" else _dotted
    module = absolute(node.text(), path)
    if "import.all" in found:
        return Import(module, "*", "*", line_of(node))
    if "import.default" in found:
        alias = found["import.default"].text()
        return Import(module, DEFAULT, DEFAULT if alias == "exports" else alias, line_of(found["import.default"]))
    name = found["import.name"].text() if "import.name" in found else ""
    alias = found["import.alias"].text() if "import.alias" in found else name or module
    line = line_of(found["import.name" if name else "import.module"])
    if not module:
        module, name = name, ""  # `from . import x` in the project's first folder
    return Import(module, name, alias, line)


def _of_package(found: Match, path: str, language: Language) -> Import:
    """One import of a language whose files share packages; what is imported whole has the name `*`."""
    node = found["import.module"]
    line, module = line_of(node), node.text().strip("<>")
    alias = found["import.alias"].text() if "import.alias" in found else ""
    if "import.relative" in found:
        return Import(_by_path(f"./{module}", path), "", module, line)
    if "import.all" in found or "import.global" in found:
        return Import(module, "*", "global" if "import.global" in found else "*", line)
    if language.packages == "go":
        parts = [p for p in module.split("/") if not re.fullmatch(r"v\d+", p)] or [module]
        return Import(module, "", alias or parts[-1].partition(".")[0].removeprefix("go-"), line)
    if language.packages == "ruby":
        return Import(module, "", module, line)
    if "import.name" in found:
        module += "." + found["import.name"].text()
    return Import(*_split(module), alias or module.rpartition(".")[2], line)


def _split(module: str) -> tuple[str, str]:
    """Package and name: packages of the JVM start small, and so the first capital starts a class, `Outer.Inner`."""
    parts = module.split(".")
    at = next((n for n, part in enumerate(parts) if part[:1].isupper() and n), len(parts) - 1)
    at = at if all(part[:1].islower() for part in parts[:at]) else len(parts) - 1
    return ".".join(parts[:at]), ".".join(parts[at:])


def _tree(node: SgNode, path: str, language: Language) -> list[Import]:
    found = list(leaves(node.text()))
    if language.packages == "rust":
        within = sum(outer.kind() == "mod_item" for outer in node.ancestors())
        found = [(crate_path(module, path, within), name, alias) for module, name, alias in found]
    return [Import(module, name, alias, line_of(node)) for module, name, alias in found]


def _whole(group: list[Import]) -> list[Import]:
    """Of one text, what says most: a package for all files, a whole package, a name."""
    order = {"global": 0, "*": 1}
    best = min((order.get(i.alias, 2) for i in group), default=2)
    return [i for i in group if order.get(i.alias, 2) == best]


def _by_names(group: list[Import]) -> list[Import]:
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
    """The name that its file gives: `cart_gateway` of `src/cart.gateway.ts`, `cart` of `cart/src/index.js`."""
    parts = [re.sub(r"\W+", "_", part).strip("_") for part in module_path(path).split("/")]
    return next((part for part in reversed(parts) if part not in {"", "index", "src", "lib"}), DEFAULT)
