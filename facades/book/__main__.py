"""The process's entry point of `python -m hybrid_retrieval.facades.book`."""

from __future__ import annotations

import sys

from facades.book.command import run

sys.exit(run(sys.argv[1:]))
