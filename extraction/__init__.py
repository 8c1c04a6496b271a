"""What one file states: its definitions, and what the rules and the words around a name say of it
(docs/design.md#extraction). No store, no model, nothing but a path and its text.
"""
