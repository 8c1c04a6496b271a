"""What a question costs when a part of it fails: every part with every fault, run on virtual time.

`python -m tests.faults` runs the matrix and writes docs/faults.md; `tests/test_faults.py` runs it again and compares.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio

from indexing import IndexRequest
from memory.clock import SystemClock
from memory.embedders import Bm25Sparse, FakeDenseEmbedder
from memory.errors import ModelError, StoreError
from memory.generation import DataFolder
from memory.rerankers import FakeReranker
from orchestrator import HybridRetrievalOrchestrator
from replay.parts import VirtualTimeLoop
from synthesis import ScriptedLanguageModel, SynthesisAgent
from tests.faults_indexing import INDEXING, Run, run_indexing
from tests.faults_served import policies, served
from tests.organisation import CONFIG, FILES, FiledGraph, FiledStores, FiledVectors, indexer, write
from wiring.breaking import Breaker, behind
from wiring.opening import Parts

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs/faults.md"
QUESTION: Final = "How does MooringDesk connect to Beacon?"
AGENT_S, TOTAL_S = CONFIG.agent_timeout_ms / 1000, CONFIG.total_timeout_ms / 1000
_USUAL = 0.1  # seconds that a call of a server usually takes, for `10 x slow`
_SLACK = 0.06  # what stopping an agent may take

STORES: Final = ("kglite", "Qdrant Edge")
SERVERS: Final = ("Neo4j", "Qdrant server")
MODELS: Final = ("dense embedder", "sparse embedder")
PARTS: Final = (*STORES, *SERVERS, *MODELS, "reranker", "language model", "local files")
"""Those that a question can meet a fault in."""
FAULTS: Final = (
    "refused", "reset in mid-answer", "black hole", "10 x slow", "429", "500", "garbage", "wrong schema", "partial page",
    "clock jump", "cancelled caller", "byte flipped",
)  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """How a question went: its status, each agent's, the virtual seconds, and what it left behind.

    next: the seconds that the fourth question takes, where the first three met the fault too. served: what a client over
    HTTP is sent, and the seconds.
    """

    status: str
    agents: Mapping[str, str]
    seconds: float
    answered: bool
    left: Sequence[str] = ()
    next: float | None = None
    served: tuple[str, float] = ("", 0.0)


NOT: Final[Mapping[tuple[str, str], str]] = {
    **{(part, fault): "runs in this process" for part in STORES for fault in ("refused", "reset in mid-answer", "429")},
    **{(part, "byte flipped"): "of the server" for part in SERVERS},
    **{("sparse embedder", fault): "runs in this process" for fault in ("refused", "reset in mid-answer", "black hole", "10 x slow", "429", "partial page")},
    **{("local files", fault): "no service" for fault in ("reset in mid-answer", "10 x slow", "429", "500", "wrong schema")},
    ("dense embedder", "partial page"): "has no pages",
    ("dense embedder", "byte flipped"): "a model's files are known by their hash",
    ("sparse embedder", "byte flipped"): "has no files",
    ("reranker", "partial page"): "has no pages",
    ("reranker", "byte flipped"): "a model's files are known by their hash",
    ("language model", "partial page"): "has no pages",
    ("language model", "byte flipped"): "has no files",
    ("language model", "wrong schema"): "writes text, see garbage",
}  # fmt: skip
"""Cells that do not apply, and why."""


_REFUSED: Final = frozenset({"refused", "reset in mid-answer", "429", "500", "byte flipped"})


class Faulty:
    """A part whose every call meets the fault, as its adapter tells it: a store's checks what it is sent, and refuses garbage."""

    def __init__(self, part: Any, fault: str, error: Callable[[str], Exception]) -> None:
        self._part, self._fault, self._error = part, fault, error
        self._refused = _REFUSED if error is ModelError else _REFUSED | {"garbage", "wrong schema"}

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if name in {"close", "terms"} or not callable(found):  # a text's words are no model's
            return found
        return partial(self._later if inspect.iscoroutinefunction(found) else self._now, found)

    async def _later(self, call: Callable[..., Awaitable[Any]], *arguments: Any, **named: Any) -> Any:
        if self._fault == "black hole":
            await anyio.sleep_forever()
        if self._fault == "10 x slow":
            await anyio.sleep(10 * _USUAL)
        if self._fault == "reset in mid-answer":
            await anyio.sleep(_USUAL)
        return self._bent(await call(*arguments, **named))

    def _now(self, call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        return self._bent(call(*arguments, **named))

    def _bent(self, answer: Any) -> Any:
        """The answer as the fault leaves it; adapters turn what a server does into errors of ours."""
        if self._fault in self._refused:
            raise self._error(f"It met the fault: {self._fault}.")
        if self._fault == "garbage":
            return "%PDF-1.4 garbage"
        if self._fault == "wrong schema":
            return [{"unknown": 1}, None]
        if self._fault == "partial page" and isinstance(answer, list):
            lists = bool(answer) and isinstance(answer[0], list)
            return [one[: len(one) // 2] for one in answer] if lists else answer[: len(answer) // 2]
        return answer


class _JumpingClock(SystemClock):
    """Its date goes back a day with every look; deadlines do not count in dates."""

    def __init__(self, *, jumps: bool) -> None:
        self._looks, self._jumps = 0, jumps

    def now(self) -> Any:
        self._looks += 1
        return super().now() - timedelta(days=self._looks if self._jumps else 0)


@contextmanager
def indexed() -> Iterator[Path]:
    """The data folder of a tiny organisation, and beside it its projects' folders."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        request = IndexRequest([write(root / "org", FILES)], each=True)
        anyio.run(lambda: indexer(root / "data", stores=FiledStores()).run(request, holder="a test"))
        yield root


def run_cell(root: Path, part: str, fault: str) -> Cell:
    """A question on that index with the fault, in a loop of its own."""
    files, threads = _open_files(), set(threading.enumerate())
    with _bent_files(root / "org", fault if part == "local files" else ""):
        cell = anyio.run(_ask, root / "data", part, fault, backend_options={"loop_factory": VirtualTimeLoop})
    left = [*cell.left]
    if _open_files() > files:
        left.append("a file")
    for thread in set(threading.enumerate()) - threads:
        thread.join(10)  # the event loop's workers end a moment after it
        left += ["a thread"] if thread.is_alive() else []
    return replace(cell, left=tuple(left))


async def _ask(data: Path, part: str, fault: str) -> Cell:
    before = _own_tasks()
    with ExitStack() as stack:
        generation = stack.enter_context(DataFolder.open(data).reading())
        orchestrator = _with_fault(generation, part, fault)
        asked = partial(orchestrator.retrieve, QUESTION, {"project": "harbour"})
        began = anyio.current_time()
        if fault == "cancelled caller":
            with anyio.move_on_after(0.0) as scope:
                await asked()
            assert scope.cancelled_caught
            result, seconds = await asked(), 0.0  # whoever asks next is answered
        else:
            result = await asked()
            seconds = anyio.current_time() - began
        async with _with_fault(generation, part, fault) as opened:
            serving = await served(opened, QUESTION, leaves=fault == "cancelled caller")
        later = None
        if part in SERVERS and fault in {"refused", "black hole", "500"}:
            for _ in range(2):
                await asked()
            began = anyio.current_time()
            await asked()
            later = anyio.current_time() - began
    await anyio.sleep(1)  # what was cancelled has ended
    left = ["a task"] if _own_tasks() > before else []
    agents = {one.agent: one.status for one in result.coverage.agents}
    return Cell(result.status, agents, seconds, bool(result.answer.citations), left, later, serving)


def _with_fault(generation: Any, part: str, fault: str) -> HybridRetrievalOrchestrator:
    vectors: Any = FiledVectors(generation.vectors_path)
    graph: Any = FiledGraph(generation.graph_path)
    dense: Any = FakeDenseEmbedder()
    sparse: Any = Bm25Sparse()
    options: dict[str, Any] = {"clock": _JumpingClock(jumps=fault == "clock jump")}
    passing = fault in {"clock jump", "cancelled caller"}
    if part in {"kglite", "Neo4j"} and not passing:
        graph = Faulty(graph, fault, StoreError)
    if part in {"Qdrant Edge", "Qdrant server"} and not passing:
        vectors = Faulty(vectors, fault, StoreError)
    if part == "Neo4j":
        graph = behind(Breaker("Neo4j"), graph)
    if part == "Qdrant server":
        vectors = behind(Breaker("Qdrant"), vectors)
    if part == "dense embedder" and not passing:
        dense = Faulty(dense, fault, ModelError)
    if part == "sparse embedder" and not passing:
        sparse = Faulty(sparse, fault, ModelError)
    if part == "reranker":
        reranker: Any = FakeReranker()
        options["reranker"] = reranker if passing else Faulty(reranker, fault, ModelError)
    if part == "language model":
        options["synthesis"] = SynthesisAgent(_model(fault), model_timeout=CONFIG.synthesis.model_timeout_ms / 1000)
    parts = Parts.of(generation, vectors, graph, dense, sparse=sparse)
    return HybridRetrievalOrchestrator.of(parts, CONFIG, wait_for_mays=True, **options)


def _model(fault: str) -> ScriptedLanguageModel:
    error = (
        ModelError(f"It met the fault: {fault}.") if fault in {"refused", "reset in mid-answer", "429", "500"} else None
    )
    hang = {"black hole": 3600.0, "10 x slow": 10 * _USUAL}.get(fault, 0.0)
    said = (
        "MooringDesk calls the Beacon "
        if fault == "reset in mid-answer"
        else "\x00%PDF-1.4 garbage [vector:nowhere:1-2]"
    )
    return ScriptedLanguageModel([] if error and fault != "reset in mid-answer" else [said], error=error, hang=hang)


@contextmanager
def _bent_files(org: Path, fault: str) -> Iterator[None]:
    """The project in hand on the disk, as the fault leaves it."""
    file = org / "harbour/CLAUDE.md"
    whole = file.read_bytes()
    if fault in {"refused", "black hole"}:
        file.unlink()
    if fault == "black hole":
        os.mkfifo(file)
    elif fault in {"garbage", "byte flipped", "partial page"}:
        bent = {
            "garbage": os.urandom(400),
            "byte flipped": b"\xff" + whole[1:],
            "partial page": whole[: len(whole) // 2],
        }
        file.write_bytes(bent[fault])
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
        file.write_bytes(whole)


def _own_tasks() -> int:
    """How many tasks there are; sse-starlette keeps one of its own as long as the loop runs."""
    return sum(task.get_coro().__name__ != "_shutdown_watcher" for task in asyncio.all_tasks())  # type: ignore[union-attr]  # a coroutine of a task


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


@dataclass(frozen=True)
class Matrix:
    """Every cell that applies: of questions, of runs of the indexer, and of policy files."""

    cells: Mapping[tuple[str, str], Cell]
    runs: Mapping[tuple[str, str], Run]
    policies: Mapping[str, str]


def matrix() -> Matrix:
    """All of it, run."""
    with indexed() as root:
        return Matrix(
            {
                (part, fault): run_cell(root, part, fault)
                for part in PARTS
                for fault in FAULTS
                if (part, fault) not in NOT
            },
            {(part, fault): run_indexing(root, part, fault) for part, faults in INDEXING.items() for fault in faults},
            policies(root),
        )


_BOUNDS: Final = (
    (0.0, "at once"),
    (1.0, "1 s"),
    (AGENT_S + _SLACK, "the agent's deadline"),
    (TOTAL_S + _SLACK, "the total"),
)


def bound(seconds: float) -> str:
    """The bound that holds."""
    return next((name for most, name in _BOUNDS if seconds <= most), "none")


_HEAD: Final = """# What fails, and what it costs

<!-- Written by `python -m tests.faults`, which runs every cell; `tests/test_faults.py` runs them again and compares. -->

One question, `{question}`, on an index in which one part meets one fault, on virtual time: agents have {agent:g} s, the
question {total:g} s. *Agents* are the statuses in `coverage`. The bound is the virtual time that the answer took. Of servers and
hosted models the fault is what their adapters make of it; what each adapter tries again (429, 502, 503, 504 and broken
connections, with backoff, within its call's deadline) is the business of its own tests: `tests/memory/vector/test_qdrant_calls.py`,
`tests/memory/graph/test_neo4j_faults.py`, `tests/memory/test_hosted.py`. Nothing above an adapter tries again. No cell leaves a task, a
thread or an open file behind.

A vector store that leaves out half of what it has, without a word, is not noticed: files then lack the lines that would prove
an answer, and *not found* is what is said. A body that is cut off is noticed, and counts as a reset.

*Over HTTP* is what a client of the tools is sent for the same question: the status of HTTP, then the answer's. A cancelled caller
there is a client that goes away while another asks.

*Fourth* is the time of the fourth question to a dead server: its breaker is open ([0057](decisions/0057-circuit-breaker.md)).
"""
_RUNS: Final = """
## Indexing

A run over the organisation in which one file is new, on a copy of the index. In every row the index answers right after the run
as before it, the next run brings what is new, and no thread, file or lock is left. Of servers that hang or are slow the adapters'
deadlines make a refusal, as of a 500.

| part | fault | the run |
|---|---|---|
"""
_POLICIES: Final = """
## Policy file

Read once, when a server over HTTP starts. *Partial page* is every shorter file, *byte flipped* every bit of it turned.

| fault | the server |
|---|---|
"""
_TAIL: Final = """
## Not in this table

- A process killed at any other step of a run: `tests/properties/test_histories.py`. A full disk as `index` and `ask` meet it:
  `tests/interfaces/cli/test_full_disk.py`. A damaged index: `tests/interfaces/cli/test_damage.py`, `tests/memory/generation/`.
- The cache of embeddings while it is shared: `tests/memory/embedders/test_cache.py`. Questions do not read it.
- What the servers' adapters do with a fault on the wire, when indexing: `tests/wiring/test_qdrant_stores.py`,
  `tests/wiring/test_neo4j_stores.py`.
- A language model, a reranker and the sparse terms are no part of a run that a fault could come from outside to.
"""


def page(found: Matrix) -> str:
    """The whole page."""
    cells = found.cells
    lines = [_HEAD.format(question=QUESTION, agent=AGENT_S, total=TOTAL_S)]
    for part in PARTS:
        lines += [
            f"## {part}\n",
            "| fault | status | local, graph, vector | within | fourth | over HTTP | within |",
            "|---|---|---|---|---|---|---|",
        ]
        for fault in FAULTS:
            if (part, fault) in NOT:
                lines.append(f"| {fault} | does not apply: {NOT[part, fault]} | | | | | |")
                continue
            cell = cells[part, fault]
            agents = ", ".join(cell.agents[name] for name in ("local", "graph", "vector"))
            fourth = "" if cell.next is None else bound(cell.next)
            over_http = f"{cell.served[0]} | {bound(cell.served[1])}"
            lines.append(f"| {fault} | {cell.status} | {agents} | {bound(cell.seconds)} | {fourth} | {over_http} |")
        lines.append("")
    runs = "".join(f"| {part} | {fault} | {run.outcome} |\n" for (part, fault), run in found.runs.items())
    kept = "".join(f"| {fault} | {outcome} |\n" for fault, outcome in found.policies.items())
    return "\n".join(lines).rstrip("\n") + "\n" + _RUNS + runs + _POLICIES + kept + _TAIL


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(matrix()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
