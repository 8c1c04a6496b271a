"""Package clues, which every manifest rule gives: who is called what, and who needs whom -> DEPENDS_ON.

Python's names mean the same in any spelling, crates' with `-` as with `_`, NuGet's in any case; those of other kinds
are exact. A clue's `value` is the name as it is written, under which the package is an entity
(indexing/resolution/catalogue.py).
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from extraction.facts import Clue

REQUIREMENT: Final = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=$|[\s\[(<>=!~;@,])")


def _key(name: str, kind: str) -> str:
    if kind == "package":
        return normal_name(name)
    return name.replace("_", "-") if kind == "rust package" else name.casefold() if kind == "nuget package" else name


def normal_name(name: str) -> str:
    """PEP 503's normal form: `Foo.Bar_baz` is `foo-bar-baz`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement_name(requirement: str) -> str:
    """The package of a PEP 508 requirement; '' when it is none."""
    found = REQUIREMENT.match(requirement)
    return found[1] if found else ""


def provides_package(rule: str, name: str, line: int, summary: str = "", kind: str = "package") -> Clue:
    """This project is the package `name`; `summary` is what it says about itself."""
    return Clue(
        rule, kind, _key(name, kind), "provides", "DEPENDS_ON", line, says=summary or f"package {name}", value=name
    )


def needs_package(rule: str, name: str, line: int, group: str = "", kind: str = "package") -> Clue:
    """This project needs the package `name`; `group` is the extra or group that asks for it."""
    says = f"dependency {name} ({group})" if group else f"dependency {name}"
    return Clue(rule, kind, _key(name, kind), "needs", "DEPENDS_ON", line, says=says)


def read_toml(text: str) -> dict[str, Any] | None:
    """The tables of a manifest in TOML; None where it can't be read."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # an integer of 4,301 digits is not a TOMLDecodeError
        return None
