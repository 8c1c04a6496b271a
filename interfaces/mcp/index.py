"""`ServedIndex`: what the tools read, each part opened with the first call that needs it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from memory.errors import UnavailableError
from memory.generation import DataFolder
from memory.generation.current import CURRENT
from orchestrator.current import Current
from wiring.catalogue import ManifestCatalogue
from wiring.models import Models, OpenableDense, models_at_hand

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from agents.evidence import EvidenceRetriever
    from configs import HybridRetrievalConfig
    from indexing import IndexReport
    from memory.graph import GraphStore
    from memory.project_folder import ProjectFolder
    from orchestrator.hybrid import HybridRetrievalOrchestrator

_CLOSING = 5.0


@dataclass(frozen=True, slots=True)
class Opened:
    """One generation: who answers questions on it, and its graph."""

    orchestrator: HybridRetrievalOrchestrator
    graph: GraphStore

    @property
    def folders(self) -> Mapping[str, ProjectFolder]:
        """The projects' files on disk, as far as there is a catalogue of them."""
        catalogue = self.orchestrator.catalogue
        return catalogue.folders if catalogue is not None else {}


class ServedIndex:
    """A data folder as the tools read it: `questions` and `evidence` follow the current generation.

    dense: the embedder, where it is not to be made from the settings; the models are loaded once. following: the folder
    holds what is announced of an index elsewhere.
    """

    def __init__(
        self,
        data_dir: Path,
        profile: str,
        config: HybridRetrievalConfig,
        group: TaskGroup,
        *,
        dense: Models | OpenableDense | None = None,
        following: bool = False,
    ) -> None:
        self._following = following
        self._data_dir = data_dir
        self._profile = profile
        self._config = config
        self._given = dense if dense is None else Models.of(dense)
        self._models = self._given
        keep_open = float(config.mcp.keep_open_s)
        self.questions: Current[Opened] = Current(self._version, self._open, group, keep_open=keep_open)
        self.evidence: Current[EvidenceRetriever] = Current(
            self._version, self._open_evidence, group, keep_open=keep_open
        )

    def catalogue(self) -> ManifestCatalogue:
        """What is indexed now. Raises DataFolderError."""
        with self._folder().reading() as generation:
            return ManifestCatalogue(generation.manifest, stored=generation.is_copy)

    async def refresh(self, projects: Collection[str]) -> IndexReport:
        """Bring these projects up to date with the disk; later calls read the generation that this makes.

        Raises InvalidInputError where there are none, IndexLockedError, and what else a run of the indexer raises.
        """
        from wiring.opening import bring_up_to_date  # noqa: PLC0415 - a window opens without it

        return await bring_up_to_date(
            self._data_dir,
            self._config,
            projects,
            profile=self._profile,
            holder="hybrid-retrieval serve",
            embedder=self._given.docs if self._given else None,
        )

    async def close(self) -> None:
        """Let go of everything; what is still open is closed by the task group's own end."""
        self.questions.let_go()
        self.evidence.let_go()
        if self._models is not None:
            await self._models.close()

    def _version(self) -> object:
        return self._folder().pointer

    def _folder(self) -> DataFolder:
        if self._following and not (self._data_dir / CURRENT).exists():
            raise UnavailableError(
                "This server has not fetched an index yet.", "Ask again soon. Its log says what it waits for."
            )
        return DataFolder.open(self._data_dir)

    def _lent_models(self) -> Models:
        if self._models is None:
            self._models = models_at_hand(self._config.vector, self._config.hosted)
        return self._models.lent()

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[Opened]:
        from orchestrator.hybrid import HybridRetrievalOrchestrator  # noqa: PLC0415 - a window opens without it
        from wiring.opening import Provided, open_parts  # noqa: PLC0415 - as above

        async with (
            open_parts(self._data_dir, self._config, Provided(self._lent_models())) as parts,
            HybridRetrievalOrchestrator.of(parts, self._config, wait_for_mays=True) as orchestrator,
        ):
            yield Opened(orchestrator, parts.graph)

    def _open_evidence(self) -> AbstractAsyncContextManager[EvidenceRetriever]:
        from wiring.evidence import open_evidence  # noqa: PLC0415 - a window opens without it

        return open_evidence(self._data_dir, self._profile, self._config, dense=self._lent_models())


@asynccontextmanager
async def open_served(
    data_dir: Path,
    profile: str,
    config: HybridRetrievalConfig,
    *,
    dense: Models | OpenableDense | None = None,
    following: bool = False,
) -> AsyncIterator[ServedIndex]:
    """The index for the time a server runs; nothing is opened yet."""
    async with anyio.create_task_group() as group:
        index = ServedIndex(data_dir, profile, config, group, dense=dense, following=following)
        try:
            yield index
        finally:
            group.cancel_scope.deadline = anyio.current_time() + _CLOSING
            await index.close()
