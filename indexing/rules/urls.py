"""Addresses that code puts together: the path, and whose it is: a host, a variable that says, or names as written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from indexing.rules.addresses import addresses_in, is_address_key
from indexing.rules.expressions import HOLE, Joined, join

__all__ = ["Url", "base_in", "url_of"]

URL: Final = re.compile(r"(?:(?P<scheme>[a-z][a-z+]*)://(?P<host>[^/?#]*))?(?P<rest>[^?#]*)", re.DOTALL)
VARIABLE: Final = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
LOCAL: Final = re.compile(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d+)?")
SEGMENT: Final = re.compile(rf"(?:[\w.\-~%@:+!$&'()*]|{HOLE})*")
BASE: Final = re.compile(
    r"\b(?i:base_?ur[li]|base_?address|prefix_?url|root_?uri)\b[\"']?\s*(?:[:=]\s*|\(\s*|=>\s*)(?P<value>[^\n;]+)"
    r"|@(?:FeignClient|RegisterRestClient)\(\s*(?:[^)\n]*?\b(?:name|value)\s*=\s*)?(?P<name>\"[^\"\n]+\")"
    r"|@Client\(\s*(?:(?:id|value)\s*=\s*)?(?P<client>\"[a-z][\w\-]*\")"
)


@dataclass(frozen=True, slots=True)
class Url:
    """A path with `{}` for what is put in; `base` is `//host` or `$VARIABLE` or '', `names` what is in front, as written."""

    path: str
    base: str = ""
    names: str = ""


def url_of(joined: Joined, *, sure: bool = False) -> Url | None:
    """The address that a text is; None when it is another's (`https://api.example.com/x`), or no path.

    sure: a text without a slash in front is a path too.
    """
    found = _parts(joined)
    if found is None:
        return None
    rest, holes = found["rest"], list(joined.holes)
    if found["host"] is not None:
        base = _whose(found["scheme"], found["host"], holes)
        names = holes[0] if HOLE in found["host"] else ""
        return None if base is None else _with_path(rest, base, names)
    front = re.match(HOLE + "+", rest)
    if front:
        names = " ".join(holes[: front.end()])
        return _with_path(rest[front.end() :], _variable(names), names)
    return _with_path(rest, "", "") if rest.startswith("/") or (sure and re.match(r"[\w-]+/?", rest)) else None


def _parts(joined: Joined) -> re.Match[str] | None:
    """None for a text that has zero bytes of its own: they look like holes."""
    return URL.match(joined.text) if joined.text.count(HOLE) == len(joined.holes) else None


def _whose(scheme: str, host: str, holes: list[str]) -> str | None:
    if host.startswith(HOLE):
        return _variable(holes[0])
    if LOCAL.fullmatch(host):
        return ""
    found = addresses_in("", f"{scheme}://{host.replace(HOLE, '')}/")
    return f"//{found[0].host}" if found and found[0].host else None


def _variable(names: str) -> str:
    found = next((one for one in VARIABLE.findall(names) if is_address_key(one)), "")
    return f"${found}" if found else ""


def _with_path(rest: str, base: str, names: str) -> Url | None:
    parts = [part for part in rest.split("/") if part]
    if not parts or not all(SEGMENT.fullmatch(part) for part in parts):
        return None
    if re.fullmatch(rf"[^{HOLE}]+{HOLE}+", parts[-1]):
        parts[-1] = parts[-1].rstrip(HOLE)  # what is put behind a name is a query
    named = ["{}" if HOLE in part else part for part in parts]
    return Url("/" + "/".join(named), base, names) if any(part != "{}" for part in named) else None


def base_in(text: str) -> str:
    """The one address that a file's client is made with, and its path: `//carts /api`, `$CARTS_URL`; '' for none or several."""
    found = set()
    for one in BASE.finditer(text):
        if named := one["name"] or one["client"]:
            found.add(f"//{named.strip(chr(34)).lower()}")
            continue
        joined = join(one["value"].strip().rstrip("),"), text, one.start())
        url = _parts(joined) if joined else None
        if joined is None or url is None:
            continue
        holes = list(joined.holes)
        base = _whose(url["scheme"], url["host"], holes) if url["host"] is not None else _variable(" ".join(holes))
        if base:
            found.add(f"{base} {url['rest'].rstrip('/') if HOLE not in url['rest'] else ''}".strip())
    return found.pop() if len(found) == 1 else ""
