"""A benchmark of questions that no single repository answers, for any retrieval system (README.md)."""
