"""What the tools take and return: schemas, permission, and how small results become."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import anyio
import anyio.lowlevel
import pytest

from agents.evidence import Intent
from memory.embedders import FakeDenseEmbedder
from memory.errors import (
    DataFolderError,
    IndexLockedError,
    InvalidInputError,
    InvalidQueryError,
    UnknownProjectError,
)
from memory.generation import DataFolder
from tests.interfaces.mcp.conftest import Heard, tools
from tests.organisation import CONFIG, index, write

QUESTION = "How many flashes does the Beacon signal?"


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def test_what_the_schemas_say(harbours):
    from interfaces.mcp.server import build_server  # noqa: PLC0415 - takes a second
    from interfaces.mcp.tools import Intent as Asked  # noqa: PLC0415

    assert get_args(Asked) == tuple(Intent)
    async with tools(harbours) as ours:
        listed = await build_server(ours).list_tools()
        done = await build_server(ours).call_tool("list_projects", {"name_contains": "light"})
    assert json.loads(done.content[0].text) == done.structured_content
    assert [one["name"] for one in done.structured_content["projects"]] == ["lighthouse"]
    for tool in listed:
        properties = tool.input_schema["properties"]
        assert all(one["description"] for one in properties.values())
        assert tool.input_schema["additionalProperties"] is False
        assert "ctx" not in properties
        assert "left_out" in tool.output_schema["properties"]
        assert tool.annotations.read_only_hint
        assert "\n" not in tool.description
    [top_k] = [tool.input_schema["properties"].get("top_k") for tool in listed if tool.name == "retrieve_evidence"]
    assert (top_k["minimum"], top_k["maximum"], top_k["default"]) == (5, 30, 8)


class Slow(FakeDenseEmbedder):
    """Lets everybody else go first."""

    async def embed_queries(self, texts):
        for _ in range(500):
            await anyio.lowlevel.checkpoint()
        return await super().embed_queries(texts)


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP")
async def test_whoever_may_join_is_waited_for(harbours):
    from interfaces.mcp.index import open_served  # noqa: PLC0415 - takes a second
    from interfaces.mcp.tools import Tools  # noqa: PLC0415

    heard = Heard()
    async with open_served(harbours, "embedded", replace(CONFIG, may_grace_ms=0), dense=Slow()) as opened:
        await Tools(opened, most_chars=16_000).ask_projects(heard, "How does MooringDesk connect to Beacon?")
    assert {"vector: ok", "graph: ok"} <= {line.partition(",")[0] for line in heard.lines}


async def test_a_question(harbours):
    heard = Heard()
    async with tools(harbours) as ours:
        answer = await ours.ask_projects(heard, QUESTION)
    assert set(answer) == set(answered_keys())
    assert (answer["status"], answer["left_out"]) == ("answered", [])
    assert heard.lines[0] == "Asking …"
    assert heard.lines[-1].endswith("observations are left")
    assert {"vector: ok", "graph: ok"} <= {line.partition(",")[0] for line in heard.lines}


def answered_keys():
    from interfaces.mcp.results import Answered  # noqa: PLC0415

    return Answered.__annotations__


@pytest.mark.parametrize("most", [2_000, 16_000])
async def test_results_fit_and_say_what_is_missing(harbours, most):
    async with tools(harbours, most) as ours:
        results = [
            await ours.ask_projects(Heard(), QUESTION),
            await ours.retrieve_evidence("mooring berth ship beacon signal", top_k=30),
            await ours.find_entities("lighthouse", limit=50),
            await ours.explain_path("MooringDesk", "Beacon"),
            await ours.list_projects(),
        ]
    assert all(len(json.dumps(one, ensure_ascii=False)) <= most for one in results)
    left = [text for one in results for text in one["left_out"]]
    assert bool(left) == (most < 16_000)
    if most == 2_000:
        assert any(text.startswith("evidence, ") and "for want of room: " in text for text in left)


async def test_the_permission_is_the_servers_and_may_be_narrowed(harbours):
    async with tools(harbours, allowed=frozenset({"harbour"})) as ours:
        assert [one["name"] for one in (await ours.list_projects())["projects"]] == ["harbour"]
        assert (await ours.find_entities("Beacon"))["entities"] == []
        evidence = (await ours.retrieve_evidence("the Beacon signals ships at night"))["evidence"]
        assert {one["project"] for one in evidence} == {"harbour"}
        for refused in (
            ours.ask_projects(Heard(), QUESTION, only_projects=["lighthouse"]),
            ours.retrieve_evidence(QUESTION, only_projects=["lighthouse"]),
            ours.find_entities("Beacon", only_projects=["lighthouse"]),
        ):
            with pytest.raises(UnknownProjectError, match=r"No project 'lighthouse' here\. Known: harbour\."):
                await refused
        with pytest.raises(InvalidInputError, match="Nothing is called 'Beacon' here"):
            await ours.explain_path("MooringDesk", "Beacon")
    async with tools(harbours) as ours:
        answer = await ours.ask_projects(Heard(), f"{QUESTION} only show code from lighthouse")
        assert {one["project"] for one in answer["citations"]} == {"lighthouse"}
        narrowed = await ours.retrieve_evidence("ships", only_projects=["lighthouse"])
        assert {one["project"] for one in narrowed["evidence"]} == {"lighthouse"}


async def test_what_may_not_be_seen_changes_nothing(harbours, tmp_path):
    async def everything(data, **more):
        async with tools(data, **more) as ours:
            return [
                await ours.ask_projects(Heard(), "What does MooringDesk do with the Beacon?"),
                await ours.retrieve_evidence("MooringDesk berth beacon lighthouse"),
                await ours.find_entities("MooringDesk"),
                await ours.find_entities("Beacon"),
                await ours.list_projects(),
            ]

    await index(tmp_path / "alone", harbours.parent / "org" / "harbour")
    assert await everything(harbours, allowed=frozenset({"harbour"})) == await everything(tmp_path / "alone")


async def test_the_project_in_hand(harbours):
    question = "What does our CLAUDE.md say about moorings?"
    async with tools(harbours) as ours:
        assert any("--project" in item for item in (await ours.ask_projects(Heard(), question))["missing"])
        assert "pilot" in (await ours.ask_projects(Heard(), question, current_project="harbour"))["answer"]
    async with tools(harbours, project="harbour") as ours:
        assert "pilot" in (await ours.ask_projects(Heard(), question))["answer"]
        with pytest.raises(InvalidQueryError):
            await ours.ask_projects(Heard(), " ")


async def test_names_and_paths(harbours):
    async with tools(harbours) as ours:
        [beacon, *_] = (await ours.find_entities("beacon", kind="class"))["entities"]
        assert (beacon["name"], beacon["match"], beacon["uses_known"]) == ("Beacon", "exact", 0)
        assert beacon["used_by"][0].startswith(
            "class MooringDesk of harbour calls class Beacon of lighthouse (harbour/mooring.py:"
        )
        way = await ours.explain_path("Beacon", "MooringDesk")
        assert (way["source"], way["direction"]) == ("lighthouse/Beacon", "reversed")
        more = await ours.find_entities("mooring", limit=1)
        assert [one["name"] for one in more["entities"]] == ["MooringDesk"]
        assert more["left_out"] == ["2 more of that name: give a kind, a project or a higher limit"]
        listed = await ours.list_projects(name_contains="LIGHT")
        assert [one["name"] for one in listed["projects"]] == ["lighthouse"]
        assert listed["projects"][0]["files"] == 3


async def test_without_an_index_every_tool_says_so(tmp_path):
    async with tools(tmp_path / "nowhere") as ours:
        for asked in (
            ours.ask_projects(Heard(), QUESTION),
            ours.retrieve_evidence(QUESTION),
            ours.find_entities("Beacon"),
            ours.explain_path("a", "b"),
            ours.list_projects(),
        ):
            with pytest.raises(DataFolderError, match="Index some projects first"):
                await asked


async def test_what_is_not_there_is_said_with_what_is_nearest(harbours):
    async with tools(harbours) as ours:
        assert (await ours.find_entities("Beacon"))["notes"] == []
        assert (await ours.find_entities("Beakon"))["notes"] == [
            "Nothing is called 'Beakon' here. These are the nearest."
        ]
        none = await ours.find_entities("Xyzzy")
        assert (none["entities"], none["notes"]) == ([], ["Nothing is called 'Xyzzy' here, nor anything near it."])
        [note] = (await ours.find_entities("Beacon", "table"))["notes"]
        assert note.startswith(
            "Nothing is called 'Beacon' here that is a table. Of other kinds: class lighthouse/Beacon"
        )
        assert (await ours.explain_path("MooringDesk", "Beacon"))["notes"] == []
        apart = await ours.explain_path("MooringDesk", "MooringDesk")
        assert (apart["direction"], apart["paths"]) == ("none", [])
        assert (
            apart["notes"][0] == "No path of at most 3 relations leads from 'MooringDesk' to 'MooringDesk', nor back."
        )
        assert apart["notes"][1].startswith("Connected with 'MooringDesk': lighthouse/Beacon")


async def test_what_has_changed_on_the_disk_says_so(tmp_path):
    org = write(tmp_path / "org")
    await index(tmp_path / "data", org, each=True)
    async with tools(tmp_path / "data") as ours:
        pack = await ours.retrieve_evidence("mooring desk")
        assert not any("stale" in one for one in pack["evidence"])
        first = pack["evidence"][0]
        file = org / first["project"] / first["path"]
        file.write_text("\n\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
        again = await ours.retrieve_evidence("mooring desk")
        assert {one["path"] for one in again["evidence"] if one.get("stale")} == {first["path"]}
    async with tools(tmp_path / "data") as ours:  # which has not counted within the last second
        assert (await ours.retrieve_evidence("mooring desk"))["changed"] == {first["project"]: 1}
        assert (await ours.list_projects())["changed"] == {first["project"]: 1}
        assert (await ours.list_projects("light"))["changed"] == {}
        way = await ours.explain_path("MooringDesk", "Beacon")
        assert way["changed"] == {"harbour": 1}
        assert [edge["stale"] for edge in way["paths"][0]["edges"]] == [True]
        desk, beacon = [(await ours.find_entities(name, "class")) for name in ("MooringDesk", "Beacon")]
        assert (desk["entities"][0]["stale"], desk["changed"]) == (True, {"harbour": 1})
        assert (beacon["entities"][0]["stale"], beacon["changed"]) == (False, {})
        assert (await ours.passage("harbour/harbour/mooring.py:1-1")).splitlines() == [
            "(harbour/harbour/mooring.py has changed since it was indexed; as it was then:)",
            "from lighthouse.beacon import Beacon",
        ]
        for path in ("lighthouse/beacon.py", "./lighthouse/beacon.py", "x/../lighthouse/beacon.py"):
            assert await ours.passage(f"lighthouse/{path}:1-1") == "class Beacon:"
        answer = await ours.ask_projects(Heard(), "What does MooringDesk call?")
        assert answer["changed"] == {first["project"]: 1}
        cited = answer["citations"]
        assert all(
            one["stale"] == (one["path"] == first["path"] and one["project"] == first["project"]) for one in cited
        )


async def test_refresh_brings_what_may_be_seen_up_to_date(tmp_path):
    org, data = write(tmp_path / "org"), tmp_path / "data"
    await index(data, org, each=True)
    for name in ("harbour", "lighthouse"):
        (org / name / "tides.md").write_text("# Tides\n\nSpring tides flood the quay.\n")
    async with tools(data, allowed=frozenset({"harbour"})) as ours:
        before = await ours.list_projects()
        done = await ours.refresh()
        again = await ours.refresh()
        after = await ours.list_projects()
        found = await ours.retrieve_evidence("spring tides flood the quay")
    assert done == {
        "changed": [{"name": "harbour", "added": 1, "changed": 0, "removed": 0}],
        "absent": [],
        "left_out": [],
    }
    assert again == {"changed": [], "absent": [], "left_out": []}
    assert after["projects"][0]["files"] == before["projects"][0]["files"] + 1
    assert found["evidence"][0]["path"] == "tides.md"


async def test_who_sees_all_is_told_the_index_s_number(tmp_path):
    org, data = write(tmp_path / "org"), tmp_path / "data"
    await index(data, org, each=True)
    async with tools(data) as ours:
        assert (await ours.refresh())["generation"] == 1


async def test_refresh_does_not_tell_what_another_run_indexes(tmp_path):
    org, data = write(tmp_path / "org"), tmp_path / "data"
    await index(data, org, each=True)
    async with tools(data, allowed=frozenset({"harbour"})) as ours:
        with (
            DataFolder.open(data).indexing("hybrid-retrieval index org/secret"),
            pytest.raises(IndexLockedError) as met,
        ):
            await ours.refresh()
    assert met.value.message == "Another run is indexing into this data folder."


async def test_refresh_for_who_may_see_nothing_touches_nothing(harbours):
    async with tools(harbours, allowed=frozenset()) as ours:
        with pytest.raises(InvalidInputError, match="No indexed project may be seen"):
            await ours.refresh()


async def test_refresh_is_offered_where_the_index_is_the_callers_own(harbours):
    from interfaces.mcp.server import build_server  # noqa: PLC0415 - takes a second

    async with tools(harbours) as ours:
        own, shared = [{t.name for t in await build_server(ours, may_write=may).list_tools()} for may in (True, False)]
        [refresh] = [t for t in await build_server(ours, may_write=True).list_tools() if t.name == "refresh"]
    assert own - shared == {"refresh"}
    assert not refresh.annotations.read_only_hint
