"""The door for editors and their agents: a Model Context Protocol server on standard input and output (extra `mcp`).

`mcp` is imported with the modules that need it, never with this package.
"""
