"""The systems that are compared: one adapter a file."""
