"""Grammars and what is read with them."""

from __future__ import annotations

from extraction.languages.imports import module_path
from extraction.languages.symbols import Symbols, Text, read_symbols
from extraction.languages.table import LANGUAGES, language_of

__all__ = ["LANGUAGES", "Symbols", "Text", "language_of", "module_path", "read_symbols"]
