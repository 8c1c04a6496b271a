"""Servers that have no data folder: what is announced and fetched, what is kept for them, and what a killed run leaves."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from uuid import UUID

import anyio.to_thread
import pytest
import qdrant_edge as edge

from agents.evidence import EvidenceRequest
from configs.settings import GraphSettings
from memory.errors import DataFolderError, StoreError
from memory.generation import DataFolder
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront
from tests.organisation import Unsynced, differences, opened, plain, write
from tests.wiring.announced import Announced
from tests.wiring.test_qdrant_stores import QUESTION, Place

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.slow]

FIVE = "# lighthouse\n\nThe Beacon has five flashes.\n"
LATER = 1e12
"""Seconds, so late that nothing is kept for servers any more."""


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server keeps real time


@dataclass
class KillingFront(EdgeHttpFront):
    """Kills a process at a write of pieces, which is not done then: so many more are."""

    victim: int | None = None
    more: int = 0

    def answer(self, request):
        if self.victim is not None and request.path.startswith(f"/collections/{COLLECTION}_generations/points?"):
            if self.more == 0:
                os.kill(self.victim, signal.SIGKILL)
                return 0, {}, None
            self.more -= 1
        return super().answer(request)


@pytest.fixture
def place(tmp_path):
    write(tmp_path / "projects")
    with KillingFront(str(tmp_path / "front")) as front:
        yield Announced(tmp_path, front)


def generations(data):
    """Those that are in a folder."""
    return sorted(entry.name for entry in (data / "generations").iterdir())


def without_commits(answer):
    """The answer but for what is read of the projects' folders for its metrics alone."""
    return answer | {"metrics": {key: value for key, value in answer["metrics"].items() if key != "commit"}}


async def test_a_server_answers_as_the_data_folder_does_without_the_projects(place):
    await place.index()
    assert await place.follow()
    assert not await place.follow()
    asked = (QUESTION, "How does MooringDesk connect to Beacon?", "Where is the colour of the moon kept?")
    before = [without_commits(await place.ask(question)) for question in asked]
    evidence = await place.evidence(place.data, EvidenceRequest(QUESTION))
    place.projects.rename(place.projects.with_name("elsewhere"))
    shutil.rmtree(place.server)
    shutil.rmtree(place.data)
    assert await place.follow()  # of a server that was started anew
    there = [await place.ask_there(question) for question in asked]
    assert there[0]["citations"]
    assert not any(citation["stale"] for citation in there[0]["citations"])
    assert there[0]["metrics"]["commit"]["lighthouse"] == {"indexed": "", "head": None, "changed": None}
    assert differences(before, [without_commits(answer) for answer in there]) == []
    assert differences(evidence, await place.evidence(place.server, EvidenceRequest(QUESTION))) == []


async def test_what_changed_is_sent_and_fetched(place):
    await place.index()
    await place.follow()
    place.edit(FIVE)
    _, seen = await place.index()
    sent = place.sent(seen)
    place.front.seen.clear()
    assert await place.follow()
    asked = [one.body["filter"]["must"][0]["has_id"] for one in place.front.seen if one.path.endswith("/scroll")]
    fetched = sum(map(len, asked)) - 1  # the pointer
    assert sent == fetched == len({"manifest.json", "files.json", "vocabulary of lighthouse", "pieces.json", "vectors"})
    assert "five" in str(await place.ask_there())


async def test_a_question_keeps_the_generation_it_began_with(place):
    await place.index()
    await place.follow()
    async with opened(place.server, config=place.config, one_question=True) as orchestrator:
        before = plain((await orchestrator.retrieve(QUESTION)).to_dict())
        for text in (FIVE, FIVE.replace("five", "nine")):
            place.edit(text)
            await place.index()
            assert await place.follow()
        assert differences(before, plain((await orchestrator.retrieve(QUESTION)).to_dict())) == []
    assert "nine" in str(await place.ask_there())
    await place.follow()
    assert generations(place.server) == ["1", "3"]
    place.edit(FIVE)
    await place.index()
    await place.follow()
    assert generations(place.server) == ["4"]


@pytest.mark.enable_socket
async def test_on_neo4j_too_a_question_keeps_the_generation_it_began_with(place, neo4j_server, monkeypatch):
    if neo4j_server.password is not None:
        monkeypatch.setenv("PLACE_PASSWORD", neo4j_server.password)
    place.graph = GraphSettings(store="neo4j", neo4j=replace(neo4j_server.settings, password_env="PLACE_PASSWORD"))
    asked = "How does MooringDesk connect to Beacon?"
    beacon = place.projects / "lighthouse/lighthouse/beacon.py"
    await place.index()
    await place.follow()
    async with opened(place.server, config=place.config, one_question=True) as orchestrator:
        before = plain((await orchestrator.retrieve(asked)).to_dict())
        assert before["answer"]
        beacon.write_text(beacon.read_text().replace("class Beacon", "class Lantern"))
        await place.index()
        assert await place.follow()
        assert differences(before, plain((await orchestrator.retrieve(asked)).to_dict())) == []
    assert differences(before, await place.ask_there(asked)) != []
    assert differences(without_commits(await place.ask(asked)), without_commits(await place.ask_there(asked))) == []


async def test_what_servers_read_is_kept_for_them_and_then_goes(place):
    await place.index()
    namespace = DataFolder.open(place.data).namespace
    pieces = place.pieces
    for text in (FIVE, FIVE.replace("five", "nine")):
        place.edit(text)
        await place.index()
    assert (place.stored(), place.pieces > pieces) == (8, True)
    assert generations(place.data) == ["1", "2", "3"]
    await place.announce(LATER, namespace)
    assert place.pieces == pieces
    await place.index()  # unchanged
    assert (place.stored(), place.journal.exists()) == (6, False)
    assert generations(place.data) == ["3"]


@pytest.mark.slow
async def test_an_indexer_that_is_killed_while_it_announces_leaves_the_old_generation_whole(place):
    await place.index()
    await place.follow()
    before = await place.ask_there()
    place.edit(FIVE)
    command = [sys.executable, "-m", "tests.wiring.announced", str(place.data.parent), place.front.url]
    for more in (0, 1):  # pieces, then the pointer
        place.front.more = more
        with subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": "."}) as run:  # noqa: ASYNC220, S603 - what is killed
            place.front.victim = run.pid
            assert await anyio.to_thread.run_sync(run.wait) == -signal.SIGKILL
        place.front.victim = None
        assert DataFolder.open(place.data).pointer.number == 2
        assert not await place.follow()
        assert differences(before, await place.ask_there()) == []
    report, _ = await place.index()
    assert report.unchanged
    assert await place.follow()
    assert "five" in str(await place.ask_there())


@pytest.mark.slow
async def test_a_server_in_qdrant_s_place_that_goes_down_at_any_request_leaves_the_old_or_the_new(place):
    for number in range(3):  # the third settles first what is kept for servers since the second
        place.edit(FIVE.replace("five", str(number)))
        _, whole = await place.index()
    await place.follow()
    *_, sent = [number for number, one in enumerate(whole) if one.path.startswith(f"/collections/{COLLECTION}/points?")]
    [first, *_] = [number for number, one in enumerate(whole) if "_generations" in one.path and number > sent]
    ends = []
    for left in range(first, len(whole), 2):
        before = await place.ask_there()
        flashes = f"The Beacon has {left} flashes."
        place.edit(f"# lighthouse\n\n{flashes}\n")
        place.front.left = left
        try:
            await place.index()
            ends.append("late")
        except StoreError:
            ends.append("failed")
        place.front.left = None
        if await place.follow():
            ends[-1] += ", announced"
        else:
            assert differences(before, await place.ask_there()) == []
            assert (await place.index())[0].unchanged
            assert await place.follow()
        assert flashes in str(await place.ask_there())
    assert list(dict.fromkeys(ends)) == ["failed", "failed, announced", "late, announced"]


@pytest.mark.parametrize("damage", ["gone", "other"])
async def test_a_damaged_piece_is_said_and_the_server_goes_on(place, damage):
    await place.index()
    await place.follow()
    before = await place.ask_there()
    place.edit(FIVE)
    await place.index()
    manifest = json.loads((place.data / "generations/2/pieces.json").read_bytes())["manifest.json"][0][0]
    piece = edge.Filter(must=[edge.HasIdCondition({UUID(manifest[:32])})])
    if damage == "gone":
        place.front.pieces.shard.update(edge.UpdateOperation.delete_points_by_filter(piece))
    else:
        place.front.pieces.shard.update(edge.UpdateOperation.set_payload_by_filter(piece, {"data": "eJwDAAAAAAE="}))
    with pytest.raises(
        StoreError, match=r"chunks_generations' on http.* is damaged: it .*piece.*Remove that collection"
    ):
        await place.follow()
    assert differences(before, await place.ask_there()) == []
    await place.with_depot(lambda depot: depot._client.delete_collection(depot.name))
    with pytest.raises(DataFolderError, match=r"No index is announced in .*followers_s"):
        await place.follow()
    report, _ = await place.index()
    assert report.unchanged
    assert await place.follow()
    assert "five" in str(await place.ask_there())


async def test_one_index_a_collection(place, tmp_path):
    await place.index()
    other = Announced(tmp_path, place.front, "other")
    with pytest.raises(DataFolderError, match=r"another index is announced.*vector\.qdrant\.collection"):
        await other.index()
    assert not (other.data / "CURRENT").exists()  # it is said before anything is embedded


async def test_the_first_generation_is_noted_before_servers_see_it(place, tmp_path):
    _, seen = await place.index()
    *_, pointer = [number for number, one in enumerate(seen) if "_generations/points?" in one.path]
    with EdgeHttpFront(str(tmp_path / "another"), left=pointer) as front:
        other = Announced(tmp_path, front, "other")
        with pytest.raises(StoreError):
            await other.index()
        assert (other.data / "announced.json").exists()


async def test_folders_of_another_kind(place):
    await place.index()
    await place.follow()
    with pytest.raises(DataFolderError, match=r"holds what `serve --follow` fetched"):
        DataFolder.open(place.server).indexing("a test")
    own = place.data.with_name("own")
    DataFolder.open_or_create(own, disk=Unsynced())
    own.rename(place.server.with_name("kept"))
    place.server.rename(place.server.with_name("copy"))
    place.server.with_name("kept").rename(place.server)
    with pytest.raises(DataFolderError, match="is the folder of another index"):
        await place.follow()


async def test_a_list_that_leads_out_of_the_folder_is_refused(place):
    await place.index()
    listed = place.data / "generations/1/pieces.json"
    files = json.loads(listed.read_bytes())
    listed.write_text(json.dumps({"../../../escaped": files["vectors"], **files}))
    (place.data / "generations/1/../../../escaped").write_bytes((place.data / "generations/1/vectors").read_bytes())
    await place.announce(LATER, DataFolder.open(place.data).namespace)
    with pytest.raises(StoreError, match=r"names '\.\./\.\./\.\./escaped'"):
        await place.follow()


async def test_where_no_server_follows_nothing_is_kept_for_any(place):
    await place.index()
    place.edit(FIVE)
    await place.index()
    assert (place.data / "announced.json").exists()
    alone = Place(place.data.parent, place.front)
    await alone.index()
    assert not (place.data / "announced.json").exists()
    place.edit(FIVE.replace("five", "nine"))
    await alone.index()
    assert generations(place.data) == ["3"]
    assert place.stored() == 6
