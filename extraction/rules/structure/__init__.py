"""Rules as data: a structural pattern with metavariables, and what a match of it states (docs/rules.md)."""
