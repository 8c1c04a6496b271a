"""The corpus holds a test of its own, which is data here."""

from __future__ import annotations

collect_ignore = ["corpus"]
