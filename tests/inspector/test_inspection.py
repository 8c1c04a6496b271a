"""The lines that a page shows, inside the permission."""

from __future__ import annotations

import anyio
import pytest

from inspector import Excerpt
from inspector.inspection import read_excerpts
from memory.errors import StoreError
from memory.files import FakeFiles

FILES = {"a/five.md": "1\n2\n3\n4\n5", "a/long.md": "\n".join(map(str, range(1, 101))), "b/five.md": "secret"}


def at(path, first, last, project="a"):
    return {"project": project, "path": path, "start_line": first, "end_line": last}


def result(*cited, proved=(), source="graph:kglite"):
    return {
        "citations": [{"location": one} for one in cited],
        "observations": [{"source": source, "locations": proved}],
    }


async def read(document, files=None):
    return await read_excerpts(files or FakeFiles(FILES, frozenset({"a"})), document)


@pytest.mark.parametrize(
    ("first", "last", "excerpt"),
    [
        (2, 2, Excerpt(1, ("1", "2", "3", "4", "5"))),  # three before are one, three after are just there
        (5, 5, Excerpt(2, ("2", "3", "4", "5"))),  # and none after the last
        (4, 4, Excerpt(1, ("1", "2", "3", "4", "5"))),
    ],
)
async def test_a_citation_has_lines_around_it(first, last, excerpt):
    assert await read(result(at("five.md", first, last))) == {("a", "five.md", first, last): excerpt}


async def test_a_long_place_is_cut():
    [excerpt] = (await read(result(at("long.md", 11, 60)))).values()
    assert (excerpt.start, excerpt.lines[0], excerpt.lines[-1], excerpt.cut) == (8, "8", "50", True)  # 11 + 40 - 1


async def test_what_proves_a_relation_stands_alone():
    places = [at("long.md", 11, 11), at("long.md", 21, 60)]
    first, second = (await read(result(proved=places))).values()
    assert first == Excerpt(11, ("11",))
    assert (second.lines[-1], second.cut) == ("32", True)  # 21 + 12 - 1


async def test_a_place_that_is_also_cited_has_its_context():
    place = at("five.md", 3, 3)
    [excerpt] = (await read(result(place, proved=[place]))).values()
    assert excerpt.start == 1


async def test_a_chunk_has_its_text_already():
    assert await read(result(proved=[at("five.md", 1, 1)], source="vector:qdrant")) == {}


async def test_what_may_not_be_seen_is_not_there():
    assert await read(result(at("five.md", 1, 1, "b"), at("gone.md", 1, 1), at("five.md", 4, 9), None)) == {}


class Broken:
    """A store that is out of reach, or hangs at the second call."""

    def __init__(self, *answers):
        self.answers = list(answers)

    async def lines(self, location):
        if not self.answers:
            raise StoreError("gone", "Come back later.")
        if (answer := self.answers.pop(0)) is None:
            await anyio.sleep_forever()
        return answer


async def test_a_store_that_is_gone_costs_the_page_its_lines_alone():
    assert await read(result(at("five.md", 1, 1)), Broken()) == {}


async def test_a_store_that_hangs_costs_ten_seconds_and_the_rest():
    began = anyio.current_time()
    shown = await read(result(at("five.md", 1, 1), at("five.md", 2, 2)), Broken(["1"], None))
    assert list(shown) == [("a", "five.md", 1, 1)]
    assert anyio.current_time() - began == 10.0


async def test_agents_of_ones_own_have_no_files():
    assert await read_excerpts(None, result(at("five.md", 1, 1))) == {}
