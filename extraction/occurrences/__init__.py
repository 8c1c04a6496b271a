"""Names that a file spells out, with what the words around them say: from them a relation is read without a rule."""

from extraction.occurrences.code import named_in
from extraction.occurrences.reading import has_names, occurrences_of

__all__ = ["has_names", "named_in", "occurrences_of"]
