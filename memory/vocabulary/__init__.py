"""The vocabulary of an index: in how many chunks of each project a term occurs, which is what makes a word rare."""

from __future__ import annotations

from memory.vocabulary.vocabulary import FileTerms, ProjectTerms, UnknownWords, Vocabulary, Words

__all__ = ["FileTerms", "ProjectTerms", "UnknownWords", "Vocabulary", "Words"]
