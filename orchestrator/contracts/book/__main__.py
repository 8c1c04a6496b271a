"""The process's entry point of `python -m orchestrator.contracts.book`."""

from __future__ import annotations

import sys

from orchestrator.contracts.book.command import run

sys.exit(run(sys.argv[1:]))
