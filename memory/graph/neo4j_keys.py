"""Ids on a server that holds many graphs: every node's carries its graph's namespace, and no reader sees it.

One prefix before all ids of a graph leaves their order as it was, so that lists are cut and sorted as on any engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from memory.graph import queries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["NamespacedKeys"]

_COLUMNS: Final = ("e_id", "a_id", "b_id", "source", "target", "entity")
_WRITTEN: Final = {
    queries.CREATE_ENTITIES: ("id",),
    queries.CREATE_FILES: ("id",),
    queries.CREATE_RELATIONS: ("source", "target"),  # its own id is only looked for beside its source's
    queries.CREATE_MENTIONS: ("file", "entity"),
}


class NamespacedKeys:
    """Between a graph's own ids and what stands on the server. A namespace holds no `|`."""

    def __init__(self, namespace: str) -> None:
        self.prefix = f"{namespace}|"
        self._namespace = namespace

    def asked(self, text: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of one of the `queries` as the server knows them."""
        asked = dict(parameters)
        nodes = "sources" if text == queries.EDGES_BY_ID else "ids"
        if nodes in asked:
            asked[nodes] = [self.prefix + one for one in asked[nodes]]
        if text == queries.ALL_ENTITIES:
            asked["after"] = self.prefix + asked["after"]
        if text == queries.FIND_TEXT:  # or the index goes through every graph there is
            asked["query"] = f'namespace:"{self._namespace}" AND search:({asked["query"]})'
        return asked

    def told(self, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Its rows with the graph's own ids."""
        cut = len(self.prefix)
        for row in rows:
            row.update((name, row[name][cut:]) for name in _COLUMNS if name in row)
        return list(rows)

    def written(self, text: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Rows to be created by one of the `queries`."""
        return [{**row, **{name: self.prefix + row[name] for name in _WRITTEN[text]}} for row in rows]
