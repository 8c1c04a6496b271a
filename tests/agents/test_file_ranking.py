from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest

from agents.file_ranking import Proof, best_chunk, convex, decayed_sum, rank_files, votes
from configs.settings import VectorSettings
from memory.entities import Entity, Evidence, EvidenceFile, Relationship
from memory.statements import FoundStatement
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Hit
from tests.agents.library import chunk


def test_each_list_is_divided_by_its_best_and_weighted():
    dense = {"a": 0.8, "b": 0.4}
    sparse = {"a": 6.0, "b": 12.0}
    fused = convex([dense, sparse], [0.7, 0.3])
    assert fused["a"] == pytest.approx(0.7 * 0.8 / 0.8 + 0.3 * 6 / 12)  # 0.85
    assert fused["b"] == pytest.approx(0.7 * 0.4 / 0.8 + 0.3 * 12 / 12)  # 0.65


def test_a_document_that_a_list_lacks_counts_with_its_lowest_listed_value():
    fused = convex([{"a": 1.0, "b": 0.25}, {"a": 2.0, "c": 1.0}], [0.5, 0.5])
    assert fused == {
        "a": pytest.approx(1.0),
        "b": pytest.approx(0.5 * 0.25 + 0.5 * 1 / 2),  # the second list's lowest is c's 1 of 2
        "c": pytest.approx(0.5 * 0.25 + 0.5 * 1 / 2),  # the first list's lowest is b's .25 of 1
    }


def test_weights_are_shared_among_the_lists_that_have_something():
    assert convex([{"a": 3.0}, {}], [0.7, 0.3]) == {"a": pytest.approx(1.0)}
    assert convex([{"a": -0.5}, {"b": 2.0}], [0.7, 0.3]) == {"b": pytest.approx(1.0)}


def test_weights_need_not_add_up_to_one():
    fused = convex([{"a": 1.0, "b": 0.5}, {"a": 0.5, "b": 1.0}], [1.0, 0.5])
    assert fused["a"] == pytest.approx(1 / 1.5 * 1 + 0.5 / 1.5 * 0.5)  # 0.8333
    assert fused["b"] == pytest.approx(1 / 1.5 * 0.5 + 0.5 / 1.5 * 1)  # 0.6667


def test_negative_scores_count_as_zero():
    assert convex([{"a": 0.5, "b": -0.5}], [1.0]) == {"a": pytest.approx(1.0), "b": 0.0}
    fused = convex([{"a": 0.5, "b": -0.5}, {"c": 2.0}], [0.5, 0.5])
    assert fused["c"] == pytest.approx(0.5 * 0 + 0.5 * 1)  # the lowest of the first list is no less than zero


def test_the_order_is_that_of_the_lists():
    assert list(convex([{"b": 1.0}, {"a": 1.0}], [0.5, 0.5])) == ["b", "a"]


def test_nothing_in_nothing_out():
    assert convex([], []) == {}
    assert convex([{}], [1.0]) == {}


def test_every_list_needs_a_weight():
    with pytest.raises(ValueError, match="zip"):
        convex([{"a": 1.0}], [])


A, B, C = ("shop", "a.py"), ("shop", "b.py"), ("bank", "c.py")
FILES = {"a1": A, "a2": A, "a3": A, "a4": A, "a5": A, "a6": A, "b1": B}


def found(coverage: float, path: str, *evidence: Evidence, project: str = "shop") -> FoundStatement:
    source, target = Entity("till", "service", "shop"), Entity("ledger", "service", "bank")
    return FoundStatement(Relationship(source, "CALLS", target, project, path, (3,), evidence=evidence), coverage)


def test_a_file_is_as_near_as_its_nearest_chunk():
    assert best_chunk({"a1": 0.2, "a2": 0.7, "b1": 0.4}, FILES) == {A: 0.7, B: 0.4}


def test_the_nearest_chunk_may_be_below_zero():
    assert best_chunk({"a1": -0.4, "a2": -0.1}, FILES) == {A: -0.1}


def test_each_further_chunk_counts_three_tenths_of_the_one_before():
    summed = decayed_sum({"a1": 2.0, "a2": 10.0, "a3": 5.0, "b1": 11.0}, FILES)
    assert summed[A] == pytest.approx(10.0 + 0.3 * 5.0 + 0.09 * 2.0)  # 11.68: three chunks before the one of b
    assert summed[B] == 11.0


def test_no_more_than_five_chunks_of_a_file_count():
    six = dict.fromkeys(["a1", "a2", "a3", "a4", "a5", "a6"], 1.0)
    five = dict.fromkeys(["a1", "a2", "a3", "a4", "a5"], 1.0)
    assert decayed_sum(six, FILES)[A] == pytest.approx(1 + 0.3 + 0.09 + 0.027 + 0.0081)
    assert decayed_sum(six, FILES) == decayed_sum(five, FILES)


def test_a_statement_votes_with_the_cube_of_what_it_holds():
    assert votes([found(0.5, "a.py")]) == {A: pytest.approx(1 - exp(-(0.5**3)))}  # 0.1175
    assert votes([found(1.0, "a.py")]) == {A: pytest.approx(1 - exp(-1))}  # 0.6321


def test_the_votes_of_several_statements_come_together():
    voted = votes([found(0.8, "a.py"), found(0.5, "a.py"), found(0.5, "b.py")])
    assert voted[A] == pytest.approx(1 - exp(-(0.512 + 0.125)))  # 0.4711
    assert voted[B] == pytest.approx(1 - exp(-0.125))


def test_a_statement_votes_for_every_file_that_proves_it_once():
    pieces = (Evidence("r", "bank", "c.py", 9), Evidence("r", "shop", "a.py", 7), Evidence("r", "bank", "c.py", 2))
    vote = pytest.approx(1 - exp(-(0.5**3)))
    assert votes([found(0.5, "a.py", *pieces)]) == {A: vote, C: vote}


def test_a_statement_that_no_file_proves_votes_for_none():
    assert votes([found(0.9, "")]) == {}
    assert votes([]) == {}


def hits(scores: dict[str, float]) -> list[Hit]:
    """Hits on chunks `PATH#N` of the shop, `bank:PATH#N` of the bank, best first."""
    made = []
    for name, score in sorted(scores.items(), key=lambda item: -item[1]):
        project, _, place = name.rpartition(":")
        path, _, number = place.partition("#")
        one = chunk(project or "shop", path, int(number), "docs" if path.endswith(".md") else "code", name, "")
        one = replace(one, id=name)
        made.append(Hit(one, score))
    return made


def leg(dense: dict[str, float], words: dict[str, float] | None = None) -> dict[str, list[Hit]]:
    return {DENSE_DOCS: hits(dense), SPARSE_LEXICAL: hits(words or {})}


NO_PROOF = Proof()


def ranking(found, proof=NO_PROOF, *, candidates=2, **options):
    """The files by path with their scores; lists of two are cut, meaning and words weigh the same."""
    settings = VectorSettings(candidates=candidates, dense_weight=0.5)
    return {one.file[1]: one for one in rank_files(found, proof, settings, **options)}


def scores(given, *arguments, **options):
    return {path: one.score for path, one in ranking(given, *arguments, **options).items()}


def test_half_of_a_score_is_meaning_and_half_are_words():
    found = scores(leg({"a.py#1": 0.8, "b.py#1": 0.4}, {"a.py#1": 3.0, "b.py#1": 6.0}))
    assert found == {"a.py": pytest.approx(1.0), "b.py": pytest.approx(1.0)}  # .5 + .25 and .25 + .5, of .75


def test_what_a_cut_list_lacks_has_the_lowest_value_listed():
    found = scores(leg({"a.py#1": 0.8, "b.py#1": 0.4}, {"a.py#1": 4.0, "c.py#1": 1.0}))
    assert found["a.py"] == pytest.approx(1.0)
    assert found["b.py"] == pytest.approx(0.5 * 0.4 / 0.8 + 0.5 * 1 / 4)  # .375
    assert found["c.py"] == pytest.approx(0.5 * 0.4 / 0.8 + 0.5 * 1 / 4)


def test_what_a_list_of_words_lacks_that_is_not_full_has_none_of_them():
    found = scores(leg({"a.py#1": 0.8, "b.py#1": 0.8}, {"a.py#1": 4.0}))
    assert found == {"a.py": pytest.approx(1.0), "b.py": pytest.approx(0.5)}


def test_a_list_is_cut_at_the_candidates_over_all_dense_fields():
    both = {DENSE_DOCS: hits({"a.py#1": 0.9, "b.py#1": 0.3}), DENSE_CODE: hits({"c.py#1": 0.6, "d.py#1": 0.2})}
    assert scores(both) == {"a.py": 1.0, "c.py": pytest.approx(0.6 / 0.9)}


def test_the_cosines_of_two_models_are_each_divided_by_their_best():
    both = {DENSE_DOCS: hits({"a.py#1": 0.9, "b.py#1": 0.3}), DENSE_CODE: hits({"c.py#1": 0.6, "d.py#1": 0.3})}
    found = scores(both, candidates=4, comparable=False)
    assert found == {
        "a.py": 1.0,
        "c.py": 1.0,
        "d.py": pytest.approx(0.3 / 0.6),
        "b.py": pytest.approx(0.3 / 0.9),
    }


def test_as_far_as_vectors_are_to_come_the_words_count_more():
    probe = leg({"a.py#1": 0.8, "b.py#1": 0.4}, {"a.py#1": 3.0, "b.py#1": 6.0})
    found = scores(probe, embedded=0.2)
    least = (0.1 * 1 + 0.9 * 0.5) / (0.1 * 0.5 + 0.9 * 1)  # .55 ÷ .95
    assert found == {"b.py": pytest.approx(1.0), "a.py": pytest.approx(least)}


def test_documents_count_a_little_less_and_tests_and_migrations_less_still():
    for other, weight in (("a.md", 0.9), ("tests/a.py", 0.8), ("migrations/a.sql", 0.8), ("CHANGELOG.md", 0.8)):
        assert scores(leg({"a.py#1": 0.8, f"{other}#1": 0.8})) == {"a.py": 1.0, other: pytest.approx(weight)}


def test_what_is_asked_for_by_its_kind_counts_like_others():
    found = leg({"a.py#1": 0.8, "tests/a.py#1": 0.8, "migrations/a.sql#1": 0.8, "CHANGELOG.md#1": 0.8})
    counted = scores(found, candidates=4, asks_for={"tests", "changelog"}.__contains__)
    assert counted == {
        "a.py": 1.0,
        "tests/a.py": 1.0,
        "migrations/a.sql": pytest.approx(0.8),
        "CHANGELOG.md": pytest.approx(0.9),  # still a document
    }


def test_what_a_test_proves_counts_a_little_less_too():
    path = "tests/a.py"
    found = scores(leg({"tests/a.py#1": 0.8}), Proof({("shop", path): 0.5}))
    assert found[path] == pytest.approx((1 + 0.8 * 0.5) * 0.8)


def test_votes_are_weighed_and_added():
    found = scores(leg({"a.py#1": 0.4, "b.py#1": 0.8}), Proof({A: 0.5}))
    assert found == {"a.py": pytest.approx(0.4 / 0.8 + 0.8 * 0.5), "b.py": pytest.approx(1.0)}  # .9 and 1


def test_a_file_that_votes_alone_name_has_the_lowest_of_the_scores():
    proof = Proof({C: 0.5}, {C: "service till of shop calls service ledger"}, {C: 7})
    found = ranking(leg({"a.py#1": 0.8, "b.py#1": 0.2}), proof)["c.py"]
    assert found.score == pytest.approx(0.2 / 0.8 + 0.8 * 0.5)  # .65
    assert (found.chunks, found.because, found.line) == ((), "service till of shop calls service ledger", 7)


def test_what_introduces_a_project_is_before_all_else():
    found = ranking(leg({"a.py#1": 0.8, "b.py#1": 0.2}), introducing=[C, B])
    assert list(found) == ["c.py", "b.py", "a.py"]  # 1.01 of the best, both
    assert found["c.py"].score == found["b.py"].score == pytest.approx(1.01)
    assert (found["b.py"].chunks, found["c.py"].chunks) == (("b.py#1",), ())


def test_votes_decide_where_nothing_else_was_found():
    assert scores({}, Proof({A: 0.5, B: 0.25})) == {"a.py": pytest.approx(0.4), "b.py": pytest.approx(0.2)}
    assert scores({}) == {}


def test_the_project_in_hand_multiplies_all_of_a_score():
    probe = leg({"a.py#1": 0.5, "bank:c.py#1": 0.5})
    found = scores(probe, Proof({A: 0.5, C: 0.5}), in_hand="bank")
    assert found == {"c.py": pytest.approx((1 + 0.4) * 1.05), "a.py": pytest.approx(1.4)}


def test_the_projects_of_a_scope_multiply_their_files_and_the_others_stay():
    given = leg({"a.py#1": 0.8, "bank:c.py#1": 0.8})
    assert scores(given, scope=frozenset({"bank"})) == {"c.py": pytest.approx(1.1), "a.py": 1.0}


def test_a_files_chunks_are_told_best_first_with_their_share():
    found = ranking(leg({"a.py#1": 0.4, "a.py#5": 0.8}, {"a.py#1": 1.0, "a.py#5": 1.0}))["a.py"]
    assert found.chunks == ("a.py#5", "a.py#1")
    assert found.share("a.py#5") == 1.0
    assert found.share("a.py#1") == pytest.approx(0.5 * 0.4 / 0.8 + 0.5 * 1)  # .75


def test_chunks_that_hold_nothing_have_a_share_all_the_same():
    found = ranking(leg({"a.py#1": 0.0, "b.py#1": 0.0}, {"b.py#1": 1.0}))
    assert found["a.py"].share("a.py#1") == 1.0
    assert found["a.py"].score == 0.0


def test_ties_are_in_the_order_of_project_and_path():
    found = rank_files(leg({"b.py#1": 0.5, "a.py#1": 0.5, "bank:c.py#1": 0.5}), Proof(), VectorSettings())
    assert [one.file for one in found] == [C, A, B]


def test_proof_is_of_what_may_be_seen_alone():
    statement = found(0.5, "a.py", Evidence("r", "bank", "c.py", 9))
    given = [EvidenceFile("shop", "b.py", 0.5, "defines it"), EvidenceFile("bank", "c.py", 1.0, "defines it")]
    proof = Proof.of([statement], given, frozenset({"shop"}))
    assert proof.votes == {A: pytest.approx(1 - exp(-(0.5**3))), B: 0.5}
    wide = Proof.of([statement], given, frozenset({"shop", "bank"}))
    assert wide.votes[C] == pytest.approx(1.0)
    assert wide.lines == {A: 3, C: 9}
    assert wide.reasons[C] == "defines it"


def test_a_given_file_and_a_statement_speak_independently():
    proof = Proof.of([found(1.0, "a.py")], [EvidenceFile("shop", "a.py", 0.5, "x")], frozenset({"shop"}))
    assert proof.votes[A] == pytest.approx(1 - exp(-1) * 0.5)  # .8161


def test_the_strongest_statement_is_a_files_reason():
    strong = found(0.9, "a.py")
    weak = FoundStatement(replace(strong.relation, type="READS", lines=(1,)), 0.2)
    proof = Proof.of([strong, weak], (), frozenset({"shop"}))
    assert (proof.reasons[A], proof.lines[A]) == ("service till of shop calls service ledger of bank", 3)
