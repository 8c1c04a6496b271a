"""What no rule knows: names that one place makes and another spells out, and what infrastructure hands to whom."""

from indexing.resolution.references.linking import add_reference_edges, asked_names, offered_names
from indexing.resolution.references.mentions import Known
from indexing.resolution.references.own import Own

__all__ = ["Known", "Own", "add_reference_edges", "asked_names", "offered_names"]
