"""The benchmark of scopes: the questions it makes up have the answers it expects, and its table."""

from __future__ import annotations

import pytest

from benchmarks import scope
from benchmarks.scale import write_organisation
from wiring.models import Models

pytestmark = pytest.mark.slow


def test_every_generated_question_is_answered_by_its_file(tmp_path):
    write_organisation(tmp_path, 8)
    for question in scope.generated_questions(8, asked=10).questions:
        (file,) = question.expected_files
        text = (tmp_path / file.replace(":", "/")).read_text()
        function, other = question.query.split()[2], question.query.rstrip("?").split()[-1]
        assert f"def {function}(" in text
        assert f"from {other} import" in text


async def test_the_three_modes_of_a_small_organisation():
    async with scope._generated(4) as (data, config, dense):
        found = await scope.measure(scope.generated_questions(4, asked=3), data, config, embedder=Models.of(dense))
    assert set(found) == {"none", "soft", "strict"}
    assert found["none"]["lost_to_scope"] == 0
    assert found["none"]["recall@10"] == 1.0


def test_a_row_for_each_mode():
    row = dict.fromkeys(scope._COLUMNS, 0.5) | {"scope_precision": None}
    lines = scope.table({"dev": {"none": row, "soft": row}}).splitlines()
    assert lines[1].split() == ["dev", "none", "0.5", "0.5", "-", "0.5", "0.5", "0.5", "0.5", "0.5"]
    assert len(lines) == 3
