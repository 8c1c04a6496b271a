"""Files are read in processes of their own: what a parser, a chunker or a rule makes of one costs that file alone."""

from __future__ import annotations

from indexing.isolation.looking import InProcess
from indexing.isolation.port import Found, Look, Noted, Purpose, Readers
from indexing.isolation.processes import ReadingProcesses

__all__ = ["Found", "InProcess", "Look", "Noted", "Purpose", "Readers", "ReadingProcesses"]
