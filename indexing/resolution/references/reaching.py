"""What of the names in a project goes beyond it: the things it makes, and the compound names of which the words around say more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.occurrences.names import COMPOUND, is_route
from indexing.resolution.services import normal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.resolution.references.mentions import Known, Mentioned
    from indexing.resolution.references.things import Thing

__all__ = ["asked_names", "goes_beyond", "offered_names", "offers"]


def goes_beyond(one: Mentioned) -> bool:
    """Whether a mention may mean a thing of another project: one word, a path or a bare string may be anybody's."""
    return bool(one.role and COMPOUND.search(one.name) and not is_route(one.name) and not one.name.isupper())


def offers(thing: Thing) -> bool:
    """Whether other projects may mean it: where it is made, under a name of several words."""
    return COMPOUND.search(thing.name) is not None and thing.kind in {"queue", "topic", "table", "bucket", "function"}


def offered_names(known: Known) -> Iterator[str]:
    """The names of its things, as they compare."""
    return (normal(thing.name) for thing in known.things.all if offers(thing))


def asked_names(known: Known) -> Iterator[str]:
    """The names that it spells out and that none of its own things has."""
    return (normal(one.name) for one in known.mentions if goes_beyond(one) and known.things.named(one.name) is None)
