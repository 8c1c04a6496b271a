"""The folder, profile and settings that a command line without options would take: those of the environment."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from orchestrator.adk.kept import KeptOpen

if TYPE_CHECKING:
    from agents.evidence import EvidenceRetriever
    from configs import HybridRetrievalConfig
    from orchestrator.hybrid import HybridRetrievalOrchestrator

__all__ = ["environment_config", "evidence_of_environment", "kept_open", "orchestrator_of_environment"]

T = TypeVar("T")


def kept_open(
    given: Callable[[], AbstractAsyncContextManager[T]] | None,
    of_environment: Callable[[], AbstractAsyncContextManager[T]],
) -> KeptOpen[T]:
    """What the application opens, as it is; else what the environment names, and its newest generation at every use."""
    return KeptOpen(given) if given is not None else KeptOpen(of_environment, _generation)


def _generation() -> int:
    from memory.generation import DataFolder  # noqa: PLC0415 - with the first call, not at import
    from orchestrator.cli.options import data_folder  # noqa: PLC0415

    return DataFolder.open(data_folder(None)).number


def environment_config() -> tuple[str, HybridRetrievalConfig]:
    """Profile and settings (HYBRID_RETRIEVAL_PROFILE and the fields'). Raises ConfigError."""
    from configs import load_config  # noqa: PLC0415 - read with the first call, not at import
    from memory.errors import ConfigError  # noqa: PLC0415

    profile = os.environ.get("HYBRID_RETRIEVAL_PROFILE") or "embedded"
    return profile, load_config(profile, env=os.environ, error=ConfigError)


def evidence_of_environment() -> AbstractAsyncContextManager[EvidenceRetriever]:
    """The evidence retriever on the data folder that the environment names."""
    from orchestrator.cli.options import data_folder  # noqa: PLC0415
    from orchestrator.evidence import open_evidence  # noqa: PLC0415

    profile, config = environment_config()
    return open_evidence(data_folder(None), profile, config)


@asynccontextmanager
async def orchestrator_of_environment(*, writes: bool = True) -> AsyncIterator[HybridRetrievalOrchestrator]:
    """The orchestrator on the data folder that the environment names, until the caller's own agents are done with it.

    writes: whether its answers are written by the language model that is set; where an ADK agent writes them, no other
    does.
    """
    from orchestrator.cli.options import data_folder  # noqa: PLC0415
    from orchestrator.opening import open_parts, put_together  # noqa: PLC0415

    _, config = environment_config()
    if not writes:
        config = replace(config, synthesis=replace(config.synthesis, model=None))
    async with (
        open_parts(data_folder(None), config) as parts,
        put_together(parts, config, wait_for_mays=True) as orchestrator,
    ):
        yield orchestrator
