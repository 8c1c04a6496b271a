from __future__ import annotations

import pytest

from indexing.rules.programs import is_code, program_language


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/orders.py", "python"),
        ("web/App.tsx", "typescript"),
        ("tests/test_orders.py", ""),
        ("README.md", ""),
        ("deploy/values.yaml", ""),
    ],
)
def test_the_language_of_a_program_that_is_no_test(path, language):
    assert program_language(path) == language
    assert is_code(path) == bool(language)


def test_a_component_test_is_told_by_its_folder():
    assert program_language("src/component-test/java/OrderPlaced.java") == "java"
    assert not is_code("src/component-test/java/OrderPlaced.java")
