"""One index by Ray nodes on this machine: what more of them gain, and what of a run is serial.

    .venv/bin/python benchmarks/cluster.py [--nodes 1 2 4] [--projects N | --each FOLDER] [--sleep MS]
                                           [--model NAME ...] [--json]

Every node has one core for Ray. The generated organisation of benchmarks/scale.py, or each folder of FOLDER, is indexed
by one process, and then by so many nodes. The embedder sleeps for so many milliseconds a chunk in place of a model,
since this machine has fewer cores than there are nodes: so what is seen is what scheduling and the driver cost.
`--model` indexes installed distributions with the default model instead, where the machine's own cores are the limit.
CPU is that of this process and all that it started. The serial share is Amdahl's, worked out from the seconds of one
node and of the most.

One process writes embedded stores, the nodes those of the settings in the environment. `differs`: what of their index
is not what one process made. Of generated projects one is changed then, and both are brought up to date and compared
once more.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from benchmarks.calibration import cpu_probe_ms
from benchmarks.indexed import Indexed, embedded
from benchmarks.scale import edit, write_organisation
from configs import HybridRetrievalConfig, load_config
from indexing import Indexer, IndexRequest
from memory.cluster import Cluster
from memory.embedders import Bm25Sparse, EncoderSource, FakeSource
from memory.generation import DataFolder
from wiring.models import dense_source
from wiring.stores import indexing_parts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.local import Encode

PROJECTS, SLEEP_MS = 4, 50
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class SleepingSource(FakeSource):
    """The hash embedder, as slow as a model. ms: how long it sleeps for each text."""

    ms: float = SLEEP_MS

    def load(self) -> Encode:
        """As the hash embedder's."""
        encode = FakeSource.load(self)

        def slowly(texts: Sequence[str]) -> NDArray[np.float32]:
            time.sleep(self.ms * len(texts) / 1000)
            return encode(texts)

        return slowly


@contextmanager
def nodes(count: int) -> Iterator[Any]:
    """A Ray cluster of so many nodes of one core each on this machine;
    while it lasts this process may be its driver.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray  # noqa: PLC0415 - three seconds, which a machine without it does not need
    from ray.cluster_utils import Cluster as Nodes  # noqa: PLC0415 - the same

    cluster = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        for _ in range(count - 1):
            cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


async def measure(
    request: IndexRequest,
    source: EncoderSource,
    config: HybridRetrievalConfig,
    counts: Sequence[int],
    change: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """The document that `--json` prints. change: changes a project, for the so-manieth time."""
    usual = load_config(env=embedded(os.environ))
    with tempfile.TemporaryDirectory() as folder:
        alone, together = Path(folder) / "alone", Path(folder) / "together"

        async def differs() -> list[str]:
            return (await Indexed.of(together, config)).differs(await Indexed.of(alone, usual))

        runs = {"one process": await _measured(alone, request, source, usual, None)}
        for number, count in enumerate(counts):
            with nodes(count) as ray:
                cluster = Cluster(ray.address)
                run = await _measured(together, request, source, config, cluster)
                run["differs"] = await differs()
                if change is not None:
                    change(number)
                    run["one changed"] = {
                        "one process": await _measured(alone, request, source, usual, None),
                        "nodes": await _measured(together, request, source, config, cluster),
                        "differs": await differs(),
                    }
            runs[f"{count} nodes"] = run
            shutil.rmtree(together)
    seconds = [runs[f"{count} nodes"]["seconds"] for count in counts]
    return {
        "runs": runs,
        "speed_up": round(seconds[0] / seconds[-1], 2),
        "serial_share": round(serial_share(seconds[0] / seconds[-1], counts[-1] / counts[0]), 3),
        "calibration": {"cpu_probe_ms": round(cpu_probe_ms(), 1)},
    }


def serial_share(speed_up: float, times: float) -> float:
    """Which share of the work is serial where so many times the nodes are so much quicker (Amdahl 1967)."""
    return (times / speed_up - 1) / (times - 1) if times > 1 else 1.0


async def _measured(
    data: Path, request: IndexRequest, source: EncoderSource, config: HybridRetrievalConfig, cluster: Cluster | None
) -> dict[str, Any]:
    if cluster is not None:
        await cluster.join()
    parts = indexing_parts(config.graph, source, Bm25Sparse(), vector=config.vector, cluster=cluster)
    indexer = Indexer(DataFolder.open_or_create(data), parts, config, profile="embedded")
    cpu, started = _cpu(), time.perf_counter()
    report = await indexer.run(request, holder="benchmarks/cluster.py")
    return {
        "seconds": round(time.perf_counter() - started, 1),
        "cpu_s": round(_cpu() - cpu, 1),
        "chunks": sum(project.record.chunks for project in report.projects),
    }


def _cpu() -> float:
    """Processor seconds of this process and of all below it, those that ended as well,
    as far as they were waited for.
    """
    children, used = defaultdict(list), dict[int, float]()
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it ended
            continue
        pid = int(file.parent.name)
        children[int(fields[1])].append(pid)
        used[pid] = sum(map(int, fields[11:15])) / _TICKS
    waiting, total = [os.getpid()], 0.0
    while waiting:
        pid = waiting.pop()
        total += used.get(pid, 0.0)
        waiting += children[pid]
    return total


def page(document: dict[str, Any]) -> str:
    """The document for people."""
    lines = [f"{name:12} {run}" for name, run in document["runs"].items()]
    return "\n".join([*lines, *(f"{key:12} {value}" for key, value in document.items() if key != "runs")])


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4], help="how many each time (default 1 2 4)")
    parser.add_argument("--projects", type=int, default=PROJECTS, help=f"generated ones (default {PROJECTS})")
    parser.add_argument("--each", type=Path, metavar="FOLDER", help="each folder of this one, in place of them")
    parser.add_argument("--sleep", type=float, default=SLEEP_MS, help=f"milliseconds a chunk (default {SLEEP_MS})")
    parser.add_argument("--model", metavar="DISTRIBUTION", nargs="+", help="installed ones, with the default model")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    config, change = load_config(env=os.environ), None
    with tempfile.TemporaryDirectory() as name:
        if given.model:
            request, source = IndexRequest(distributions=given.model), dense_source(config.vector)
        else:
            if not given.each:
                write_organisation(Path(name) / "projects", given.projects)
                change = partial(edit, min((Path(name) / "projects").iterdir()))
            request = IndexRequest([given.each or Path(name) / "projects"], each=True)
            source = SleepingSource(config.vector.dimension, ms=given.sleep)
        document = anyio.run(measure, request, source, config, given.nodes, change)
    show(json.dumps(document) if given.json else page(document))


if __name__ == "__main__":
    from benchmarks.cluster import main as by_name  # the processes that embed import the embedder from there

    by_name()
