from __future__ import annotations

import pytest

from memory.text import asks_config_keys


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which environment variables does the cart read?", True),
        ("which env vars does it need", True),
        ("Which configuration keys does billing expect?", True),
        ("Which settings are read?", True),
        ("Which tables does billing own?", False),
        ("What does the setting do?", False),
    ],
)
def test_a_question_about_keys(question, asks):
    assert asks_config_keys(question) is asks
