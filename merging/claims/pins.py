"""Exact version pins of Python requirements: `name==1.2.3` in requirements files and pyproject.toml."""

from __future__ import annotations

import re
from collections.abc import Iterator

from merging.claims.passages import Claim, Passage

__all__ = ["PinRule"]

_PIN = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*==\s*(?P<version>\d[\w.!+-]*)$")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")


class PinRule:
    """A package has a `version`, within one folder; pins for some environments alone are left out."""

    notations = frozenset({"toml", "txt"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        folder, _, file = passage.path.rpartition("/")
        if file == "pyproject.toml":
            candidates = [one or other for one, other in _QUOTED.findall(passage.text)]
        elif "requirements" in passage.path:
            candidates = [line.partition("#")[0] for line in passage.text.splitlines()]
        else:
            return
        for candidate in candidates:
            pin = _PIN.match(candidate.strip())
            if pin:
                name = re.sub(r"[-_.]+", "-", pin["name"]).lower()
                yield Claim(passage.project, name, "version", pin["version"], folder, passage.where)
