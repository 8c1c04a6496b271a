"""A run as one self-contained page: what was asked, who did what when, what was found, and which lines prove the answer."""

from orchestrator.inspector.following import follow
from orchestrator.inspector.inspection import Excerpt, Inspection
from orchestrator.inspector.page import page
from orchestrator.inspector.replayed import inspect_replay

__all__ = ["Excerpt", "Inspection", "follow", "inspect_replay", "page"]
