"""The product's regular expressions, and texts that are the worst for each: what it repeats, again and again, and no end to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]  # the standard library's own reading of a pattern
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from tests.fuzz.inputs import ROOT

_FOLDERS = ("configs", "memory", "agents", "merging", "synthesis", "extraction", "indexing", "wiring", "orchestrator", "replay", "evaluation", "facades", "inspector", "interfaces")  # fmt: skip
_FUNCTIONS = frozenset({"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"})
_SAMPLES = "a0 _-.\n\t/:\"'`=<>(){}[],;*#@$%&|\\~?!+^éA"


_ANCHORED = frozenset({"match", "fullmatch"})


@dataclass(frozen=True)
class Expression:
    """Where it is written, its pattern and its flags. searched: it is also tried at other places than the beginning."""

    at: str
    pattern: str
    flags: int
    searched: bool


def expressions() -> Iterator[Expression]:
    """All of the product; of patterns that are put together the constants of their module."""
    files = [file for folder in _FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}
    everywhere: dict[str, set[str]] = {}
    for tree in trees.values():
        for name, attributes in _uses(tree).items():
            everywhere.setdefault(name, set()).update(attributes)
    for file, tree in trees.items():
        yield from _of_file(file, tree, everywhere)


def _uses(tree: ast.Module) -> dict[str, set[str]]:
    """By name, the attributes that are asked of it."""
    uses: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            uses.setdefault(node.value.id, set()).add(node.attr)
    return uses


def _of_file(file: Path, tree: ast.Module, everywhere: Mapping[str, set[str]]) -> Iterator[Expression]:
    own = _uses(tree)
    called = {
        id(node.value): {target.id for target in _targets(node) if isinstance(target, ast.Name)}
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
    }
    names: dict[str, Any] = {"re": re}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and getattr(node, "value", None) is not None:
            found = _evaluated(node.value, names)
            if found is not None:
                names[target.id] = found
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr in _FUNCTIONS:
            pattern = _evaluated(node.args[0], names)
            flags = [_evaluated(one, names) for one in node.args[1:] if node.func.attr == "compile"]
            flags += [_evaluated(one.value, names) for one in node.keywords if one.arg == "flags"]
            if isinstance(pattern, str):
                ways = {node.func.attr}
                if node.func.attr == "compile":
                    ways = {
                        way
                        for name in called.get(id(node), ())
                        for way in (own if name.startswith("_") else everywhere).get(name, ())
                    } & _FUNCTIONS
                yield Expression(
                    f"{file.relative_to(ROOT)}:{node.lineno}",
                    pattern,
                    int(next((one for one in flags if isinstance(one, int)), 0)),
                    searched=not ways or not ways <= _ANCHORED,
                )


def _targets(node: ast.Assign | ast.AnnAssign) -> Sequence[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    """A constant, or what constants of the module are put together to; None for anything else."""
    allowed = (
        ast.Expression, ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.Add, ast.BitOr, ast.Name, ast.Load,
        ast.Attribute,
    )  # fmt: skip
    if not all(isinstance(one, allowed) for one in ast.walk(node)):
        return None
    try:
        code = compile(ast.Expression(node), "<constant>", "eval")
        return eval(code, {"__builtins__": {}}, names)  # noqa: S307 - our own sources, and constants alone
    except (NameError, AttributeError, TypeError):
        return None


def worst_texts(pattern: str, flags: int, size: int) -> Iterator[str]:
    """For each repetition without an end: a way to it, its body again and again, and something that does not fit."""
    seen = set()
    for way, body in _repetitions(list(parser.parse(pattern, flags)), ""):
        for pumped in body:
            text = way + pumped * (size // max(1, len(pumped)))
            for end in ("", "\x00", "\n\x00"):
                if text + end not in seen:
                    seen.add(text + end)
                    yield text + end


def _repetitions(items: Sequence[Any], way: str) -> Iterator[tuple[str, list[str]]]:
    """Each repetition without an end, with a text that leads there, and texts that its body matches."""
    for place, (kind, value) in enumerate(items):
        if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
            _, high, inner = value
            if high is sre.MAXREPEAT or high > 50:
                around = "".join(map(_example, items[place + 1 : place + 3]))
                some = _texts(inner)
                yield way, [*some, *(one + around for one in some[:2]), *(around + one for one in some[:1])]
            yield from _repetitions(list(inner), way)
        elif kind is sre.SUBPATTERN:
            yield from _repetitions(list(value[3]), way)
        elif kind is sre.ATOMIC_GROUP:
            yield from _repetitions(list(value), way)
        elif kind is sre.BRANCH:
            for branch in value[1]:
                yield from _repetitions(list(branch), way)
        elif kind in {sre.ASSERT, sre.ASSERT_NOT}:
            yield from _repetitions(list(value[1]), way)
        way += _example((kind, value))


def _texts(items: Any) -> list[str]:
    """Some texts that these match: of a set, a few different members."""
    listed = list(items)
    if len(listed) == 1 and listed[0][0] in {sre.IN, sre.ANY, sre.NOT_LITERAL, sre.CATEGORY}:
        return _members(listed[0])[:6]
    if len(listed) == 1 and listed[0][0] is sre.BRANCH:
        return ["".join(map(_example, branch)) for branch in listed[0][1][1]][:4]
    return ["".join(map(_example, listed))]


def _members(item: tuple[Any, Any]) -> list[str]:
    matches = re.compile(_source(item), re.DOTALL)
    return [one for one in _SAMPLES if matches.fullmatch(one)]


def _source(item: tuple[Any, Any]) -> str:
    kind, value = item
    if kind is sre.ANY:
        return "."
    if kind is sre.NOT_LITERAL:
        return f"[^{re.escape(chr(value))}]"
    parts = []
    for inner, said in value:
        if inner is sre.NEGATE:
            parts.append("^")
        elif inner is sre.LITERAL:
            parts.append(re.escape(chr(said)))
        elif inner is sre.RANGE:
            parts.append(f"{re.escape(chr(said[0]))}-{re.escape(chr(said[1]))}")
        elif inner is sre.CATEGORY:
            parts.append(_CATEGORIES[str(said)])
    return f"[{''.join(parts)}]"


_CATEGORIES = {
    "CATEGORY_SPACE": r"\s", "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_WORD": r"\w", "CATEGORY_NOT_WORD": r"\W",
    "CATEGORY_DIGIT": r"\d", "CATEGORY_NOT_DIGIT": r"\D",
}  # fmt: skip


def _example(item: tuple[Any, Any]) -> str:
    """One text that a part matches, the shortest that is easily told."""
    kind, value = item
    if kind is sre.LITERAL:
        return chr(value)
    if kind in {sre.IN, sre.ANY, sre.NOT_LITERAL}:
        return next(iter(_members(item)), "")
    if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
        return "".join(map(_example, value[2])) * min(value[0], 3)
    inner = {sre.SUBPATTERN: 3, sre.BRANCH: 1}.get(kind)
    parts = value if kind is sre.ATOMIC_GROUP else () if inner is None else value[inner]
    return "".join(map(_example, parts[0] if kind is sre.BRANCH else parts))
