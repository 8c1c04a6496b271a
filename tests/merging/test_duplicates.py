"""What is folded into what, and what never is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.entities import Entity, Relationship
from memory.observations import Duplicate, Location
from merging.claims import read_claims
from merging.conflicts import file_of
from merging.duplicates import deduplicate_observations, fold, is_instruction
from tests.merging.making import graph, text


def contents(observations):
    return [o.content for o in observations]


class TestEqualTexts:
    @pytest.mark.specification("001 §2.2 step 4", "001 §5.2 threshold")
    def test_fold_across_projects_and_lend_their_places(self):
        best = text("retry three times", "a.md:1-2", confidence=0.9, project="billing")
        twin = text("retry  three\ntimes", "b.md:7-8", confidence=0.4, project="auth")
        (kept,) = deduplicate_observations([twin, best])
        assert kept.id == best.id
        assert kept.duplicates == (Duplicate("vector:qdrant", Location("auth", "b.md", 7, 8), 1.0),)
        assert kept.locations == (Location("billing", "a.md", 1, 2), Location("auth", "b.md", 7, 8))

    def test_lend_each_place_once(self):
        places = (Location("auth", "b.md", 7, 8), Location("billing", "a.md", 1, 2))
        given = [text("same", "a.md:1-2", confidence=0.9), text("same", locations=places, project="auth")]
        (kept,) = deduplicate_observations(given)
        assert kept.locations == (places[1], places[0])

    @pytest.mark.specification("001 §5.2 best")
    def test_lend_their_date_where_what_is_kept_has_none(self):
        plain, dated = (text("a rule", "a.md:1-2", metadata=metadata) for metadata in ({}, {"last_updated": 1}))
        other = text("## S\nUpdated: 2024-01-01", "a.md:1-2")  # of another day, so it is not folded
        once = deduplicate_observations([plain, dated, other])
        assert [o.metadata.get("last_updated") for o in once if o.content == "a rule"] == [1]
        assert deduplicate_observations(once) == once

    @pytest.mark.specification("001 §5.2 boost")
    def test_are_no_agreement_and_no_confidence(self):
        given = [
            text("same words", "a.md:1-2", confidence=0.4),
            text("same words", "b.md:1-2", kind="local", project="auth", confidence=0.4),
        ]
        (kept,) = deduplicate_observations(given)
        assert (kept.corroborated_by, kept.confidence) == ((), 0.4)

    def test_without_a_place(self):
        (kept,) = deduplicate_observations([text("note", confidence=0.6), text("note", confidence=0.5)])
        assert kept.duplicates == (Duplicate("vector:qdrant", None, 1.0),)

    def test_of_a_graph_with_several_places(self):
        places = (Location("b", "x.py", 1, 1), Location("b", "y.py", 2, 2))
        (kept,) = deduplicate_observations([graph("A calls B", confidence=0.9), graph("A calls B", locations=places)])
        assert kept.duplicates == tuple(Duplicate("graph:kglite", at, 1.0) for at in places)


class TestSameLines:
    @pytest.mark.specification("001 §5.2 threshold")
    def test_are_one_observation_whoever_found_them(self):
        local = text("rule one", "docs/rules.md:3-9", kind="local", confidence=0.5)
        vector = text("rule one, longer", "docs/rules.md:3-12", confidence=0.6)
        (kept,) = deduplicate_observations([local, vector])
        assert kept.content == "rule one, longer"
        assert kept.locations == vector.locations  # another text lends no place
        assert kept.duplicates == (Duplicate("local:docs/rules.md", Location("billing", "docs/rules.md", 3, 9), 0.0),)
        assert kept.corroborated_by == ()

    @pytest.mark.specification("001 §5.2 threshold")
    def test_six_tenths_is_enough_and_less_is_not(self):
        first = text("one", "a.md:1-10")
        assert len(deduplicate_observations([first, text("two", "a.md:5-14", kind="local")])) == 1
        assert len(deduplicate_observations([first, text("two", "a.md:6-15", kind="local")])) == 2

    @pytest.mark.specification("001 §5.2 threshold")
    def test_the_first_place_is_the_one_it_was_read_from(self):
        here, there = Location("billing", "a.md", 1, 9), Location("billing", "a.md", 40, 49)
        given = [text("one", locations=(here, there)), text("two", locations=(there, here))]
        assert len(deduplicate_observations(given)) == 2
        assert len(deduplicate_observations([given[0], text("three", "a.md:1-9", kind="local")])) == 1

    @pytest.mark.specification("001 §5.2 threshold")
    def test_what_is_an_equal_text_of_one_and_in_the_lines_of_another_folds_into_the_better(self):
        given = [
            text("retry, and log it", "b.md:1-10", confidence=0.95, kind="local"),
            text("retry", "a.md:1-10", confidence=0.9, project="auth"),
            text("retry", "b.md:1-10", confidence=0.8),
        ]
        assert [len(o.duplicates) for o in deduplicate_observations(given)] == [1, 0]

    @pytest.mark.specification("001 §5.2 threshold")
    def test_of_a_place_that_an_equal_text_lent_are_folded_too(self):
        best = text("retry", "a.md:1-10", confidence=0.9)
        twin = text("retry", "b.md:1-10", confidence=0.8, project="auth")
        longer = text("retry, and log it", "b.md:1-10", confidence=0.7, project="auth", kind="local")
        (kept,) = deduplicate_observations([best, twin, longer])
        assert kept.locations == (best.locations[0], twin.locations[0])

    def test_of_one_text_with_lines_and_without(self):
        for known, unknown in ((0.9, 0.5), (0.5, 0.9)):
            given = [
                text("rule", "CLAUDE.md:3-9", confidence=known),
                text("rule", "CLAUDE.md", kind="local", confidence=unknown),
            ]
            assert len(deduplicate_observations(given)) == 1

    def test_of_another_project_or_file_are_not(self):
        given = [text("one", "a.md:1-9"), text("two", "a.md:1-9", project="auth"), text("three", "b.md:1-9")]
        assert len(deduplicate_observations(given)) == 3

    def test_what_the_graph_says_of_them_is_another_statement(self):
        given = [text("code", "a.py:1-9"), graph("A calls B", locations=(Location("billing", "a.py", 4, 4),))]
        assert len(deduplicate_observations(given)) == 2


class TestNearDuplicates:
    @pytest.mark.specification("001 §5.2 threshold")
    def test_agree_from_the_threshold_and_are_not_folded(self):
        first = text("a b", "a.md:1-2", vector=[3.0, 4.0], confidence=0.9)
        second = text("c d", "b.md:1-2", project="auth", vector=[4.0, 3.0])  # 24 / 25
        kept = deduplicate_observations([first, second], 0.96)
        assert [(o.content, o.corroborated_by, o.duplicates) for o in kept] == [
            ("a b", ("vector:auth",), ()),
            ("c d", ("vector:billing",), ()),
        ]
        assert [o.corroborated_by for o in deduplicate_observations([first, second], 0.961)] == [(), ()]

    @pytest.mark.specification("001 §5.2 threshold")
    def test_the_default_threshold_is_the_specifications(self):
        first = text("a b", vector=[1.0, 0.0])
        above = text("c d", project="auth", vector=[0.851, 0.5251])
        below = text("e f", project="auth", vector=[0.849, 0.5284])
        assert all(o.corroborated_by for o in deduplicate_observations([first, above]))
        assert not any(o.corroborated_by for o in deduplicate_observations([first, below]))

    def test_inside_one_project_are_both_shown(self):
        given = [text("a b", "a.md:1-2", vector=[1.0, 0.0]), text("a c", "b.md:1-2", vector=[1.0, 0.0])]
        assert sorted(contents(deduplicate_observations(given))) == ["a b", "a c"]

    def test_never_across_projects_but_they_agree(self):
        billing, auth = text("a b", vector=[3.0, 4.0]), text("c d", vector=[4.0, 3.0], project="auth")
        kept = deduplicate_observations([billing, auth])
        assert {o.id: o.corroborated_by for o in kept} == {billing.id: ("vector:auth",), auth.id: ("vector:billing",)}
        assert all(o.duplicates == () for o in kept)

    def test_of_copies_that_agree_the_best_speaks(self):
        # instruction files are not merged with their copies, which are one source all the same
        first = text("use uuid keys", "docs/a.md:1-2", vector=[1.0, 0.0], confidence=0.9)
        copies = [
            text("keys are uuids", "CLAUDE.md:1-2", project=project, vector=[1.0, 0.0], confidence=confidence)
            for project, confidence in (("auth", 0.3), ("crm", 0.4), ("web", 0.2))
        ]
        kept = deduplicate_observations([first, *copies])
        assert kept[0].corroborated_by == ("vector:crm",)

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_agreement_is_mutual_and_the_best_of_one_source_speaks_for_it(self):
        billing, auth = (
            text("use uuid keys", "CLAUDE.md:1-2", project=project, vector=[1.0, 0.0], confidence=confidence)
            for project, confidence in (("billing", 0.9), ("auth", 0.8))
        )
        crm = text("use uuids", "CLAUDE.md:1-2", project="crm", vector=[1.0, 0.0], confidence=0.7)
        kept = deduplicate_observations([billing, auth, crm])
        assert [o.corroborated_by for o in kept] == [("vector:crm",), (), ("vector:billing",)]

    def test_folded_ones_that_do_not_agree_are_no_corroboration(self):
        # the same lines found twice, told differently: 0.0 alike
        given = [text("rule one", "a.md:1-9", confidence=0.9), text("another", "a.md:1-9", kind="local")]
        other = text("rule one", "b.md:1-9", project="auth")
        (kept,) = deduplicate_observations([*given, other])
        assert (kept.corroborated_by, len(kept.duplicates)) == ((), 2)

    @pytest.mark.specification("001 §1 local")
    def test_a_file_as_it_is_now_stands_for_what_was_indexed_of_it(self):
        now = text("three reviewers", "CLAUDE.md:3-6", kind="local", metadata={"fresh": True})
        indexed = text("two reviewers", "CLAUDE.md:3-6", confidence=0.9)
        given = [text("one", "b.md:1-9", confidence=0.7), indexed, now, text("another", "c.md:1-9", confidence=0.3)]
        kept = deduplicate_observations(given)
        assert [(o.content, o.confidence) for o in kept] == [("one", 0.7), ("three reviewers", 0.5), ("another", 0.3)]
        assert kept[1].duplicates == (Duplicate("vector:qdrant", Location("billing", "CLAUDE.md", 3, 6), 0.0),)

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_of_another_kind_corroborate(self):
        given = [
            text("a b", "a.md:1-2", vector=[1.0, 0.0], confidence=0.9),
            text("c d", "b.md:1-2", kind="local", vector=[1.0, 0.0]),
        ]
        kept = deduplicate_observations(given)
        assert [(o.corroborated_by, o.confidence) for o in kept] == [
            (("local:billing",), 0.9),
            (("vector:billing",), 0.5),
        ]

    @pytest.mark.specification("001 §5.2 threshold")
    def test_by_words_without_vectors(self):
        words = "one two three four five six seven eight nine".split()  # noqa: SIM905 - nine words read easier so
        given = [text(" ".join(words), confidence=0.9), text(" ".join(words[:8]), project="auth")]  # 4 of 5 sequences
        assert [o.corroborated_by for o in deduplicate_observations(given)] == [("vector:auth",), ("vector:billing",)]
        shorter = [given[0], text(" ".join(words[:7]), project="auth")]  # 3 of 5
        assert [o.corroborated_by for o in deduplicate_observations(shorter)] == [(), ()]
        long = [f"w{n}" for n in range(40)]
        for other, agreeing in ((["x", *long[1:]], 2), (["x", *long[1:-1], "y"], 0)):  # begins, or ends, with the same
            pair = [text(" ".join(long), confidence=0.9), text(" ".join(other), project="auth")]
            assert sum(bool(o.corroborated_by) for o in deduplicate_observations(pair)) == agreeing


class TestWhatIsKept:
    @pytest.mark.specification("001 §5.2 best")
    def test_the_best_then_the_smaller_id(self):
        given = [
            text("x", id="b", confidence=0.5),
            text("x", id="a", confidence=0.5),
            text("x", id="c", confidence=0.4),
        ]
        assert deduplicate_observations(given)[0].id == "a"
        assert deduplicate_observations([*given, text("x", id="z", confidence=0.6)])[0].id == "z"

    def test_its_copies_best_first(self):
        given = [text("x", f"{n}.md:1-2", confidence=n / 10) for n in (3, 9, 5, 7)]
        (kept,) = deduplicate_observations(given)
        assert [copy.location.path for copy in kept.duplicates] == ["7.md", "5.md", "3.md"]

    def test_best_first(self):
        given = [text("a", confidence=0.1), text("b", confidence=0.3), text("c", confidence=0.2)]
        assert contents(deduplicate_observations(given)) == ["b", "c", "a"]

    @pytest.mark.specification("001 §5.2 best")
    def test_gains_what_its_copies_know(self):
        edges = [Relationship(Entity(name), "CALLS", Entity("X")) for name in "AB"]
        first = graph(
            "same", confidence=0.9, entities_mentioned=("A", "X"), relationships=(edges[0],), attention_weight=0.2
        )
        second = graph(
            "same",
            project="auth",
            entities_mentioned=("X", "B"),
            relationships=(edges[0], edges[1]),
            attention_weight=0.8,
        )
        (kept,) = deduplicate_observations([first, second])
        assert kept.entities_mentioned == ("A", "X", "B")
        assert kept.relationships == tuple(edges)
        assert kept.attention_weight == 0.8

    def test_is_a_belief_when_a_copy_is(self):
        unsure, sure = text("x", confidence=0.9, believed=False), text("x", project="auth")
        assert deduplicate_observations([unsure, sure])[0].is_belief_candidate is True
        assert deduplicate_observations([unsure])[0].is_belief_candidate is False

    def test_takes_over_the_copies_of_its_copies(self):
        earlier = Duplicate("local:c.md", None, 1.0)
        given = [
            text("x", confidence=0.9, duplicates=(earlier,)),
            text("x", project="auth", duplicates=(earlier, earlier)),
        ]
        (kept,) = deduplicate_observations(given)
        assert kept.duplicates == (earlier, Duplicate("vector:qdrant", None, 1.0), earlier, earlier)

    def test_one_thing_reported_twice_does_not_go_by_arrival(self):
        given = [text("x", metadata={"chunk_context": context}) for context in "ba"]
        assert deduplicate_observations(given) == deduplicate_observations(given[::-1])
        assert deduplicate_observations(given)[0].metadata["chunk_context"] == "a"

    def test_nothing_of_nothing(self):
        assert deduplicate_observations([]) == []


class TestInstructions:
    @pytest.mark.specification("001 §5.2 threshold")
    @pytest.mark.parametrize("path", ["CLAUDE.md", "services/a/AGENTS.md"])
    def test_are_never_merged_with_copies_or_near_ones(self, path):
        given = [
            text("use uuid keys", f"{path}:1-2", kind="local", vector=[1.0, 0.0]),
            text("use uuid keys", f"{path}:1-2", project="auth", vector=[1.0, 0.0]),
            text("use uuid keys", "docs/a.md:1-2", vector=[1.0, 0.0]),
            text("use  uuids", f"{path}:5-6", vector=[1.0, 0.0]),
        ]
        assert len(deduplicate_observations(given)) == 4

    @pytest.mark.specification("001 §5.2 threshold")
    def test_are_merged_with_the_same_lines(self):
        given = [text("use uuid keys", "CLAUDE.md:3-9", kind="local"), text("use uuid keys", "CLAUDE.md:3-9")]
        (kept,) = deduplicate_observations(given)
        assert kept.duplicates[0].location == Location("billing", "CLAUDE.md", 3, 9)
        assert kept.corroborated_by == ()

    def test_without_lines_the_same_text_of_the_same_file(self):
        given = [
            text("use uuids", "CLAUDE.md", kind="local"),
            text("use uuids", "CLAUDE.md"),
            text("others", "CLAUDE.md"),
        ]
        assert len(deduplicate_observations(given)) == 2

    def test_one_that_has_changed_takes_its_own_place_alone(self):
        places = (Location("billing", "CLAUDE.md", 3, 5), Location("auth", "CLAUDE.md", 3, 5))
        both = text("two reviewers", "CLAUDE.md:3-5", confidence=0.9, locations=places)
        now = text("three reviewers", "CLAUDE.md:3-5", kind="local", confidence=0.6, metadata={"fresh": True})
        indexed, fresh = deduplicate_observations([both, now])
        assert (indexed.content, indexed.locations, indexed.source_project) == ("two reviewers", places[1:], "auth")
        assert (fresh.content, fresh.duplicates) == ("three reviewers", ())

    def test_a_file_as_it_is_now_does_not_contradict_itself_as_it_was(self):
        def said(port, kind, **more):
            content = f"The settings, `config/app.yaml`:\n```yaml\nserver:\n  port: {port}\n```\n"
            return text(content, "CLAUDE.md:3-8", kind=kind, **more)

        old, now = said(8080, "vector", confidence=0.9), said(9090, "local", metadata={"fresh": True})
        assert [claim.value for one in (old, now) for claim in read_claims(one)] == ["8080", "9090"]
        [kept], conflicts = fold([old, now], 0.85)
        assert (kept.content, conflicts, [copy.source for copy in kept.duplicates]) == (now.content, [], [old.source])

    def test_what_was_indexed_of_a_changed_place_is_no_copy_of_a_twin_elsewhere(self):
        twin = text("two reviewers", "CLAUDE.md:3-5", confidence=0.9, project="auth")
        old = text("two reviewers", "docs/a.md:3-5")
        now = text("three reviewers", "docs/a.md:3-5", kind="local", confidence=0.6, metadata={"fresh": True})
        kept, fresh = deduplicate_observations([twin, old, now])
        assert [at.project for at in kept.locations] == ["auth"]
        assert (fresh.content, [copy.source for copy in fresh.duplicates]) == ("three reviewers", [old.source])

    def test_are_known_by_their_files_name(self):
        assert is_instruction(text("x", "a/CLAUDE.md:1-2"))
        assert not is_instruction(text("x", "a/MYCLAUDE.md:1-2"))
        assert not is_instruction(graph("x", locations=(Location("p", "CLAUDE.md", 1, 1),)))


def ddl(kind, name=""):
    return text(f"CREATE TABLE t (id {kind} NOT NULL)", f"{name or kind}.sql:1-2", vector=[1.0, 0.0])


class TestContradictions:
    @pytest.mark.specification("001 §5.2 threshold")
    def test_are_not_duplicates(self):
        kept = deduplicate_observations([ddl("UUID"), ddl("BIGINT")])
        assert len(kept) == 2
        assert all(o.corroborated_by == () for o in kept)

    def test_only_of_beliefs(self):
        given = [ddl(kind) for kind in ("UUID", "BIGINT")]
        doubted = replace(ddl("TEXT"), is_belief_candidate=False)
        kept = deduplicate_observations([*given, replace(doubted, source_project="auth")])
        # the doubted one is on no side, and states what neither of those does
        assert [o.corroborated_by for o in kept] == [(), (), ()]

    def test_a_side_still_agrees_with_what_says_the_same_elsewhere(self):
        uuid, bigint, elsewhere = ddl("UUID"), ddl("BIGINT"), ddl("UUID", "a")
        elsewhere = replace(
            elsewhere,
            content=f"{elsewhere.content};",
            content_hash="other",
            source_project="auth",
            locations=(Location("auth", "a.sql", 1, 2),),
        )
        agreed = {o.id: o.corroborated_by for o in deduplicate_observations([uuid, bigint, elsewhere])}
        assert agreed == {uuid.id: ("vector:auth",), bigint.id: (), elsewhere.id: ("vector:billing",)}

    def test_sides_fold_into_what_stands_with_them_alone(self):
        one, again, other = ddl("UUID", "a"), ddl("UUID", "b"), ddl("BIGINT", "c")
        silent = text("CREATE TABLE s (", "d.sql:1-2", vector=[1.0, 0.0], confidence=0.99)
        kept = deduplicate_observations([one, again, other, silent])
        assert len(kept) == 3
        assert [len(o.duplicates) for o in kept if "UUID" in o.content] == [1]

    @pytest.mark.specification("001 §5.2 threshold")
    def test_a_copy_in_another_project_does_not_take_a_side_away(self):
        best = replace(
            ddl("UUID"), source_project="auth", id="auth", confidence=0.9, locations=(Location("auth", "a.sql", 1, 2),)
        )
        assert len(deduplicate_observations([ddl("UUID"), best])) == 1
        assert len(deduplicate_observations([ddl("UUID"), ddl("BIGINT"), best])) == 3

    def test_the_same_lines_at_two_times_are_not_merged(self):
        old = text("retry three times", "a.md:1-1", metadata={"last_updated": 1})
        new = text("retry five times", "a.md:1-1", kind="local", metadata={"last_updated": 2})
        assert len(deduplicate_observations([old, new])) == 2

    def test_copies_of_the_newest_are_one_beside_an_older_state(self):
        old = text("retry three times", "a.md:1-1", metadata={"last_updated": 1})
        new = text("retry five times", "a.md:1-1", metadata={"last_updated": 2})
        again = text("retry five times", "a.md:1-1", kind="local", metadata={"last_updated": 2})
        kept, [conflict] = fold([old, again, new], 0.85)
        assert sorted(contents(kept)) == ["retry five times", "retry three times"]
        assert contents(conflict.observations) == ["retry five times", "retry three times"]


def test_the_file_of_an_observation():
    assert file_of(text("x", "a.md:1-2")) == ("billing", "a.md")
    assert file_of(text("x", "a.md", project=None)) == ("", "a.md")
    assert file_of(text("x")) is None
    assert file_of(text("x", locations=(Location("p", "a.md", 1, 1), Location("q", "b.md", 1, 1)))) == ("p", "a.md")
    assert file_of(graph("x", locations=(Location("p", "a.md", 1, 1),))) is None
