"""What contradicts, and above all what does not."""

from __future__ import annotations

import pytest

from memory.observations import Location
from merging.conflicts import Conflict, detect_conflicts, place_of
from tests.merging.making import graph, table, text


def ddl(kind, place="db/schema.sql:1-3", **fields):
    return text(f"CREATE TABLE customers (\n  id {kind} NOT NULL\n)", place, **fields)


def doc(kind, place="docs/schema.md:1-5", **fields):
    return text(f"# Schema\n```sql\nCREATE TABLE customers (id {kind})\n```\n", place, **fields)


class TestFactual:
    @pytest.mark.specification("001 §5.4 factual")
    def test_two_values_of_one_property_in_one_project(self):
        schema, document = ddl("UUID"), doc("BIGINT")
        (found,) = detect_conflicts([schema, document])
        assert (found.conflict_type, found.resolution_strategy) == ("factual", "source_priority")
        assert (found.subject, found.property) == ("billing/customers.id", "type")
        assert dict(zip((o.id for o in found.observations), found.values, strict=True)) == {
            schema.id: "uuid",
            document.id: "bigint",
        }
        assert (found.winner, found.losers, found.needs_user) == (None, (), False)

    @pytest.mark.specification("001 §5.4 factual")
    def test_projects_that_differ_are_variation(self):
        assert detect_conflicts([ddl("UUID"), ddl("TEXT", project="auth"), ddl("BIGINT", project="crm")]) == []

    def test_the_same_value_twice_is_agreement(self):
        assert detect_conflicts([ddl("UUID"), doc("uuid")]) == []

    def test_without_lines_too(self):
        (found,) = detect_conflicts([ddl("UUID", "db/schema.sql"), doc("BIGINT")])
        assert sorted(found.values) == ["bigint", "uuid"]
        unknown = graph("customers", metadata={"entities": [table("customers", "id TEXT", path="")]})
        (found,) = detect_conflicts([ddl("UUID"), unknown])
        assert sorted(found.values) == ["text", "uuid"]

    def test_another_subject_or_property(self):
        assert detect_conflicts([ddl("UUID"), text("CREATE TABLE customers (key BIGINT)", "b.sql:1-2")]) == []
        assert detect_conflicts([ddl("UUID"), text("CREATE TABLE orders (id BIGINT)", "b.sql:1-2")]) == []

    def test_what_is_no_belief_is_left_out(self):
        assert detect_conflicts([ddl("UUID"), doc("BIGINT", believed=False)]) == []

    def test_three_of_two_opinions_are_one_conflict(self):
        (found,) = detect_conflicts([ddl("UUID"), doc("BIGINT"), doc("uuid", "docs/other.md:1-5")])
        assert sorted(found.values) == ["bigint", "uuid", "uuid"]

    def test_environments_differ(self):
        given = [text("port: 5432\n", "config/dev.yaml:1-1"), text("port: 5433\n", "config/prod.yaml:1-1")]
        assert detect_conflicts(given) == []

    def test_a_file_does_not_contradict_itself(self):
        given = [
            text(f"metadata:\n  name: {n}\n", f"k8s/all.yaml:{line}-{line + 1}")
            for n, line in (("user", 1), ("orders", 9))
        ]
        assert detect_conflicts(given) == []
        same_lines = [
            text(f"metadata:\n  name: {n}\n", "k8s/all.yaml:1-2", kind=k)
            for n, k in (("user", "local"), ("orders", "vector"))
        ]
        assert len(detect_conflicts(same_lines)) == 1

    def test_a_file_that_is_unclear_has_no_word_against_others(self):
        unclear = [ddl("UUID"), ddl("TEXT", "db/schema.sql:9-11")]
        assert detect_conflicts([*unclear, doc("BIGINT")]) == []
        (found,) = detect_conflicts([*unclear, doc("BIGINT"), doc("TEXT", "docs/b.md:1-5")])
        assert sorted(found.values) == ["bigint", "text"]

    def test_a_document_about_a_setting(self):
        given = [
            text("retry:\n  max: 3\n", "config/app.yaml:1-2"),
            text("`config/app.yaml`:\n```yaml\nretry:\n  max: 5\n```\n", "README.md:1-5"),
        ]
        (found,) = detect_conflicts(given)
        assert (found.subject, found.property, sorted(found.values)) == (
            "billing/config/app.yaml",
            "retry.max",
            ["3", "5"],
        )

    def test_pins_of_one_folder_and_ports_of_one_service(self):
        pins = [text("httpx==0.27.0\n", "requirements.txt:1-1"), text('d = ["httpx==0.28.0"]', "pyproject.toml:1-1")]
        assert [c.property for c in detect_conflicts(pins)] == ["version"]
        first, second, apart = (
            text(f'  web:\n    ports: ["{p}:80"]\n', f"{f}:1-2")
            for p, f in ((1, "compose.yml"), (2, "docker-compose.yml"), (3, "infra/compose.yml"))
        )
        assert [(c.subject, c.property) for c in detect_conflicts([first, second])] == [("billing/web", "ports")]
        assert detect_conflicts([first, apart]) == []  # two stacks

    def test_prose_states_nothing(self):
        assert detect_conflicts([text("Use UUID keys.", "a.md:1-1"), text("Use BIGINT keys.", "b.md:1-1")]) == []

    def test_a_graphs_summary_says_what_its_lines_say(self):
        summary = graph("customers", metadata={"entities": [table("customers", "id BIGINT", lines=(1, 3))]})
        assert detect_conflicts([ddl("UUID"), summary]) == []
        assert len(detect_conflicts([ddl("UUID", "db/other.sql:1-3"), summary])) == 1
        (found,) = detect_conflicts([ddl("UUID"), summary, doc("TEXT")])
        assert dict(zip((o.id for o in found.observations), found.values, strict=True))[summary.id] == "uuid"

    def test_the_order_is_their_own(self):
        given = [
            ddl("UUID"),
            doc("BIGINT"),
            text("httpx==1\n", "requirements.txt:1-1"),
            text('d = ["httpx==2"]', "pyproject.toml:1-1"),
        ]
        found = detect_conflicts(given)
        assert [c.subject for c in found] == ["billing/customers.id", "billing/httpx"]
        assert found == detect_conflicts(given[::-1])


def version(content, time, place="a.md:3-4", **fields):
    return text(content, place, metadata={"last_updated": time, **fields.pop("metadata", {})}, **fields)


class TestTemporal:
    @pytest.mark.specification("001 §5.4 temporal")
    @pytest.mark.parametrize("unit", [1, 1000])
    def test_seconds_or_milliseconds(self, unit):
        (found,) = detect_conflicts([version("retry 3 times", 1.7e9 * unit), version("retry 5 times", 1.71e9 * unit)])
        assert found.values == ("2024-03-09T16:00:00+00:00", "2023-11-14T22:13:20+00:00")

    @pytest.mark.parametrize("no_time", [float("inf"), float("nan"), -1e300, 10**400])
    def test_a_number_that_is_no_time_dates_nothing(self, no_time):
        assert detect_conflicts([version("retry 3 times", no_time), version("retry 5 times", 86400)]) == []

    @pytest.mark.specification("001 §5.4 temporal")
    def test_the_same_lines_at_two_times(self):
        old, new = version("retry 3 times", 86400), version("retry 5 times", 2 * 86400, kind="local")
        (found,) = detect_conflicts([old, new])
        assert (found.conflict_type, found.resolution_strategy) == ("temporal", "latest_wins")
        assert (found.subject, found.property) == ("billing/a.md:3-4", "text")
        assert [o.id for o in found.observations] == [new.id, old.id]
        assert found.values == ("1970-01-03", "1970-01-02")

    @pytest.mark.specification("001 §5.4 temporal")
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("retries: 5", "retries: 50"),
            ("Retries: 5 per call", "Retries: 5 per call, then give up"),
            ("a: 1\nb: 2", "b: 2"),
        ],
    )
    def test_a_text_that_holds_the_other_is_another_text_of_the_same_lines(self, old, new):
        (found,) = detect_conflicts([version(old, 1), version(new, 2)])
        assert [o.content for o in found.observations] == [new, old]

    def test_the_same_time_or_an_unknown_one_is_no_conflict(self):
        assert detect_conflicts([version("retry 3 times", 1), version("retry 5 times", 1)]) == []
        assert detect_conflicts([version("retry 3 times", 1), text("retry 5 times", "a.md:3-4")]) == []

    def test_cut_otherwise_is_no_other_text(self):
        whole = version("one\ntwo\nthree\nfour", 1, "a.md:1-4")
        assert detect_conflicts([whole, version("two\nthree", 2, "a.md:2-3")]) == []
        assert detect_conflicts([whole, version("two\nthree\n four\nfive", 2, "a.md:2-5")]) == []
        assert len(detect_conflicts([whole, version("two\nTHREE\nfour\nfive", 2, "a.md:2-5")])) == 1
        assert len(detect_conflicts([whole, version("two\nthree times", 2, "a.md:2-3")])) == 1
        assert len(detect_conflicts([whole, version("two\nthre", 2, "a.md:2-3")])) == 1

    def test_the_first_place_is_the_one_it_was_read_from(self):
        here, there = Location("billing", "a.md", 3, 4), Location("auth", "b.md", 3, 4)
        old = version("retry 3 times", 1)
        assert len(detect_conflicts([old, version("retry 5 times", 2, "", locations=(here, there))])) == 1
        assert len(detect_conflicts([version("retry 5 times", 0, "", locations=(here, there)), old])) == 1
        assert detect_conflicts([old, version("retry 5 times", 2, "", locations=(there, here))]) == []

    def test_two_places_of_one_file_rewritten_are_two(self):
        given = [
            version(f"{said} {n}", n, f"a.md:{line}-{line}") for line, said in ((1, "x"), (9, "y")) for n in (1, 2)
        ]
        found = detect_conflicts(given)
        assert [(c.subject, [o.content for o in c.observations]) for c in found] == [
            ("billing/a.md:1-1", ["x 2", "x 1"]),
            ("billing/a.md:9-9", ["y 2", "y 1"]),
        ]

    def test_other_lines_are_another_place(self):
        assert detect_conflicts([version("a\nb", 1, "a.md:1-2"), version("c\nd", 2, "a.md:8-9")]) == []

    def test_without_lines_the_section_tells(self):
        one = version("retry 3 times", 1, "a.md", metadata={"section": "Retries"})
        assert len(detect_conflicts([one, version("retry 5 times", 2, "a.md", metadata={"section": "Retries"})])) == 1
        assert (
            len(detect_conflicts([one, version("retry 3 times, no", 2, "a.md", metadata={"section": "Retries"})])) == 1
        )
        more = version("# Retries\nretry 3 times\n", 2, "a.md", metadata={"section": "Retries"})
        assert detect_conflicts([one, more]) == []  # cut otherwise
        assert detect_conflicts([one, version("retry 5 times", 2, "a.md", metadata={"section": "Other"})]) == []
        assert detect_conflicts([version("retry 3", 1, "a.md"), version("retry 5", 2, "a.md")]) == []
        assert detect_conflicts([one, version("retry 5", 2, "b.md", metadata={"section": "Retries"})]) == []
        assert (
            detect_conflicts([one, version("retry 5", 2, "a.md", project="auth", metadata={"section": "Retries"})])
            == []
        )

    @pytest.mark.specification("001 §5.4 temporal")
    def test_two_dated_sections_of_one_heading(self):
        def section(day, place, said, heading="Retention", **fields):
            content = f"## {heading}\n\nLast updated: {day}\n\n{said}\n"
            return text(content, place, metadata={"section": f"Messages > {heading}", **fields})

        new = section("2024-04-15", "keep.md:9-13", "Kept for 90 days.")
        old = section("2021-11-02", "keep.md:1-5", "Kept for 365 days.")
        (found,) = detect_conflicts([old, new])
        assert (found.conflict_type, found.subject, found.property) == (
            "temporal",
            "billing/keep.md",
            "Messages > Retention",
        )
        assert (found.observations, found.values) == ((new, old), ("2024-04-15", "2021-11-02"))
        assert detect_conflicts([new, section("2021-11-02", "keep.md:1-5", "Kept.", "Bounces")]) == []
        assert detect_conflicts([new, section("2021-11-02", "other.md:1-5", "Kept.")]) == []
        overlapping = section("2021-11-02", "keep.md:5-10", "Kept for 365 days.")
        assert detect_conflicts([new, overlapping]) == []  # a third of its lines: cut otherwise

    def test_pieces_of_a_long_section_are_no_versions_of_each_other(self):
        pieces = [version(f"piece {n}", n, f"a.md:{n}-{n}", metadata={"section": "Retries"}) for n in (1, 2)]
        assert detect_conflicts(pieces) == []

    def test_the_time_of_day_is_said_where_there_is_one(self):
        old, new = version("retry 3 times", 86400), version("retry 5 times", 2 * 86400 + 3600)
        assert detect_conflicts([old, new])[0].values == ("1970-01-03T01:00:00+00:00", "1970-01-02")

    def test_three_versions_are_one_conflict_with_the_newest_first(self):
        given = [version(f"retry {n} times", n) for n in (2, 3, 1)]
        (found,) = detect_conflicts(given)
        assert [o.content for o in found.observations] == ["retry 3 times", "retry 2 times", "retry 1 times"]

    @pytest.mark.specification("001 §5.4 highest_confidence")
    def test_of_two_that_are_the_newest_both_are_in_it(self):
        given = [version(f"retry {said} times", time) for said, time in (("five", 2), ("nine", 2), ("two", 1))]
        (found,) = detect_conflicts(given)
        assert sorted(o.content for o in found.observations[:2]) == ["retry five times", "retry nine times"]
        assert found.observations[2].content == "retry two times"
        assert len(set(found.values)) == 2

    def test_a_section_is_named(self):
        given = [version(f"retry {n} times", n, metadata={"section": "Retries"}) for n in (1, 2)]
        assert detect_conflicts(given)[0].property == "Retries"

    def test_what_the_times_explain_is_not_said_again_as_facts(self):
        given = [ddl("UUID", metadata={"last_updated": 1}), ddl("BIGINT", metadata={"last_updated": 2})]
        assert [c.conflict_type for c in detect_conflicts(given)] == ["temporal"]
        both = detect_conflicts([*given, doc("TEXT")])
        assert [c.conflict_type for c in both] == ["factual", "temporal"]

    def test_the_graph_is_not_read_as_lines(self):
        place = (Location("billing", "a.md", 3, 4),)
        given = [graph(f"A calls {n}", locations=place, metadata={"last_updated": n}) for n in (1, 2)]
        assert detect_conflicts(given) == []


class TestScope:
    @pytest.mark.specification("001 §5.4 scope", "001 §5.4 include_both")
    def test_all_against_one(self):
        everyone = text("## Keys\nApplies to: all projects\n", "docs/keys.md:1-2", project="platform")
        one = text("## Keys\nApplies to: billing\n", "docs/keys.md:1-2")
        (found,) = detect_conflicts([everyone, one])
        assert (found.conflict_type, found.resolution_strategy) == ("scope", "include_both")
        assert (found.subject, found.property, sorted(found.values)) == (
            "keys",
            "applies to",
            ["all projects", "billing"],
        )

    def test_two_that_limit_it_are_variation(self):
        given = [text(f"## Keys\nApplies to: {p}\n", "keys.md:1-2", project=p) for p in ("auth", "billing")]
        assert detect_conflicts(given) == []

    def test_the_place_is_the_claims_own_lines(self):
        places = (Location("billing", "db/migrations/001.sql", 1, 1), Location("billing", "db/schema.sql", 1, 5))
        said = graph("customers", metadata={"entities": [table("customers", "id UUID")]}, locations=places)
        (found,) = detect_conflicts([said, doc("BIGINT")])
        assert {found.place_of(o) for o in found.observations} == {
            "billing/db/schema.sql:1-5",
            "billing/docs/schema.md:1-5",
        }


class TestShape:
    def test_the_specifications_fields_are_enough(self):
        found = Conflict((text("a"), text("b")), "factual", "ask_user")
        assert (found.subject, found.property, found.values) == ("", "", ())
        assert (found.winner, found.losers, found.needs_user) == (None, (), False)
        assert (found.question, found.reason) == ("", "")

    def test_json(self):
        (found,) = detect_conflicts([ddl("UUID"), doc("BIGINT")])
        said = found.to_dict()
        assert said == {
            "conflict_type": "factual",
            "subject": "billing/customers.id",
            "property": "type",
            "winner": None,
            "losers": [],
            "resolution_strategy": "source_priority",
            "reason": "",
            "values": dict(zip((o.id for o in found.observations), found.values, strict=True)),
            "needs_user": False,
            "question": "",
        }

    def test_places(self):
        assert place_of(text("x", "a.md:1-2")) == "billing/a.md:1-2"
        assert place_of(text("x", "a.md")) == "billing/a.md"
        assert place_of(text("x", "a.md", project=None)) == "a.md"
        assert place_of(graph("x")) == "graph:kglite"
        two = (Location("p", "a.md", 1, 2), Location("q", "b.md", 3, 4))
        assert place_of(text("x", locations=two)) == "p/a.md:1-2"
