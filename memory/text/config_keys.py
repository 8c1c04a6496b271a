"""Whether a question is about config keys, for whoever walks to them and whoever tells of them."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["asks_config_keys"]

_WHICH: Final = re.compile(
    r"\bwhich (?:environment variables?|env(?:ironment)? vars?|config(?:uration)? keys?|settings?)\b", re.IGNORECASE
)


def asks_config_keys(question: str) -> bool:
    """`Which environment variables does the cart read?`"""
    return _WHICH.search(question) is not None
