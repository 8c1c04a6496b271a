"""An app for `adk web apps`, `adk run`, `adk api_server` and `adk eval`, which looks for the module `agent` in its
folder.
"""

from __future__ import annotations

from . import agent

__all__ = ["agent"]
