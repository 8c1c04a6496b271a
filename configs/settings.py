"""Every setting there is, typed and with its default; a class is handed its section (docs/design.md#the-rooms)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

AgentName = Literal["local", "graph", "vector"]
AGENTS: Final[tuple[str, ...]] = get_args(AgentName)
ScopeMode = Literal["parallel_research", "sequential", "full_parallel", "none"]
"""How the graph's scope meets the vector search (001 §2.3)."""
ScopeStrength = Literal["soft", "strict"]
Unplanned = Literal["may", "never"]


@dataclass(frozen=True, slots=True)
class QdrantSettings:
    """A Qdrant server or cluster, and how a collection that others filled names its fields.

    See docs/design.md#payload-mapping.

    api_key_env: the environment variable that holds the key; none is sent without one. timeout_ms: one call with all
    its retries; write_timeout_ms: the same for writes and for making a collection. backoff_ms: before the first retry,
    doubled before each further one. shards, replicas and quantization: of a collection that is made here. exact: a
    dense search compares all that may be seen; false, it walks the collection's graph. followers_s: how often servers
    with `--follow` look for another generation, in seconds; 0: what is indexed is not announced to any.

    payload, canonical key to theirs, and vectors, canonical name to theirs ("" is the unnamed vector), list only what
    differs; null: they have no such field, and a search of such a vector is not sent. constants: the value that every
    point has for a key their payload lacks, such as `project`.
    """

    url: str = "http://127.0.0.1:6333"
    api_key_env: str | None = None
    collection: str = "hybrid_retrieval"
    timeout_ms: int = 4000
    write_timeout_ms: int = 60_000
    retries: int = 3
    backoff_ms: int = 100
    shards: int = 1
    replicas: int = 1
    quantization: Literal["none", "scalar"] = "none"
    exact: bool = True
    followers_s: float = 0.0
    vectors: dict[str, str | None] = field(default_factory=dict)
    payload: dict[str, str | None] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """Where the vectors are kept, their models, and the fusion of the legs (docs/design.md#vectors).

    provider: who runs the dense models; `local` is this machine, where the default model is read by itself and only
    others by the package fastembed; `voyage`, `cohere` and `openai` are reached as section `hosted` says, the last is
    any endpoint that speaks OpenAI's API. dense_code_model: of the code chunks, where it is another than the
    documents'. A `…_path` is a folder with the model's files, in place of a download. image_model and image_text_model
    make vectors of one space out of pictures and of questions; none are made without them. reranker_model: a
    cross-encoder, or Voyage's reranker with that provider. min_score: the least cosine of what a search by a vector
    alone finds; None is any. dense_weight: of the cosines beside the words, 0..1; statement_weight: of the relations
    that a file proves; document_weight: of documents; aside_weight: of tests, migrations, licences, change logs and
    translations, where the question does not ask for them; in_hand_weight: of the project in hand.
    """

    provider: Literal["local", "voyage", "cohere", "openai"] = "local"
    dense_model: str = "hybrid-retrieval/bge-small-systems"
    dense_model_path: str | None = None
    dense_code_model: str | None = None
    dimension: int = 384
    max_tokens: int = 256
    sparse_model: str = "Qdrant/bm25"
    sparse_model_path: str | None = None
    image_model: str | None = None
    image_model_path: str | None = None
    image_text_model: str | None = None
    image_text_model_path: str | None = None
    image_dimension: int = 512
    reranker_model: str | None = None
    reranker_model_path: str | None = None
    dense_weight: float = 0.75
    rrf_k: int = 60
    candidates: int = 300
    min_score: float | None = None
    scope_weight: float = 1.1
    statement_weight: float = 0.8
    document_weight: float = 0.9
    aside_weight: float = 0.8
    in_hand_weight: float = 1.05
    context_lines: int = 3
    store: Literal["edge", "qdrant"] = "edge"
    qdrant: QdrantSettings = field(default_factory=QdrantSettings)

    @property
    def dense_models(self) -> str:
        """The dense model, or both, as an index remembers what it was made with."""
        return f"{self.dense_model} and {self.dense_code_model}" if self.dense_code_model else self.dense_model


@dataclass(frozen=True, slots=True)
class HostedSettings:
    """How a hosted model is reached (docs/design.md#models).

    base_url: in place of the provider's own. api_key_env: the environment variable that holds the key; None is the
    provider's usual one, which provider `openai` sends to OpenAI alone. batch_size: the most texts of one request, 0
    for what the provider takes. send_dimension: whether provider `openai` is asked for `vector.dimension` numbers,
    which only some models can give. timeout_ms: one request; backoff_ms: before the first retry, doubled before each
    further one, unless the answer says how long. requests_per_minute: 0 for any number.
    """

    base_url: str | None = None
    api_key_env: str | None = None
    timeout_ms: int = 10_000
    retries: int = 3
    backoff_ms: int = 500
    requests_per_minute: int = 0
    batch_size: int = 0
    send_dimension: bool = False


@dataclass(frozen=True, slots=True)
class Neo4jSettings:
    """A Neo4j 5 server (docs/design.md#graph).

    `bolt://` is one server, `neo4j://` a cluster, `+s` after either TLS with a certificate that the system trusts,
    `+ssc` TLS with any.

    password_env: the environment variable that holds the password; where it is not set, none is sent. encrypted and
    ca_file: TLS without `+s`, and the certificates it trusts in place of the system's. retry_ms: how long a transaction
    is tried again after an error that passes. write_timeout_ms: one transaction of an indexing run. warm_up_ms: how
    long opening waits at most until a server that was just started has compiled what questions ask; 0: not at all.
    """

    uri: str = "bolt://127.0.0.1:7687"
    user: str = "neo4j"
    password_env: str = "NEO4J_PASSWORD"  # noqa: S105 - a variable's name
    database: str = "neo4j"
    encrypted: bool = False
    ca_file: str | None = None
    max_connections: int = 20
    connect_timeout_ms: int = 2000
    retry_ms: int = 500
    write_timeout_ms: int = 120_000
    warm_up_ms: int = 5000
    batch_rows: int = 10_000


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """Where the graph is kept, how far its agent walks, and what it tells of it (docs/design.md#graph)."""

    max_path_hops: int = 4
    max_locations: int = 5
    hop_decay: float = 0.8
    query_timeout_ms: int = 2000
    store: Literal["kglite", "neo4j"] = "kglite"
    neo4j: Neo4jSettings = Neo4jSettings()


@dataclass(frozen=True, slots=True)
class IndexingSettings:
    """What is read from a project and how it is cut and embedded (docs/design.md#chunks).

    rules: files of extraction rules of one's own, YAML or Python (docs/rules.md); a Python file named here is run.
    publish_text_first_above: where more texts than this are to be embedded, text, terms and graph are published before.
    file_timeout_ms: of the processor, for reading one file; file_memory_mb: of the process that reads it. A file that
    takes more is left out.
    """

    max_file_bytes: int = 1_000_000
    file_timeout_ms: int = 10_000
    file_memory_mb: int = 2048
    chunk_chars: int = 1500
    workers: int = 2
    publish_text_first_above: int = 1000
    rules: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ScopeSettings:
    """How the graph's scope meets the vector search (001 §2.3, docs/design.md#scope).

    mode: `auto` takes the quickest for the store, for the kinds of question that the routing matrix scopes; a mode that
    is named holds for every question. strength: strict leaves out other projects, and waits for the scope.
    """

    mode: Literal["auto", ScopeMode] = "none"
    strength: ScopeStrength = "soft"
    unplanned: Unplanned = "may"
    max_projects: int = 10
    min_confidence: float = 0.2


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """The boosts of 001 §5.3, and the floor under which nothing is an answer.

    The specification's boosts are those of profile `spec`. They are far apart beside the scores that files are ranked
    by, so by default they are 0: measured, none raises both recall@5 and MRR@10. agent_weights: by an agent's name,
    what its ratings are multiplied by, or what its order is worth where they are on a scale of its own; 1 where none is
    given.
    """

    agreement_boost: float = 0.0
    graph_entity_boost: float = 0.0
    local_boost: float = 0.0
    length_penalty: float = 0.0
    agent_weights: dict[str, float] = field(default_factory=dict)
    confidence_floor: float = 0.25
    most_unknown: float = 0.2


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """How an evidence pack is searched for and put together: the knobs of 000 §5 and §8.

    search: by the ranking of files that questions are answered by, or by the one fused request of 000 §5, to which
    hnsw_ef, exact, rrf_k, limits, weights and the window settings belong. limits: other numbers of candidates than the
    templates', such as `A.dense_docs: 120` or `B.final: 60`; weights: of a route in the fusion, 1 where none is given.
    quota: the share that each corpus has at least; near_duplicate: the share of the shorter chunk's lines from which
    two are one. windows: whether files are read for more than the chunks; a code chunk of fewer than window_below lines
    is then shown with window_lines before and after it, and a ranked one as the whole function or section around it
    while that has no more than block_tokens. max_tokens: of all texts together, 0 for any number. rerank_candidates:
    how many a reranker reads.
    """

    search: Literal["ranked", "fused"] = "ranked"
    hnsw_ef: int = 256
    exact: bool = False
    rrf_k: int = 60
    limits: dict[str, int] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    quota: float = 0.0
    near_duplicate: float = 0.6
    windows: bool = True
    window_lines: int = 10
    window_below: int = 25
    block_tokens: int = 360
    max_tokens: int = 4_000
    rerank_candidates: int = 40
    embedding_timeout_ms: int = 4000
    search_timeout_ms: int = 5000
    rerank_timeout_ms: int = 3000
    remembered_packs: int = 256
    remembered_queries: int = 8192


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """Whether a language model reads the question too: its clauses, its names, other wordings.

    model: as `synthesis.model` names one; None: none does. model_timeout_ms: what it may take; late, it changes
    nothing.
    """

    model: str | None = None
    model_timeout_ms: int = 1500


@dataclass(frozen=True, slots=True)
class SynthesisSettings:
    """Who writes the answer (001 §6).

    model: a language model as ADK names it, such as `gemini-2.5-flash`, or `anthropic/…` and the like through LiteLLM;
    None: the extractive answerer, which is also who writes when the model fails or is late. model_timeout_ms: all that
    it writes, within the question's time; repair: it may write once more when citations do not hold.
    """

    model: str | None = None
    model_timeout_ms: int = 8000
    repair: bool = True


@dataclass(frozen=True, slots=True)
class McpSettings:
    """How `serve` answers editors, and with `--http` a team.

    max_chars: the longest result of a tool, as JSON; what does not fit is left out, and the result says what.
    keep_open_s: how long an unused index stays open. The others are of `--http`. requests_per_minute: of one principal;
    max_running: of all together; max_waiting: of one principal; request_timeout_ms: one request with its wait for a
    place; shutdown_timeout_ms: what requests under way have when the server has to end; max_connections: of one
    process, and at most half of the file descriptors that it may have.
    """

    max_chars: int = 16_000
    keep_open_s: int = 600
    requests_per_minute: int = 300
    max_running: int = 4
    max_waiting: int = 128
    max_body_bytes: int = 1_000_000
    request_timeout_ms: int = 60_000
    shutdown_timeout_ms: int = 20_000
    max_connections: int = 512


@dataclass(frozen=True, slots=True)
class HybridRetrievalConfig:
    """001 §8's fields under its names and defaults, the sections of the parts, and what docs/design.md adds.

    Times are milliseconds. `conflict_strategy` overrides the resolution of a conflict type; `max_per_file` is how many
    observations one file may give before its hits become one.

    max_running: how many questions one orchestrator searches for at once; 0: four where the index is searched in this
    process, else any number. max_waiting: how many more wait for that, at most half of `total_timeout_ms`; the rest are
    refused.
    """

    enable_local: bool = True
    enable_graph: bool = True
    enable_vector: bool = True
    parallel_execution: bool = True
    graph_scopes_vector: bool = True
    max_observations_per_agent: int = 15
    max_total_observations: int = 35
    max_context_tokens: int = 8000
    similarity_threshold: float = 0.85
    agent_timeout_ms: int = 5000
    total_timeout_ms: int = 10000
    fallback_on_timeout: bool = True
    fallback_order: list[str] = field(default_factory=lambda: list(AGENTS))

    may_grace_ms: int = 500
    max_per_file: int = 1
    max_query_chars: int = 8000
    max_running: int = 0
    max_waiting: int = 128
    conflict_strategy: dict[str, str] = field(default_factory=dict)
    log_content: bool = False
    vector: VectorSettings = VectorSettings()
    hosted: HostedSettings = HostedSettings()
    graph: GraphSettings = GraphSettings()
    indexing: IndexingSettings = field(default_factory=IndexingSettings)
    scope: ScopeSettings = ScopeSettings()
    ranking: RankingSettings = RankingSettings()
    analysis: AnalysisSettings = AnalysisSettings()
    synthesis: SynthesisSettings = SynthesisSettings()
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)
    mcp: McpSettings = McpSettings()

    def with_scope(self, mode: str | None = None, strength: str | None = None) -> HybridRetrievalConfig:
        """These settings with another scope mode or strength, where one is given."""
        changes = {name: value for name, value in (("mode", mode), ("strength", strength)) if value is not None}
        return replace(self, scope=replace(self.scope, **changes)) if changes else self  # type: ignore[arg-type]  # checked by the door
