from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memory.disk import explained
from memory.entities import Evidence
from memory.errors import DamagedIndexError, StorageFullError
from memory.generation import Disk, FullDisk
from memory.generation.arrays import StatementsFolder
from tests.memory.stated import FRONTEND, LEDGER, MAIL, PAYMENTS, WORDS, calls, ids, written

EVERYONE = frozenset({"shop", "bank"})


def relations(folder: StatementsFolder, project: str, permission: frozenset[str] = EVERYONE):
    segment = folder.segment(project)
    return [segment.relation(row, permission) for row in range(len(segment.audience))]


def test_relations_come_back_as_they_were_by_id(tmp_path):
    proof = (Evidence("compose", "shop", "compose.yaml", 7, "depends on it"), Evidence("env", "bank", ".env", 1))
    edges = [calls(FRONTEND, PAYMENTS, "b.py"), calls(FRONTEND, LEDGER, "a.py", *proof)]
    folder = written(tmp_path, {"shop": edges})
    assert relations(folder, "shop") == sorted(edges, key=lambda edge: edge.id)


def test_candidates_and_definitions_are_no_statements(tmp_path):
    guess = replace(calls(FRONTEND, MAIL), status="candidate")
    folder = written(tmp_path, {"shop": [guess, calls(FRONTEND, PAYMENTS, relation="DEFINES")]})
    assert relations(folder, "shop") == []


def test_a_term_of_a_statement_weighs_what_bm25_says(tmp_path):
    # service frontend of shop calls service payments: frontend, shop, calls, payments are four of 24 terms
    segment = written(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]}).segment("shop")
    norm = 1.2 * (1 - 0.4 + 0.4 * 4 / 24)
    rows, weights = segment.postings(WORDS["payments"])
    assert rows.tolist() == [0]
    assert weights.tolist() == [pytest.approx(2.2 / (1 + norm))]
    assert segment.postings(WORDS["ledger"])[0].tolist() == []
    assert segment.postings(999)[0].tolist() == []


def test_a_term_that_stands_twice_weighs_more_but_not_double(tmp_path):
    folder = StatementsFolder(tmp_path / "statements")
    folder.write(Disk(), "shop", [calls(FRONTEND, PAYMENTS)], lambda _: [5, 5, 6])
    segment = folder.segment("shop")
    norm = 1.2 * (0.6 + 0.4 * 3 / 24)
    assert segment.postings(5)[1].tolist() == [pytest.approx(2 * 2.2 / (2 + norm))]
    assert segment.postings(6)[1].tolist() == [pytest.approx(1 * 2.2 / (1 + norm))]


def test_a_statement_is_for_who_may_see_every_project_it_speaks_of(tmp_path):
    own, across = calls(FRONTEND, PAYMENTS, "a.py"), calls(FRONTEND, LEDGER, "b.py")
    segment = written(tmp_path, {"shop": [own, across]}).segment("shop")
    by_row = [edge.id for edge in sorted([own, across], key=lambda edge: edge.id)]
    seen = dict(zip(by_row, segment.visible(frozenset({"shop"})).tolist(), strict=True))
    assert seen == {own.id: True, across.id: False}
    assert segment.visible(EVERYONE).tolist() == [True, True]
    assert segment.visible(frozenset({"bank"})).tolist() == [False, False]


def test_evidence_outside_the_permission_is_left_out_and_hides_no_statement(tmp_path):
    edge = calls(FRONTEND, PAYMENTS, "a.py", Evidence("env", "bank", ".env", 1), Evidence("env", "shop", ".env", 2))
    folder = written(tmp_path, {"shop": [edge]})
    assert folder.segment("shop").visible(frozenset({"shop"})).tolist() == [True]
    [seen] = relations(folder, "shop", frozenset({"shop"}))
    assert seen.evidence == (Evidence("env", "shop", ".env", 2),)


def test_only_what_its_audience_sees_says_that_tests_alone_prove_it(tmp_path):
    forbidden = Evidence("env", "bank", "deploy/app.yaml", 1)
    shown = Evidence("env", "shop", "deploy/app.yaml", 1)
    tested = calls(FRONTEND, PAYMENTS, "tests/test_app.py", forbidden)  # bank is not of its audience
    proven = calls(FRONTEND, MAIL, "tests/test_app.py", shown)
    segment = written(tmp_path, {"shop": [tested, proven]}).segment("shop")
    ids_ = sorted([tested.id, proven.id])
    assert dict(zip(ids_, segment.test.tolist(), strict=True)) == {tested.id: True, proven.id: False}


def test_a_project_without_a_file_has_no_statements(tmp_path):
    segment = written(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]}).segment("bank")
    assert segment.visible(EVERYONE).tolist() == []
    assert segment.postings(WORDS["payments"])[0].tolist() == []


def test_a_project_without_relations_has_an_empty_file(tmp_path):
    folder = written(tmp_path, {"shop": []})
    assert len(list(folder.path.iterdir())) == 1
    assert relations(folder, "shop") == []
    assert folder.segment("shop").visible(EVERYONE).tolist() == []


def test_any_name_may_be_a_projects(tmp_path):
    names = ["../up", "a/b", "x" * 300, "naïve \udce9", ""]
    folder = written(tmp_path, {name: [calls(FRONTEND, PAYMENTS, f"{place}.py")] for place, name in enumerate(names)})
    assert [relations(folder, name)[0].path for name in names] == [f"{place}.py" for place in range(5)]
    assert {file.parent for file in folder.path.iterdir()} == {folder.path}


def test_text_that_is_no_unicode_comes_back(tmp_path):
    edge = calls(FRONTEND, PAYMENTS, "caf\udce9.py")
    assert relations(written(tmp_path, {"shop": [edge]}), "shop") == [edge]


def test_what_is_written_again_takes_the_place_of_what_was(tmp_path):
    written(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]})
    folder = written(tmp_path, {"shop": [calls(FRONTEND, MAIL)]})
    assert [edge.target.name for edge in relations(folder, "shop")] == ["mail"]


def test_what_another_generation_has_is_linked_where_it_was_not_written_here(tmp_path):
    (tmp_path / "before").mkdir()
    before = written(tmp_path / "before", {"bank": [calls(LEDGER, MAIL)]})
    [kept] = before.path.iterdir()
    written(tmp_path / "before", {"shop": [calls(FRONTEND, PAYMENTS)]})
    now = written(tmp_path, {"shop": [calls(FRONTEND, MAIL)]})
    now.keep(Disk(), ["shop", "bank", "new"], before)
    assert [edge.target.name for edge in relations(now, "shop")] == ["mail"]
    assert relations(now, "bank") == relations(before, "bank")
    assert (now.path / kept.name).stat().st_ino == kept.stat().st_ino
    assert relations(now, "new") == []


def test_a_generation_without_any_gives_none(tmp_path):
    now = StatementsFolder(tmp_path / "statements")
    now.keep(Disk(), ["shop"], StatementsFolder(tmp_path / "nowhere"))
    assert list(now.path.iterdir()) == []


@pytest.mark.parametrize("damage", ["cut", "empty", "other", "short"])
def test_a_damaged_file_is_named(tmp_path, damage):
    folder = written(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]})
    [file] = folder.path.iterdir()
    whole = file.read_bytes()
    if damage == "short":  # an archive, but without what belongs in it
        with file.open("wb") as out:
            np.savez(out, terms=np.zeros(0))
    else:
        file.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "other": b"what is this"}[damage])
    with pytest.raises(DamagedIndexError, match="can't be read") as refused:
        folder.segment("shop")
    assert str(file) in refused.value.message
    assert "into another data folder" in refused.value.hint


def test_a_bit_anywhere_is_read_or_refused(tmp_path):
    folder = written(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]})
    [file] = folder.path.iterdir()
    whole = file.read_bytes()
    refused = 0
    for at in range(0, len(whole), 5):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        try:
            folder.segment("shop")
        except DamagedIndexError:
            refused += 1
    assert refused > len(whole) / 20


def test_a_full_disk_leaves_what_there_was(tmp_path):
    folder = written(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]})
    with pytest.raises(StorageFullError), explained(tmp_path):
        folder.write(FullDisk(0), "shop", [calls(FRONTEND, MAIL)], ids)
    assert [edge.target.name for edge in relations(folder, "shop")] == ["payments"]
    assert len(list(folder.path.iterdir())) == 1
