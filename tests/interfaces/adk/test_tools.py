"""What is looked up, on a real index: by the toolset's own opening of a data folder."""

from __future__ import annotations

import anyio
import pytest

from interfaces.cli.main import run
from tests.organisation import index, write

pytestmark = pytest.mark.filterwarnings("ignore")  # of what ADK imports and calls experimental


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder with the made-up organisation."""
    org = write(tmp_path_factory.mktemp("lookups") / "org")
    anyio.run(lambda: index(org.parent / "data", org, each=True))
    return org.parent / "data"


@pytest.fixture
async def call(data):
    """Calls a tool of a toolset on that folder by its name."""
    from interfaces.adk import HybridRetrievalToolset  # noqa: PLC0415 - takes a second

    opened = []

    async def called(asked, allowed_projects=None, **args):
        tools = HybridRetrievalToolset(data_dir=data, allowed_projects=allowed_projects)
        opened.append(tools)
        [tool] = [tool for tool in await tools.get_tools() if tool.name == asked]
        return await tool.run_async(args=args, tool_context=None)

    yield called
    for tools in opened:
        await tools.close()


async def test_projects_are_listed_as_far_as_they_may_be_seen(call):
    names = [one["name"] for one in (await call("list_projects"))["projects"]]
    assert len(names) > 1
    assert [one["name"] for one in (await call("list_projects", [names[0]]))["projects"]] == [names[0]]
    assert (await call("list_projects", name_contains="no such name"))["projects"] == []


async def test_a_name_is_found_and_connected(call):
    found = (await call("find_entities", name="beacon", kind="class"))["entities"]
    assert [one["name"] for one in found if one["match"] == "exact"] == ["Beacon"]
    way = await call("explain_path", source="MooringDesk", target="Beacon")
    assert way["paths"][0]["hops"] >= 1


@pytest.mark.parametrize(
    ("tool", "args", "code", "words"),
    [
        ("find_entities", {"name": 3}, "invalid_input", "name is 3"),
        ("find_entities", {"name": "a", "limit": 0}, "invalid_input", "limit is 0"),
        ("find_entities", {"name": "a", "only_projects": ["nope"]}, "unknown_project", "nope"),
        ("explain_path", {"source": "Nothing here", "target": "b"}, "invalid_input", "Nothing is called"),
        ("explain_path", {"source": "a", "target": "b", "max_hops": 9}, "invalid_input", "max_hops is 9"),
        ("explain_path", {"source": "a", "target": "b", "max_hops": float("nan")}, "invalid_input", "max_hops is nan"),
        ("explain_path", {"source": "a", "target": "b", "max_hops": float("inf")}, "invalid_input", "max_hops is inf"),
        ("list_projects", {"name_contains": 3}, "invalid_input", "name_contains is 3"),
    ],
)
async def test_what_is_wrong_is_returned(call, tool, args, code, words):
    error = (await call(tool, **args))["error"]
    assert (error["code"], words in error["message"]) == (code, True)


def test_refresh_brings_what_may_be_seen_up_to_date(tmp_path):
    from interfaces.adk import HybridRetrievalToolset  # noqa: PLC0415 - takes a second
    from interfaces.adk.tools import LookupTools  # noqa: PLC0415 - as above

    org, data = write(tmp_path / "org"), tmp_path / "data"
    assert run(["index", str(org), "--each", "--data-dir", str(data)]) == 0
    for name in ("harbour", "lighthouse"):
        (org / name / "tides.md").write_text("# Tides\n\nSpring tides flood the quay.\n")
    [*_, tool] = anyio.run(
        HybridRetrievalToolset(data_dir=data, allowed_projects=["harbour"], may_write=True).get_tools
    )

    def refresh(**args):
        return anyio.run(lambda: tool.run_async(args=args, tool_context=None))

    desk = org / "harbour/harbour/mooring.py"
    desk.write_text(f"# Moved.\n{desk.read_text()}")
    listed = anyio.run(LookupTools(data_dir=data, allowed_projects=["harbour"]).list_projects)
    assert listed["changed"] == {"harbour": 1}
    changed = [{"name": "harbour", "added": 1, "changed": 1, "removed": 0}]
    assert refresh() == {"changed": changed, "absent": [], "left_out": []}
    assert refresh() == {"changed": [], "absent": [], "left_out": []}
    assert refresh(only_projects=["lighthouse"])["error"]["code"] == "unknown_project"


async def test_refresh_is_offered_where_the_index_is_the_agents_own(data):
    from interfaces.adk import HybridRetrievalToolset  # noqa: PLC0415 - takes a second

    may, may_not = (HybridRetrievalToolset(data_dir=data, may_write=may) for may in (True, False))
    assert [tool.name for tool in (await may.get_tools())[len(await may_not.get_tools()) :]] == ["refresh"]


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP")
def test_whoever_may_join_is_waited_for(tmp_path, monkeypatch):
    """Not even the grace is left that they have where nobody waits."""
    from interfaces.adk.tools import AskTool  # noqa: PLC0415 - takes a second

    assert run(["index", str(write(tmp_path / "org")), "--each", "--data-dir", str(tmp_path / "data")]) == 0
    monkeypatch.setenv("HYBRID_RETRIEVAL_MAY_GRACE_MS", "0")
    tool = AskTool(data_dir=tmp_path / "data")
    answer = anyio.run(tool.ask_projects, "How does MooringDesk connect to Beacon?")
    assert (answer["agents"]["graph"], answer["agents"]["vector"]) == ("ok", "ok")


async def test_a_folder_without_an_index_is_returned(tmp_path):
    from interfaces.adk.tools import LookupTools  # noqa: PLC0415 - takes a second

    assert "error" in await LookupTools(data_dir=tmp_path).list_projects()
