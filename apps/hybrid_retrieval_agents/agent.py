"""`adk web apps`: every agent of a question is an ADK agent of its own, to be taken apart and put together otherwise
(docs/adk.md).
"""

from __future__ import annotations

from google.adk.features import FeatureName, override_feature_enabled

from hybrid_retrieval.interfaces.adk import agents_app

# ADK's session service in memory otherwise copies all events of a session, each with its parts, at every turn.
override_feature_enabled(FeatureName.IN_MEMORY_SESSION_SERVICE_LIGHT_COPY, enabled=True)

app = agents_app(stores_steps=True)  # so that they stay on the page, and after it is loaded again
root_agent = app.root_agent
