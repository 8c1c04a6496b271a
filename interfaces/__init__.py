"""The ways in: the command line, MCP, and Google's Agent Development Kit."""
