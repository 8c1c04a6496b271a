"""The organisation of the tests of synthesis, from which false citations are made."""

from __future__ import annotations

from tests.synthesis.conftest import org

__all__ = ["org"]
