"""Runs of `index --on ray` that are killed at random moments: what readers get meanwhile, and what is left.

    .venv/bin/python benchmarks/kills.py [--times N] [--projects N] [--seed N] [--neo4j FOLDER] [--json]

Two Ray nodes on this machine index one edition of generated projects after the other, as in `soak.py`, with the
default model. In each run a worker of Ray's, a node or the driver gets SIGKILL in turn, or the Neo4j server is stopped
and started again; where the run failed it is done once more. Meanwhile a server is asked without a pause. It holds
where no question failed and no answer named two editions, where each next run ended well, and where what is indexed
then is what one process makes of the same projects in stores of its own. At the end nothing may be left of former
generations.
`--neo4j`: the folder of `scripts/neo4j`, whose server has the graph. Further settings, such as Qdrant's, come from the
environment. Exit 1 where it does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import anyio

from benchmarks.calibration import cpu_probe_ms
from benchmarks.cluster import nodes
from benchmarks.indexed import Indexed, embedded
from benchmarks.indexed_questions import indexed_questions
from benchmarks.load_doors import Door, over_http
from benchmarks.processes import children
from benchmarks.soak import Editions, editions_in, index_command, without_editions
from configs import load_config
from memory.generation import DataFolder

TIMES, PROJECTS, QUESTIONS = 10, 4, 200
NEO4J: Final = Path(__file__).resolve().parent.parent / "scripts/neo4j"
_LONGEST_S: Final = 600


@dataclass(frozen=True, slots=True)
class Kill:
    """What was killed, and what became of the run. after_s: of the run; exit: its driver's; again: whether it was done
    once more; differs: what of the index is not what one process makes.
    """

    what: str
    after_s: float
    exit: int
    again: bool
    differs: Sequence[str]


@dataclass
class Asked:
    """How the questions ended, and which answers named two editions."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    mixed: list[str] = field(default_factory=list)

    def add(self, question: str, outcome: str, said: str) -> None:
        """One answer."""
        self.outcomes[outcome] += 1
        if outcome in {"refused", "failed"}:
            self.failures[said] += 1
        elif len(editions_in(said)) > 1:
            self.mixed.append(question)


class Victims:
    """The processes that can be killed. cluster: Ray's, on this machine; neo4j: the folder of its server."""

    def __init__(self, cluster: Any, neo4j: Path | None, chance: random.Random) -> None:
        self._cluster = cluster
        self._neo4j = neo4j
        self._chance = chance

    @property
    def kinds(self) -> Sequence[str]:
        return ("worker", "node", "driver", "neo4j") if self._neo4j else ("worker", "node", "driver")

    async def kill(self, what: str, driver: int) -> None:
        """SIGKILL; a node and a server come back."""
        if what == "worker":
            os.kill(self._chance.choice(self._workers()), signal.SIGKILL)
        elif what == "node":
            node = self._chance.choice(sorted(self._cluster.worker_nodes, key=lambda one: one.node_id))
            self._cluster.remove_node(node, allow_graceful=False)
            self._cluster.add_node(num_cpus=1)  # which only a main thread may do
        elif what == "driver":
            os.kill(driver, signal.SIGKILL)
        elif self._neo4j:
            await restart(self._neo4j)

    def _workers(self) -> list[int]:
        """Those at work, where there are any."""
        raylets = [
            info.process.pid
            for node in (self._cluster.head_node, *self._cluster.worker_nodes)
            for info in node.all_processes["raylet"]
        ]
        titles = {pid: _title(pid) for raylet in raylets for pid in children(raylet)}
        workers = [pid for pid, title in titles.items() if title.startswith("ray::")]
        return [pid for pid in workers if titles[pid] != "ray::IDLE"] or workers


def _title(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text("utf-8").rstrip("\0")
    except OSError:  # it ended
        return ""


async def restart(folder: Path) -> str:
    """Stop the server and start it at the same port; returns its address."""
    before = (await anyio.run_process([NEO4J, "status", folder], check=False)).stdout.decode().strip()
    await anyio.run_process([NEO4J, "stop", folder])
    port = ["--port", before.rpartition(":")[2]] if before else []
    return (await anyio.run_process([NEO4J, "start", folder, *port])).stdout.decode().strip()


async def measure(times: int, projects: int, chance: random.Random, neo4j: Path | None) -> dict[str, Any]:
    """Kill after kill, with questions all the while."""
    config, asked, kills = load_config(env=os.environ), Asked(), list[Kill]()
    with tempfile.TemporaryDirectory() as name, nodes(2) as cluster:
        root, on = Path(name), f"ray={cluster.address}"
        editions, victims = Editions(root, projects), Victims(cluster, neo4j, chance)
        await anyio.run_process(index_command(editions.data, editions.write(0), (), "--on", on))
        began = time.monotonic()
        await anyio.run_process(_next(editions, 1, on))
        usual = time.monotonic() - began
        questions = without_editions(await indexed_questions(editions.data, config, QUESTIONS))
        async with over_http(editions.data) as door, anyio.create_task_group() as beside:
            beside.start_soon(_ask, door, questions, asked)
            for number in range(times):
                what = victims.kinds[number % len(victims.kinds)]
                after = chance.uniform(0.1, 0.9) * usual
                command = _next(editions, number + 2, on)
                exit_ = await killed(command, partial(victims.kill, what), after)
                if exit_:
                    await anyio.run_process(_next(editions, number + 2, on, write=False))
                alone = root / f"alone-{number}"
                folder = root / f"edition-{number + 2}"
                await anyio.run_process(index_command(alone, folder), env=embedded(os.environ))
                mine = await Indexed.of(editions.data, config)
                differs = mine.differs(await Indexed.of(alone, load_config(env=embedded(os.environ))))
                kills.append(Kill(what, round(after, 1), exit_, again=bool(exit_), differs=differs))
                print(kills[-1], file=sys.stderr)
                editions.forget(number)
            beside.cancel_scope.cancel()
        await anyio.run_process(index_command(editions.data, root / f"edition-{times + 1}"))  # readers are gone
        left = len(list((editions.data / "generations").iterdir())) - 1
    return document(kills, asked, usual, left)


def _next(editions: Editions, edition: int, on: str, *, write: bool = True) -> list[str]:
    """The run that puts an edition in place of whatever is indexed."""
    folder = editions.write(edition) if write else editions.data.parent / f"edition-{edition}"
    with DataFolder.open(editions.data).reading() as generation:
        others = [name for name in sorted(generation.manifest.names) if not (folder / name).exists()]
    return index_command(editions.data, folder, others, "--on", on)


async def killed(command: Sequence[str], kill: Callable[[int], Awaitable[None]], after: float) -> int:
    """The exit code of a run in which something is killed after so many seconds."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with anyio.fail_after(_LONGEST_S):
        async with await anyio.open_process(command, **quiet) as driver, anyio.create_task_group() as beside:

            async def strike() -> None:
                await anyio.sleep(after)
                with anyio.CancelScope(shield=True):  # a node that was removed is to come back
                    await kill(driver.pid)

            beside.start_soon(strike)
            exit_ = await driver.wait()
            beside.cancel_scope.cancel()
            return exit_


async def _ask(door: Door, questions: Sequence[str], asked: Asked) -> None:
    for question in cycle(questions):
        asked.add(question, *await door.ask(question))


def document(kills: Sequence[Kill], asked: Asked, usual: float, left: int) -> dict[str, Any]:
    """What is printed."""
    return {
        "undisturbed_s": round(usual, 1),
        "kills": [asdict(kill) for kill in kills],
        "done_again": sum(kill.again for kill in kills),
        "unequal": sum(bool(kill.differs) for kill in kills),
        "questions": asked.outcomes.total(),
        "outcomes": dict(asked.outcomes),
        "failures": dict(asked.failures.most_common(3)),
        "mixed": len(asked.mixed),
        "left_over": left,
        "holds": not (any(kill.differs for kill in kills) or asked.failures or asked.mixed or left),
    }


def page(found: Mapping[str, Any]) -> str:
    """The document for people."""
    rows = [" ".join(f"{key}={value}" for key, value in kill.items()) for kill in found["kills"]]
    return "\n".join([*rows, *(f"{key:16}  {value}" for key, value in found.items() if key != "kills")])


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> int:
    """Measure and print; 1 where it does not hold."""
    parser = argparse.ArgumentParser(description="Runs on a cluster that are killed at random moments.")
    parser.add_argument("--times", type=int, default=TIMES, help=f"how many runs (default {TIMES})")
    parser.add_argument("--projects", type=int, default=PROJECTS, help=f"generated ones (default {PROJECTS})")
    parser.add_argument("--seed", type=int, default=0, help="of the moments (default 0)")
    parser.add_argument("--neo4j", type=Path, metavar="FOLDER", help="of scripts/neo4j, whose server has the graph")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    if given.neo4j:
        os.environ["HYBRID_RETRIEVAL_GRAPH__STORE"] = "neo4j"
        os.environ["HYBRID_RETRIEVAL_GRAPH__NEO4J__URI"] = anyio.run(restart, given.neo4j)
        os.environ["NEO4J_PASSWORD"] = (given.neo4j / "password").read_text()
    chance = random.Random(given.seed)  # noqa: S311 - moments that can be drawn again
    found = anyio.run(measure, given.times, given.projects, chance, given.neo4j)
    found["calibration"] = {"cpu_probe_ms": round(cpu_probe_ms(), 1), "load_average": round(os.getloadavg()[0], 1)}
    show(json.dumps(found) if given.json else page(found))
    return 0 if found["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
