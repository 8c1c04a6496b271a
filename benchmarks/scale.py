"""A large organisation: how long indexing it takes, how quickly its graph is walked, and what one change costs.

    .venv/bin/python benchmarks/scale.py [--projects N] [--neo4j URI] [--json]

The organisation is written by a seed: a project has 20 modules with 10 functions each, of which every one calls two of
its own project and one of another project that its pyproject.toml names; so 500 projects are about 100,000 chunks,
100,000 entities and 400,000 relations. Vectors are the hash embedder's, everything else is the product's own way. Three
hops are followed as the graph agent does it, 200 edges at most a hop. Memory is the peak of a process that indexes a
tenth of the projects, and of one that indexes all. One change is an edited function in one project, indexed again alone
and among all; beside it is what copying the generation takes. `--neo4j` measures the walk and the change on that server
too, with the password in NEO4J_PASSWORD.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, p50, p95, report
from benchmarks.throughput import index_into, printed, resident_peak_mb
from configs import GraphSettings, HybridRetrievalConfig, load_config
from indexing import IndexRequest
from memory.copying import copy_tree
from memory.embedders import FakeSource
from memory.generation import DataFolder
from memory.graph import GraphStore
from wiring.opening import open_graph

PROJECTS = 500
MODULES, FUNCTIONS = 20, 10
WALKS, HOPS, ROWS = 200, 3, 200
WORDS = [
    "order",
    "invoice",
    "ledger",
    "parcel",
    "refund",
    "basket",
    "tariff",
    "voucher",
    "account",
    "shipment",
    "route",
    "depot",
    "label",
    "payment",
]
FUNCTION = '''

def {name}(given: str, count: int = {number}) -> str:
    """Works out the {a} of a {b} for project {project}, step {number}.

    A {a} without a {b} is kept until the {c} of the day is closed; what is left over is
    carried to the next {c} and counted there. The number of tries is {number}.
    """
    first = {one}(given, count)
    second = {two}(given, count + {number})
    third = {three}(first, second)
    if not first:
        raise ValueError(f"no {a} for {{given}} in {project}, step {number}")
    if len(second) > count * {number}:
        return f"{{second}}-{{third}}-{a}-{number}"
    lines = [f"{a} {{position}} of {{given}}" for position in range(count)]
    return "\\n".join([first, second, third, *lines])
'''


def write_organisation(folder: Path, count: int, seed: int = 11) -> None:
    """Projects that call each other, each file's text its own."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret about it
    for number in range(count):
        name, other = f"service{number:03}", f"service{(number * 7 + 1) % count:03}"
        root = folder / name
        (root / name).mkdir(parents=True)
        (root / "pyproject.toml").write_text(f'[project]\nname = "{name}"\ndependencies = ["{other}"]\n')
        (root / name / "__init__.py").write_text("")
        for module in range(MODULES):
            (root / name / f"part{module:02}.py").write_text(_module(chance, name, other, module))


def _module(chance: random.Random, name: str, other: str, module: int) -> str:
    near, far = (module + 1) % MODULES, chance.randrange(MODULES)
    lines = [f"from {name} import part{near:02}", f"from {other} import part{far:02} as foreign"]
    functions = []
    for number in range(FUNCTIONS):
        a, b, c = chance.sample(WORDS, 3)
        functions.append(
            FUNCTION.format(
                name=_name(module, number),
                number=module * FUNCTIONS + number + 2,
                one=_name(module, (number + 1) % FUNCTIONS),
                two=f"part{near:02}.{_name(near, chance.randrange(FUNCTIONS))}",
                three=f"foreign.{_name(far, chance.randrange(FUNCTIONS))}",
                project=name,
                a=a,
                b=b,
                c=c,
            )
        )
    return "\n".join(lines) + "\n" + "".join(functions)


def _name(module: int, number: int) -> str:
    return f"work_out_{module:02}_{number}"


async def three_hops(store: GraphStore, projects: frozenset[str], walks: int = WALKS) -> dict[str, float]:
    """Milliseconds at p50 and p95 for what a function calls, three hops far."""
    chance = random.Random(3)  # noqa: S311 - nothing secret about it
    took, edges = [], 0
    names = sorted(projects)
    for _ in range(walks):
        key = _name(chance.randrange(MODULES), chance.randrange(FUNCTIONS))
        found = await store.find_exact([key], permission=frozenset({chance.choice(names)}))
        started = time.perf_counter()
        ids, seen = [entity.id for entity in found], {entity.id for entity in found}
        for _ in range(HOPS):
            rows = await store.edges(ids, permission=projects, direction="out", types=("CALLS",), limit=ROWS)
            ids = sorted({edge.target.id for edge in rows} - seen)
            seen.update(ids)
            edges += len(rows)
        took.append((time.perf_counter() - started) * 1000)
    return {"p50_ms": round(p50(took), 2), "p95_ms": round(p95(took), 2), "edges_a_walk": round(edges / walks, 1)}


async def _index(data: Path, projects: Sequence[Path], config: HybridRetrievalConfig, *, each: bool = False) -> float:
    """Seconds of one run."""
    seconds, _ = await index_into(
        data, IndexRequest(tuple(projects), each=each), FakeSource(config.vector.dimension), config
    )
    return seconds


async def _one_change(folder: Path, data: Path, generation: Path, config: HybridRetrievalConfig) -> dict[str, float]:
    project = folder / "service007"
    alone = folder.parent / "alone"
    await _index(alone, [project], config)
    copying = time.perf_counter()
    copy_tree(generation, folder.parent / "copy")
    copy_s = time.perf_counter() - copying
    edit(project, 1)
    alone_s = await _index(alone, [project], config)
    edit(project, 2)
    among_s = await _index(data, [project], config)
    return {
        "alone_s": round(alone_s, 2),
        "copy_s": round(copy_s, 2),
        "among_all_s": round(among_s, 2),
        "ratio": round(among_s / (alone_s + copy_s), 2),
    }


def edit(project: Path, time_: int) -> None:
    """A function more in one of a generated project's files."""
    file = project / project.name / "part03.py"
    file.write_text(file.read_text() + f"\n\ndef added_{time_}(given: str) -> str:\n    return given * {time_}\n")


async def measure(projects: int = PROJECTS, neo4j: str | None = None) -> dict[str, Any]:
    """The document that `--json` prints."""
    config = load_config()
    few = max(1, projects // 10)
    with tempfile.TemporaryDirectory() as name:
        folder, data = Path(name) / "projects", Path(name) / "data"
        write_organisation(folder, projects)
        seconds = await _index(data, [folder], config, each=True)
        with DataFolder.open(data).reading() as generation:
            manifest, vectors = generation.manifest, generation.vectors_path
        document: dict[str, Any] = {
            "organisation": {
                "projects": len(manifest.projects),
                "chunks": sum(record.chunks for record in manifest.projects),
                "entities": manifest.entities,
                "relations": manifest.relations,
                "index_s": round(seconds, 1),
            }
        }
        async with open_graph(data, config.graph) as (store, names):
            document["three_hops_kglite"] = await three_hops(store, names)
        if neo4j:
            document["three_hops_neo4j"] = await _on_server(folder, Path(name) / "served", config, neo4j)
        document["one_change"] = await _one_change(folder, data, vectors.parent, config)
    peaks = [printed(__file__, "--peak-of", str(count)) for count in (few, projects)]
    document["memory"] = {
        "projects": [few, projects],
        "peak_mb": [round(peak, 1) for peak in peaks],
        "ratio": round(peaks[1] / peaks[0], 3),
    }
    document["calibration"] = {"cpu_probe_ms": round(cpu_probe_ms(), 1)}
    return document


async def _on_server(folder: Path, data: Path, config: HybridRetrievalConfig, uri: str) -> dict[str, float]:
    settings = replace(config.graph.neo4j, uri=uri)
    config = replace(config, graph=GraphSettings(store="neo4j", neo4j=settings))
    seconds = await _index(data, [folder], config, each=True)
    async with open_graph(data, config.graph) as (store, names):
        walks = await three_hops(store, names)
    edit(folder / "service007", 0)
    change_s = await _index(data, [folder / "service007"], config)
    return {**walks, "index_s": round(seconds, 1), "one_change_s": round(change_s, 2)}


async def _index_anew(projects: int) -> float:
    """Megabytes at the peak of this process, having indexed so many of them."""
    with tempfile.TemporaryDirectory() as name:
        write_organisation(Path(name) / "projects", projects)
        await _index(Path(name) / "data", [Path(name) / "projects"], load_config(), each=True)
    return resident_peak_mb()


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--projects", type=int, default=PROJECTS, help=f"how many (default {PROJECTS})")
    parser.add_argument("--neo4j", metavar="URI", help="a Neo4j server to measure as well")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--peak-of", type=int, metavar="N", help="only print the peak of indexing N projects")
    given = parser.parse_args(arguments)
    if given.peak_of:
        show(str(anyio.run(_index_anew, given.peak_of)))
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    document = anyio.run(measure, given.projects, given.neo4j)
    show(json.dumps(document) if given.json else report(document))


if __name__ == "__main__":
    main()
