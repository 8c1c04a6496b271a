"""Three stub branches behind each of several frameworks, so that what each of them adds is measured side by side.

    .venv/bin/python benchmarks/branches.py [--peers PYTHON] [--other FOLDER] [--rounds N] [--json]

The branches answer after 20, 50 and 80 ms with 25 items of 120 words each: of a branch's items five are the others'
too, word for word, and five are theirs but for one word. Every row is a process of its own and they take turns, so that
what else the machine does meets them all. PYTHON is an interpreter that has haystack-ai and llama-index-core, whose
rows are left out without it; FOLDER is another checkout of this project, which gets rows too. `unanswered` is this
project without a written answer, which no other row has either.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BRANCHES: Mapping[str, float] = {"local": 0.02, "graph": 0.05, "vector": 0.08}
"""Seconds until each answers."""

EACH, WORDS, FLOOD = 25, 120, 5_000
QUESTION = "What patterns do other teams use for customer tables?"
CASES = ("normal", "without items", "5,000 items", "all scores 1.0", "one branch fails")


_WORDS = tuple(
    f"{a}{b}{c}" for a in ("re", "con", "sub", "pro") for b in ("ta", "li", "mo", "ser") for c in ("te", "ct", "ve")
)


class Item(NamedTuple):
    """What a branch returns, before it takes a framework's form. `key` is the same for near copies of each other."""

    key: str
    text: str
    path: str
    score: float


def items_of(branch: str, case: str = "normal") -> list[Item]:
    """A branch's items in a case, best first.
    The first of them is everybody's, the second has near copies elsewhere.
    """
    if case == "without items":
        return []
    count = FLOOD if case == "5,000 items" and branch == "vector" else EACH
    items = []
    for number in range(count):
        shared = number < EACH and number % 5 < 2
        name = f"{'all' if shared else branch}-{number}"
        words = random.Random(name).choices(_WORDS, k=WORDS)  # noqa: S311 - no secret
        if shared and number % 5 == 1:
            words[60] = branch
        score = 1.0 if case == "all scores 1.0" and branch == "vector" else round(0.9 - 0.5 * number / count, 6)
        items.append(Item(name, " ".join(words), f"src/{name if name.startswith(branch) else branch + name}.py", score))
    return items


def near_copies(texts: Sequence[str]) -> int:
    """How many of these texts are one before them but for a word of each."""
    words = [text.split() for text in texts]

    def near(one: Sequence[str], other: Sequence[str]) -> bool:
        return sum(a != b for a, b in zip(one, other, strict=False)) == 1

    return sum(any(near(one, before) for before in words[:row]) for row, one in enumerate(words))


class BranchError(RuntimeError):
    """What a branch fails with."""


@dataclass
class Branch:
    """One of the three in one case; `shaped` makes an item the framework's own, each request anew, but for the flood:
    what that costs is the branch's own affair.
    """

    name: str
    case: str
    items: Sequence[Item]
    shaped: Callable[[str, Item], Any]
    flood: list[Any] = field(default_factory=list)

    async def answer(self) -> list[Any]:
        """The items after the branch's delay."""
        await asyncio.sleep(BRANCHES[self.name])
        if self.case == "one branch fails" and self.name == "graph":
            raise BranchError("the branch fails")
        if len(self.items) <= EACH:
            return [self.shaped(self.name, item) for item in self.items]
        self.flood = self.flood or [self.shaped(self.name, item) for item in self.items]
        return self.flood


Ask = Callable[[], Awaitable[Sequence[str]]]
"""One request; the texts that came back, best first."""


def _branches(case: str, shaped: Callable[[str, Item], Any]) -> list[Branch]:
    return [Branch(name, case, items_of(name, case), shaped) for name in BRANCHES]


def bare(case: str) -> Ask:
    """A task group, and the lists one after the other."""
    branches = _branches(case, lambda _, item: Item(*item))

    async def ask() -> list[str]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(branch.answer()) for branch in branches]
        return [item.text for task in tasks for item in task.result()]

    return ask


def haystack(case: str) -> Ask:
    """MultiRetriever, which fuses by reciprocal ranks."""
    from haystack import Document, component  # noqa: PLC0415 - of an environment of its own
    from haystack.components.retrievers import MultiRetriever  # noqa: PLC0415

    @component  # type: ignore[untyped-decorator,unused-ignore]
    class Stub:
        def __init__(self, branch: Branch) -> None:
            self.branch = branch

        @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator,unused-ignore]
        def run(self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None) -> dict[str, Any]:
            raise NotImplementedError

        @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator,unused-ignore]
        async def run_async(
            self,
            query: str,  # noqa: ARG002 - the port's signature
            filters: dict[str, Any] | None = None,  # noqa: ARG002
            top_k: int | None = None,  # noqa: ARG002
        ) -> dict[str, Any]:
            return {"documents": await self.branch.answer()}

    def shaped(_: str, item: Item) -> Any:
        return Document(content=item.text, score=item.score, meta={"path": item.path})

    several = MultiRetriever(retrievers={b.name: Stub(branch=b) for b in _branches(case, shaped)}, top_k=EACH)

    async def ask() -> list[str]:
        found = await several.run_async(query=QUESTION)
        return [document.content for document in found["documents"]]

    return ask


def llamaindex(case: str) -> Ask:
    """QueryFusionRetriever by reciprocal ranks."""
    from llama_index.core.llms import MockLLM  # noqa: PLC0415 - of an environment of its own
    from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever  # noqa: PLC0415
    from llama_index.core.schema import NodeWithScore, TextNode  # noqa: PLC0415

    class Stub(BaseRetriever):  # type: ignore[misc,unused-ignore]
        def __init__(self, branch: Branch) -> None:
            self.branch = branch
            super().__init__()

        def _retrieve(self, query_bundle: Any) -> Any:
            raise NotImplementedError

        async def _aretrieve(self, query_bundle: Any) -> Any:  # noqa: ARG002 - the port's signature
            return await self.branch.answer()

    def shaped(_: str, item: Item) -> Any:
        return NodeWithScore(node=TextNode(text=item.text, metadata={"path": item.path}), score=item.score)

    fusion = QueryFusionRetriever(
        [Stub(branch) for branch in _branches(case, shaped)],
        llm=MockLLM(),
        mode="reciprocal_rerank",  # type: ignore[arg-type,unused-ignore]
        similarity_top_k=EACH,
        num_queries=1,
    )

    async def ask() -> list[str]:
        return [found.node.text for found in await fusion.aretrieve(QUESTION)]

    return ask


class _Unanswered:
    """A synthesis that writes nothing, as the other frameworks' retrievers do."""

    async def answer(self, query: str, observations: Sequence[Any]) -> Any:  # noqa: ARG002 - the port's signature
        from synthesis import Answer  # noqa: PLC0415 - the other rows have no such package

        return Answer("Not written here.", answerer="stub")


def ours(case: str, synthesis: Any = None) -> Ask:
    """The orchestrator with its defaults: merged, conflicts looked for, answered from what was found."""
    from memory.observations import GraphObservation, LocalObservation, VectorObservation  # noqa: PLC0415
    from orchestrator.hybrid import HybridRetrievalOrchestrator  # noqa: PLC0415

    def shaped(branch: str, item: Item) -> Any:
        if branch == "local":
            return LocalObservation(item.text, item.path, None, item.score, "fact", "billing")
        if branch == "graph":
            return GraphObservation(item.text, (), (), ("billing",), 1, item.score, "entity")
        return VectorObservation(item.text, item.path, "billing", item.score, None, "code")

    class Stub:
        def __init__(self, branch: Branch) -> None:
            self.branch = branch

        async def retrieve(self, query: str, context: Any = None) -> Any:  # noqa: ARG002 - the port's signature
            return await self.branch.answer()

    agents = {branch.name: Stub(branch) for branch in _branches(case, shaped)}
    whole = HybridRetrievalOrchestrator(**agents, synthesis=synthesis)
    context = {"project": "billing", "allowed_projects": ["billing"]}

    async def ask() -> list[str]:
        result = await whole.retrieve(QUESTION, context)
        return [observation.content for observation in result.observations]

    return ask


MAKERS: Mapping[str, Callable[[str], Ask]] = {
    "bare": bare,
    "haystack": haystack,
    "llamaindex": llamaindex,
    "ours": ours,
    "unanswered": lambda case: ours(case, _Unanswered()),
}


async def _round(ask: Ask, requests: int, in_flight: int) -> dict[str, Any]:
    """Wall milliseconds of so many requests, `in_flight` at a time, and the CPU of the whole process for one."""
    walls: list[float] = []
    left = iter(range(requests))

    async def ask_on() -> None:
        for _ in left:
            began = time.perf_counter()
            await ask()
            walls.append((time.perf_counter() - began) * 1000)

    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(ask_on() for _ in range(in_flight)))
    spent, seconds = time.process_time() - cpu, time.perf_counter() - started
    return {"walls": walls, "cpu_ms": spent * 1000 / requests, "seconds": seconds, "requests": requests}


def serve(row: str) -> None:
    """A row's process: a line of JSON in, a case and how often; a line out, what it took."""
    made: dict[str, Ask] = {}
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            order = json.loads(line)
            ask = made.get(order["case"]) or made.setdefault(order["case"], MAKERS[row](order["case"]))
            if order["requests"]:
                said = runner.run(_round(ask, order["requests"], order["in_flight"]))
            else:
                said = {"texts": runner.run(_texts(ask))}
            print(json.dumps(said), flush=True)


async def _texts(ask: Ask) -> list[str] | None:
    try:
        return list(await ask())
    except Exception:  # noqa: BLE001 - whatever a framework makes of a branch that fails: nothing came back
        return None


class Row:
    """A row's process, which is asked for one round at a time."""

    def __init__(self, name: str, python: str, folder: Path, label: str = "") -> None:
        self.name = label or name
        self.rounds: dict[tuple[str, int], list[dict[str, Any]]] = {}
        environment = os.environ | {"PYTHONPATH": str(folder)}
        self._process = subprocess.Popen(  # noqa: S603 - ourselves
            [python, str(Path(__file__).resolve()), "--serve", name],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        )

    def order(self, case: str, requests: int, in_flight: int = 1) -> dict[str, Any]:
        """One round's answer. Raises EOFError when the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"case": case, "requests": requests, "in_flight": in_flight}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"{self.name} has ended")
        said: dict[str, Any] = json.loads(line)
        if requests:
            self.rounds.setdefault((case, in_flight), []).append(said)
        return said

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()

    def figures(self, in_flight: int) -> dict[str, Any]:
        """What was measured; percentiles over all rounds, the rest as the median of rounds."""
        one, many = self.rounds["normal", 1], self.rounds["normal", in_flight]
        alone, crowd = (sorted(wall for found in of for wall in found["walls"]) for of in (one, many))
        flood = [wall for found in self.rounds["5,000 items", 1] for wall in found["walls"]]
        texts = {case: self.order(case, 0)["texts"] for case in CASES}
        own = {item.text for item in items_of("vector")} - {item.text for item in items_of("local")}
        return {
            "p50_ms": median(alone),
            "crowd_p50_ms": median(crowd),
            "crowd_p95_ms": crowd[int(0.95 * len(crowd))],
            "crowd_per_s": median(found["requests"] / found["seconds"] for found in many),
            "cpu_ms": median(found["cpu_ms"] for found in many),
            "cpu_alone_ms": median(found["cpu_ms"] for found in one),
            "cpu_without_items_ms": median(found["cpu_ms"] for found in self.rounds["without items", in_flight]),
            "flood_ms": median(flood),
            "flood_ratio": median(flood) / median(alone),
            "flood_cpu_ratio": median(f["cpu_ms"] for f in self.rounds["5,000 items", 1])
            / median(f["cpu_ms"] for f in one),
            "near_copies_in_ten": near_copies((texts["normal"] or [])[:10]),
            "overconfident_in_ten": sum(text in own for text in (texts["all scores 1.0"] or [])[:10]),
            "one_fails": "lost" if texts["one branch fails"] is None else len(texts["one branch fails"]),
        }


def compare(rows: Sequence[Row], rounds: int, in_flight: int = 100) -> dict[str, Any]:
    """Every row's figures. The rows take turns within each round; the first round of all warms and does not count."""
    for turn in range(rounds + 1):
        for row in rows:
            row.order("normal", 5)
            row.order("normal", 3 * in_flight, in_flight)
            row.order("without items", 2 * in_flight, in_flight)
            row.order("5,000 items", 2)
            if not turn:
                row.rounds.clear()
    return {row.name: row.figures(in_flight) for row in rows}


def report(document: Mapping[str, Mapping[str, Any]]) -> str:
    """A line a figure, a column a row."""
    names = list(document)
    lines = [f"{'':<22}" + "".join(f"{name:>16}" for name in names)]
    for figure in document[names[0]]:
        cells = [document[name][figure] for name in names]
        lines.append(f"{figure:<22}" + "".join(f"{c:>16.2f}" if isinstance(c, float) else f"{c:>16}" for c in cells))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What frameworks add to three branches.")
    parser.add_argument("--peers", help="an interpreter with haystack-ai and llama-index-core")
    parser.add_argument("--other", type=Path, help="another checkout, for a row of its own")
    parser.add_argument("--rounds", type=int, default=5, help="turns of every row (default: 5)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--serve", choices=tuple(MAKERS), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve(given.serve)
        return
    rows = [Row("bare", sys.executable, ROOT)]
    if given.peers:
        rows += [Row(name, given.peers, ROOT) for name in ("haystack", "llamaindex")]
    if given.other:
        other = given.other.resolve()
        rows += [Row(name, sys.executable, other, f"{other.name} {name}") for name in ("ours", "unanswered")]
    rows += [Row(name, sys.executable, ROOT) for name in ("ours", "unanswered")]
    document = compare(rows, given.rounds)
    for row in rows:
        row.close()
    print(json.dumps(document, indent=2) if given.json else report(document))


if __name__ == "__main__":
    main()
