from __future__ import annotations

import pytest

from agents.evidence.intents import Intent
from agents.evidence.request import EvidenceRequest, checked_request, settle_request
from memory.errors import InvalidInputError, InvalidQueryError
from tests.agents.evidence.making import EVERYONE, ROWS, catalogue, make_chunk, settled


@pytest.mark.specification("000 §10 step 1")
@pytest.mark.parametrize(("asked", "used"), [(-3, 5), (4, 5), (5, 5), (12, 12), (30, 30), (31, 30)])
def test_top_k_is_clamped_and_said(asked, used):
    one = settled(top_k=asked)
    assert one.top_k == used
    assert one.notes == (() if asked == used else (f"top_k {asked} clamped to {used}",))


def test_a_number_of_thousands_of_digits_is_clamped_as_any():
    for given, clamped in ((10**5000, 30), (-(10**5000), 5)):
        one = settle_request(checked_request("q", None, given), catalogue(), EVERYONE)
        assert one.top_k == clamped


@pytest.mark.specification("000 §10 step 1", "000 §3.2 rules")
def test_an_intent_that_is_none_is_classified_and_said():
    one = settled("an overview", "LOOKUP")
    assert one.intent is Intent.CONCEPTUAL
    assert one.notes == ("intent 'LOOKUP' is none of the nine: classified CONCEPTUAL by 'overview'",)
    for none in (None, ""):
        one = settled("hello", none)
        assert (one.intent, one.notes) == (
            Intent.HOW_TO_IMPLEMENT,
            ("no intent given: classified HOW_TO_IMPLEMENT, as no rule matched",),
        )
    assert settled("an overview", "api_lookup").notes == ()


def test_only_a_lookup_has_a_symbol():
    assert settled("FunctionTool", "API_LOOKUP").symbol == "FunctionTool"
    assert settled("FunctionTool", "CONCEPTUAL").symbol == ""


@pytest.mark.specification("000 §8.2 quota", "000 §2 complementarity")
def test_shares_unless_intent_or_scope_leaves_a_corpus_out():
    assert settled().quotas
    assert settled(repo_scope=("google/kit", "google/guide")).quotas
    assert not settled(intent="CODE_ONLY").quotas
    assert not settled(intent="DOCS_ONLY").quotas
    assert not settled(repo_scope=("google/kit",)).quotas
    assert not settled(path_scope=("docs/tools.md",)).quotas


@pytest.mark.specification("000 §6.4 policy")
class TestTargetedFile:
    def test_the_path_scope_before_the_question(self):
        one = settled("what is in src/tool.py", "TARGETED_FILE", path_scope=("agent.py",))
        assert one.path_scope == ("src/agent.py",)
        assert one.notes == ("path agent.py read as src/agent.py",)

    def test_the_first_token_that_is_a_path(self):
        one = settled("and/or what docs/agents.md says of src/tool.py", "TARGETED_FILE")
        assert (one.path_scope, one.notes) == (("docs/agents.md",), ("the file is docs/agents.md",))

    def test_a_question_that_limits_itself_to_code_keeps_the_file_it_names(self):
        one = settled("only show code from kit: src/tool.py", "TARGETED_FILE")
        assert (one.intent, one.path_scope, one.projects) == (Intent.TARGETED_FILE, ("src/tool.py",), {"kit"})
        assert settled("only show code from kit: that file", "TARGETED_FILE").intent is Intent.CODE_ONLY
        away = settled("only show code from kit: src/tol.py", "TARGETED_FILE")
        assert away.intent is Intent.CODE_ONLY
        assert any(note.startswith("'src/tol.py' is no indexed path") for note in away.notes)

    @pytest.mark.parametrize("intent", ["TARGETED_FILE", None])
    def test_any_file_s_name_is_a_path_where_a_file_is_asked_for(self, intent):
        rows = [*ROWS, make_chunk("README.md", 1, 2, "A kit.")]
        one = settled("what do README.md and src/tool.py say", intent, rows=rows)
        assert (one.files, one.notes[-1]) == ((("guide", "README.md"),), "the file is README.md")
        assert settled("what is in README.md", None, rows=rows).files == ()  # no rule of 000 §3.2 reads a path from it

    def test_a_path_as_citations_print_it(self):
        one = settled("what is in kit/src/tool.py:1-4?", "TARGETED_FILE")
        assert (one.path_scope, one.files, one.projects) == (("src/tool.py",), (("kit", "src/tool.py"),), {"kit"})
        scoped = settled(path_scope=("guide/docs/tools.md",))
        assert (scoped.files, scoped.notes) == (
            (("guide", "docs/tools.md"),),
            ("path guide/docs/tools.md read as docs/tools.md",),
        )

    @pytest.mark.specification("000 §3.2 rules")
    @pytest.mark.parametrize("query", ["what answers GET /health/ready", "what is in src/tol.py", "tools and/or state"])
    def test_a_path_that_is_not_indexed_is_text(self, query):
        one = settled(query, None)
        assert (one.intent, one.path_scope) == (Intent.HOW_TO_IMPLEMENT, ())
        assert one.notes[1].endswith("is no indexed path: taken as HOW_TO_IMPLEMENT")
        assert settled(query, "TARGETED_FILE").intent is Intent.HOW_TO_IMPLEMENT

    def test_by_another_intent_a_path_that_is_not_indexed_is_text_without_a_note(self):
        one = settled("parameters of foo in src/nope.py", None)
        assert (one.intent, one.files, len(one.notes)) == (Intent.API_LOOKUP, (), 1)

    @pytest.mark.specification("000 §6.4 policy")
    @pytest.mark.parametrize("intent", ["API_LOOKUP", "CONCEPTUAL", "HOW_TO_IMPLEMENT", "CODE_ONLY", "DEBUG_ERROR"])
    def test_by_another_intent_an_indexed_path_filters_nothing(self, intent):
        one = settled("parameters of FunctionTool in src/tool.py", intent)
        assert (one.intent.value, one.files, one.path_scope) == (intent, (), ())

    def test_who_asked_for_a_file_is_named_the_nearest(self):
        [note] = settled("what is in src/tol.py", "TARGETED_FILE").notes
        assert note.startswith("'src/tol.py' is no indexed path: taken as HOW_TO_IMPLEMENT; nearest: src/tool.py")
        [note] = settled("what is in that file", "TARGETED_FILE").notes
        assert note == "the question names no file: taken as HOW_TO_IMPLEMENT"

    def test_a_file_that_may_not_be_seen_is_not_there(self):
        [note] = settled("docs/tools.md", "TARGETED_FILE", permission=frozenset({"kit"})).notes
        assert "nearest" in note
        assert "docs/tools.md" not in note.partition("nearest")[2]
        assert settled("docs/tools.md", "TARGETED_FILE", permission=EVERYONE).path_scope == ("docs/tools.md",)


@pytest.mark.specification("000 §11 filtering")
class TestOnly:
    def asked(self, query, intent=None, permission=EVERYONE):
        return settle_request(EvidenceRequest(query, intent), catalogue(), permission)

    @pytest.mark.specification("000 §3.2 rules", "000 §6.4 policy")
    def test_the_projects_and_the_corpus_that_the_question_limits_itself_to(self):
        one = self.asked("only show code from kit: how are tools called")
        assert (one.projects, one.intent, one.corpus) == ({"kit"}, Intent.CODE_ONLY, "code")
        assert "only in kit, as the question says" in one.notes
        assert self.asked("show only the documentation from guide").intent is Intent.DOCS_ONLY
        assert self.asked("only from kit: how are tools called").corpus is None
        assert self.asked("only show code from kit", "API_LOOKUP").intent is Intent.CODE_ONLY

    def test_a_name_that_no_project_has_limits_the_corpus_alone(self):
        one = self.asked("only show code from nowhere: how are tools called")
        assert (one.projects, one.intent) == (EVERYONE, Intent.CODE_ONLY)
        assert "'nowhere' names no indexed project: looked for in all" in one.notes

    def test_a_project_outside_the_scope_is_said_to_be_that(self):
        asked = EvidenceRequest("only in guide: tools", repo_scope=("google/kit",))
        assert "'guide' is outside repo_scope: looked for in that" in settle_request(asked, catalogue(), EVERYONE).notes

    def test_an_intent_that_forces_a_corpus_stays(self):
        assert self.asked("only show code from kit", "DOCS_ONLY").intent is Intent.DOCS_ONLY

    def test_a_path_scope_without_the_corpus_that_the_intent_forces_is_said_to_be_that(self):
        one = settled("a tool", "CODE_ONLY", path_scope=("docs/tools.md",))
        assert (one.intent, one.notes) == (Intent.CODE_ONLY, ("path_scope has no code: CODE_ONLY finds nothing in it",))

    @pytest.mark.specification("000 §6.4 policy")
    def test_the_path_scope_before_the_corpus_that_the_question_limits_itself_to(self):
        query, scope = "only show code from guide: what is a FunctionTool", ("docs/tools.md",)
        for intent in ("TARGETED_FILE", "CONCEPTUAL"):
            one = settled(query, intent, path_scope=scope)
            assert (one.intent.value, one.files) == (intent, (("guide", "docs/tools.md"),))
            assert "what is meant has no code: 'only … code' is passed over" in one.notes
        for intent in (None, "TARGETED_FILE"):
            query, scope = "only show code from kit, guide: a tool", ("docs/tools.md", "src/tool.py")
            both = settled(query, intent, path_scope=scope)
            assert (both.intent, len(both.files)) == (Intent.CODE_ONLY, 2)

    def test_it_never_widens(self):
        assert self.asked("only show code from kit", permission=frozenset({"guide"})).projects == {"guide"}


@pytest.mark.specification("000 §9.2 optional")
def test_what_a_model_may_send():
    assert checked_request("q", None, 12.0, "google/kit", ["a", "a", "b"], "", None, 3.0) == EvidenceRequest(
        "q", None, 12, ("google/kit",), ("a", "b"), None, include_tests=True, min_rank_fusion=3
    )
    assert not checked_request("q", "", 5, None, [], None, include_tests=False).include_tests
    assert checked_request("q", "", 5) == EvidenceRequest("q", "", 5, (), (), None, include_tests=True)  # no limits
    assert checked_request("half \ud800", "", 5).query == "half"
    assert len(checked_request("x" * 8000, "", 5).query) == 8000


@pytest.mark.specification("000 §9.2 errors")
@pytest.mark.parametrize(
    "wrong",
    [
        {"top_k": "12"},
        {"top_k": True},
        {"top_k": 1.5},
        {"top_k": None},
        {"top_k": float("nan")},
        {"intent": 3},
        {"intent": False},
        {"repo_scope": 3},
        {"repo_scope": ["a", 3]},
        {"path_scope": [" "]},
        {"path_scope": {"a": 1}},
        *({name: empty} for name in ("repo_scope", "path_scope") for empty in (False, 0, 0.0, {}, "", [None])),
        {"commit": 7},
        {"commit": False},
        {"include_tests": "yes"},
        {"min_rank_fusion": 0},
        {"min_rank_fusion": "1"},
    ],
)
def test_what_it_may_not(wrong):
    with pytest.raises(InvalidInputError) as raised:
        checked_request(**{"query": "q", "intent": "API_LOOKUP", "top_k": 12} | wrong)
    assert next(iter(wrong)) in raised.value.message


@pytest.mark.parametrize("query", ["", " \n", None, 3, "x" * 8001])
def test_what_is_no_question(query):
    with pytest.raises(InvalidQueryError):
        checked_request(query, "API_LOOKUP", 12)
