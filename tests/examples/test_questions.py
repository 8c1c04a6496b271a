"""The questions' true answers still stand in the lines they name, in the shop and in the installed packages."""

from __future__ import annotations

import importlib.metadata
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "examples/shop"
TYPES = {"entity_lookup", "relationship", "similarity", "pattern", "cross_project", "local_only", "multi_hop"}
KEYS = {
    *("id", "query", "type", "expected_files", "expected_entities", "current_project", "must_abstain"),
    *("also_acceptable", "allowed_projects", "answer", "evidence"),
}


def in_shop(project: str, path: str) -> Path:
    return SHOP / project / path


def in_distribution(project: str, path: str) -> Path:
    distribution = importlib.metadata.distribution(project)
    recorded = {str(file) for file in distribution.files or ()}
    assert path in recorded, f"{path} is not in the RECORD of {project}"
    return Path(str(distribution.locate_file(path)))


def read(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]


LOCATE: dict[str, Callable[[str, str], Path]] = {
    "examples/shop/questions.jsonl": in_shop,
    "examples/packages/questions.jsonl": in_distribution,
}
CASES = [pytest.param(locate, row, id=row["id"]) for file, locate in LOCATE.items() for row in read(file)]


@pytest.mark.parametrize(("locate", "row"), CASES)
def test_evidence_stands_in_the_named_lines(locate, row):
    for proof in row.get("evidence", ()):
        lines = locate(proof["project"], proof["path"]).read_text(encoding="utf-8").splitlines()
        for number in proof["lines"]:
            assert re.search(proof["pattern"], lines[number - 1]), f"{proof['path']}:{number}: {lines[number - 1]!r}"


@pytest.mark.parametrize(("locate", "row"), CASES)
def test_files_exist_and_what_is_expected_is_proved(locate, row):
    expected = set(row["expected_files"])
    acceptable = set(row.get("also_acceptable", ()))
    proved = {f"{proof['project']}:{proof['path']}" for proof in row.get("evidence", ())}
    for reference in expected | acceptable:
        assert locate(*reference.split(":", 1)).is_file(), reference
    assert expected <= proved
    assert not expected & acceptable


@pytest.mark.parametrize(("locate", "row"), CASES)
def test_a_line_has_the_fields_that_evaluate_reads(locate, row):
    assert set(row) <= KEYS
    assert row["type"] in TYPES
    assert row["query"].strip()
    if row.get("must_abstain"):
        assert row["expected_files"] == []
        assert "answer" not in row
    else:
        assert row["expected_files"]
        assert row["answer"]
    if row["type"] == "local_only":
        assert row["current_project"] == row["expected_files"][0].split(":")[0]


def test_the_shop_asks_every_type_and_twice_for_nothing():
    rows = read("examples/shop/questions.jsonl")
    assert {row["type"] for row in rows} == TYPES
    assert sum(row.get("must_abstain", False) for row in rows) == 2
    assert len({row["id"] for row in rows}) == len(rows)


def test_what_must_not_be_found_is_nowhere():
    texts = [path.read_text(encoding="utf-8") for path in SHOP.glob("*/**/*") if path.is_file()]
    names = [
        name
        for row in read("examples/shop/questions.jsonl")
        if row.get("must_abstain")
        for name in re.findall(r"[A-Z][a-z]+[A-Z]\w+", row["query"])
    ]
    assert names == ["ShipmentTracker", "LoyaltyService", "VoucherStore"]
    assert not [name for name in names for text in texts if name in text]


def test_every_reference_in_the_shops_readme_is_evidence_of_a_question():
    references = re.findall(r"`(\w+)/([\w./-]+):(\d+)`", (SHOP / "README.md").read_text(encoding="utf-8"))
    proved = {
        (proof["project"], proof["path"], str(number))
        for row in read("examples/shop/questions.jsonl")
        for proof in row.get("evidence", ())
        for number in proof["lines"]
    }
    assert len(references) > 30
    assert not set(references) - proved
