"""Which entities a project's documents speak of: names defined in the same project, and topics, which are everybody's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.graph import FileMention

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.modules import ProjectModules
    from memory.entities import Entity

__all__ = ["mentions_of"]

COMPOUND: Final = re.compile(r"\w[._:/-]\w")
"""One plain word may be anybody's."""


def mentions_of(
    projects: Mapping[str, ProjectModules], sources: Collection[str], catalogue: Catalogue
) -> list[FileMention]:
    """One row for each document of `sources` and entity that it names, by its name or, for a member, its last part with the
    class's.
    """
    by_name: dict[tuple[str, str], list[Entity]] = {}
    topics: dict[str, list[Entity]] = {}
    for place, entity in catalogue.items():
        if place.path:
            by_name.setdefault((entity.project, entity.name), []).append(entity)
        if entity.kind == "topic" and COMPOUND.search(entity.name):
            topics.setdefault(entity.name, []).append(entity)
    found = {
        FileMention(project, path, entity.id, mention.line)
        for project in sources
        for path, facts in projects[project].files.items()
        for mention in facts.mentions
        for entity in (*by_name.get((project, mention.name), ()), *topics.get(mention.name, ()))
    }
    return sorted(found, key=lambda m: (m.project, m.path, m.line, m.entity_id))
