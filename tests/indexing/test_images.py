"""Which pictures there are and what documents say of them; and pictures through whole runs of the indexer: found,
related to documents, followed when files change, cached.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from indexing import Indexer, IndexingParts, IndexRequest
from indexing.chunks import Provenance
from indexing.images import (
    PictureModels,
    PictureWriter,
    Shown,
    is_picture,
    picture_chunks,
    read_picture,
    shown_pictures,
)
from indexing.reading import Skipped
from memory.embedders import Bm25Sparse, EmbeddingCache, FakeImageEmbedder, FakeSource
from memory.errors import DataFolderError
from memory.generation import DataFolder
from memory.vector import IMAGE, EdgeVectorStore, FakeVectorStore, VectorQuery, parse_filters
from tests.linear import grows_with_its_length
from tests.memory.embedders.test_images import picture
from tests.organisation import CONFIG, PreparedStores, Unsynced

README = "# Garden\n\nOur best rose:\n\n![a red rose](img/rose.png)\n"
PROVENANCE = Provenance("garden", "acme/garden", "c0ffee")
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


@pytest.fixture
def garden(tmp_path):
    root = tmp_path / "garden"
    (root / "img").mkdir(parents=True)
    (root / "README.md").write_text(README)
    (root / "img/rose.png").write_bytes(picture("red"))
    (root / "img/lake.webp").write_bytes(picture("blue", "WEBP"))
    (root / "img/broken.jpg").write_bytes(b"\xff\xd8\xff\0")
    return root


async def run(data, root, images=None, *, pictures=True):
    models = PictureModels(images or FakeImageEmbedder(), FakeSource()) if pictures else None
    parts = IndexingParts(PreparedStores(), FakeSource(), Bm25Sparse(), pictures=models)
    folder = DataFolder.open_or_create(data, disk=Unsynced())
    return await Indexer(folder, parts, CONFIG, profile="embedded").run(IndexRequest([root]), holder="a test")


async def found(data, colour, kind):
    """What is nearest to a colour's name in the pictures' space, with its text."""
    folder = DataFolder.open(data)
    [vector] = FakeSource().load()([colour]).tolist()
    with folder.reading() as generation:
        store = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
        query = VectorQuery(IMAGE, vector, 10, parse_filters({"chunk_kind": kind}))
        [hits] = await store.query_batch([query], permission=frozenset({"garden"}))
        await store.close()
    return [(hit.chunk.path, hit.chunk.text) for hit in hits]


@pytest.mark.slow
@pytest.mark.specification("003 §7 multimodal", "003 §8 end to end")
async def test_text_finds_pictures_and_pictures_find_text(tmp_path, garden):
    report = await run(tmp_path / "data", garden)
    rows = report.to_dict(0)
    assert (rows["files"], rows["chunks"]) == (3, 3)
    assert rows["skipped"] == [{"project": "garden", "path": "img/broken.jpg", "reason": "undecodable"}]
    said = "a red rose\nGarden Our best rose: a red rose\nShown in README.md:5"
    assert await found(tmp_path / "data", "red", "image") == [
        ("img/rose.png", said),
        ("img/lake.webp", "Picture: lake"),
    ]
    assert (await found(tmp_path / "data", "red", "doc"))[0][0] == "README.md"


@pytest.mark.slow
@pytest.mark.specification("003 §7 multimodal")
async def test_without_a_model_pictures_are_skipped_as_before(tmp_path, garden):
    rows = (await run(tmp_path / "data", garden, pictures=False)).to_dict(0)
    assert rows["files"] == 1
    assert [(row["path"], row["reason"]) for row in rows["skipped"]] == [
        ("img/broken.jpg", "binary"),
        ("img/lake.webp", "binary"),
        ("img/rose.png", "binary"),
    ]


@pytest.mark.slow
async def test_an_unchanged_folder_is_left_alone(tmp_path, garden):
    await run(tmp_path / "data", garden)
    images = FakeImageEmbedder()
    report = await run(tmp_path / "data", garden, images)
    assert (report.unchanged, report.generation, images.images) == (True, 1, 0)


@pytest.mark.slow
async def test_what_is_said_of_a_picture_follows_the_documents_without_the_model(tmp_path, garden):
    await run(tmp_path / "data", garden)
    (garden / "README.md").write_text(README.replace("a red rose", "the prize of May"))
    images = FakeImageEmbedder()
    await run(tmp_path / "data", garden, images)
    assert (await found(tmp_path / "data", "red", "image"))[0][1].startswith("the prize of May\n")
    assert images.images == 0


@pytest.mark.slow
async def test_incremental_equals_fresh(tmp_path, garden):
    await run(tmp_path / "data", garden)
    (garden / "img/rose.png").write_bytes(picture("green"))
    (garden / "img/lake.webp").unlink()
    (garden / "more.md").write_text("![again](img/rose.png)\n")
    await run(tmp_path / "data", garden)
    await run(tmp_path / "fresh", garden)
    for colour in ("green", "red", "blue"):
        for kind in ("image", "doc"):
            assert await found(tmp_path / "data", colour, kind) == await found(tmp_path / "fresh", colour, kind)
    assert [path for path, _ in await found(tmp_path / "data", "green", "image")] == ["img/rose.png"]


@pytest.mark.slow
@pytest.mark.specification("003 §7 multimodal")
async def test_an_index_without_pictures_refuses_a_run_with_them(tmp_path, garden):
    await run(tmp_path / "data", garden, pictures=False)
    with pytest.raises(DataFolderError, match="pictures by fake-colours"):
        await run(tmp_path / "data", garden)


@pytest.mark.slow
async def test_the_manifest_says_which_model_and_refuses_another(tmp_path, garden):
    await run(tmp_path / "data", garden)
    with DataFolder.open(tmp_path / "data").reading() as generation:
        manifest = generation.manifest
    assert (manifest.image_model, manifest.image_dimension) == ("fake-colours", 64)
    manifest.check_beside(manifest.sparse_model)
    manifest.check_beside(manifest.sparse_model, "fake-colours", 64)
    with pytest.raises(DataFolderError, match=r"fake-colours \(64 dimensions\), the settings say CLIP \(512"):
        manifest.check_beside(manifest.sparse_model, "CLIP", 512)
    with pytest.raises(DataFolderError, match=r"the image model none, the settings say CLIP"):
        replace(manifest, image_model="", image_dimension=0).check_beside(manifest.sparse_model, "CLIP", 512)
    with pytest.raises(DataFolderError, match="the sparse model Qdrant/bm25, the settings say splade"):
        manifest.check_beside("splade")


@pytest.mark.slow
async def test_a_picture_that_changed_since_it_was_looked_at_has_no_vector_yet(tmp_path, garden):
    store = FakeVectorStore()
    writer = PictureWriter(PictureModels(FakeImageEmbedder(), FakeSource()), EmbeddingCache(tmp_path / "c"), workers=0)
    chunks = picture_chunks(Provenance("garden", "garden", ""), [("img/rose.png", "of before")], [])
    await writer.add(store, garden, chunks, {"img/rose.png": "of before"})
    query = VectorQuery(IMAGE, [1.0] * 64, 10)
    listing = VectorQuery("", None, 10)
    near, listed = await store.query_batch([query, listing], permission=frozenset({"garden"}))
    assert ([hit.chunk.path for hit in near], [hit.chunk.path for hit in listed]) == ([], ["img/rose.png"])


@pytest.mark.specification("000 §6.3 fields")
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
