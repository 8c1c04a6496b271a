"""What a run is asked for: folders, sub-folders, distributions, removals; two projects of one name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from indexing.sources import IndexRequest, find_sources
from memory.errors import DuplicateProjectError, InvalidInputError, NoFolderError, UnknownProjectError
from memory.generation import Manifest, ProjectRecord


@pytest.fixture
def org(tmp_path):
    for name in ("auth", "billing"):
        (tmp_path / "org" / name).mkdir(parents=True)
    return tmp_path / "org"


def known(*records):
    return Manifest("n", "embedded", "mini", 384, projects=records)


def find(request, current=None):
    return find_sources(request, current, max_file_bytes=1000)


def names(sources):
    return [source.project.name for source in sources.present]


def test_a_folder_is_a_project_and_with_each_its_sub_folders_are():
    here = Path(__file__).parent
    alone = find(IndexRequest([here]))
    assert (names(alone), alone.present[0].group, alone.gone) == (["indexing"], "", frozenset())


def test_each(org):
    found = find(IndexRequest([org], each=True))
    assert names(found) == ["auth", "billing"]
    assert {source.group for source in found.present} == {str(org)}


def test_a_folder_whose_name_is_no_line_of_text_is_left_out_by_name(org):
    for name in (b"\xe2\x80\xaegnp", b"b\xffd", b"b\nd"):
        Path(os.fsdecode(os.fsencode(org) + b"/" + name)).mkdir()
    asked = find(IndexRequest([org], each=True))
    again = find(IndexRequest(), known(ProjectRecord("auth", str(org / "auth"), group=str(org))))
    for found in (asked, again):
        assert names(found) == ["auth", "billing"]
        assert sorted(found.unnamed) == ["b\ufffdd", "b\ufffdd", "\ufffdgnp"]
    assert find(IndexRequest([org / "auth"])).unnamed == ()


def test_one_folder_has_one_spelling(org):
    found = find(IndexRequest([org.parent / "elsewhere" / ".." / "org"], each=True))
    assert {source.group for source in found.present} == {str(org)}


def test_a_distribution_given_twice_is_one(org):
    found = find(IndexRequest([org / "auth"], distributions=["pluggy", "pluggy"]))
    assert names(found) == ["auth", "pluggy"]
    assert [source.distribution for source in found.present] == [False, True]


def test_gone_is_what_is_to_be_removed_and_what_each_no_longer_finds(org):
    current = known(
        ProjectRecord("auth", str(org / "auth"), group=str(org)),
        ProjectRecord("crm", str(org / "crm"), group=str(org)),
        ProjectRecord("alone", "/alone"),
        ProjectRecord("tired", "/tired"),
    )
    assert find(IndexRequest([org], each=True, remove=["tired"]), current).gone == {"crm", "tired"}
    assert find(IndexRequest([org / "auth"]), current).gone == frozenset()


@pytest.mark.parametrize("current", [None, known(ProjectRecord("auth", "/a"))], ids=["no index", "an index"])
def test_an_unknown_name_to_remove(current):
    with pytest.raises(UnknownProjectError, match=f"'nope'.*{'Known: auth' if current else 'None of those'}"):
        find(IndexRequest(remove=["nope"]), current)


def test_nothing_to_do():
    with pytest.raises(InvalidInputError, match="Give a PATH"):
        find(IndexRequest())


def of(group, name, **more):
    return ProjectRecord(name, str(group / name), group=str(group), **more)


def test_all_that_is_indexed_with_what_is_new_in_its_group(org):
    [pluggy] = find(IndexRequest(distributions=["pluggy"])).present
    installed = ProjectRecord("pluggy", str(pluggy.project.root), distribution=True)
    current = known(of(org, "auth"), of(org, "crm"), ProjectRecord("lost", "/lost"), installed)
    found = find(IndexRequest(), current)
    assert sorted(names(found)) == ["auth", "billing", "pluggy"]
    assert {source.project.name: source.group for source in found.present} == {
        "auth": str(org),
        "billing": str(org),
        "pluggy": "",
    }
    assert found.gone == {"crm"}


def test_some_of_what_is_indexed_and_nothing_new(org):
    current = known(of(org, "auth"), of(org, "crm"), ProjectRecord("alone", "/alone"))
    found = find(IndexRequest(known=["auth"]), current)
    assert (names(found), found.present[0].group, found.gone) == (["auth"], str(org), frozenset())
    assert find(IndexRequest(known=["crm"]), current).gone == {"crm"}
    with pytest.raises(UnknownProjectError, match="'nope'"):
        find(IndexRequest(known=["auth", "nope"]), current)
    with pytest.raises(NoFolderError, match="No folder of what is indexed is there"):
        find(IndexRequest(known=["alone"]), current)


def test_a_disk_that_is_not_there_and_a_package_that_is_not_installed_stay_as_they_were(tmp_path):
    away = tmp_path / "disk"
    away.mkdir()
    (away / "auth").mkdir()
    current = known(
        of(away, "auth"), of(tmp_path / "unplugged", "crm"), ProjectRecord("no-such-thing", "/", distribution=True)
    )
    found = find(IndexRequest(), current)
    assert (names(found), found.gone) == (["auth"], frozenset())
    assert found.absent == ("crm", "no-such-thing")


def test_each_of_nothing(tmp_path):
    with pytest.raises(InvalidInputError, match=f"No folder to index in {tmp_path}"):
        find(IndexRequest([tmp_path], each=True))


def test_the_last_sub_folder_may_go(tmp_path):
    current = known(ProjectRecord("crm", str(tmp_path / "crm"), group=str(tmp_path)))
    found = find(IndexRequest([tmp_path], each=True), current)
    assert (found.present, found.gone) == ((), {"crm"})


def test_two_projects_of_one_name_in_one_request(org):
    twin = org.parent / "twin" / "auth"
    twin.mkdir(parents=True)
    with pytest.raises(DuplicateProjectError) as caught:
        find(IndexRequest([org / "auth", twin]))
    assert str(org / "auth") in caught.value.message
    assert str(twin) in caught.value.message


def test_a_project_of_a_name_that_is_indexed_already(org):
    current = known(ProjectRecord("auth", "/elsewhere/auth"))
    with pytest.raises(DuplicateProjectError, match=r"/elsewhere/auth and .*--remove NAME"):
        find(IndexRequest([org / "auth"]), current)
    assert names(find(IndexRequest([org / "auth"], remove=["auth"]), current)) == ["auth"]
