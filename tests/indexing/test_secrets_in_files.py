"""Secrets in files that are worth reading: nothing of them is written anywhere, and what is read live is the same text."""

from __future__ import annotations

import pytest

from indexing.reading import Skipped, read_source
from memory.project_folder import ProjectFolder
from memory.secrets import REDACTED
from memory.text.lines import split_lines
from tests.indexing.test_vectors import found
from tests.memory.secrets.shapes import SHAPES
from tests.organisation import index, points, write

PLACES = {f"s{number}/{shape.path}": shape for number, shape in enumerate(SHAPES)}


@pytest.fixture
def org(tmp_path):
    return write(tmp_path / "org", {"vault": {path: shape.text for path, shape in PLACES.items()}})


async def test_nothing_of_a_secret_is_in_the_data_folder(org, tmp_path):
    report = await index(tmp_path / "data", org, each=True)
    left_out = {row["path"]: row["reason"] for row in report.to_dict(0)["skipped"]}
    assert left_out == {}
    assert found(tmp_path / "data", *{secret for shape in SHAPES for secret in shape.hidden}) == []
    texts = "\n".join(point["chunk"].text for point in await points(tmp_path / "data"))
    assert texts.count(REDACTED) >= len(SHAPES)


def test_what_is_read_live_is_what_is_indexed(org):
    folder = ProjectFolder(org / "vault", {})
    for path, shape in PLACES.items():
        source = read_source(org / "vault" / path, relative=path)
        assert not isinstance(source, Skipped)
        assert folder.read(path) == source.text
        assert not any(secret in source.text for secret in shape.hidden)
        assert len(split_lines(source.text)) == len(split_lines(shape.text))


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_so_it_is_with_the_line_ends_of_other_systems(org, ends):
    folder = ProjectFolder(org / "vault", {})
    for path, shape in PLACES.items():
        (org / "vault" / path).write_bytes(b"\xef\xbb\xbf" + shape.text.replace("\n", ends).encode())
        source = read_source(org / "vault" / path, relative=path)
        assert not isinstance(source, Skipped)
        assert folder.read(path) == source.text
        assert not any(secret in source.text for secret in shape.hidden)
