"""An index that a Ray cluster of two nodes writes is the one that this machine would write alone, whatever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest

from benchmarks.cluster import nodes
from benchmarks.indexed import Indexed
from configs.settings import QdrantSettings
from indexing import Indexer, IndexingParts, IndexRequest
from indexing.chunks import Provenance
from indexing.clones import Listed
from indexing.isolation import InProcess, Look
from indexing.isolation.cluster_readers import ClusterReaders
from memory.cluster import Cluster
from memory.embedders import Bm25Sparse, FakeSource
from memory.errors import ConfigError, ModelError, UnavailableError
from memory.generation import DataFolder
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront
from tests.organisation import CONFIG, Unsynced, differences, exported, points, recorded, stated, write
from tests.organisation import indexer as one_process
from tests.repositories import git, lighthouse
from wiring.embedded_stores import EmbeddedStores
from wiring.stores import indexing_parts, on_cluster

pytestmark = [pytest.mark.slow, pytest.mark.enable_socket]

MANY = {
    f"quay{number}": {
        "pyproject.toml": f'[project]\nname = "quay{number}"\ndependencies = ["quay{(number + 1) % 4}"]\n',
        f"quay{number}/crane.py": f"from quay{(number + 1) % 4}.crane import Crane as Other\n\nclass Crane(Other):\n    pass\n",
        **{f"docs/{page}.md": f"# Page {page}\n\nCrane {number} lifts {page} tons.\n" for page in range(40)},
    }
    for number in range(4)
}
KILLER = """
import os, signal
from pathlib import Path

class Killer:
    name = "killer"

    def reads(self, path):
        return path.endswith("crane.py")

    def find(self, source):
        mark = Path(__file__).with_name("killed")
        if not mark.exists():
            mark.touch()
            os.kill(os.getppid(), signal.SIGKILL)

RULES = [Killer()]
"""


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a cluster keeps real time


@pytest.fixture(scope="module")
def ray_nodes():
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'hybrid-retrieval[ray]'")
    with nodes(2) as cluster:
        yield cluster


@pytest.fixture
def cluster(ray_nodes):
    return Cluster(ray_nodes.address)


@pytest.fixture
def org(tmp_path):
    return write(tmp_path / "org", MANY)


@dataclass(frozen=True, slots=True)
class DyingSource(FakeSource):
    """The fake model; the process that first encodes with it dies."""

    mark: str = ""

    def load(self):
        encode = FakeSource.load(self)

        def once(texts):
            if not Path(self.mark).exists():
                Path(self.mark).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return encode(texts)

        return once


async def index(data, request, cluster, config=CONFIG, source=None, progress=None):
    """One run on the cluster; a folder is asked for with its sub-folders."""
    request = request if isinstance(request, IndexRequest) else IndexRequest([request], each=True)
    parts = IndexingParts(EmbeddedStores(), source or FakeSource(), Bm25Sparse(), readers=InProcess)
    folder = DataFolder.open_or_create(data, disk=Unsynced())
    indexer = Indexer(folder, on_cluster(parts, cluster), config, profile="embedded", embed_at_once=50)
    return await indexer.run(request, holder="a test", progress=progress)


async def assert_as_alone(data, org, config=CONFIG):
    """What is in the data folder is what one process makes of the projects."""
    alone = data.with_name("alone")
    await one_process(alone, config).run(IndexRequest([org], each=True), holder="a test")
    assert differences(recorded(data), recorded(alone)) == []
    assert differences(stated(data), stated(alone)) == []
    assert differences(await points(data), await points(alone)) == []
    for mine, theirs in zip(await exported(data), await exported(alone), strict=True):
        assert mine
        assert differences(mine, theirs) == []


@pytest.mark.parametrize("text_first_above", [0, 10_000])
async def test_identical_to_one_process(tmp_path, org, cluster, text_first_above):
    config = replace(CONFIG, indexing=replace(CONFIG.indexing, publish_text_first_above=text_first_above))
    report = await index(tmp_path / "data", org, cluster, config)
    assert (len(report.projects), report.embedded) == (4, 1)
    await assert_as_alone(tmp_path / "data", org, config)
    assert (await index(tmp_path / "data", org, cluster, config)).unchanged
    (org / "quay1/docs/3.md").write_text("# Page 3\n\nClosed.\n")
    await index(tmp_path / "data", org, cluster, config)
    await assert_as_alone(tmp_path / "data", org, config)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("text_first_above", [0, 10_000])
async def test_points_on_a_server_are_written_by_the_nodes(tmp_path, org, cluster, text_first_above):
    with EdgeHttpFront(str(tmp_path / "front")) as front:
        server = QdrantSettings(url=front.url, collection=COLLECTION, timeout_ms=60_000)  # a busy machine's
        config = replace(
            CONFIG,
            vector=replace(CONFIG.vector, store="qdrant", qdrant=server),
            indexing=replace(CONFIG.indexing, publish_text_first_above=text_first_above),
        )
        parts = indexing_parts(config.graph, FakeSource(), Bm25Sparse(), vector=config.vector, cluster=cluster)
        folder = DataFolder.open_or_create(tmp_path / "data", disk=Unsynced())
        indexer = Indexer(folder, replace(parts, readers=InProcess), config, profile="qdrant", embed_at_once=50)
        await indexer.run(IndexRequest([org], each=True), holder="a test")
        (org / "quay1/docs/3.md").write_text("# Page 3\n\nClosed.\n")
        await indexer.run(IndexRequest([org], each=True), holder="a test")
        found = await Indexed.of(tmp_path / "data", config)
    await one_process(tmp_path / "alone").run(IndexRequest([org], each=True), holder="a test")
    assert found.points
    assert found.differs(await Indexed.of(tmp_path / "alone", CONFIG)) == []


async def test_a_worker_that_dies_at_reading_or_embedding_is_replaced(tmp_path, org, cluster):
    (tmp_path / "killer.py").write_text(KILLER)
    config = replace(CONFIG, indexing=replace(CONFIG.indexing, rules=[str(tmp_path / "killer.py")]))
    await index(tmp_path / "data", org, cluster, config, DyingSource(mark=str(tmp_path / "embedding")))
    assert (tmp_path / "killed").exists()
    assert (tmp_path / "embedding").exists()
    await assert_as_alone(tmp_path / "data", org, config)


async def test_errors_are_those_of_one_machine(tmp_path, org, cluster):
    (tmp_path / "wrong.py").write_text(KILLER.replace("os.kill(os.getppid(), signal.SIGKILL)", "source.nothing"))
    config = replace(CONFIG, indexing=replace(CONFIG.indexing, rules=[str(tmp_path / "wrong.py")]))
    with pytest.raises(ConfigError, match=r"rule killer: indexing\.rules: failed on quay./crane\.py: AttributeError"):
        await index(tmp_path / "data", org, cluster, config)
    with pytest.raises(ModelError, match="can't be read"):
        await index(tmp_path / "data", org, cluster, source=NoModel())
    with pytest.raises(UnavailableError, match="out of reach: nothing answers there"):
        await index(tmp_path / "data", org, Cluster("127.0.0.1:1"))


@dataclass(frozen=True, slots=True)
class NoModel(FakeSource):
    """It has no files."""

    def load(self):
        raise ModelError("The model can't be read.", "Find another.")


async def test_a_dead_driver_leaves_the_old_generation_and_the_next_run_goes_on(tmp_path, org, ray_nodes, cluster):
    data = tmp_path / "data"
    await index(data, org, cluster)
    before = recorded(data), await points(data)
    for number in range(4):
        write(org, {f"quay{number}": {f"docs/{page}.md": f"# New {page}\n\nNo {number}.\n" for page in range(40)}})
    driver = await anyio.run_process([sys.executable, __file__, str(data), str(org), ray_nodes.address], check=False)
    assert driver.returncode == -signal.SIGKILL, driver.stderr
    assert (recorded(data), await points(data)) == before
    embedded = []
    await index(data, org, cluster, progress=lambda stage, done, _: stage == "Embedding" and embedded.append(done))
    assert embedded[0] > 0  # the first progress of the vectors: some are kept
    await assert_as_alone(data, org)


async def test_what_a_lost_node_was_at_is_done_elsewhere(tmp_path, org, ray_nodes, cluster):
    another = ray_nodes.add_node(num_cpus=1)
    lost = []

    def lose(stage, _done, _total):
        if stage == "Reading" and not lost:
            lost.append(ray_nodes.remove_node(another, allow_graceful=False))

    await index(tmp_path / "data", org, cluster, progress=lose)
    assert len(lost) == 1
    await assert_as_alone(tmp_path / "data", org)


async def test_a_node_fetches_for_itself_what_is_listed(tmp_path, cluster):
    repository = lighthouse(tmp_path / "remote")
    data = tmp_path / "data"
    rows = [
        Listed("lighthouse", url=f"file://{repository}", ref="v1"),
        Listed("harbour", path=tmp_path / "remote/harbour"),
    ]
    await index(data, IndexRequest(listed=rows), cluster)
    alone = tmp_path / "alone"
    await one_process(alone).run(IndexRequest(listed=rows), holder="a test")
    assert differences(recorded(data), recorded(alone)) == []
    assert differences(await points(data), await points(alone)) == []
    commit = git(repository, "rev-parse", "v1^{commit}")
    look = Look(
        "text", str(tmp_path / "node/lighthouse"), "README.md", Provenance("lighthouse", "", commit), rows[0].url
    )
    async with ClusterReaders(CONFIG.indexing, cluster) as readers:  # of a node that has not fetched it yet
        [found] = await readers.look([look])
    assert "dark at night" in found.chunks[0].text


async def test_the_command_says_what_one_machine_says(tmp_path, org, ray_nodes):
    reports = []
    for data, on in (("alone", ()), ("data", ("--on", f"ray={ray_nodes.address}"))):
        arguments = ("index", str(org), "--each", "--data-dir", str(tmp_path / data), "--json", *on)
        done = await anyio.run_process(
            [sys.executable, "-c", "from interfaces.cli.main import main; main()", *arguments]
        )
        reports.append(json.loads(done.stdout) | {"seconds": 0})
    assert reports[0] == reports[1]


def die_when_half_is_embedded(stage: str, done: int, total: int) -> None:
    """The driver's end, as a machine's."""
    if stage == "Embedding" and 2 * done > total:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    folder, projects, address = sys.argv[1:]
    anyio.run(lambda: index(Path(folder), Path(projects), Cluster(address), progress=die_when_half_is_embedded))
