"""Service addresses in settings: what may leave a file that could hold secrets (design §8, Secrets).

Only keys with one of these endings, and of their values only the host, if the value parses as a host, a host with a port
or a URL without credentials. Nothing else of the value is kept or said.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

__all__ = ["host_of"]

KEY: Final = re.compile(r"(?:^|_)(ADDR|ADDRESS|HOST|URL|URI|ENDPOINT)$", re.IGNORECASE)
HOST: Final = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63})*)(?::\d{1,5})?")


def host_of(key: str, value: str) -> str:
    """The first label of the host that a setting points to; '' when it is no address, or carries credentials."""
    if not KEY.search(key):
        return ""
    value = _default(value.strip())
    if "://" in value:
        try:
            parts = urlsplit(value)
            host = parts.hostname or ""
        except ValueError:
            return ""
        if "@" in parts.netloc:
            return ""
        value = host
    found = HOST.fullmatch(value)
    return found[1].split(".")[0].lower() if found else ""


def _default(value: str) -> str:
    """`${NAME:-http://payments:8080}` stands for what follows the dash."""
    found = re.fullmatch(r"\$\{\w+:?-(.*)\}", value)
    return found[1] if found else value
