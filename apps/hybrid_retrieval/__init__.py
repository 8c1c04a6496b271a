"""An app for `adk web apps`, `adk run` and `adk api_server`."""
