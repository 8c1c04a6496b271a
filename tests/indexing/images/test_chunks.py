from __future__ import annotations

from indexing.images import Shown, picture_chunks
from indexing.points import Provenance

PROVENANCE = Provenance("garden", "acme/garden", "c0ffee")


def test_what_is_said_of_a_picture_is_its_text_each_thing_once():
    shown = [
        Shown("img/rose.png", "b.md", 7, "a rose", "Roses are red."),
        Shown("img/rose.png", "a.md", 3, "a rose", "In May."),
        Shown("img/other.png", "a.md", 4, "other", ""),
    ]
    (chunk,) = picture_chunks(PROVENANCE, [("img/rose.png", "h1")], shown)
    assert chunk.text == "a rose\nIn May.\nRoses are red.\nShown in a.md:3, b.md:7"
    assert (chunk.corpus, chunk.chunk_kind, chunk.lang) == ("docs", "image", "image")
    assert (chunk.start_line, chunk.end_line, chunk.header) == (0, 0, "garden img rose png")


def test_a_picture_that_nothing_shows_says_its_name():
    first, second = picture_chunks(PROVENANCE, [("x/ShopFloor-plan2.png", "h"), ("_.png", "h")], [])
    assert (first.text, second.text) == ("Picture: _.png", "Picture: shop floor plan 2")


def test_ids_follow_the_bytes_and_what_is_said():
    def id_of(digest, *shown):
        return picture_chunks(PROVENANCE, [("a.png", digest)], shown)[0].id

    said = Shown("a.png", "a.md", 1, "a", "")
    assert len({id_of("h1"), id_of("h2"), id_of("h1", said)}) == 3
    assert id_of("h1", said) == id_of("h1", said)
