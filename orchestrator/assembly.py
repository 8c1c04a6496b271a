"""From open parts to what an orchestrator is made of: the search, the three agents, who writes the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from agents import GraphRetrievalAgent, HybridSearch, LocalRetrievalAgent, VectorRetrievalAgent
from memory.files import ChunkedFiles, CurrentFiles, WholeFiles
from memory.project_folder import ProjectFolder
from orchestrator.analysis import ModelReader
from wiring.catalogue import files_called
from wiring.language_models import open_language_model, open_synthesis
from wiring.local_models import open_sparse

if TYPE_CHECKING:
    from configs import AnalysisSettings, HybridRetrievalConfig
    from memory.graph import GraphStore
    from wiring.opening import Parts


def assemble(
    parts: Parts,
    config: HybridRetrievalConfig,
    *,
    around: Callable[[str, Any], Any] = lambda _, agent: agent,
    **options: Any,
) -> dict[str, Any]:
    """The arguments of an orchestrator on these parts, with the options in place of its own.

    around: what to ask in an agent's place, by its id. Raises ConfigError for a language model that is not known.
    """
    vectors, catalogue = parts.vectors, parts.catalogue
    folders = catalogue.folders
    read: dict[tuple[str, str], list[str] | None] = {}

    def files(permission: frozenset[str]) -> WholeFiles:
        return CurrentFiles(ChunkedFiles(vectors, permission, read), folders, permission)

    search = HybridSearch(
        vectors,
        parts.dense,
        parts.sparse or open_sparse(config.vector),
        config.vector,
        code=parts.code,
        statements=parts.statements,
        vocabulary=parts.vocabulary,
        embedded=catalogue.embedded_share,
        files_called=partial(files_called, folders),
    )
    agents = _agents(config, parts.graph, search, folders, files)
    if "synthesis" not in options:
        options["synthesis"] = open_synthesis(config.synthesis)
    if "reader" not in options:
        options["reader"] = _open_reader(config.analysis)
    return {
        "config": config,
        "catalogue": catalogue,
        "files": files,
        "graph_in_process": parts.graph.engine == "kglite",
        "unknown": search.unknown_words,
        "spellings": search.spellings,
        "reranker": parts.reranker,
        **{name: around(name, agent) for name, agent in agents.items()},
        **options,
    }


def _agents(
    config: HybridRetrievalConfig,
    graph: GraphStore,
    search: HybridSearch,
    folders: Mapping[str, ProjectFolder],
    files: Callable[[frozenset[str]], WholeFiles],
) -> dict[str, Any]:
    most = config.max_observations_per_agent
    return {
        "local": LocalRetrievalAgent(search, folders, max_observations=most, stored=files),
        "graph": GraphRetrievalAgent(
            graph, config.graph, config.scope, max_observations=most, statements=search.statements
        ),
        "vector": VectorRetrievalAgent(
            search,
            files,
            strength=config.scope.strength,
            max_observations=most,
            max_per_file=config.max_per_file,
            context_lines=config.vector.context_lines,
        ),
    }


def _open_reader(settings: AnalysisSettings) -> ModelReader | None:
    if settings.model is None:
        return None
    model = open_language_model(settings.model, "analysis.model")
    return ModelReader(model, seconds=settings.model_timeout_ms / 1000) if model else None
