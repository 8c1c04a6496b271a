"""From settings to open stores, models and the projects' files."""
