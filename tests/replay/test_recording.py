"""Record and replay on a fresh tiny organisation."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest

from memory.errors import ConfigError, DataFolderError, StoreError
from memory.rerankers import FakeReranker
from memory.vector import FakeVectorStore
from replay import Cassette, Changes, Faults, MissingCallError, accept, read_scenario, record, replay, run
from replay.codec import canonical
from replay.recording import WAYS, live_parts
from synthesis.language_model import ScriptedLanguageModel
from tests.replay.conftest import QUESTION


@pytest.fixture(scope="module")
def kept():
    """Cassettes by what they were made of."""
    return {}


@pytest.fixture
def recorded(opened, scenario, kept):
    """Records a scenario, the same one only once, and saves its cassette; gives the scenario."""

    def recording(model=None, **keys):
        one, made_of = scenario(**keys), repr((model, keys))
        if made_of not in kept:
            with opened() as (portal, live):
                kept[made_of] = record(one, portal, live, model=model)
        kept[made_of].save(one.cassette)
        return one

    return recording


def test_what_is_replayed_equals_what_was_recorded(recorded):
    one = recorded(context={"project": "harbour"})
    again = replay(one)
    assert again.passed
    assert not again.differences
    assert again.result["status"] == "answered"
    assert {agent["agent"]: agent["status"] for agent in again.result["coverage"]["agents"]}["graph"] == "ok"
    assert again.result["metrics"]["total_time_ms"] > 0  # the recorded calls' own time
    assert replay(one).result == again.result


def test_the_same_run_live_gives_the_same_result_but_for_its_times(opened, recorded):
    one = recorded()
    with opened() as (portal, live):
        fresh = record(one, portal, live)
    kept = Cassette.load(one.cassette)
    assert fresh.answers.keys() == kept.answers.keys() == {*WAYS, "as asked"}
    assert [o["id"] for o in fresh.result["observations"]] == [o["id"] for o in kept.result["observations"]]
    inputs = [sorted((call.name, canonical(call.arguments)) for call in one.calls) for one in (fresh, kept)]
    assert inputs[0] == inputs[1]


def test_a_cassette_holds_each_agents_answer_in_every_way_of_asking(recorded):
    answers = Cassette.load(recorded().cassette).answers
    assert "graph" not in answers["without graph"]
    assert set(answers["as asked"]) == {"local", "graph", "vector"}
    assert answers["as asked"]["graph"]["outcome"]["status"] == "ok"
    assert answers["as asked"]["graph"]["observations"]
    assert answers["as asked"]["graph"]["scope"]
    assert answers["without anyone"] == {}


def test_nothing_outside_the_permission_is_in_a_cassette(recorded):
    one = recorded(context={"project": "lighthouse", "allowed_projects": ["lighthouse"]})
    text = gzip.decompress(one.cassette.read_bytes()).decode()
    assert "three flashes each" in text
    for forbidden in ("harbour", "mooring.py", "berth", "pilot"):
        assert forbidden not in text
    assert replay(one).passed


def test_a_timeout_of_ten_seconds_is_over_at_once_and_exact(recorded):
    one = recorded(faults={"delay": {"graph": "12s"}}, config={"agent_timeout_ms": 10_000, "total_timeout_ms": 60_000})
    again = replay(one)
    [graph] = [agent for agent in again.result["coverage"]["agents"] if agent["agent"] == "graph"]
    assert graph["status"] == "timeout"
    assert graph["elapsed_ms"] == 10_000.0
    assert again.passed


@pytest.mark.parametrize(
    ("changes", "statuses"),
    [
        (Changes(without=frozenset({"graph"})), {"graph": "skipped"}),
        (Changes(faults=Faults(delay={"vector": 20.0})), {"vector": "timeout", "graph": "ok"}),
        (Changes(faults=Faults(fail={"local": "no disk"})), {"local": "error", "graph": "ok"}),
        (Changes(faults=Faults(garbage=frozenset({"graph", "vector"}))), {"graph": "error", "vector": "error"}),
        (Changes(scope="none"), {"graph": "ok", "vector": "ok"}),
        (Changes(scope="strict"), {"graph": "ok", "vector": "ok"}),
        (Changes(settings=("similarity_threshold=0.9",)), {"graph": "ok", "vector": "ok"}),
    ],
)
def test_what_if(recorded, changes, statuses):
    again = replay(recorded(context={"project": "harbour"}), changes)
    ended = {agent["agent"]: agent["status"] for agent in again.result["coverage"]["agents"]}
    assert {agent: ended[agent] for agent in statuses} == statuses
    assert again.what_if
    assert again.passed  # nothing was expected, and to differ was asked for


def test_the_scope_of_a_what_if_is_the_one_that_was_asked_for(recorded):
    one = recorded()
    assert replay(one, Changes(scope="none")).result["scope"]["mode"] == "none"
    assert replay(one, Changes(scope="strict")).result["scope"]["strength"] == "strict"


def test_a_call_that_was_not_recorded_is_named_and_never_guessed(recorded):
    one = recorded()
    other = replace(one, query="Where is the lighthouse?")
    with pytest.raises(MissingCallError, match=r"lacks a call: .*lighthouse") as told:
        replay(other)
    assert told.value.exit_code == 2
    assert "--data-dir" in told.value.hint


def test_it_goes_to_the_live_parts_where_there_are_any_and_says_so(opened, recorded):
    one = recorded()
    other = replace(one, query="Which files speak of a pilot?")
    with opened() as (portal, live):
        tape = Cassette.load(one.cassette).tape(portal=portal)
        first = run(other, tape, live=live)
        assert any("pilot" in call for call in first.live)
        assert run(other, tape, live=live).live == ()  # by now it is on the tape


@pytest.mark.parametrize(
    ("setting", "named"),
    [
        ({"hosted": {"base_url": "http://elsewhere.example", "api_key_env": "A_TOKEN"}}, "hosted.base_url"),
        ({"vector": {"provider": "voyage"}}, "vector.provider"),
        ({"profile": "voyage"}, "vector.provider"),
        ({"graph": {"neo4j": {"uri": "bolt://elsewhere.example"}}}, "graph.neo4j.uri"),
        ({"synthesis": {"model": "somebody/else"}}, "synthesis.model"),
    ],
)
def test_a_scenario_does_not_choose_whom_its_run_asks(harbour, scenario, setting, named):
    one = scenario(config=setting)
    with (
        pytest.raises(ConfigError, match=f"config.{named}: a scenario does not choose"),
        live_parts(harbour, one, Changes()),
    ):
        pass


def test_whoever_runs_a_scenario_may_say_what_it_says(harbour, scenario):
    one, said = scenario(config={"hosted": {"base_url": "http://ours.example"}}), "hosted.base_url=http://ours.example"
    with pytest.raises(DataFolderError), live_parts(harbour / "none", one, Changes(settings=(said,))):
        pass


def test_an_error_of_a_store_is_recorded_and_replayed_as_what_it_was(opened, scenario):
    class Broken(FakeVectorStore):
        async def query_batch(self, queries, *, permission):
            raise StoreError("The shard is damaged.", "Index again.")

    one = scenario()
    with opened() as (portal, live):
        record(one, portal, replace(live, vectors=Broken())).save(one.cassette)
    again = replay(one)
    [vector] = [agent for agent in again.result["coverage"]["agents"] if agent["agent"] == "vector"]
    assert vector["status"] == "error"
    assert "The shard is damaged." in vector["reason"]
    assert again.passed


def test_what_a_language_model_wrote_is_replayed_without_it(recorded):
    said = "MooringDesk calls Beacon. [graph:harbour/MooringDesk→lighthouse/Beacon]"
    model = ScriptedLanguageModel([said], name="parrot")
    one = recorded(model=model)
    assert QUESTION in model.prompts[-1]
    asked = len(model.prompts)
    again = replay(one)
    assert again.passed
    assert len(model.prompts) == asked
    assert "model.stream" in {call.name for call in Cassette.load(one.cassette).calls}


def test_accepting_keeps_what_a_replay_gives_now(recorded):
    one = recorded()
    cassette = Cassette.load(one.cassette)
    replace(cassette, result={**cassette.result, "status": "partial"}).save(one.cassette)
    changed = replay(one)
    assert not changed.passed
    assert changed.differences.to_dict()["status"] == ["partial -> answered"]
    accept(one, changed)
    assert replay(one).passed


def test_a_what_if_is_not_accepted(recorded):
    one = recorded()
    with pytest.raises(Exception, match="not replayed from its recording alone"):
        accept(one, replay(one, Changes(scope="none")))


def test_a_scenario_may_change_after_its_recording_where_no_call_depends_on_it(recorded):
    one = recorded()
    text = one.file.read_text(encoding="utf-8") + "expect: {status: {answer: not_found}}\n"
    one.file.write_text(text, encoding="utf-8")
    assert replay(read_scenario(one.file)).unmet == ("status: answer ended answered, expected not_found",)


def test_what_a_reranker_was_asked_is_replayed_without_it(opened, scenario):
    one, fake = scenario("reranked"), FakeReranker()
    with opened() as (portal, live):
        record(one, portal, replace(live, reranker=fake)).save(one.cassette)
    asked = len(fake.calls)
    again = replay(one)
    assert again.passed
    assert not again.differences
    assert asked == len(fake.calls) > 0
