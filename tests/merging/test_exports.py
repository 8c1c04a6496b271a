"""One face: what `merging` promises is there, sorted, and nothing else is public."""

from __future__ import annotations

import merging


def test_everything_promised_is_there():
    assert sorted(merging.__all__) == sorted(set(merging.__all__))
    assert all(hasattr(merging, name) for name in merging.__all__)
