"""On virtual time, as the orchestrator's."""

from __future__ import annotations

from tests.orchestrator.conftest import anyio_backend  # noqa: F401 - virtual time
