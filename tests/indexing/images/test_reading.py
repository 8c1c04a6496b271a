from __future__ import annotations

import hashlib

import pytest

from indexing.images import Shown, is_picture, read_picture, shown_pictures
from indexing.reading import Skipped
from tests.linear import grows_with_its_length
from tests.memory.embedders.test_images import picture

DOCUMENT = """# Garden

We grow *roses*.

## People

Who wrote the compiler:

![Grace   Hopper &amp; crew](img/grace.png "her")
with [her](https://grace) team.

She found the first bug.

Not this any more.

```
![no](img/code.png)
```
![plan][map] and <img alt='the lake' src="/img/lake.webp?raw=1" width=3> and ![logo]

[map]: <../shared/map.jpg>
[logo]: https://elsewhere/logo.png
"""


@pytest.mark.specification("003 §7 multimodal")
def test_alt_text_heading_and_the_paragraphs_beside():
    first = shown_pictures("docs/README.md", DOCUMENT)[0]
    assert first == Shown(
        target="docs/img/grace.png",
        path="docs/README.md",
        line=9,
        alt="Grace Hopper & crew",
        around="People Who wrote the compiler: Grace Hopper & crew with her team. She found the first bug.",
    )


def test_references_and_tags_are_pictures_code_and_other_places_are_not():
    found = [(one.target, one.line, one.alt) for one in shown_pictures("docs/README.md", DOCUMENT)]
    assert found[1:] == [("shared/map.jpg", 19, "plan"), ("img/lake.webp", 19, "the lake")]


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("a.png", "docs/a.png"),
        ("./a%20b.png#top", "docs/a b.png"),
        ("../a.png", "a.png"),
        ("/a.png", "a.png"),
        ("../../a.png", None),
        ("http://x/a.png", None),
        ("//x/a.png", None),
        ("data:image/png;base64,AA", None),
    ],
)
def test_where_a_target_leads(target, path):
    assert [one.target for one in shown_pictures("docs/x.md", f"![]({target})")] == ([path] if path else [])


def test_what_stands_around_is_bounded():
    (one,) = shown_pictures("x.md", f"# T\n\n{'word ' * 500}\n![a](a.png)")
    assert len(one.around) <= 600
    assert one.around.startswith("T word")


def test_a_tag_without_a_source_shows_nothing():
    assert shown_pictures("x.md", "<img alt='x'> ![not a reference]") == []


def test_a_paragraph_of_many_pictures_is_read_in_time():
    half = "![a](b.png) <<<<<<<<\n" * 400
    assert len(shown_pictures("README.md", half)) == 400
    assert grows_with_its_length(lambda text: shown_pictures("README.md", text), half, half * 2)


@pytest.mark.specification("003 §7 multimodal")
@pytest.mark.parametrize("name", ["a.png", "b/C.JPG", "d.jpeg", "e.WebP"])
def test_pictures_by_name(name):
    assert is_picture(name)


@pytest.mark.specification("003 §7 multimodal")
@pytest.mark.parametrize("name", ["a.svg", "a.gif", "a.pdf", "png", "a.png.md"])
def test_others(name):
    assert not is_picture(name)


def test_a_whole_picture_has_a_state(tmp_path):
    data = picture("red")
    (tmp_path / "a.png").write_bytes(data)
    state = read_picture(tmp_path / "a.png")
    assert (state.hash, state.size) == (hashlib.sha256(data).hexdigest(), len(data))


@pytest.mark.parametrize(
    ("data", "limit", "reason"),
    [
        (b"no picture", 1000, "undecodable"),
        (picture("red")[:50], 1000, "undecodable"),
        (picture("red"), 10, "too_large"),
    ],
)
def test_what_is_left_out(tmp_path, data, limit, reason):
    (tmp_path / "a.png").write_bytes(data)
    assert read_picture(tmp_path / "a.png", max_file_bytes=limit) == Skipped(reason)


def test_what_is_gone(tmp_path):
    assert read_picture(tmp_path / "a.png") == Skipped("unreadable")
