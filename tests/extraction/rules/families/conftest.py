"""A family on a few lines as its framework's documentation has them."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from extraction.rules.families import shipped_families


@pytest.fixture
def stated():
    """`stated(kind, path, text)`: what the families of a folder say of the text, `RELATION WHAT @LINE`, with `who` also WHO."""

    def read(kind, path, text, *, who=False):
        clues = extract_facts(path, text, "shop", shipped_families(kind)).clues
        rows = {f"{c.entity + ' ' if who and c.entity else ''}{c.relation} {c.key} @{c.line}" for c in clues}
        return sorted(rows)

    return read
