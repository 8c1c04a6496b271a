from __future__ import annotations

import pytest

from memory.errors import DamagedIndexError
from memory.generation import Disk, FactsFolder, ProjectFacts

FACTS = ProjectFacts(
    {"a.py": {"lang": "python"}, "ü.md": {"lang": "markdown"}},
    {"offers": ["table users"], "asks": []},
    {"a.py": "0f"},
)
NAMES = (
    "billing",
    "Billing",
    "@org",
    "a b",
    "x" * 255,
    "caf\udce9",
)  # not every name of a folder is text, or another on any disk


@pytest.fixture
def folder(tmp_path):
    return FactsFolder(tmp_path / "facts")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_read(folder, name):
    folder.write(Disk(), name, FACTS)
    folder.write(Disk(), "other", ProjectFacts({}, {}))
    assert (folder.files(name), folder.reach(name), folder.digests(name)) == (FACTS.files, FACTS.reach, FACTS.digests)
    assert (folder.files("other"), folder.reach("other"), folder.digests("other")) == ({}, {}, {})


def test_a_second_write_is_in_place_of_the_first(folder):
    folder.write(Disk(), "billing", FACTS)
    folder.write(Disk(), "billing", ProjectFacts({"b.py": {}}, {}))
    assert folder.files("billing") == {"b.py": {}}


def test_what_is_kept_is_the_same_file_and_what_was_never_there_is_left_out(folder, tmp_path):
    folder.write(Disk(), "billing", FACTS)
    later = FactsFolder(tmp_path / "later")
    later.keep(Disk(), ["billing", "auth"], folder)
    [there], [here] = folder.path.iterdir(), later.path.iterdir()
    assert there.samefile(here)
    later.write(Disk(), "billing", ProjectFacts({}, {}))  # another file of that name
    assert folder.files("billing") == FACTS.files


@pytest.mark.parametrize("text", [None, "{}\nhalf a row", "\0"])
def test_what_is_missing_or_damaged_says_so(folder, text):
    folder.write(Disk(), "billing", FACTS)
    [file] = folder.path.iterdir()
    file.unlink() if text is None else file.write_text(text)
    with pytest.raises(DamagedIndexError, match="what is known of 'billing'"):
        folder.files("billing")
