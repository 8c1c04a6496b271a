"""Small English: lists and the verbs of relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memory.statements import VERBS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["listed", "verb"]

_SAID: Final = {
    **VERBS,
    "INHERITS": "extends",
    "OWNS_TABLE": "owns the table",
    "USES_TABLE": "uses the table",
    "STORES_IN": "stores its data in",
}
"""An answer names a table without its kind, so its verb says it."""
_PLURALS: Final = {"publishes": "publish", "stores": "store"}


def listed(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


def verb(relation: str, *, many: bool = False) -> str:
    """A relation's type as a verb: CALLS `calls`, OWNS_TABLE `owns the table`; of several, `call` and `own the table`."""
    said = _SAID.get(relation, relation.casefold().replace("_", " "))
    if not many:
        return said
    first, _, rest = said.partition(" ")
    first = _PLURALS.get(first, first.removesuffix("s"))
    return f"{first} {rest.replace('its', 'their')}".rstrip()
