"""Rules that users add in files of their own, named by the setting `indexing.rules` (docs/rules.md)."""

from __future__ import annotations

from indexing.rules.custom.loading import load_rules, rules_hash

__all__ = ["load_rules", "rules_hash"]
