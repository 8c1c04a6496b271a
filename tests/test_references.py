"""Every reference in comments, docstrings and pages leads somewhere: to a file, a heading, a record, a part of a document."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.specifications import read_specifications

ROOT = Path(__file__).parents[1]
TOPS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
OURS = sorted({*TOPS, "Makefile"} - {"hybrid_retrieval"})  # the last is links to the others
DATA = (
    "examples/shop/",
    "tests/printed/",
    "docs/specifications.md",
)  # texts to search in, printed, and written by a program

RETIRED = re.compile(r"\bdesign §[\d.]+")
PARTS = re.compile(r"\b(00[0-4]) (§[\d.]*\d(?:(?:, | and | to )§[\d.]*\d)*)")
RECORD = re.compile(r"(?<![\w./#+-])00\d\d(?=[\s,;:)\]]|\.\s|$)")
TICKED = re.compile(rf"`((?:{'|'.join(TOPS)})/[\w./-]+)`")
PAGE = re.compile(r"(?<![\w./:`-])(docs/[\w/-]+\.(?:md|json|svg))(?:#([\w-]+))?")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def texts() -> Iterator[Path]:
    """The files that people write: Python, Markdown, YAML."""
    found = [path for top in OURS for path in (ROOT / top).rglob("*.*")] + list(ROOT.glob("*.md"))
    for path in sorted(found):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in {".py", ".md", ".yaml"} and not name.startswith(DATA):
            yield path


def prose(path: Path) -> str:
    """A page without its code blocks; of YAML the comments, of Python the docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return FENCE.sub("", text)
    if path.suffix == ".yaml":
        return "\n".join(re.findall(r"(?:^|\s)#.*", text))
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text)) if isinstance(node, holders)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(docstrings + [token.string for token in tokens if token.type == tokenize.COMMENT])


@cache
def anchors(page: Path) -> frozenset[str]:
    """The headings of a page, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)


@cache
def sections() -> dict[str, frozenset[str]]:
    """The sections of each specification, with those that only have sub-sections."""
    found = {}
    for one in read_specifications():
        numbers = {number for title, _ in one.sections for number in re.findall(r"§[\d.]*\d", title)}
        found[one.number] = frozenset(numbers | {number.partition(".")[0] for number in numbers})
    return found


@cache
def records() -> frozenset[str]:
    """The numbers of the records, and those of the specifications, which are written alike."""
    return frozenset(page.name[:4] for page in (ROOT / "docs/decisions").glob("0*.md"))


def there(name: str, beside: Path) -> Path | None:
    """The file of that name, from the root, from the page, or in a project of the example."""
    places = [ROOT / name, beside.parent / name, *(ROOT / "examples/shop").glob(f"*/{name}")]
    return next((place.resolve() for place in places if place.exists()), None)


def dangling(text: str, path: Path) -> list[str]:
    """What of a text leads nowhere."""
    lost = RETIRED.findall(text)
    for number, listed in PARTS.findall(text):
        lost += [
            f"{number} {part}"
            for part in listed.replace(",", "").split()
            if part not in {"and", "to", *sections()[number]}
        ]
    if path.suffix == ".md" and path.is_relative_to(ROOT / "docs"):
        lost += [number for number in RECORD.findall(text) if number not in records()]
    lost += [name for name in TICKED.findall(text) if there(name, path) is None]
    links = LINK.findall(text) if path.suffix == ".md" else []
    for name, anchor in PAGE.findall(text) + links:
        page = there(name, path) if name else path
        if page is None or (anchor and page.suffix == ".md" and anchor not in anchors(page)):
            lost.append(f"{name}#{anchor}" if anchor else name)
    return lost


@pytest.mark.parametrize("top", [*OURS, ""], ids=lambda top: top or "the root")
def test_every_reference_leads_somewhere(top):
    mine = [path for path in texts() if (path.relative_to(ROOT).parts[0] == top if top else path.parent == ROOT)]
    doubtful = [path for path in mine if dangling(path.read_text(encoding="utf-8"), path)]  # the others need no parsing
    lost = {path.relative_to(ROOT).as_posix(): dangling(prose(path), path) for path in doubtful}
    assert {name: names for name, names in lost.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("design §3", ["design §3"]),
        ("001 §5.3, §5.9 and §2", ["001 §5.9"]),
        ("see docs/nowhere.md", ["docs/nowhere.md"]),
        ("docs/design.md#status and docs/design.md#fame", ["docs/design.md#fame"]),
        ("`memory/errors.py`, `memory/mistakes.py`, `memory/text/`", ["memory/mistakes.py"]),
        ("[one](design.md), [two](#anchors), record 9999, 0055", ["#anchors"]),
        ("0055, 0036", ["0036"]),
    ],
)
def test_what_leads_nowhere(text, lost):
    assert dangling(text, ROOT / "docs/design.md") == lost
