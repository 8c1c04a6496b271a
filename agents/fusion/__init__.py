"""How lists of scores become one, an algorithm a file."""

from __future__ import annotations

from agents.fusion.convex import convex

__all__ = ["convex"]
