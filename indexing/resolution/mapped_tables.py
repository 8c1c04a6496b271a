"""Tables that classes only say they have: which of them stand for a table, and whose it is.

Where a project creates a table of that name, that one is meant; else the first class that names it stands for it, and
it is owned only if one service's classes alone do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.resolution.names import Place
from indexing.rules.tables import MAPPED

if TYPE_CHECKING:
    from indexing.facts import Clue
    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.services import Services

__all__ = ["MappedTables"]


class MappedTables:
    """Of one project; `hidden` and `shared` hold the places of such definitions."""

    def __init__(self, modules: ProjectModules, services: Services) -> None:
        given = [
            (Place(modules.name, path, clue.entity), clue)
            for path, facts in sorted(modules.files.items())
            for clue in facts.clues
            if clue.kind == "table" and clue.side == "provides"
        ]
        created = {clue.key for _, clue in given if clue.value != MAPPED}
        first: dict[str, Place] = {}
        owners: dict[str, set[str]] = {}
        hidden = set()
        for place, clue in given:
            if clue.value != MAPPED:
                continue
            owner = services.owner(place.path)
            owners.setdefault(clue.key, set()).add(owner.name if owner else "")
            if clue.key in created or first.setdefault(clue.key, place) != place:
                hidden.add(place)
        self.hidden = frozenset(hidden)
        self._shared = {key for key, names in owners.items() if len(names) > 1}

    def is_owned(self, place: Place, clue: Clue) -> bool:
        """Whether what defines the table makes it somebody's."""
        return clue.value != MAPPED or (place not in self.hidden and clue.key not in self._shared)
