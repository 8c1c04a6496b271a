"""A run as one self-contained page: what was asked, who did what when, what was found, which lines prove the answer."""

from inspector.inspection import Excerpt, Inspection, follow, inspect_replay
from inspector.page import page

__all__ = ["Excerpt", "Inspection", "follow", "inspect_replay", "page"]
