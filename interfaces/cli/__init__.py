"""The command line, one file a command; nothing is imported before a command is chosen."""
