"""Who wins, by which strategy, and what is marked."""

from __future__ import annotations

import pytest

from memory.errors import InvalidInputError
from merging.conflicts import Conflict, detect_conflicts
from merging.resolution import checked_strategies, resolve, resolve_conflicts
from tests.merging.making import graph, text

FACTUAL = {
    "conflict_type": "factual",
    "resolution_strategy": "source_priority",
    "subject": "billing/t.id",
    "property": "type",
}
GRAPH, VECTOR, LOCAL = (
    graph("g", confidence=0.1),
    text("v", "v.sql:1-2", confidence=0.2),
    text("l", "l.md:1-2", kind="local", confidence=0.9),
)


def decide(observations, values, strategy="source_priority", conflict_type="factual"):
    conflict = Conflict(tuple(observations), **{**FACTUAL, "conflict_type": conflict_type}, values=tuple(values))
    marked, (decided,) = resolve(observations, [conflict], {**checked_strategies({}), conflict_type: strategy})
    return {o.content: o for o in marked}, decided


class TestFacts:
    @pytest.mark.specification("001 §5.4 factual", "001 §5.4 kept")
    def test_graph_before_vector_before_local(self):
        marked, decided = decide([LOCAL, VECTOR, GRAPH], ["text", "bigint", "uuid"])
        assert (decided.winner, decided.losers) == (GRAPH.id, (LOCAL.id, VECTOR.id))
        assert decided.resolution_strategy == "source_priority"
        assert decided.reason == (
            "text (billing/l.md:1-2); bigint (billing/v.sql:1-2); uuid (graph:kglite): for facts the graph comes before the vector."
        )
        assert [marked[c].superseded_by for c in "gvl"] == [None, GRAPH.id, GRAPH.id]
        assert [marked[c].confidence for c in "gvl"] == [0.1, 0.2, 0.9]
        assert all(o.metadata["conflict_detected"] is True for o in marked.values())
        assert all(o.metadata["preferred_source"] == "graph:kglite" for o in marked.values())
        assert decide([LOCAL, VECTOR], ["a", "b"])[1].winner == VECTOR.id

    @pytest.mark.specification("001 §5.4 factual")
    def test_at_equal_priority_the_higher_confidence(self):
        low, high = text("low", "a.md:1-2", confidence=0.3), text("high", "b.md:1-2", confidence=0.4)
        _, decided = decide([low, high], ["a", "b"])
        assert (decided.winner, decided.resolution_strategy) == (high.id, "highest_confidence")
        assert decided.reason.endswith("billing/b.md:1-2 has the highest confidence.")

    @pytest.mark.specification("001 §5.4 factual", "001 §5.4 latest_wins", "001 §5.4 highest_confidence")
    def test_at_equal_priority_the_newest_where_all_are_dated(self):
        old = text("old", "a.md:1-2", confidence=0.9, metadata={"last_updated": 1})
        new = text("new", "b.md:1-2", confidence=0.3, metadata={"last_updated": 2})
        marked, decided = decide([old, new], ["a", "b"])
        assert (decided.winner, decided.resolution_strategy) == (new.id, "latest_wins")
        assert decided.reason.endswith("billing/b.md:1-2 is the newest.")
        assert (marked["old"].superseded_by, marked["old"].confidence) == (new.id, 0.9)
        undated = text("undated", "c.md:1-2", confidence=0.4)
        _, decided = decide([old, new, undated], ["a", "b", "c"])
        assert (decided.winner, decided.resolution_strategy) == (old.id, "highest_confidence")

    def test_of_two_that_are_the_newest_the_higher_confidence(self):
        given = [
            text(f"{n}", f"{n}.md:1-2", confidence=confidence, metadata={"last_updated": time})
            for n, (confidence, time) in enumerate([(0.4, 2), (0.3, 2), (0.9, 1)])
        ]
        _, decided = decide(given, ["a", "b", "c"])
        assert (decided.winner, decided.resolution_strategy) == (given[0].id, "highest_confidence")

    def test_only_the_best_sources_times_count(self):
        dated = [text(f"{n}", f"{n}.md:1-2", confidence=0.5 - n / 10, metadata={"last_updated": n}) for n in (1, 2)]
        undated, lesser = text("u", "u.md:1-2", confidence=0.1), text("l", "l.md:1-2", kind="local")
        _, decided = decide([*dated, lesser], ["a", "b", "c"])  # the undated one is a lesser source
        assert (decided.winner, decided.resolution_strategy) == (dated[1].id, "latest_wins")
        late = text("late", "x.md:1-2", kind="local", metadata={"last_updated": 9})
        _, decided = decide([*dated, undated, late], ["a", "b", "c", "d"])  # one of the best has no date
        assert (decided.winner, decided.resolution_strategy) == (dated[0].id, "highest_confidence")

    def test_a_newer_one_of_a_lesser_source_does_not_win(self):
        dated = text("dated", "a.md:1-2", kind="local", confidence=0.9, metadata={"last_updated": 2})
        _, decided = decide([dated, VECTOR], ["a", "b"])
        assert (decided.winner, decided.resolution_strategy) == (VECTOR.id, "source_priority")

    def test_at_equal_confidence_the_smaller_id(self):
        first, second = text("1", id="a"), text("2", id="b")
        decided = decide([second, first], ["x", "y"])[1]
        assert (decided.winner, decided.resolution_strategy) == ("a", "highest_confidence")
        assert decided.reason.endswith("nothing tells them apart, and vector:qdrant is taken.")

    def test_who_agrees_with_the_winner_does_not_lose(self):
        _, decided = decide([LOCAL, VECTOR, GRAPH], ["uuid", "bigint", "uuid"])
        assert decided.losers == (VECTOR.id,)
        assert decided.reason.startswith("uuid (billing/l.md:1-2, graph:kglite); bigint")

    def test_an_unknown_kind_comes_last(self):
        note = text("n", kind="wiki", confidence=1.0)
        assert decide([note, LOCAL], ["a", "b"])[1].winner == LOCAL.id


class TestTimes:
    @pytest.mark.specification("001 §5.4 temporal", "001 §5.4 latest_wins", "001 §5.4 kept")
    def test_the_newest_wins_and_the_others_are_halved(self):
        old, new = (text(f"retry {n}", "a.md:1-1", confidence=0.8, metadata={"last_updated": n}) for n in (1, 2))
        marked, (decided,) = resolve([old, new], detect_conflicts([old, new]))
        assert (decided.winner, decided.losers, decided.resolution_strategy) == (new.id, (old.id,), "latest_wins")
        assert [(o.confidence, o.superseded_by) for o in marked] == [(0.4, new.id), (0.8, None)]
        assert decided.reason.endswith("billing/a.md:1-1 is the newest.")
        assert [o.confidence for o in decided.observations] == [0.8, 0.4]

    @pytest.mark.specification("001 §5.4 highest_confidence")
    def test_of_two_newest_versions_the_surer_wins_and_the_other_does_not_lose(self):
        said = [("nine", 2, 0.3), ("five", 2, 0.8), ("two", 1, 0.9)]
        given = [text(word, "a.md:1-1", confidence=sure, metadata={"last_updated": time}) for word, time, sure in said]
        marked, (decided,) = resolve(given, detect_conflicts(given))
        assert (decided.winner, decided.losers) == (given[1].id, (given[2].id,))
        assert [o.metadata["conflict_detected"] for o in marked] == [True, True, True]

    def test_halved_once_however_often_it_loses(self):
        old, new = (text(f"retry {n}", "a.md:1-1", confidence=0.8, metadata={"last_updated": n}) for n in (1, 2))
        marked, _ = resolve([old, new], detect_conflicts([old, new]) * 2)
        assert marked[0].confidence == 0.4

    @pytest.mark.specification("001 §5.4 latest_wins")
    def test_latest_wins_for_facts_when_asked(self):
        old, new = (text(f"{n}", "a.md:1-1", confidence=0.9 - n / 10, metadata={"last_updated": n}) for n in (1, 2))
        marked, decided = decide([old, new], ["a", "b"], "latest_wins")
        assert (decided.winner, marked["1"].confidence) == (new.id, 0.8)

    def test_without_times_confidence_decides_and_says_so(self):
        _, decided = decide([LOCAL, GRAPH], ["a", "b"], "latest_wins")
        assert (decided.winner, decided.resolution_strategy) == (LOCAL.id, "highest_confidence")


class TestOtherStrategies:
    @pytest.mark.specification("001 §5.4 highest_confidence")
    def test_highest_confidence(self):
        _, decided = decide([LOCAL, VECTOR, GRAPH], ["a", "b", "c"], "highest_confidence")
        assert (decided.winner, decided.losers, decided.resolution_strategy) == (
            LOCAL.id,
            (VECTOR.id, GRAPH.id),
            "highest_confidence",
        )

    @pytest.mark.specification("001 §5.4 include_both", "001 §5.4 kept")
    def test_include_both(self):
        marked, decided = decide([LOCAL, GRAPH], ["a", "b"], "include_both")
        assert (decided.winner, decided.losers, decided.needs_user) == (None, (), False)
        assert (decided.resolution_strategy, decided.question) == ("include_both", "")
        assert decided.reason == "a (billing/l.md:1-2); b (graph:kglite): both are kept."
        assert all(o.superseded_by is None and o.metadata["conflict_detected"] is True for o in marked.values())
        assert all("preferred_source" not in o.metadata for o in marked.values())

    @pytest.mark.specification("001 §5.4 ask_user", "001 §5.4 kept")
    def test_ask_user_keeps_both_and_asks(self):
        marked, decided = decide([LOCAL, GRAPH], ["text", "uuid"], "ask_user")
        assert (decided.winner, decided.losers, decided.needs_user) == (None, (), True)
        assert decided.resolution_strategy == "ask_user"
        assert decided.question == "billing/t.id, type: text (billing/l.md:1-2); uuid (graph:kglite). Which holds?"
        assert decided.reason == "text (billing/l.md:1-2); uuid (graph:kglite): for you to say."
        assert {o.confidence for o in marked.values()} == {0.9, 0.1}

    @pytest.mark.specification("001 §5.4 latest_wins", "001 §5.4 highest_confidence", "001 §5.4 include_both")
    def test_by_type(self):
        defaults = {"temporal": "latest_wins", "factual": "source_priority", "scope": "include_both"}
        assert checked_strategies({}) == defaults
        assert checked_strategies({"factual": "ask_user"}) == {**defaults, "factual": "ask_user"}

    def test_unknown_ones_are_refused_with_the_known(self):
        with pytest.raises(InvalidInputError) as wrong:
            checked_strategies({"facts": "ask_user"})
        assert str(wrong.value) == "No conflict type 'facts'. Known: factual, scope, temporal."
        with pytest.raises(InvalidInputError) as wrong:
            checked_strategies({"factual": "newest"})
        assert str(wrong.value) == (
            "No conflict strategy 'newest'. "
            "Known: ask_user, highest_confidence, include_both, latest_wins, source_priority."
        )


class TestTogether:
    def test_detected_and_resolved_in_the_order_given(self):
        schema = text("CREATE TABLE t (id UUID)", "a.sql:1-2", confidence=0.9)
        document = text("```sql\nCREATE TABLE t (id INT)\n```", "a.md:1-3", confidence=0.5)
        bystander = text("x", "b.md:1-2")
        found = resolve_conflicts([document, bystander, schema])
        assert [o.superseded_by for o in found] == [schema.id, None, None]
        assert found[1] is bystander
        asked = resolve_conflicts([document, schema], {"factual": "ask_user"})
        assert [o.superseded_by for o in asked] == [None, None]

    def test_the_first_to_supersede_is_named(self):
        winners = [graph("a"), graph("b")]
        conflicts = [Conflict((w, LOCAL), **FACTUAL, values=("x", "y")) for w in winners]
        marked, _ = resolve([*winners, LOCAL], conflicts)
        assert marked[2].superseded_by == winners[0].id
