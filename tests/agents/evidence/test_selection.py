from __future__ import annotations

import hashlib
import sys
import time

import pytest

from agents.evidence.files import UnchangedFiles
from agents.evidence.ranking import candidates
from agents.evidence.selection import select
from memory.files import FakeFiles, ProjectFolder
from memory.vector import Hit
from tests.agents.evidence.making import SETTINGS, item, items, make_chunk, settled, with_settings


@pytest.mark.specification("000 §10 step 7")
async def test_duplicates_then_shares_then_ranks_anew():
    #          1          2 (again)  3          4          5          6          7          8
    pool = [item(path, rank=rank) for rank, path in enumerate(["a.md", "a.md", "b.md", "c.md", "d.md", "e.md", "f.py", "g.py"], 1)]  # fmt: skip
    got = await select(pool, settled(top_k=5), SETTINGS)
    assert [(one.rank, one.chunk.path) for one in got.items] == [
        (1, "a.md"),
        (2, "b.md"),
        (3, "c.md"),
        (4, "f.py"),
        (5, "g.py"),
    ]
    assert (got.missing, got.notes) == ({}, ())


async def test_a_forced_corpus_has_no_shares():
    got = await select(
        items("a.py", "b.py", "c.py", "d.py", "e.py", "f.py"), settled(intent="CODE_ONLY", top_k=5), SETTINGS
    )
    assert ([one.rank for one in got.items], got.missing, got.notes) == ([1, 2, 3, 4, 5], {}, ())


async def test_what_is_missing_is_said():
    got = await select(items("a.md", "b.md", "c.py"), settled(top_k=5), SETTINGS)
    assert (got.missing, got.notes) == ({"code": 1}, ("1 items of code short of its share",))


@pytest.mark.specification("000 §12 budget")
async def test_what_the_budget_takes_counts_as_missing_too():
    pool = [
        item("a.md", rank=1, text="x" * 300),
        item("b.md", rank=2, text="x" * 300),
        item("c.py", rank=3, text="x" * 900),
    ]
    got = await select(pool, settled(top_k=5), with_settings(max_tokens=250))
    assert [one.chunk.path for one in got.items] == ["a.md", "b.md"]
    assert got.missing == {"code": 2}
    assert got.notes == ("1 items left out for the budget of 250 tokens", "2 items of code short of its share")


@pytest.mark.specification("000 §8.2 window")
async def test_windows_where_there_are_files_and_they_are_wanted():
    files = FakeFiles({"kit/src/a.py": "\n".join(f"line {n} of src/a.py" for n in range(1, 31))})
    for wanted, given, lines in ((True, files, (1, 23)), (False, files, (11, 13)), (True, None, (11, 13))):
        [one] = (await select([item(start=11, end=13)], settled(top_k=5), with_settings(windows=wanted), given)).items
        assert (one.start_line, one.end_line) == lines


async def test_highlights_are_of_the_text_that_is_shown():
    files = FakeFiles({"kit/src/a.py": "state\nmiddle\n"})
    [one] = (await select([item(start=2, end=2, text="middle")], settled("state"), SETTINGS, files)).items
    assert (one.text, one.highlights) == ("state\nmiddle", ("state",))


ROW = "x = agent.state['schema'] + tool(names)"


def fifty(lines):
    """50 hits of 1,500 characters on `lines` lines each, five a file, code and documents in turn."""
    text = "\n".join([(ROW * 40)[: 1500 // lines - 1]] * lines)
    paths = [f"src/{n // 10}.py" if n % 2 else f"docs/{n // 10}.md" for n in range(50)]
    chunks = [make_chunk(path, 40 * (n % 10) + 1, 40 * (n % 10) + lines, text) for n, path in enumerate(paths)]
    return [Hit(chunk, 1 / (60 + n)) for n, chunk in enumerate(chunks)]


@pytest.fixture
def folder(tmp_path):
    """The five files of code on the disk, 400 lines each."""
    text = "\n".join([(ROW * 40)[: 1500 // 20 - 1]] * 400)
    (tmp_path / "src").mkdir()
    for n in range(5):
        (tmp_path / f"src/{n}.py").write_text(text)
    recorded = hashlib.sha256(text.encode()).hexdigest()
    return {"kit": ProjectFolder(tmp_path, {f"src/{n}.py": recorded for n in range(5)})}


async def milliseconds(hits, settings, files):
    """The quickest of 20 times, not traced: the machine may be busy, the work is the same each time."""
    tracing = sys.gettrace()
    sys.settrace(None)
    request = settled("how does the agent keep its state, and the tool its schema and names", top_k=30)
    taken = []
    for _ in range(20):
        began = time.process_time()
        got = await select(candidates(hits, request.intent), request, settings, files())
        taken.append((time.process_time() - began) * 1000)
    sys.settrace(tracing)
    return min(taken), got


@pytest.mark.specification("000 §8.2 time")
async def test_fifty_candidates_without_windows_take_less_than_a_millisecond():
    took, got = await milliseconds(fifty(30), with_settings(windows=False), lambda: None)
    assert len(got.items) == 30
    assert took < 1


@pytest.mark.specification("000 §8.2 time")
async def test_fifty_candidates_with_windows_from_the_disk_take_less_than_five(folder):
    settings = with_settings(max_tokens=100_000)
    took, got = await milliseconds(fifty(20), settings, lambda: UnchangedFiles(folder, frozenset({"kit"})))
    assert (len(got.items), sum(one.text != one.chunk.text for one in got.items)) == (30, 15)
    assert took < 5
