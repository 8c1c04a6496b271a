"""How many known edges the extraction finds.

    .venv/bin/python benchmarks/edges.py EDGES.jsonl [--data-dir FOLDER] [--trees FOLDER] [--contact] [--json]

EDGES.jsonl has `project, source, relation, target, path` a line. They are looked for among the confirmed edges of an
index (`--data-dir`, by default the one that the commands use), or of the projects in the sub-folders of `--trees`,
which are read and resolved by the indexer's own functions without stores or embeddings. Names are compared casefolded
and without `-_.`; the path is no part of it, and how many edges are proven in the very file is said beside. `--contact`
compares edges that are named in prose, by the place and the words (`contact_edges.py`).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from benchmarks.contact_edges import LEVELS, compare_contact, read_contact
from configs.settings import IndexingSettings
from indexing.isolation import ReadingProcesses
from indexing.project import read_project
from indexing.resolution import resolve
from indexing.sources import IndexRequest, find_sources
from memory.entities import Relationship
from memory.graph import GraphBatch
from wiring import data_folder
from wiring.opening import open_graph


@dataclass(frozen=True, slots=True)
class Known:
    """An edge that is known to be there, and the file that proves it."""

    project: str
    source: str
    relation: str
    target: str
    path: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What is compared."""
        return (self.project, _plain(self.source), _relation(self.relation), _plain(self.target))


def read_edges(file: Path) -> list[Known]:
    """The known edges, one a line; fields that are not compared are left out."""
    rows = (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
    return [Known(r["project"], r["source"], r["relation"], r["target"], r.get("path", "")) for r in rows]


async def graph_of_trees(trees: Path) -> GraphBatch:
    """The graph of the projects in the sub-folders, without an index."""
    settings = IndexingSettings()
    sources = find_sources(IndexRequest((trees,), each=True), None, max_file_bytes=settings.max_file_bytes)
    async with ReadingProcesses(settings) as readers:
        facts = {s.project.name: (await read_project(s, None, {}, readers)).facts for s in sources.present}
    return resolve(facts)


def compare(known: Sequence[Known], found: Iterable[Relationship]) -> dict[str, Any]:
    """`recall`, `by_relation`, `edges`, `with_path` (shares and counts), and `missing` as text."""
    paths: dict[tuple[str, str, str, str], set[str]] = defaultdict(set)
    for edge in found:
        if edge.status == "confirmed":
            key = (edge.project, _plain(edge.source.name), _relation(edge.type), _plain(edge.target.name))
            paths[key].add(edge.path)
    relations = sorted({edge.relation for edge in known})
    return {
        "recall": _share(known, paths),
        "by_relation": {r: _share([edge for edge in known if edge.relation == r], paths) for r in relations},
        "edges": len(known),
        "with_path": sum(edge.path in paths.get(edge.key, ()) for edge in known),
        "missing": [
            f"{edge.project}: {edge.source} {edge.relation} {edge.target} ({edge.path})"
            for edge in known
            if edge.key not in paths
        ],
    }


def _share(known: Sequence[Known], paths: Mapping[tuple[str, str, str, str], set[str]]) -> float:
    return round(sum(edge.key in paths for edge in known) / len(known), 4) if known else 0.0


def _plain(name: str) -> str:
    """Without joints, and without the broker that a topic's name may begin with: `kafka:orders`."""
    return re.sub(r"[-_.]|^(?:kafka|sqs|sns|amqp|nats):", "", name).casefold()


def _relation(name: str) -> str:
    """The graph says SUBSCRIBES of what others call consuming."""
    return "SUBSCRIBES" if name == "CONSUMES" else name


async def _indexed(data_dir: str | None) -> list[Relationship]:
    async with open_graph(data_folder(data_dir)) as (store, projects):
        return list(await store.all_edges(permission=projects))


def main(arguments: Sequence[str]) -> int:
    """Print the comparison; 0 whatever it is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("edges", type=Path, metavar="EDGES.jsonl")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--data-dir", help="The index to look in.")
    where.add_argument("--trees", type=Path, help="A folder of projects, read without an index.")
    parser.add_argument("--contact", action="store_true", help="Edges named in prose, with the line they stand at.")
    parser.add_argument("--json", action="store_true", help="One JSON document on standard output.")
    chosen = parser.parse_args(arguments)
    found = (
        anyio.run(graph_of_trees, chosen.trees).relationships if chosen.trees else anyio.run(_indexed, chosen.data_dir)
    )
    if chosen.contact:
        _print_contact(compare_contact(read_contact(chosen.edges), found), as_json=chosen.json)
        return 0
    result = compare(read_edges(chosen.edges), found)
    if chosen.json:
        print(json.dumps(result))
        return 0
    print(f"recall {result['recall']:.3f} of {result['edges']} edges, {result['with_path']} proven in the same file")
    for relation, share in result["by_relation"].items():
        print(f"  {relation:12} {share:.3f}")
    for missing in result["missing"]:
        print(f"  missing  {missing}")
    return 0


def _print_contact(result: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(result))
        return
    print(f"{result['edges']} edges: " + ", ".join(f"{level} {result[level]:.3f}" for level in LEVELS))
    for row in result["rows"]:
        best = next((level for level in LEVELS if row[level]), "missing")
        print(f"  {best:8} {row['id']}: {row['known']}" + (f"  <- {row['found']}" if row["found"] else ""))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
