from __future__ import annotations

from dataclasses import replace

import pytest

from agents.evidence.windows import expanded, widened
from memory.files import FakeFiles
from tests.agents.evidence.making import SETTINGS, item, make_chunk, with_settings

LINES = [f"line {n} of src/a.py" for n in range(1, 101)]
FILES = FakeFiles({"kit/src/a.py": "\n".join(LINES), "guide/docs/a.md": "\n".join(LINES)})


def shown(one):
    return one.start_line, one.end_line


@pytest.mark.specification("000 §8.2 window")
@pytest.mark.parametrize(
    ("start", "end", "window"),
    [
        (40, 45, (30, 55)),
        (1, 3, (1, 13)),
        (5, 6, (1, 16)),
        (95, 100, (85, 100)),
        (11, 11, (1, 21)),
        (90, 90, (80, 100)),
    ],
)
def test_ten_lines_before_and_after_within_the_file(start, end, window):
    one = widened(item(start=start, end=end), LINES, 10)
    assert shown(one) == window
    assert one.text.split("\n") == LINES[window[0] - 1 : window[1]]
    assert one.evidence_id == f"{one.chunk.id}:{window[0]}:{window[1]}"


@pytest.mark.specification("000 §8.2 window")
def test_another_version_of_the_file_is_no_context():
    one = item(start=40, end=45)
    for other in ([], LINES[:44], [*LINES[:41], "changed", *LINES[42:]], ["new", *LINES]):
        assert widened(one, other, 10) is one


@pytest.mark.specification("000 §8.2 window")
async def test_short_code_alone_and_only_with_its_file():
    short, longer = item(start=40, end=63), item(start=40, end=64)  # 24 lines and 25
    document, elsewhere = item("docs/a.md", 40, 45, text="\n".join(LINES[39:45])), item("src/b.py", 40, 45)
    without_lines = item(start=0, end=0, text=LINES[0])
    got = await expanded([short, longer, document, elsewhere, without_lines], FILES, SETTINGS)
    assert [shown(one) for one in got] == [(30, 73), (40, 64), (40, 45), (40, 45), (0, 0)]
    assert got[1:] == [longer, document, elsewhere, without_lines]


async def test_other_sizes():
    one = item(start=40, end=45)
    settings = with_settings(window_lines=2, window_below=7)
    assert [shown(o) for o in await expanded([one, item(start=40, end=46)], FILES, settings)] == [(38, 47), (40, 46)]


def test_a_text_that_ends_with_a_line_end():
    one = item(start=40, end=41, text="line 40 of src/a.py\nline 41 of src/a.py\n")
    assert shown(widened(one, LINES, 1)) == (39, 42)
    beyond = replace(one, chunk=make_chunk(start=99, end=102), start_line=99, end_line=102, text="\n".join(LINES[98:]))
    assert widened(beyond, LINES, 1) is beyond
