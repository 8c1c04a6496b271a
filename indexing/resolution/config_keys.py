"""Which code and which service reads which config key: READS edges, and each key once a project.

Both ends stand in one project, and the line that names the key is the whole proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexing.resolution.names import Place
from indexing.resolution.topics import speakers
from indexing.rules.structure.statements.code import CONFIG_KEY
from memory.entities import Entity, Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indexing.facts import Clue
    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.edges import Edges
    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.services import Services

__all__ = ["CONFIG_KEYS", "add_config_key_edges"]

CONFIG_KEYS: Final = frozenset({CONFIG_KEY})


def add_config_key_edges(
    projects: Mapping[str, ProjectModules], services: Mapping[str, Services], catalogue: Catalogue, edges: Edges
) -> None:
    """Add the keys to the catalogue, each where it is read first, and who reads them."""
    for project in sorted(projects):
        read: dict[str, list[tuple[Place, Clue]]] = {}
        for path, facts in sorted(projects[project].files.items()):
            for clue in facts.clues:
                if clue.kind == CONFIG_KEY:
                    read.setdefault(clue.key, []).append((Place(project, path, clue.entity), clue))
        for key, places in read.items():
            first, clue = places[0]
            entity = Entity(key, "config_key", project, first.path, clue.line, clue.line)
            catalogue.add(Place(project, "", f"{CONFIG_KEY} {key}"), entity)
            for place, said in places:
                piece = Evidence(said.rule, project, place.path, said.line, said.says)
                for reader in speakers(place, services[project], catalogue):
                    edges.add(reader, said.relation, entity, path=place.path, lines=[said.line], evidence=[piece])
