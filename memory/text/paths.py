"""What a file's path tells of it."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["is_aside", "is_test"]

_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|e2e)/"
    r"|(?:^|/)(?:tests?|test_[^/]*|conftest|[^/]*_test|[^/]*_spec|[^/]*[.](?:test|spec)|[^/]*[a-z0-9](?:Tests?|Spec|IT))\.\w+$"
)


_ASIDE = re.compile(
    r"(?:^|/)(?:licen[cs]e|copying|notice|change(?:log|s)|history|releases?|news)(?:[.-][\w.-]*)?$"
    r"|(?:^|/)(?:migrations?|l10n|i18n|locales?|translations?)/|\.(?:arb|po|pot|xliff|strings)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=65_536)
def is_aside(path: str) -> bool:
    """Whether a file names much and settles little: a licence, a change log, translations, migrations."""
    return _ASIDE.search(path) is not None


@lru_cache(maxsize=65_536)
def is_test(path: str) -> bool:
    """Whether a file tests others, by its folder's name or its own, as the test runners of the languages look for them."""
    return _TEST.search(path) is not None
