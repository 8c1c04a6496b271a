"""The faces of specifications 002, 003 and 004, each under its own names: `textbook`, `hybrid_retriever`, `book`.

Two of them have a `RetrievalResult` of their own, so nothing is re-exported here: import the face.
"""
