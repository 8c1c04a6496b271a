"""The parts of specification 003's face, `facades.hybrid_retriever`."""
