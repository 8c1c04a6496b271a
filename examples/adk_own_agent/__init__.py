"""An agent of one's own with both tools."""
