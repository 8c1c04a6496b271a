from __future__ import annotations

import os
from pathlib import Path

import anyio
import pytest

from memory.entities import Scope
from memory.errors import InvalidInputError, StoreError, UserError
from memory.query import TaskContext
from orchestrator.running.branch import AgentCalls
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, FakePublishingAgent, found
from replay import Expectations, Faults, find_scenarios, read_scenario, read_seconds


@pytest.mark.parametrize(("text", "seconds"), [("300ms", 0.3), ("2s", 2.0), ("1.5 m", 90.0)])
def test_times(text, seconds):
    assert read_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "2", "soon", "-1s", "inf"])
def test_what_is_no_time(text):
    with pytest.raises(InvalidInputError, match="is no time"):
        read_seconds(text)


def test_two_sets_of_faults_are_one_and_the_later_wins():
    both = Faults({"local": 1.0, "graph": 1.0}) | Faults({"graph": 2.0}, {"vector": "why"}, frozenset({"local"}))
    assert both == Faults({"local": 1.0, "graph": 2.0}, {"vector": "why"}, frozenset({"local"}))
    assert both
    assert not Faults()


def test_an_agent_that_nothing_concerns_is_itself():
    agent = FakeAgent()
    assert Faults({"graph": 1.0}).around("local", agent) is agent


async def test_a_late_one_answers_what_it_would_have():
    late = Faults({"vector": 3.0}).around("vector", FakeAgent([found("Late.")]))
    began = anyio.current_time()
    assert await late.retrieve("q", TaskContext(), Scope(["a"])) == [found("Late.")]
    assert anyio.current_time() - began == 3.0


async def test_one_that_fails_says_why():
    for why, said in (("no disk", "no disk"), ("", "local was made to fail")):
        with pytest.raises(StoreError, match=said):
            await Faults(fail={"local": why}).around("local", FakeAgent()).retrieve("q", TaskContext())


async def test_garbage_comes_in_the_agents_own_way():
    faults = Faults(garbage=frozenset({"local", "graph"}))
    assert await faults.around("local", FakeAgent()).retrieve("q", TaskContext()) == ["this is no observation"]
    published = []

    async def publish(observation):
        published.append(observation)

    await faults.around("graph", FakePublishingAgent()).publish_into("q", TaskContext(), publish)
    assert published == ["this is no observation"]


async def test_it_gives_and_takes_a_scope_as_the_agent_does():
    graph = Faults({"graph": 1.0}).around("graph", FakePublishingAgent())
    assert AgentCalls(graph, gives_scope=True).reports
    assert AgentCalls(Faults({"vector": 1.0}).around("vector", FakeAgent())).takes_scope


async def test_a_late_graphs_scope_is_late_too():
    class Graph(FakeGraphAgent, FakePublishingAgent):
        pass

    late = Faults({"graph": 2.0}).around("graph", Graph(scope=Scope(["a"])))
    began = anyio.current_time()
    assert await late.find_scope(["A"]) == Scope(["a"])
    assert anyio.current_time() - began == 2.0


WHOLE = """
schema_version: "1"
id: whole
query: What is X?
context: {project: a, allowed_projects: [a, b]}
config: {profile: spec, agent_timeout_ms: 700, scope: {strength: strict}, conflict_strategy: {scope: ask_user}}
faults: {delay: {vector: 2s, graph: 300ms}, fail: {local: no disk}, garbage: [graph]}
expect: {query_types: [pattern], status: {vector: timeout, answer: partial}, citations: 2, conflicts: [scope], max_ms: 9.5}
"""


def written(folder, text, name="one.yaml"):
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_whole_one(tmp_path):
    scenario = read_scenario(written(tmp_path, WHOLE))
    assert (scenario.id, scenario.query, scenario.profile) == ("whole", "What is X?", "spec")
    assert scenario.context == {"project": "a", "allowed_projects": ["a", "b"]}
    assert scenario.faults == Faults({"vector": 2.0, "graph": 0.3}, {"local": "no disk"}, frozenset({"graph"}))
    assert scenario.expect == Expectations(
        query_types=("pattern",),
        status={"vector": "timeout", "answer": "partial"},
        citations=2,
        conflicts=("scope",),
        max_ms=9.5,
    )
    assert scenario.cassette == tmp_path / "whole.cassette.json.gz"
    config = scenario.config()
    assert (config.agent_timeout_ms, config.scope.strength, config.scope.unplanned) == (700, "strict", "never")
    assert config.conflict_strategy == {"scope": "ask_user"}


def test_what_the_command_line_sets_comes_last(tmp_path):
    scenario = read_scenario(written(tmp_path, WHOLE))
    file = written(tmp_path, "agent_timeout_ms: 1\nmax_per_file: 4\n", "settings.yml")
    config = scenario.config(("scope.strength=soft",), file)
    assert (config.scope.strength, config.agent_timeout_ms, config.max_per_file) == ("soft", 700, 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nonsense: 1", "nonsense: is no key of a scenario"),
        ("expect: {nonsense: 1}", "expect.nonsense: is no key"),
        ("context: {nonsense: 1}", "context.nonsense: is no key"),
        ("config: {nonsense: 1}", "config.nonsense"),
        ("config: {agent_timeout_ms: soon}", "config.agent_timeout_ms"),
        ("config: {profile: nonsense}", "nonsense"),
        ("config: {agent_timeout_ms: 2001-01-01}", "config: has a value that no setting has"),
        ("config: {agent_timeout_ms: {2001-01-01: 1}}", "config: has a value that no setting has"),
        ("faults: {nonsense: 1}", "faults.nonsense: is no key"),
        ("faults: {delay: {nobody: 2s}}", "faults.delay.nobody: is no key"),
        ("faults: {delay: {graph: soon}}", "faults.delay.graph: 'soon' is no time"),
        ("faults: {garbage: [nobody]}", "faults.garbage"),
        ("faults: {garbage: graph}", "faults.garbage"),
        ("context: {allowed_projects: a}", "context: allowed_projects is one text"),
        ("expect: {status: {graph: late}}", "expect: status.graph is 'late'"),
        ("expect: {status: [graph]}", "expect: status is"),
        ("expect: {contains: text}", "expect: contains is 'text'"),
        ("expect: {citations: -1}", "expect: citations is -1"),
        ("expect: {max_ms: fast}", "expect: max_ms is 'fast'"),
        ("expect: []", "expect: is no mapping"),
    ],
)
def test_a_mistake_names_the_key_and_the_file(tmp_path, text, said):
    file = written(tmp_path, f'schema_version: "1"\nid: one\nquery: What?\n{text}\n')
    with pytest.raises(UserError) as told:
        read_scenario(file)
    assert str(file) in str(told.value)
    assert said in str(told.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id: one\nquery: What?\n", "schema_version"),
        ('schema_version: "2"\nid: one\nquery: What?\n', "schema_version: is '2'"),
        ('schema_version: "1"\nid: ../one\nquery: What?\n', "id: is '../one'"),
        pytest.param(f'schema_version: "1"\nid: {"a" * 201}\nquery: What?\n', "id: is 'aaa", id="long"),
        ('schema_version: "1"\nid: one\nquery: [What]\n', "query: is ['What']"),
        ("- a list\n", "the file: is no mapping"),
        ("", "the file: is no mapping"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_file_that_is_no_scenario(tmp_path, text, said):
    with pytest.raises(UserError) as told:
        read_scenario(written(tmp_path, text))
    assert said in str(told.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match=r"cannot be read \(FileNotFoundError\)"):
        read_scenario(tmp_path / "none.yaml")


def one(folder: Path, name: str, id_: str) -> Path:
    return written(folder, f'schema_version: "1"\nid: {id_}\nquery: What?\n', name)


def test_a_folder_gives_all_of_them_by_id_and_each_once(tmp_path):
    one(tmp_path, "1.yaml", "b")
    first = one(tmp_path, "2.yaml", "a")
    assert [scenario.id for scenario in find_scenarios((tmp_path, first))] == ["a", "b"]


def test_two_of_one_id_are_refused(tmp_path):
    one(tmp_path, "1.yaml", "a")
    one(tmp_path, "2.yaml", "a")
    with pytest.raises(UserError, match="are both called a"):
        find_scenarios((tmp_path,))


def test_what_a_folder_offers_is_a_file(tmp_path):
    one(tmp_path, "1.yaml", "a")
    os.mkfifo(tmp_path / "2.yaml")
    with pytest.raises(UserError, match=r"2\.yaml is no file. Take it out"):
        find_scenarios((tmp_path,))


def test_a_pipe_that_is_named_is_read(tmp_path):
    out, into = os.pipe()
    os.write(into, WHOLE.encode())
    os.close(into)
    assert [scenario.id for scenario in find_scenarios((Path(f"/dev/fd/{out}"),))] == ["whole"]
    os.close(out)


def test_a_folder_of_none(tmp_path):
    with pytest.raises(UserError, match="no scenario here"):
        find_scenarios((tmp_path,))
