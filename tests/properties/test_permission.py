"""Permission is non-interference: forbidden projects that are indexed change nothing (docs/design.md#permission).

HYBRID_RETRIEVAL_TEST_EXAMPLES says how many examples are tried; half of them are asked of the embedded stores. Each
organisation is asked its share of them, so that what is open stays open, and workers can take some each.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.generation import Manifest, ProjectRecord
from memory.question import only_projects, read_question
from orchestrator.analysis import QueryAnalyzer
from orchestrator.stages import settle_context
from tests.organisation import differences
from tests.properties.organisations import PROJECTS, permissions, unique
from tests.properties.questions import STORES, TEMPLATES, Asked, Call, calls, questions
from tests.properties.ways_out import WAYS_OUT, see
from wiring.catalogue import ManifestCatalogue

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove; the tracer would double its time

EXAMPLES = int(os.environ.get("HYBRID_RETRIEVAL_TEST_EXAMPLES", "200"))
SEEDS = max(3, EXAMPLES // 60)
EACH = -(-EXAMPLES // SEEDS)
NAMED = {
    "name": "OrderService",
    "other": "PaymentGateway",
    "project": "billing",
    "second": "crm",
    "table": "customers",
    "topic": "retries",
}


OFTEN = [way for way in sorted(WAYS_OUT) for _ in range(1 if way == "cassette" else 4)]  # which asks nine times

tried = settings(
    max_examples=EACH,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
organisations = pytest.mark.parametrize("seed", range(SEEDS))


@organisations
@tried
@given(data=st.data())
def test_the_forbidden_change_nothing_and_every_call_carries_the_permission(worlds, seed, data):
    asked = data.draw(questions(seed))
    assert worlds.differences(asked, lambda world: worlds.portal.call(world.ask, asked)) == []
    world = worlds.of(asked, PROJECTS)
    worlds.portal.call(world.ask, asked)
    permitted = only_projects(read_question(asked.query), asked.allowed) or asked.allowed
    permitted &= frozenset(asked.within or permitted)
    in_hand = permitted & {asked.context.get("project")}
    assert {permission for _, permission in world.graph.calls} <= {permitted}
    assert {permission for _, permission in world.vectors.calls} <= {permitted, in_hand}


@organisations
@tried
@given(data=st.data())
def test_the_forbidden_change_nothing_on_any_way_out(worlds, seed, data):
    call = data.draw(calls(seed, OFTEN))
    see(worlds.of(call.asked, PROJECTS), replace(call, asked=_of_everybody(call.asked), only=()))  # caches are warm
    assert worlds.differences(call.asked, lambda world: see(world, call)) == []


@organisations
@settings(tried, max_examples=max(1, EACH // 8))
@given(data=st.data())
def test_two_who_ask_at_once_get_what_each_alone_would(worlds, seed, data):
    asked = data.draw(questions(seed))
    first, second, *_ = permissions(asked.seed)
    both = [_of(asked, allowed) for allowed in (first, second, frozenset(PROJECTS))]
    alone = [worlds.ask(one, PROJECTS)[0] for one in both]
    assert differences(alone, worlds.ask_at_once(both, PROJECTS)) == []


def _of(asked, allowed):
    """The question of somebody else."""
    context = {**asked.context, "allowed_projects": sorted(allowed)}
    if context.get("project") not in allowed:
        context.pop("project", None)
    return replace(asked, allowed=allowed, context=context, within=())


def _of_everybody(asked):
    """The question of somebody who may see every project."""
    return replace(asked, allowed=frozenset(PROJECTS), context={})


@pytest.mark.parametrize("stores", STORES)
@pytest.mark.parametrize("way", WAYS_OUT)
def test_what_is_forbidden_would_be_seen_on_the_way_out(worlds, way, stores):
    if stores == "fakes" and way == "doctor":
        pytest.skip("the command opens real engines")
    asked = Asked(stores, 0, frozenset({"auth", "crm"}), "How does OrderService connect to PaymentGateway?", {})
    some, everything = Call(asked, way), Call(_of_everybody(asked), way)
    world = worlds.of(asked, PROJECTS)
    assert differences(see(world, some), see(world, everything)) != []


@pytest.mark.parametrize("stores", STORES)
def test_what_is_forbidden_would_change_the_answers(worlds, stores):
    [allowed] = [one for one in permissions(0) if len(one) == 2]
    changed = []
    for text in (text for texts in TEMPLATES.values() for text in texts):
        asked = Asked(stores, 0, allowed, text.format(**NAMED), {"project": min(allowed)})
        seen, world = worlds.ask(asked, PROJECTS)
        assert world.vectors.calls
        changed.append(differences(seen, worlds.ask(asked, allowed)[0]) != [])
    assert sum(changed) > len(changed) * 0.8


@pytest.mark.parametrize("stores", STORES)
def test_what_only_the_forbidden_know_is_known_nowhere(worlds, stores):
    name = unique("crm")
    asked = Asked(stores, 0, frozenset({"auth"}), f"What is {name}?", {"allowed_projects": ["auth"]})
    hidden, _ = worlds.ask(asked, PROJECTS)
    assert hidden["status"] == "not_found"
    assert hidden["answer"]["missing"] == [f"{name} occurs nowhere in the indexed text you may see"]
    assert {one["project"] for one in hidden["scope"]["projects"]} <= {"auth"}  # whose AuthVault shares a word with it
    shown, _ = worlds.ask(Asked(stores, 0, frozenset({"crm"}), f"What is {name}?", {}), PROJECTS)
    assert shown["status"] == "answered"


@pytest.mark.parametrize("stores", STORES)
def test_with_an_empty_permission_no_store_is_called(worlds, stores):
    asked = Asked(stores, 0, frozenset(), "What is OrderService?", {"allowed_projects": [], "project": "auth"})
    answer, world = worlds.ask(asked, PROJECTS)
    assert (answer["status"], world.vectors.calls, world.graph.calls) == ("not_found", [], [])


@pytest.mark.parametrize("kind", TEMPLATES)
def test_questions_of_every_type_are_asked(kind):
    types = [QueryAnalyzer().classify(text.format(**NAMED)).query_types for text in TEMPLATES[kind]]
    assert all(kind in found for found in types)


def test_a_forbidden_folder_around_the_caller_hides_no_permitted_one():
    outer, inner = ProjectRecord("outer", "/work"), ProjectRecord("inner", "/work/inner")
    allowed = {"allowed_projects": ["outer"]}
    with_it, without = (
        ManifestCatalogue(Manifest("n", "embedded", "model", 64, projects=records), Path("/work/inner/src"))
        for records in ((outer, inner), (outer,))
    )
    assert settle_context(allowed, with_it) == settle_context(allowed, without)
    assert settle_context(allowed, with_it).project == "outer"
    assert settle_context({}, with_it).project == "inner"
