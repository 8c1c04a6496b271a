from __future__ import annotations

from dataclasses import replace

import pytest

from agents.candidates import Candidate
from agents.evidence.pack import spread
from agents.evidence.ranked import RankedPieces
from agents.evidence.selection import Picked
from memory.entities import Entity, Evidence, Relationship
from memory.files import FakeFiles
from memory.statements import FoundStatement
from tests.agents.evidence.making import make_chunk, with_settings

QUERY = "Which ship does the beacon flash for?"
DESK = [
    "import os",
    "import json",
    "",
    "class Desk:",
    "    def moor(self, ship):",
    '        beacon = Beacon(os.environ["BEACON"])',
    "        beacon.flash(ship)",
    "        return ship",
    "",
    "    def berths(self):",
    "        return 3",
    "",
    "def later():",
    "    return None",
    "",
]


def chunk(start, end, path="src/desk.py", lines=DESK):
    return make_chunk(path, start, end, "\n".join(lines[start - 1 : end]))


def candidate(of, score, evidence=""):
    return Candidate(of, score, score, in_scope=False, evidence=evidence, dense=None, model="")


def relation(*lines, path="src/desk.py", elsewhere=(), coverage=0.5, kind="CALLS"):
    desk, beacon = (Entity(name, "class", "kit") for name in ("Desk", "Beacon"))
    evidence = tuple(Evidence("rule", "kit", other, line) for other, line in elsewhere)
    return FoundStatement(Relationship(desk, kind, beacon, "kit", path, lines, evidence=evidence), coverage)


async def pieces(candidates, statements=(), files=None, most=10, reading=None, order=list, **settings):
    given = with_settings(max_tokens=0, **settings)
    picked = Picked(most, given.max_tokens)
    given_files = FakeFiles({"kit/src/desk.py": "\n".join(DESK)} if files is None else files)
    await RankedPieces(given_files, given, QUERY, reading).fill(picked, order(spread(candidates)), statements)
    return [(one.chunk.path, one.start_line, one.end_line, one.retrieval_route) for one in picked.items]


@pytest.mark.specification("000 §10 step 6")
def test_the_best_of_each_file_comes_before_the_rest_of_one_that_is_hardly_better():
    rows = [chunk(4, 8), chunk(10, 11), make_chunk("src/b.py")]
    order = spread([candidate(rows[0], 1.0, "a calls b"), candidate(rows[1], 0.95), candidate(rows[2], 0.9)])
    assert [(one.rank, one.chunk.path, one.start_line, one.score, one.reason) for one in order] == [
        (1, "src/desk.py", 4, 1.0, "a calls b"),
        (2, "src/b.py", 1, 0.9, ""),
        (3, "src/desk.py", 10, 0.855, ""),
    ]


@pytest.mark.specification("000 §8.2 order")
def test_equal_scores_are_in_the_order_of_project_file_and_line():
    rows = [make_chunk(path, start) for path, start in (("b.py", 1), ("a.py", 9), ("a.py", 1), ("z.md", 1))]
    for given in (rows, rows[::-1]):
        order = spread([candidate(row, 1.0) for row in sorted(given, key=lambda row: row.start_line)])
        first = [(one.chunk.project, one.chunk.path, one.start_line) for one in order]
        assert first == [("guide", "z.md", 1), ("kit", "a.py", 1), ("kit", "b.py", 1), ("kit", "a.py", 9)]


@pytest.mark.specification("000 §8.2 order")
def test_the_ids_decide_nothing_before_project_file_and_line_do():
    places = [("z.md", 1), ("a.py", 1), ("a.py", 9), ("b.py", 1), ("c.py", 1)]
    rows = [replace(make_chunk(*place), id=f"{9 - n}") for n, place in enumerate(places)]
    scores = {"7": 1 / 0.9}  # the second of its file, which counts .9 there
    order = spread([candidate(row, scores.get(row.id, 1.0)) for row in rows])
    assert [(one.chunk.path, one.chunk.start_line, one.score) for one in order] == [(*place, 1.0) for place in places]


def test_imports_come_after_code_that_does_something():
    order = spread([candidate(chunk(1, 2), 1.0), candidate(make_chunk("src/b.py"), 0.8)])
    assert [one.chunk.path for one in order] == ["src/b.py", "src/desk.py"]


@pytest.mark.specification("000 §8.2 window")
async def test_a_block_is_the_whole_of_what_it_is_part_of_while_that_fits():
    part = [candidate(chunk(5, 6), 1.0)]
    assert await pieces(part, block_tokens=400) == [("src/desk.py", 1, 14, "ranked")]  # a short file is one
    assert await pieces(part, block_tokens=45) == [("src/desk.py", 4, 11, "ranked")]
    assert await pieces(part, block_tokens=30) == [("src/desk.py", 5, 8, "ranked")]
    assert await pieces(part, files={}) == [("src/desk.py", 5, 6, "ranked")]  # as it was stored
    long = [*DESK, *(f"value_{n} = {n}" for n in range(200))]
    whole = {"kit/src/desk.py": "\n".join(long)}
    assert await pieces(part, files=whole, block_tokens=99_999) == [
        ("src/desk.py", 4, 11, "ranked")
    ]  # 200 lines at most


async def test_of_a_chunk_too_long_the_statements_that_hold_most_of_the_question_are_shown():
    lines = ["def moor(ship):", *(f"    step_{n}(ship)" for n in range(40)), "    beacon.flash(ship)", "    return 7"]
    long = [candidate(chunk(1, 43, "src/b.py", lines), 1.0)]
    files = {"kit/src/b.py": "\n".join(lines)}
    held = await pieces(long, files=files, reading=lambda line: {1: 2.0} if "beacon" in line else {}, block_tokens=70)
    assert [start <= 42 <= end for _, start, end, _ in held] == [True]
    assert [end - start < 20 for _, start, end, _ in held] == [True]
    [(_, start, _, _)] = await pieces(long, files=files, block_tokens=70)  # where nothing speaks, from its beginning
    assert start == 1


@pytest.mark.specification("000 §8.2 window")
async def test_what_is_left_of_the_budget_shows_more_around_the_best_pieces():
    given = with_settings(max_tokens=1000, block_tokens=30)
    for most, expected in ((1000, (4, 11)), (40, (5, 8))):
        picked = Picked(5, most)
        files = FakeFiles({"kit/src/desk.py": "\n".join(DESK)})
        await RankedPieces(files, given, "").fill(picked, spread([candidate(chunk(5, 8), 1.0)]), ())
        assert [(one.start_line, one.end_line) for one in picked.items] == [expected]
        assert picked.items[0].text == "\n".join(DESK[expected[0] - 1 : expected[1]])


async def test_imports_go_together_with_what_follows():
    alone = [candidate(chunk(1, 2), 1.0)]
    assert await pieces(alone, block_tokens=50) == [("src/desk.py", 1, 11, "ranked")]


async def test_another_version_of_a_file_is_not_shown():
    changed = {"kit/src/desk.py": "\n".join(["# new", *DESK])}
    assert await pieces([candidate(chunk(5, 6), 1.0)], files=changed) == [("src/desk.py", 5, 6, "ranked")]


@pytest.mark.specification("000 §8.1 route", "000 §8.2 order")
async def test_the_lines_that_prove_a_relation_follow_the_best_blocks():
    other = [f"def value_{n}():\n    return {n}\n" for n in range(1, 31)]
    other = "\n".join(other).split("\n")
    files = {"kit/src/desk.py": "\n".join(DESK), "kit/src/b.py": "\n".join(other)}
    b = [chunk(start, start + 4, "src/b.py", other) for start in (1, 58)]
    rows = [candidate(chunk(5, 6), 1.0), candidate(b[0], 0.5), candidate(b[1], 0.4)]
    proofs = [relation(5, elsewhere=[("src/b.py", 59), ("src/c.py", 2)])]
    desk, own = ("src/desk.py", 4, 11, "ranked"), ("src/b.py", 1, 5, "ranked")  # the first shows line 5
    proof, rest = ("src/b.py", 58, 59, "relation"), ("src/b.py", 60, 62, "ranked")  # src/c.py was not found
    for most, expected in ((1, [desk]), (2, [desk, proof]), (3, [desk, proof, own]), (5, [desk, own, proof, rest])):
        assert await pieces(rows, proofs, files, block_tokens=50, most=most) == expected


@pytest.mark.specification("000 §8.2 order")
async def test_lines_follow_by_what_they_hold_of_the_question_and_how_their_chunks_rank():
    def reading(text):
        return {n: 1.0 for n, word in enumerate(("ship", "beacon", "flash")) if word in text}

    other = "\n".join(f"def value_{n}():\n    return {n}\n\n" for n in range(1, 31)).split("\n")
    other[60], other[100] = "    beacon.flash(ship)", "    ship.flash(2)"
    files = {"kit/src/desk.py": "\n".join(DESK), "kit/src/b.py": "\n".join(other)}
    rows = [candidate(chunk(5, 8), 1.0), candidate(chunk(90, 110, "src/b.py", other), 0.7)]
    rows.append(candidate(chunk(50, 70, "src/b.py", other), 0.6))
    found = await pieces(rows, (), files, block_tokens=30, most=3, reading=reading)
    # worth, in thirds: desk.py:7 1 * 3, which the first block shows; b.py:61 .6 * .9 * 3 = 1.62; b.py:101 .7 * 2 = 1.4
    assert found[0] == ("src/desk.py", 5, 8, "ranked")
    assert [(path, start <= line <= end) for (path, start, end, _), line in zip(found[1:], (61, 101), strict=True)] == [
        ("src/b.py", True),
        ("src/b.py", True),
    ]


@pytest.mark.specification("000 §12 rerank")
async def test_lines_follow_the_order_of_a_reranker_where_there_is_one():
    def reading(text):
        return {0: 1.0} if "beacon" in text else {}

    files, rows = {}, []
    for name, score in (("a", 1.0), ("b", 0.6), ("c", 0.2)):
        lines = "\n".join(f"def {name}_{n}():\n    return {name}\n\n" for n in range(1, 11)).split("\n")
        lines[20] = f"    beacon.flash({name})"
        files[f"kit/src/{name}.py"] = "\n".join(lines)
        rows.append(candidate(chunk(1, 30, f"src/{name}.py", lines), score))
    made = {"files": files, "block_tokens": 8, "reading": reading, "most": 3}
    assert [path for path, *_ in await pieces(rows, **made)] == ["src/a.py", "src/b.py", "src/c.py"]
    turned = await pieces(rows, **made, order=lambda items: items[::-1])
    assert [path for path, *_ in turned] == ["src/c.py", "src/b.py", "src/a.py"]
    first_block_then_lines = await pieces(rows, **(made | {"most": 2}), order=lambda items: items[::-1])
    assert [path for path, *_ in first_block_then_lines] == ["src/c.py", "src/b.py"]


async def test_relations_that_hold_little_of_the_question_and_imports_are_not_shown():
    rows = [candidate(chunk(10, 11), 1.0), candidate(chunk(6, 6), 0.5), candidate(chunk(1, 2), 0.4)]
    for weak in (relation(6, coverage=0.29), relation(6, kind="IMPORTS"), relation(1, kind="DEPENDS_ON")):
        assert await pieces(rows, [weak], block_tokens=12, most=1) == [("src/desk.py", 10, 11, "ranked")]
    joined = await pieces(rows, [relation(6, coverage=0.3)], block_tokens=12, most=1)
    assert joined == [("src/desk.py", 4, 11, "ranked")]  # the class that line 6 stands in has eight lines


async def test_an_import_beside_one_that_proves_a_relation_is_not_shown():
    lines = ["from lamps import Lamp", "from kit import (", "    Beacon,", "    Desk,", ")", "", *DESK[3:]]
    rows = [candidate(chunk(7, 11, lines=lines), 1.0), candidate(chunk(1, 5, lines=lines), 0.5)]
    files = {"kit/src/desk.py": "\n".join(lines)}
    assert await pieces(rows, [relation(3)], files=files, block_tokens=40) == [("src/desk.py", 7, 11, "ranked")]


async def test_a_proof_next_to_a_block_is_shown_with_it():
    rows = [candidate(chunk(10, 11), 1.0), candidate(chunk(14, 14), 0.5)]
    for most in (1, 3):
        found = await pieces(rows, [relation(14)], block_tokens=12, most=most)
        assert found == [("src/desk.py", 10, 14, "ranked")]


@pytest.mark.specification("000 §8.1 item")
async def test_each_says_why_it_is_there():
    given = with_settings(max_tokens=0, block_tokens=12)
    picked = Picked(3, 0)
    lines = DESK + [""] * 20 + ["Beacon()"]
    rows = [candidate(chunk(10, 11), 1.0), candidate(chunk(len(lines), len(lines), lines=lines), 0.5)]
    pieces_of = RankedPieces(FakeFiles({"kit/src/desk.py": "\n".join(lines)}), given, "")
    await pieces_of.fill(picked, spread(rows), [relation(len(lines))])
    assert [(one.score, one.reason) for one in picked.items] == [
        (1.0, ""),
        (0.5, "class Desk of kit calls class Beacon"),
    ]
