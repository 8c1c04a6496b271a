"""A question's whole way, with agents that behave as told."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial

import anyio
import anyio.lowlevel
import pytest

from configs import HybridRetrievalConfig, RankingSettings, ScopeSettings
from memory.clock import VirtualClock
from memory.entities import Entity, Scope, ScopedProject
from memory.errors import InvalidInputError, InvalidQueryError, StoreError, UnknownProjectError
from memory.observations import GraphObservation, Location, VectorObservation
from memory.project_folder import ProjectFolder
from memory.query import TaskContext
from memory.question import QueryType
from memory.vocabulary import UnknownWords
from merging import ResultMerger
from orchestrator import (
    AgentFinished,
    AgentStarted,
    AnswerDelta,
    CitationChecked,
    Classified,
    Finished,
    HybridResult,
    HybridRetrievalOrchestrator,
    Merged,
    ObservationAdded,
    ScopeFound,
    Started,
)
from orchestrator.analysis import ModelReader
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found
from synthesis import Answer, Citation, ExtractiveAnswerer, SynthesisAgent
from synthesis.language_model import ScriptedLanguageModel

QUESTION = "How do other teams handle retries for customer tables?"
RETRIES = found("Retries for customer tables back off three times.", "billing")
POLICY = found("Policy for customer tables: retries are forbidden.", "auth")


class Catalogue:
    """Three projects; `billing` has moved on since it was indexed."""

    def projects(self):
        return frozenset({"auth", "billing", "crm"})

    def __init__(self, in_hand=None):
        self.home = in_hand

    def in_hand(self, visible):
        return self.home if self.home in visible else None

    def has_changed(self, project, path):
        return project == "billing"

    def embedded_share(self, projects):
        return 1.0

    def commits(self, projects):
        return {name: {"indexed": "a1", "head": "b2"} for name in projects}


def build(**parts):
    return HybridRetrievalOrchestrator(**{"clock": VirtualClock(), **parts})


async def ask(query=QUESTION, context=None, **parts):
    async with build(**parts) as orchestrator:
        return await orchestrator.retrieve(query, context)


def statuses(result):
    return {agent.agent: agent.status for agent in result.coverage.agents}


@pytest.mark.specification("001 §2.1 pipeline", "001 §7.1 HybridRetrievalOrchestrator")
async def test_an_answer_with_its_parts():
    result = await ask(vector=FakeAgent([RETRIES]), graph=FakeGraphAgent([POLICY], scope=Scope(["auth"])))
    assert isinstance(result, HybridResult)
    assert (result.status, result.exit_code, result.coverage.complete) == ("answered", 0, True)
    assert statuses(result) == {"local": "skipped", "graph": "ok", "vector": "ok"}
    assert [o.rank for o in result.observations] == [1, 2]
    assert result.citations
    assert all(citation.verified for citation in result.citations)
    assert (result.metrics.graph_observations, result.metrics.vector_observations, result.metrics.after_dedup) == (
        1,
        1,
        2,
    )
    assert QueryType.CROSS_PROJECT in result.metrics.query_types_matched


@pytest.mark.specification("001 §2.2 step 2", "001 §3.3 entities")
async def test_what_the_graph_linked_joins_the_entities():
    scope = Scope(["billing"], linked=("Customer", "OrderSaga"))
    result = await ask("How do teams use OrderSaga?", graph=FakeGraphAgent([RETRIES], scope=scope), vector=FakeAgent())
    assert result.classification.entities == ("OrderSaga", "Customer")
    assert result.metrics.entities_found == ("OrderSaga", "Customer")


class TestStatus:
    @pytest.mark.specification("001 §1 coverage")
    async def test_partial_when_a_must_failed_and_something_is_there(self):
        result = await ask(vector=FakeAgent([RETRIES]), graph=FakeAgent(error=OSError("no route")))
        assert (result.status, result.exit_code, result.coverage.complete) == ("partial", 0, False)
        assert result.missing == ("the relations between the projects (graph failed)",)

    async def test_a_failed_may_is_said_but_makes_nothing_partial(self):
        result = await ask(
            "How does OrderSaga connect to retries?", vector=FakeAgent(error=OSError("x")), graph=FakeAgent([RETRIES])
        )
        assert (result.status, statuses(result)["vector"]) == ("answered", "error")
        assert "vector failed" in result.missing[0]

    async def test_an_empty_must_makes_nothing_partial(self):
        result = await ask(vector=FakeAgent([RETRIES]), graph=FakeAgent([]))
        assert (result.status, result.coverage.complete) == ("answered", True)

    async def test_nothing_found(self):
        result = await ask(vector=FakeAgent(), graph=FakeAgent())
        assert (result.status, result.exit_code) == ("not_found", 4)
        assert result.answer.text.startswith("No answer found")

    @pytest.mark.specification("001 §6.2 missing")
    @pytest.mark.parametrize("came_back", [[], [RETRIES]])
    async def test_what_is_missing_is_said_whether_something_is_found_or_not(self, came_back):
        lacks = "the relations between the projects (graph is needed and was left out)"
        late = await ask(vector=FakeAgent(came_back), config=HybridRetrievalConfig(enable_graph=False))
        assert late.missing == (
            lacks,
            *(() if came_back else ("nothing that was found speaks of this clearly enough",)),
        )
        assert late.answer.text.endswith(f"\nMissing: {lacks}.")

    async def test_everybody_failed(self):
        result = await ask(vector=FakeAgent(error=OSError("x")), graph=FakeAgent(seconds=math.inf))
        assert (result.status, result.exit_code) == ("not_found", 3)
        assert "no agent could look (graph: did not answer in time; vector: OSError: x)" in result.answer.text

    async def test_what_was_found_below_the_floor_is_no_answer(self):
        result = await ask(vector=FakeAgent([found("Retries for tables.", confidence=0.1)]))
        assert (result.status, len(result.observations), result.citations) == ("not_found", 1, ())
        assert result.missing == ("nothing that was found speaks of this clearly enough",)
        assert result.answer.text.startswith(f"No answer found: {result.missing[0]}.")

    async def test_an_extractive_text_that_cites_nothing_is_no_answer(self):
        class Silent(ExtractiveAnswerer):
            async def answer(self, *_, **__):
                return Answer("Nothing.")

        result = await ask("zzz yyy xxx", synthesis=Silent(), vector=FakeAgent([RETRIES]))
        assert result.status == "not_found"

    async def test_the_text_of_an_answerer_of_ones_own_is_an_answer_and_bears_its_name(self):
        result = await ask("zzz yyy xxx", synthesis=FakeSynthesis(Answer("Nothing.")), vector=FakeAgent([RETRIES]))
        assert (result.status, result.answer.answerer) == ("answered", "FakeSynthesis")


@pytest.mark.specification("001 §2.2 step 1")
@pytest.mark.parametrize("query", ["hello", "Thanks!", "what is it?"])
async def test_what_cannot_be_searched_for_is_asked_of_nobody(query):
    agent = FakeAgent([RETRIES])
    result = await ask(query, vector=agent, graph=agent)
    assert (result.status, agent.asked, result.missing) == ("not_found", [], ())
    assert result.answer.text.startswith("There is nothing to search for in that. Ask what")
    known = await ask(query, {"mentions": ["retries"]}, vector=agent, graph=agent)
    assert known.status == "answered"


async def test_the_agents_and_the_answer_are_given_the_question_as_it_was_read():
    agent = FakeAgent([RETRIES])
    result = await ask(vector=agent, graph=FakeAgent())
    (_, context), *_ = agent.asked
    assert context.question is result.classification.question
    assert context.question.types[0].query_type in result.classification.query_types


async def test_what_a_model_reads_joins_the_mentions():
    reply = {"clauses": [], "names": ["customer tables"], "wordings": ["tables"]}
    agent, reader = FakeAgent([RETRIES]), ModelReader(ScriptedLanguageModel([json.dumps(reply)]), seconds=1.5)
    await ask(vector=agent, graph=FakeAgent(), reader=reader)
    (_, context), *_ = agent.asked
    assert context.mentions == ("customer tables",)
    late = FakeAgent([RETRIES])
    slow = ModelReader(ScriptedLanguageModel([json.dumps(reply)], hang=2), seconds=1.5)
    await ask(vector=late, graph=FakeAgent(), reader=slow)
    assert late.asked[0][1].mentions == ()


class TestAbstention:
    @staticmethod
    def lacks(names, share):
        """Says so of every question, and remembers the permission it was asked for."""

        def unknown(question, permission):
            unknown.asked = (question.text, permission)
            return UnknownWords(names, share)

        return unknown

    @pytest.mark.specification("001 §6.2 missing")
    async def test_what_is_missing_is_named_once(self):
        parts = {"config": HybridRetrievalConfig(enable_graph=False), "vector": FakeAgent([RETRIES])}
        lacks = "Kafka occurs nowhere in the indexed text you may see"
        result = await ask(unknown=self.lacks(("Kafka",), 0.4), **parts)
        assert (result.status, result.missing[1:]) == ("not_found", (lacks,))
        assert result.answer.text.startswith(f"No answer found: {lacks}.\n\nNearest:\n- ")
        assert result.answer.text.endswith(f"\nMissing: {result.missing[0]}.")
        assert result.answer.text.count("Missing") == 1

    async def test_a_name_that_is_most_of_the_question_and_occurs_nowhere_means_no_answer(self):
        unknown = self.lacks(("NowhereService",), 0.35)
        result = await ask("What does NowhereService do?", graph=FakeAgent([RETRIES]), unknown=unknown)
        assert (result.status, result.exit_code) == ("not_found", 4)
        assert result.missing == ("NowhereService occurs nowhere in the indexed text you may see",)
        assert result.answer.text == "No answer found: NowhereService occurs nowhere in the indexed text you may see."

    async def test_without_an_answer_the_nearest_lines_are_shown(self):
        result = await ask("Does NowhereService retry?", graph=FakeAgent([RETRIES]), unknown=self.lacks(("X",), 0.35))
        near = "- billing/retries.md: `Retries for customer tables back off three times.`"
        assert (
            result.answer.text
            == f"No answer found: X occurs nowhere in the indexed text you may see.\n\nNearest:\n{near}"
        )

    async def test_one_that_is_little_of_it_is_named_beside_the_answer(self):
        query = "Do BillingService and NowhereService share retries for customer tables?"
        result = await ask(query, graph=FakeAgent([RETRIES]), unknown=self.lacks(("NowhereService",), 0.19))
        assert result.status == "answered"
        assert "NowhereService occurs nowhere in the indexed text you may see" in result.missing
        assert result.answer.text.startswith("Note: NowhereService occurs nowhere in the indexed text you may see.\n\n")

    async def test_a_name_that_no_file_shown_has_leads_the_answer(self):
        known = {"retries": 4.0, "customer": 4.0, "tables": 4.0, "payrolls": 4.0}
        unknown = UnknownWords(weights=known)
        query = "Who retries for customer tables in Payrolls?"
        result = await ask(query, graph=FakeAgent([RETRIES]), unknown=lambda question, permission: unknown)
        assert result.answer.text.startswith("Note: not in any file shown: Payrolls.\n\n")
        assert "not in any file shown: Payrolls" in result.missing

    async def test_how_much_may_be_unknown_is_a_setting(self):
        config = HybridRetrievalConfig(ranking=RankingSettings(most_unknown=0.5))
        parts = {"graph": FakeAgent([RETRIES]), "unknown": self.lacks(("NowhereService",), 0.4)}
        assert (await ask("Who retries in NowhereService?", config=config, **parts)).status == "answered"
        assert (await ask("Who retries in NowhereService?", **parts)).status == "not_found"

    async def test_what_is_unknown_is_asked_of_what_may_be_seen_alone(self):
        unknown = self.lacks((), 0.0)
        await ask(
            context={"allowed_projects": ["auth"]}, catalogue=Catalogue(), graph=FakeAgent([POLICY]), unknown=unknown
        )
        assert unknown.asked == (QUESTION, frozenset({"auth"}))

    async def test_with_nobody_to_say_what_is_unknown_the_floor_decides(self):
        result = await ask("What does NowhereService do about retries?", graph=FakeAgent([RETRIES]))
        assert result.status == "answered"
        assert not any("occurs nowhere" in said for said in result.missing)


@pytest.mark.specification("001 §2.2 step 3", "001 §9 observations")
async def test_of_one_agent_twice_as_many_are_taken_as_are_shown():
    many = FakeAgent([found(f"Retries for customer tables: {n} times.", f"p{n}") for n in range(30)])
    result = await ask(vector=many, graph=FakeAgent(), config=HybridRetrievalConfig(max_observations_per_agent=3))
    assert result.metrics.vector_observations == 6
    assert len(result.observations) == 3
    assert result.coverage.agents[2].reason == "24 more left out, 6 taken"


class TestDeadline:
    async def test_the_total_deadline_holds_whatever_the_agents_do(self):
        began = anyio.current_time()
        config = HybridRetrievalConfig(agent_timeout_ms=60_000, total_timeout_ms=2_000)
        result = await ask(
            config=config, graph=FakeAgent(seconds=math.inf), vector=FakeAgent([RETRIES], seconds=math.inf)
        )
        assert anyio.current_time() - began == pytest.approx(1.8)  # a tenth is kept for merging and answering
        assert result.status == "not_found"

    async def test_a_context_may_shorten_it(self):
        began = anyio.current_time()
        await ask(context={"deadline": 0.5}, graph=FakeAgent(seconds=math.inf))
        assert anyio.current_time() - began == pytest.approx(0.45)

    @pytest.mark.specification("001 §3.2 ENTITY_LOOKUP", "001 §10 B5")
    async def test_mays_are_cut_unless_the_door_waits(self):
        parts = {"graph": FakeAgent([RETRIES]), "vector": FakeAgent([POLICY], seconds=1)}
        query = "How does OrderSaga connect to retries for customer tables?"
        assert statuses(await ask(query, **parts))["vector"] == "skipped"
        assert statuses(await ask(query, wait_for_mays=True, **parts))["vector"] == "ok"

    @pytest.mark.specification("001 §3.2 LOCAL_ONLY")
    @pytest.mark.parametrize(("waits", "seconds"), [(False, 0.5), (True, 2)])
    async def test_a_question_for_the_project_in_hand_is_fast_where_nobody_waits_for_the_others(self, waits, seconds):
        began = anyio.current_time()
        others = {"graph": FakeAgent(seconds=2), "vector": FakeAgent(seconds=2)}
        query = "What does our CLAUDE.md say about retries?"
        await ask(query, {"project": "billing"}, local=FakeAgent([RETRIES]), wait_for_mays=waits, **others)
        assert anyio.current_time() - began == pytest.approx(seconds)


class FakeSynthesis:
    """Answers as told; keeps what it was given."""

    def __init__(self, answer=None, *, error=None, seconds=0.0):
        self.says, self.error, self.seconds, self.given = answer, error, seconds, {}

    async def answer(self, query, observations, budget=0, missing=()):
        self.given = {"budget": budget, "missing": missing}
        await anyio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return self.says


class OnlySynthesize:
    """001 §7.1's one method."""

    def __init__(self, text):
        self.text = text

    async def synthesize(self, query, observations):
        return self.text


class TestSynthesis:
    @pytest.fixture
    def parts(self):
        return {"vector": FakeAgent([RETRIES]), "graph": FakeAgent()}

    @pytest.mark.specification("001 §2.1 pipeline")
    async def test_it_is_given_what_it_takes(self, parts):
        synthesis = FakeSynthesis(Answer("Three times.", answerer="model"))
        result = await ask(synthesis=synthesis, **parts)
        assert synthesis.given == {"budget": 8000, "missing": ()}
        assert (result.answer.text, result.status) == ("Three times.", "answered")

    @pytest.mark.parametrize(
        ("synthesis", "why"),
        [
            (FakeSynthesis(error=ConnectionError("gone")), "ConnectionError: gone"),
            (FakeSynthesis(seconds=math.inf), "did not answer in time"),
            (FakeSynthesis(42), "it returned a int"),
            (OnlySynthesize(None), "it returned a NoneType"),
            (OnlySynthesize("  "), "it returned an empty text"),
        ],
    )
    async def test_the_extractive_answerer_takes_over(self, parts, synthesis, why):
        result = await ask(synthesis=synthesis, **parts)
        assert (result.answer.answerer, result.status) == ("extractive", "answered")
        assert result.citations
        assert why in result.answer.notes[-1]

    async def test_citations_of_a_bare_text_are_checked(self, parts):
        text = "They back off three times [vector:billing/retries.md]. They sing [vector:billing/songs.md]."
        result = await ask(synthesis=OnlySynthesize(text), **parts)
        assert result.answer.answerer == "OnlySynthesize"
        assert [(c.marker, c.verified) for c in result.citations] == [
            ("[vector:billing/retries.md]", True),
            ("[vector:billing/songs.md]", False),
        ]
        assert "songs.md" not in result.answer.text
        assert result.answer.notes == ()

    async def test_a_bare_text_without_any_says_so(self, parts):
        result = await ask(synthesis=OnlySynthesize("They back off [billing/retries.md:1-2]."), **parts)
        assert (result.citations, result.answer.notes) == (
            (),
            ("OnlySynthesize cites nothing, so that nothing of what it says is checked",),
        )

    @pytest.mark.specification("001 §6.2 citations")
    async def test_so_are_those_of_an_answer(self, parts):
        text = "They back off three times [vector:billing/retries.md]. They sing [vector:billing/songs.md]."
        claimed = Citation("[vector:billing/songs.md]", "x", "They sing", "sing", None, located=True, supported=True)
        for brought in ((), (claimed,)):
            result = await ask(synthesis=FakeSynthesis(Answer(text, brought, answerer="own")), **parts)
            assert [(c.marker, c.verified) for c in result.citations] == [
                ("[vector:billing/retries.md]", True),
                ("[vector:billing/songs.md]", False),
            ]
            assert "They sing (not verified)." in result.answer.text

    async def test_our_own_answer_handed_on_stays_as_it_is(self, parts):
        ours = (await ask(**parts)).answer
        handed_on = (await ask(synthesis=FakeSynthesis(ours), **parts)).answer
        assert ours.citations
        assert (handed_on.text, handed_on.citations) == (ours.text, ours.citations)

    @pytest.mark.specification("001 §6.2 missing")
    @pytest.mark.parametrize(
        "synthesis", [FakeSynthesis(Answer("Three times.", answerer="own")), OnlySynthesize("Three times.")]
    )
    async def test_what_is_missing_is_added_whoever_wrote_it(self, parts, synthesis):
        result = await ask(synthesis=synthesis, config=HybridRetrievalConfig(enable_graph=False), **parts)
        assert result.missing
        assert result.answer.missing == result.missing
        assert result.answer.text == f"Three times.\nMissing: {result.missing[0]}."

    @pytest.mark.specification("001 §6.2 missing")
    @pytest.mark.parametrize(("project", "said"), [("auth", True), ("billing", False)])
    async def test_a_cited_entity_shows_its_project(self, project, said):
        customer = Entity("Customer", project="billing")
        saying = GraphObservation("Customer is a class", [customer], [], ["billing"], 0, 0.9, "entity")
        model = SynthesisAgent(ScriptedLanguageModel(["Customer is a class [graph:billing/Customer]."]))
        parts = {"synthesis": model, "graph": FakeAgent([saying]), "catalogue": Catalogue()}
        result = await ask("What is Customer?", {"project": project}, **parts)
        assert [(c.location, c.verified) for c in result.citations] == [(None, True)]
        assert (f"anything of {project}, the project in hand" in result.missing) is said

    async def test_files_that_fail_do_not_cost_the_answer(self):
        class Broken:
            async def lines(self, location):
                raise OSError("disk")

        located = VectorObservation(
            RETRIES.content,
            "r.md",
            "billing",
            0.8,
            None,
            "documentation",
            locations=(Location("billing", "r.md", 1, 1),),
        )
        result = await ask(vector=FakeAgent([located]), graph=FakeAgent(), files=lambda permission: Broken())
        assert (result.status, result.answer.answerer) == ("answered", "extractive")


class TestDoor:
    @pytest.mark.specification("001 §2.2 step 1")
    @pytest.mark.parametrize("query", ["", " \t\n", "\x01\x02", None, 5])
    async def test_no_question(self, query):
        with pytest.raises(InvalidQueryError):
            await ask(query)

    @pytest.mark.specification("001 §2.2 step 1")
    async def test_too_long_says_both_numbers(self):
        with pytest.raises(InvalidQueryError, match=r"9000 characters; at most 8000"):
            await ask("x" * 9000)

    @pytest.mark.parametrize("context", [["billing"], "billing", 5, {"deadline": 10**400}, {"deadline": math.inf}])
    async def test_what_is_no_context_is_an_error_of_ours(self, context):
        with pytest.raises(InvalidInputError):
            await ask(context=context, vector=FakeAgent())
        with pytest.raises(InvalidInputError):
            await build().retrieve_with_scope(QUESTION, Scope(["billing"]), context)

    @pytest.mark.parametrize(
        ("scope", "wrong"),
        [
            (None, "None is not a Scope"),
            (["billing"], "a value of type list is not a Scope"),
            (Scope((5,)), "something there is no text"),
            (Scope(["billing"], ("a.py",)), "files: something there is no EvidenceFile"),
        ],
    )
    async def test_so_is_what_is_no_scope(self, scope, wrong):
        with pytest.raises(InvalidInputError, match=rf"The scope can't be used: {wrong}\. Give one as Scope"):
            await build().retrieve_with_scope(QUESTION, scope)

    @pytest.mark.specification("001 §2.2 step 1")
    async def test_control_characters_are_taken_out(self):
        result = await ask("what\x01 is\x1b[31m this\r\n\u202b \U0001f9fe", graph=FakeAgent())
        assert result.query == "what is this\n\u202b \U0001f9fe"

    async def test_the_permission_defaults_to_all_indexed_projects(self):
        agent = FakeAgent([RETRIES])
        await ask(vector=agent, catalogue=Catalogue())
        assert agent.asked[0][1].permission == Catalogue().projects()

    async def test_an_unknown_project_names_only_the_visible(self):
        with pytest.raises(UnknownProjectError, match=r"Known: auth, billing, crm"):
            await ask(context={"project": "nowhere"}, catalogue=Catalogue())
        with pytest.raises(UnknownProjectError, match=r"'crm' here\. Known: billing\.$"):
            await ask(context={"project": "crm", "allowed_projects": ["billing"]}, catalogue=Catalogue())
        with pytest.raises(UnknownProjectError, match=r"'x' here\. Known: billing\.$"):
            await ask(context={"allowed_projects": ["billing", "x"]}, catalogue=Catalogue())

    async def test_without_a_catalogue_no_name_is_checked(self):
        assert (await ask(context={"project": "nowhere"}, vector=FakeAgent([RETRIES]))).status == "answered"

    async def test_an_empty_permission_asks_nobody(self):
        agent = FakeAgent([RETRIES])
        result = await ask(context={"allowed_projects": [], "project": "billing"}, vector=agent, catalogue=Catalogue())
        assert (result.status, result.exit_code, agent.asked) == ("not_found", 4, [])
        assert set(statuses(result).values()) == {"skipped"}
        assert result.metrics.projects_searched == ()

    async def test_what_lies_outside_the_permission_is_dropped_at_the_merger(self):
        result = await ask(context={"allowed_projects": ["billing"]}, vector=FakeAgent([RETRIES, POLICY]))
        assert [o.source_project for o in result.observations] == ["billing"]

    @pytest.mark.specification("001 §9 coverage")
    async def test_a_local_question_without_a_project_in_hand_is_asked_of_all_and_says_so(self):
        query = "What does our CLAUDE.md say about retries?"
        result = await ask(query, catalogue=Catalogue(), vector=FakeAgent([RETRIES]))
        assert result.status == "answered"
        assert [item for item in result.missing if "--project" in item]
        assert (await ask(query, local=FakeAgent([RETRIES]))).status == "answered"
        result = await ask(query, {"project": "billing"}, catalogue=Catalogue(), local=FakeAgent([RETRIES]))
        assert result.metrics.projects_searched == ("billing",)

    async def test_the_project_around_the_caller_is_in_hand_if_it_may_be_seen(self):
        query, local = "What does our CLAUDE.md say about retries?", FakeAgent([RETRIES])
        result = await ask(query, catalogue=Catalogue("billing"), local=local)
        assert result.metrics.projects_searched == ("billing",)
        elsewhere = {"project": "auth"}
        assert (await ask(query, elsewhere, catalogue=Catalogue("billing"), local=local)).metrics.projects_searched == (
            "auth",
        )
        unseen = await ask(query, {"allowed_projects": ["auth"]}, catalogue=Catalogue("billing"), local=local)
        assert [item for item in unseen.missing if "--project" in item]

    @pytest.mark.parametrize("deadline", [0, -1, math.nan, math.inf])
    async def test_a_deadline_is_above_zero(self, deadline):
        with pytest.raises(InvalidInputError, match="deadline"):
            await ask(context={"deadline": deadline})

    async def test_a_request_id_is_kept_or_made(self):
        assert (await ask(context=TaskContext(request_id="r1"), graph=FakeAgent())).request_id == "r1"
        assert (await ask(graph=FakeAgent())).request_id == "0" * 31 + "1"


class TestScope:
    @pytest.mark.specification("001 §10 A3-5")
    @pytest.mark.specification("001 §2.3 phase 2")
    async def test_a_project_outside_the_scope_widens_it(self):
        graph = FakeGraphAgent(scope=Scope([ScopedProject("billing", 0.9, "defines Customer")]))
        config = HybridRetrievalConfig().with_scope(mode="auto")
        query = "How do other teams use Customer retries?"
        result = await ask(query, config=config, graph=graph, vector=FakeAgent([RETRIES, POLICY]))
        scope = result.to_dict()["scope"]
        assert scope == {
            "mode": "parallel_research",
            "strength": "soft",
            "projects": [{"project": "billing", "confidence": 0.9, "because": "defines Customer"}],
            "widened": True,
            "widened_by": ["auth"],
        }

    @pytest.mark.specification("001 §2.3 steered", "001 §3.3 cross-project", "001 §3.2 CROSS_PROJECT")
    @pytest.mark.specification("001 §10 C snippet", "001 §2.3 sequential", "001 §8 parallelism")
    @pytest.mark.parametrize(
        ("query", "mode", "parallel", "handed"),
        [
            ("How do other teams use Customer retries?", "auto", True, True),
            ("How does OrderService connect to Customer?", "auto", True, False),
            ("How does OrderService connect to Customer?", "sequential", True, True),
            ("Find code similar to OrderService", "auto", True, False),
            ("Find code similar to OrderService", "sequential", True, True),
            ("How do other teams use Customer retries?", "full_parallel", False, False),
            ("How do other teams use Customer retries?", "none", False, True),
            ("Find code similar to OrderService", "none", False, False),
            ("Find code similar to OrderService", "parallel_research", False, True),
        ],
    )
    async def test_the_kind_of_question_decides_whether_the_graph_scopes(self, query, mode, parallel, handed):
        graph, agent = FakeGraphAgent(scope=Scope(["billing"])), FakeAgent([RETRIES])
        config = replace(HybridRetrievalConfig().with_scope(mode=mode), parallel_execution=parallel)
        result = await ask(query, config=config, graph=graph, vector=agent)
        assert (agent.scopes[-1] is not None) is handed
        assert (result.scope.mode != "none") is handed

    @pytest.mark.specification("001 §2.3 parallel + re-search")
    async def test_a_strict_scope_keeps_nothing_of_a_search_without_it(self):
        graph, agent = FakeGraphAgent(scope=Scope(["billing"])), FakeAgent([RETRIES])
        config = HybridRetrievalConfig().with_scope(mode="parallel_research", strength="strict")
        await ask("How do other teams use Customer retries?", config=config, graph=graph, vector=agent)
        assert [scope.names for scope in agent.scopes] == [("billing",)]

    @pytest.mark.specification("001 §2.3 phase 2")
    async def test_a_project_that_the_graph_is_less_than_a_fifth_sure_of_does_not_steer(self):
        sure, unsure = ScopedProject("billing", 0.2, "has Customer"), ScopedProject("auth", 0.19, "says customer")
        graph, agent = FakeGraphAgent(scope=Scope([sure, unsure])), FakeAgent([RETRIES])
        config = HybridRetrievalConfig().with_scope(mode="sequential")
        await ask("How do other teams use Customer retries?", config=config, graph=graph, vector=agent)
        assert [scope.names for scope in agent.scopes] == [("billing",)]

    @pytest.mark.specification("001 §2.3 phase 2")
    async def test_a_scope_that_is_guessed_is_handed_on_as_such_and_reported_as_steering_nothing(self):
        graph, agent = FakeGraphAgent(scope=Scope(["billing"], guessed=True)), FakeAgent([RETRIES])
        config = HybridRetrievalConfig().with_scope(mode="auto", strength="strict")
        result = await ask("How do other teams use Customer retries?", config=config, graph=graph, vector=agent)
        assert [scope.guessed for scope in agent.scopes] == [True]
        assert (result.scope.mode, result.scope.scope.names) == ("none", ("billing",))

    @pytest.mark.specification("001 §7.1 HybridRetrievalOrchestrator")
    async def test_retrieve_with_scope_is_strict_and_inside_the_permission(self):
        agent, scope = FakeAgent([RETRIES, POLICY]), Scope(["billing", "crm"])
        async with build(vector=agent, graph=FakeAgent(), catalogue=Catalogue()) as orchestrator:
            result = await orchestrator.retrieve_with_scope(QUESTION, scope, {"allowed_projects": ["billing", "auth"]})
            assert agent.asked[0][1].permission == {"billing"}
            assert isinstance(result, HybridResult)
            assert (agent.scopes[0].names, result.scope.strength) == (("billing",), "strict")
            assert [o.source_project for o in result.observations] == ["billing"]
            with pytest.raises(UnknownProjectError):
                await orchestrator.retrieve_with_scope(QUESTION, Scope(["nowhere"]))
            for forbidden in ("crm", "nowhere"):  # indexed or not: nobody who may not see it is told
                outside = await orchestrator.retrieve_with_scope(
                    QUESTION, Scope([forbidden]), {"allowed_projects": ["auth"]}
                )
                assert outside.status == "not_found"

    async def test_a_given_scope_without_a_catalogue(self):
        agent = FakeAgent([RETRIES, POLICY])
        async with build(vector=agent) as orchestrator:
            await orchestrator.retrieve_with_scope(QUESTION, Scope(["auth"]))
        assert agent.asked[0][1].permission == {"auth"}

    async def test_settings_reach_the_run(self):
        config = HybridRetrievalConfig(
            graph_scopes_vector=False, enable_local=False, scope=ScopeSettings(unplanned="never")
        )
        result = await ask(
            "What calls X?", config=config, local=FakeAgent([RETRIES]), graph=FakeAgent(), vector=FakeAgent()
        )
        assert (result.scope.mode, result.classification.graph_scopes_vector) == ("none", False)
        reasons = {a.agent: a.reason for a in result.coverage.agents}
        assert reasons["local"] == "switched off by enable_local"
        assert statuses(result)["vector"] == "empty"  # the fallback asked it

    async def test_who_asks_just_one_agent_is_answered_by_no_other(self):
        other = FakeAgent([RETRIES])
        async with build(local=FakeAgent(), vector=other) as orchestrator:
            asked = orchestrator.begin(QUESTION)
            run = await orchestrator.ask(asked, only=["local"])
        assert run.outcomes["vector"].status == "skipped"
        assert other.asked == []


class TestStream:
    @pytest.mark.specification("001 §2.1 pipeline")
    async def test_events_in_order_and_the_same_result(self):
        parts = {"graph": FakeGraphAgent([POLICY], scope=Scope(["billing"])), "vector": FakeAgent([RETRIES])}
        query = "How do other teams handle Customer retries?"
        async with build(**parts) as orchestrator, orchestrator.stream(query) as stream:
            told = [event async for event in stream]
        kinds = list(dict.fromkeys(type(event) for event in told))
        assert kinds[:3] == [Started, Classified, AgentStarted]
        assert set(kinds[3:6]) == {ObservationAdded, ScopeFound, AgentFinished}
        assert kinds[6:] == [Merged, AnswerDelta, CitationChecked, Finished]
        plain = (await ask(query, **parts)).to_dict()
        streamed = told[-1].result.to_dict()
        assert streamed["answer"] == plain["answer"]
        assert json.loads(json.dumps(told[0].to_dict(), allow_nan=False))["event"] == "started"
        assert [event.to_dict()["event"] for event in told][-1] == "finished"
        assert all(event.line() for event in told)

    async def test_leaving_early_ends_the_work(self):
        hanging = FakeAgent(seconds=math.inf)
        async with build(vector=hanging) as orchestrator:
            async with orchestrator.stream(QUESTION) as stream:
                async for event in stream:
                    if isinstance(event, AgentStarted):
                        break
            await anyio.lowlevel.checkpoint()
            assert anyio.current_time() < 1
        assert hanging.ended

    async def test_what_is_found_is_seen_while_the_agent_goes_on(self):
        seen, when = [], []

        class Busy(FakeAgent):
            async def publish_into(self, query, context, publish):
                assert Classified in seen
                for text in ("Retries are three.", "Timeouts are four.", "Limits are five."):
                    await publish(found(text))
                    when.append(seen.count(ObservationAdded))

        async with build(local=None, graph=None, vector=Busy()) as orchestrator:
            async for event in orchestrator.stream(QUESTION):
                kind = type(event)
                seen.append(kind)
        assert when[1] >= 1
        assert when[2] >= 2  # at most the last one is on its way

    async def test_closing_the_orchestrator_ends_a_stream_nobody_reads(self):
        hanging = FakeAgent(seconds=math.inf)
        async with build(vector=hanging) as orchestrator:
            stream = orchestrator.stream(QUESTION)
            await anext(stream)
            await anyio.sleep(0.1)
        assert hanging.ended
        await stream.__aexit__(None, None, None)

    async def test_mistakes_are_raised_at_the_call_and_failures_at_the_end(self):
        with pytest.raises(InvalidInputError, match="async with"):
            build().stream(QUESTION)

        def broken(question, permission):
            raise RuntimeError("a fault of the vocabulary")

        async with build(unknown=broken, vector=FakeAgent([RETRIES])) as orchestrator:
            with pytest.raises(InvalidQueryError):
                orchestrator.stream("")
            with pytest.raises(RuntimeError, match="a fault of the vocabulary"):
                [event async for event in orchestrator.stream(QUESTION)]


async def test_an_injected_merger_with_the_specifications_method_will_do():
    class Own:
        async def merge(self, observations):
            return await ResultMerger(HybridRetrievalConfig().ranking).merge(observations)

    result = await ask(merger=Own(), vector=FakeAgent([RETRIES]))
    assert (result.status, result.metrics.after_dedup) == ("answered", 1)


class Analyzing:
    def __init__(self, given):
        self._given = given

    def classify(self, query):
        if isinstance(self._given, BaseException):
            raise self._given
        return self._given


@pytest.mark.parametrize(
    ("given", "why"),
    [(ZeroDivisionError("x"), "ZeroDivisionError: x"), (SystemExit(3), "SystemExit: 3"), (None, "a NoneType")],
)
async def test_an_analyzer_that_fails_or_gives_nonsense_is_replaced_by_the_products_own(given, why):
    result = await ask(analyzer=Analyzing(given), vector=FakeAgent([RETRIES]))
    own = await ask(vector=FakeAgent([RETRIES]))
    assert result.classification == own.classification
    assert result.answer.text.startswith("Note: the analyzer gave nothing (")
    assert result.answer.text.endswith(own.answer.text)
    assert why in result.answer.text


async def test_what_another_merger_gives_is_held_to_the_permission_and_to_the_most():
    class Widening:
        async def merge(self, observations):
            ours = await ResultMerger(RankingSettings()).merge(observations)
            return [replace(ours[0], id="other", source_project="auth", locations=()), *ours * 99]

    context = {"allowed_projects": ["billing"]}
    result = await ask(context=context, merger=Widening(), catalogue=Catalogue(), vector=FakeAgent([RETRIES]))
    assert {one.source_project for one in result.observations} == {"billing"}
    assert len(result.observations) == HybridRetrievalConfig().max_total_observations


async def test_a_closed_one_says_so():
    async with build() as orchestrator:
        await orchestrator.retrieve(QUESTION)
    for ask in (orchestrator.retrieve, partial(orchestrator.retrieve_with_scope, scope=Scope())):
        with pytest.raises(InvalidInputError, match="is closed"):
            await ask(QUESTION)


async def test_one_that_is_closed_under_its_agents_says_so_and_finds_nothing_wrong():
    begun, closed = anyio.Event(), anyio.Event()

    class Closed(FakeAgent):
        async def retrieve(self, query, context=None):
            begun.set()
            await closed.wait()
            raise StoreError("The store is closed.")

    async def ask():
        with pytest.raises(InvalidInputError, match="closed while it was asked"):
            await orchestrator.retrieve(QUESTION)

    async with anyio.create_task_group() as asking:
        async with HybridRetrievalOrchestrator(vector=Closed()) as orchestrator:
            asking.start_soon(ask)
            await begun.wait()
        closed.set()


async def test_parts_are_closed_with_the_orchestrator():
    closed = []

    async def close():
        closed.append(True)

    async with build(close=close, graph=FakeAgent()) as orchestrator:
        await orchestrator.retrieve(QUESTION)
    async with build(close=lambda: closed.append(True)):
        pass
    assert closed == [True, True]


async def test_the_commits_of_what_is_shown_are_told():
    result = await ask(vector=FakeAgent([RETRIES]), catalogue=Catalogue())
    assert result.metrics.commit == {"billing": {"indexed": "a1", "head": "b2"}}
    assert result.metrics.projects_searched == ("auth", "billing", "crm")


def placed(project, text):
    at = (Location(project, "docs/retries.md", 1, 1),)
    return VectorObservation(text, "docs/retries.md", project, 0.9, None, "documentation", locations=at)


@pytest.mark.specification("001 §1 local")
async def test_a_citation_of_a_file_that_has_changed_says_so():
    told = [
        placed("billing", "Retries for customer tables back off."),
        placed("auth", "Customer tables never see retries."),
    ]
    result = await ask(vector=FakeAgent(told), catalogue=Catalogue())
    assert {c.location.project: c.stale for c in result.answer.citations} == {"billing": True, "auth": False}
    assert {c["stale"] for c in result.to_dict()["citations"]} == {True, False}
    assert not any(c.stale for c in (await ask(vector=FakeAgent(told))).answer.citations)


class Rewritten(Catalogue):
    """`billing`'s file says something else now."""

    def __init__(self, root):
        super().__init__()
        (root / "docs").mkdir()
        (root / "docs/retries.md").write_text("Nothing of the kind.")
        self.folders = {"billing": ProjectFolder(root, {"docs/retries.md": "0"})}


async def test_what_a_file_no_longer_says_is_no_evidence(tmp_path):
    told = [
        placed("billing", "Retries for customer tables back off."),
        placed("auth", "Customer tables never see retries."),
    ]
    result = await ask(vector=FakeAgent(told), catalogue=Rewritten(tmp_path))
    assert {c.location.project for c in result.answer.citations} == {"auth"}
    assert "back off" not in result.answer.text
    assert "billing/docs/retries.md as it is now: it has changed since it was indexed" in result.missing


@pytest.mark.specification("001 §1 local")
@pytest.mark.parametrize(("now", "kept"), [(None, 0), ("Others moved in.", 0), ("Others.\n  Retries back off.\n", 1)])
async def test_what_no_line_of_an_instruction_file_says_any_more_is_not_observed(tmp_path, now, kept):
    if now is not None:
        (tmp_path / "CLAUDE.md").write_text(now)
    catalogue = Catalogue()
    catalogue.folders = {"billing": ProjectFolder(tmp_path, {"CLAUDE.md": "0"})}
    at = (Location("billing", "CLAUDE.md", 1, 2),)
    text = "Retries back off.\nCustomer tables too."
    told = [VectorObservation(text, "CLAUDE.md", "billing", 1.0, None, "documentation", locations=at), POLICY]
    result = await ask(vector=FakeAgent(told), catalogue=catalogue)
    assert [o.content for o in result.observations] == [text] * kept + [POLICY.content]


@pytest.mark.specification("001 §6.2 missing")
@pytest.mark.parametrize(
    ("query", "there", "said"),
    [
        ("What does our AGENTS.md say about retries for customer tables?", [], True),  # gone since it was indexed
        ("What does our AGENTS.md say about retries for customer tables?", ["AGENTS.md"], False),
        ("What does docs/AGENTS.md say about retries for customer tables?", ["AGENTS.md"], True),
        ("What does auth say of retries for customer tables in AGENTS.md?", [], False),
        ("Which other teams retry for customer tables as AGENTS.md says?", [], False),
        ("What retries customer tables in Node.js?", [], False),  # nobody has a file of that name
    ],
)
async def test_a_file_that_the_project_in_hand_lacks_is_said_to_be_none(tmp_path, query, there, said):
    for name in there:
        (tmp_path / name).write_text("Retries.")
    catalogue = Catalogue("billing")
    catalogue.folders = {
        "billing": ProjectFolder(tmp_path, {"AGENTS.md": "0"}),
        "auth": ProjectFolder(tmp_path / "auth", {"docs/AGENTS.md": "0"}),
    }
    sought = "docs/AGENTS.md" if "docs/" in query else "AGENTS.md"
    result = await ask(query, vector=FakeAgent([RETRIES, POLICY]), catalogue=catalogue)
    assert (f"billing has no {sought}" in result.missing) is said
    assert any("billing has no" in one for one in result.missing) is said
    assert result.answer.text.startswith(f"Note: billing has no {sought}") is said
    nothing = await ask(query, vector=FakeAgent([]), catalogue=catalogue)
    assert any("billing has no" in one for one in nothing.missing) is said


async def test_a_file_that_links_to_another_of_the_project_is_not_said_to_be_none(tmp_path):
    (tmp_path / "AGENTS.md").write_text("Retries.")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")  # a link is not indexed
    catalogue = Catalogue("billing")
    catalogue.folders = {"billing": ProjectFolder(tmp_path, {"AGENTS.md": "0"})}
    query = "What does our CLAUDE.md say about retries for customer tables?"
    result = await ask(query, vector=FakeAgent([RETRIES, POLICY]), catalogue=catalogue)
    assert not any("billing has no" in one for one in result.missing)


async def test_without_any_evidence_left_nothing_is_found(tmp_path):
    told = [placed("billing", "Retries for customer tables back off.")]
    result = await ask(vector=FakeAgent(told), catalogue=Rewritten(tmp_path))
    assert (result.status, result.answer.citations) == ("not_found", ())


async def test_a_question_that_says_only_in_limits_itself():
    query = "How do other teams handle retries for customer tables, only in billing?"
    result = await ask(query, vector=FakeAgent([RETRIES, POLICY]), catalogue=Catalogue())
    assert result.metrics.projects_searched == ("billing",)
    assert result.to_dict()["scope"]["strength"] == "strict"
    assert {o.source_project for o in result.observations} == {"billing"}
    free = await ask(QUESTION, vector=FakeAgent([RETRIES, POLICY]), catalogue=Catalogue())
    assert free.to_dict()["scope"]["strength"] == "soft"
