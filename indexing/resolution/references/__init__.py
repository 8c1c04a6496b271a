"""What no rule knows: names that one place makes and another spells out, and what infrastructure hands to whom."""

from indexing.resolution.references.linking import add_reference_edges
from indexing.resolution.references.mentions import Known
from indexing.resolution.references.own import Own
from indexing.resolution.references.reaching import asked_names, offered_names

__all__ = ["Known", "Own", "add_reference_edges", "asked_names", "offered_names"]
