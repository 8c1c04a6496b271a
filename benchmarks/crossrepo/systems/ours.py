"""This product as it ships, without a language model."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from benchmarks.crossrepo.systems.port import Found, Lines
from configs import HybridRetrievalConfig, load_config
from evaluation import files_in_order
from indexing import IndexRequest
from orchestrator import HybridRetrievalOrchestrator
from wiring.opening import open_indexer


class Ours:
    """data: the folder of the index; one that holds an index already is not made again."""

    def __init__(self, data: Path, config: HybridRetrievalConfig | None = None) -> None:
        self._data = data
        self._config = config or load_config("embedded")
        self._open = AsyncExitStack()
        self._orchestrator: HybridRetrievalOrchestrator | None = None

    async def index(self, trees: Path) -> None:
        """Read a folder whose subfolders are the projects."""
        if not self._data.exists():
            indexer = open_indexer(self._data, self._config, profile="embedded")
            await indexer.run(IndexRequest((trees,), each=True), holder="benchmarks/crossrepo")
        opening = HybridRetrievalOrchestrator.open(self._data, config=self._config, wait_for_mays=True)
        self._orchestrator = await self._open.enter_async_context(opening)

    async def search(self, query: str, project: str | None) -> Found:
        """Answer one question."""
        assert self._orchestrator is not None, "index first"
        result = await self._orchestrator.retrieve(query, {"project": project} if project else {})
        if result.status == "not_found":
            return Found(())
        document = result.to_dict()
        cited = [one["location"] for one in document["citations"]]
        return Found(
            tuple(file.replace(":", "/", 1) for file in files_in_order(document["observations"])),
            [Lines(f"{at['project']}/{at['path']}", at["start_line"], at["end_line"]) for at in cited],
        )

    async def close(self) -> None:
        """Close the index."""
        await self._open.aclose()
