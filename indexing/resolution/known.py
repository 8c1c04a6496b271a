"""One project's facts, ready to be looked up in."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from indexing.resolution.modules import ProjectModules
from indexing.resolution.reach import Reach, reach_of
from indexing.resolution.references import Known
from indexing.resolution.services import Services

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indexing.facts import FileFacts

__all__ = ["KnownProject"]


class KnownProject:
    """Its modules and its services."""

    def __init__(self, name: str, files: Mapping[str, FileFacts]) -> None:
        self.modules = ProjectModules(name, files)
        self.services = Services(self.modules)

    @cached_property
    def reach(self) -> Reach:
        """What it offers to others and asks of them."""
        return reach_of(self.modules, self.services, self.named)

    @cached_property
    def named(self) -> Known:
        """The names it spells out, and what it makes under them."""
        return Known(self.modules, self.services)
