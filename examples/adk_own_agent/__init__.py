"""An agent of one's own with the tools."""
