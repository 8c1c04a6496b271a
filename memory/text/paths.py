"""What a file's path tells of it."""

from __future__ import annotations

import re

__all__ = ["is_test"]

_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|e2e)/"
    r"|(?:^|/)(?:tests?|test_[^/]*|conftest|[^/]*_test|[^/]*_spec|[^/]*[.](?:test|spec)|[^/]*[a-z0-9](?:Tests?|Spec|IT))\.\w+$"
)


def is_test(path: str) -> bool:
    """Whether a file tests others, by its folder's name or its own, as the test runners of the languages look for them."""
    return _TEST.search(path) is not None
