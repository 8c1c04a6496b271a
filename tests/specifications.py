"""Which tests prove which part of a specification: `python -m tests.specifications` writes docs/specifications.md.

The parts stand in docs/specifications/NUMBER.yaml; a test says `@pytest.mark.specification("001 §5.3 length")`. Tests are
read, not run: decorators on a test, on its class, and `marks=` of a parameter count.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from configs.documents import read_yaml

ROOT = Path(__file__).parents[1]
PARTS = ROOT / "docs/specifications"
PAGE = ROOT / "docs/specifications.md"
STATES = ("works", "decided", "measured", "not measured", "missing")

_HEAD = """# What was specified, and the tests that prove it

<!-- Written by `python -m tests.specifications` from docs/specifications/*.yaml and the markers in the tests. -->

Each row has a state:

- **works**: as it is specified, proven by the tests of the row. They carry its name, `@pytest.mark.specification("001 §5.3
  length")`: search for the name to find them.
- **decided**: *here* says where the product deliberately does something else than the letter, and links the record of that
  decision; its tests prove it.
- **measured**: with the figure, and the command that gives it.
- **not measured**: with what it would take.
- **missing**: with the reason.

`make test` fails when a row has neither tests nor one of the last two states, when one says *here* and links no record, when
this page is not what the markers give, or when a heading, a table or a code block of the documents
([outline.yaml](specifications/outline.yaml)) has no row.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One promise: `name` as the markers say it, what it says in our words, and what the product decided instead.

    measured: the figure and its command; unmeasured and missing: why, where it is that.
    """

    name: str
    says: str
    here: str = ""
    measured: str = ""
    unmeasured: str = ""
    missing: str = ""

    @property
    def state(self) -> str:
        """How it stands, the worst first."""
        states = {
            "missing": self.missing,
            "not measured": self.unmeasured,
            "measured": self.measured,
            "decided": self.here,
        }
        return next((state for state, why in states.items() if why), "works")

    @property
    def needs_test(self) -> bool:
        """Whether a test must prove it."""
        return not (self.missing or self.unmeasured)


@dataclass(frozen=True, slots=True)
class Specification:
    """A specification's sections, each a title and its parts."""

    number: str
    title: str
    sections: tuple[tuple[str, tuple[Part, ...]], ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of them, in order."""
        return tuple(part for _, parts in self.sections for part in parts)


@dataclass(frozen=True, slots=True, order=True)
class ProvingTest:
    """A test with a marker: its file below tests/, its class and name, the parts it proves."""

    path: str
    line: int
    name: str
    parts: frozenset[str]


def read_specifications(folder: Path = PARTS) -> list[Specification]:
    """Every YAML file there, by number."""
    return [_read(file) for file in sorted(folder.glob("[0-9]*.yaml"))]


def _read(file: Path) -> Specification:
    data = read_yaml(file.read_text(encoding="utf-8"))
    sections = [
        (section["title"], tuple(_part(file.stem, name, said) for name, said in section["parts"].items()))
        for section in data["sections"]
    ]
    return Specification(file.stem, data["title"], tuple(sections))


def _part(number: str, name: str, said: str | dict[str, str]) -> Part:
    return Part(f"{number} {name}", **(said if isinstance(said, dict) else {"says": said}))


def proving_tests(folder: Path = ROOT / "tests") -> list[ProvingTest]:
    """Every test below the folder with a marker, by file and line."""
    found = []
    for file in folder.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if "mark.specification(" in text:  # the others need no parsing
            path = file.relative_to(folder).as_posix()
            found += [
                ProvingTest(path, test.lineno, name, parts) for test, name, parts in _marked(ast.parse(text).body)
            ]
    return sorted(found)


def _marked(
    body: Iterable[ast.stmt], inside: str = "", outer: frozenset[str] = frozenset()
) -> Iterator[tuple[ast.stmt, str, frozenset[str]]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _marked(node.body, f"{inside}{node.name}::", outer | _parts(node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            parts = outer | _parts(node)
            if parts:
                yield node, f"{inside}{node.name}", parts


def _parts(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    calls = [call for one in node.decorator_list for call in ast.walk(one) if isinstance(call, ast.Call)]
    marks = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "specification"]
    return frozenset(ast.literal_eval(argument) for mark in marks for argument in mark.args)


def faults(specifications: Sequence[Specification], tests: Sequence[ProvingTest]) -> list[str]:
    """Parts without a test, markers that name no part, and deviations that link no decision."""
    known = {part.name for one in specifications for part in one.parts}
    needed = {part.name for one in specifications for part in one.parts if part.needs_test}
    proven = {part for test in tests for part in test.parts}
    unknown = [f"{test.path}: {part} is no part" for test in tests for part in sorted(test.parts - known)]
    here = [part for one in specifications for part in one.parts if part.here]
    undecided = [f"{part.name} links no decision" for part in here if "](decisions/" not in part.here]
    return [f"{part} has no test" for part in sorted(needed - proven)] + unknown + undecided


def page(specifications: Sequence[Specification], tests: Sequence[ProvingTest]) -> str:
    """The whole page; without line numbers, so that it changes only when a marker or a name does."""
    return "\n".join([_HEAD, *(line for one in specifications for line in _chapter(one, tests))])


def _chapter(specification: Specification, tests: Sequence[ProvingTest]) -> Iterator[str]:
    names = {part.name for part in specification.parts}
    count = sum(bool(test.parts & names) for test in tests)
    states = Counter(part.state for part in specification.parts)
    counted = ", ".join(f"{states[state]} {state}" for state in STATES if states[state])
    yield f"## {specification.number} {specification.title}\n"
    yield f"{len(names)} parts ({counted}), proven by {count} tests.\n"
    for title, parts in specification.sections:
        yield f"### {title}\n\n| part | state | what it says | tests |\n|---|---|---|---|"
        for part in parts:
            proof = _links([test for test in tests if part.name in test.parts])
            yield f"| {part.name.partition(' ')[2]} | {part.state} | {_said(part)} | {proof} |"
        yield ""


def _said(part: Part) -> str:
    notes = {"Here": part.here, "Measured": part.measured, "Not measured": part.unmeasured, "Missing": part.missing}
    return "<br>".join([part.says, *(f"*{name}:* {note}" for name, note in notes.items() if note)])


def _links(tests: Sequence[ProvingTest]) -> str:
    """`[merging/test_ranking](…): Score, length penalty`, a line a file."""
    files = []
    for path, found in groupby(tests, key=lambda test: test.path):
        names = "; ".join(_words(test.name) for test in found)
        files.append(f"[{path.removesuffix('.py')}](../tests/{path}): {names}")
    return "<br>".join(files)


def _words(name: str) -> str:
    *classes, test = name.split("::")
    return ", ".join([*(one.removeprefix("Test") for one in classes), test.removeprefix("test_").replace("_", " ")])


def main() -> int:
    """Write the page; 1 when something is wrong with a part or a marker."""
    specifications, tests = read_specifications(), proving_tests()
    PAGE.write_text(page(specifications, tests), encoding="utf-8")
    wrong = faults(specifications, tests)
    sys.stderr.writelines(f"{fault}\n" for fault in wrong)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
