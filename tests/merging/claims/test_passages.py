"""Which pieces of an observation are read, in which notation, and for which file they speak."""

from __future__ import annotations

import pytest

from memory.observations import Location
from merging.claims.passages import notation_of, passages, unit_of
from tests.merging.making import graph, table, text


def read(observation):
    return list(passages(observation))


class TestFiles:
    @pytest.mark.parametrize(
        ("notation", "suffixes"),
        [
            ("yaml", ("yaml", "yml", "YML")),
            ("toml", ("toml",)),
            ("json", ("json",)),
            ("ini", ("ini", "cfg", "conf")),
            ("env", ("env", "properties")),
            ("sql", ("sql", "SQL")),
            ("md", ("md", "markdown")),
            ("txt", ("txt",)),
            ("", ("py", "mdx", "html")),
        ],
    )
    def test_the_suffix_is_the_notation(self, notation, suffixes):
        for suffix in suffixes:
            assert notation_of(text("x", f"a.b/c.{suffix}:1-1")) == notation

    def test_without_lines_the_file_named_beside_it(self):
        assert notation_of(text("x", "db/a.sql")) == "sql"
        assert notation_of(text("x")) == ""

    def test_a_file_is_one_passage_with_its_place(self):
        given = text("a: 1\n", "app.yaml:7-9", metadata={"section": "Keys"})
        (found,) = read(given)
        assert (found.project, found.path, found.notation, found.text) == ("billing", "app.yaml", "yaml", "a: 1\n")
        assert (found.first_line, found.section, found.where) == (7, "Keys", given.locations[0])

    def test_it_is_read_in_each_file_that_has_it(self):
        places = (
            Location("billing", "a.yaml", 3, 4),
            Location("auth", "b.sql", 8, 9),
            Location("crm", "test/c.sql", 1, 2),
        )
        read_in = [
            (found.project, found.path, found.notation, found.first_line, found.where)
            for found in read(text("a: 1\n", locations=places))
        ]
        assert read_in == [("billing", "a.yaml", "yaml", 3, places[0]), ("auth", "b.sql", "sql", 8, places[1])]

    def test_without_lines_it_has_no_place_and_begins_the_file(self):
        (found,) = read(text("a: 1\n", "app.yaml"))
        assert (found.project, found.first_line, found.section, found.where) == ("billing", 1, "", None)
        assert read(text("a: 1\n", "app.yaml", project=None))[0].project == ""

    @pytest.mark.parametrize(
        "folder",
        ["test", "tests", "testing", "testdata", "fixtures", "example", "examples", "sample", "samples", "demo", "migration",
         "migrations", "migrate", "alembic", "versions", "vendor", "third_party", "node_modules", "archive", "legacy", "old",
         "backup", "Tests"],
    )  # fmt: skip
    def test_folders_that_are_set_aside_are_not_read(self, folder):
        assert read(text("a: 1\n", f"{folder}/app.yaml:1-1")) == []
        assert read(text("a: 1\n", f"src/{folder}/deep/app.yaml:1-1")) == []

    @pytest.mark.parametrize("path", ["contest/app.yaml", "tests.yaml", "olden/app.yaml", "src/test-lib/app.yaml"])
    def test_others_are(self, path):
        assert len(read(text("a: 1\n", f"{path}:1-1"))) == 1


class TestDocuments:
    BLOCKS = (
        "# Keys #\n\nIn `a/app.yaml`:\n\n```yaml\na: 1\n```\n\n~~~~ SQL title\nid INT\n```\n~~~~  \n\n```\nb: 2\n```\n"
    )

    def test_every_fenced_block_is_one_and_the_document_another(self):
        given = text(self.BLOCKS, "docs/a.md:5-20")
        found = read(given)
        assert [(p.path, p.notation, p.text) for p in found] == [
            ("a/app.yaml", "yaml", "a: 1\n"),
            ("", "sql", "id INT\n```\n"),
            ("", "", "b: 2\n"),
            ("docs/a.md", "md", self.BLOCKS),
        ]
        assert {p.where for p in found} == {given.locations[0]}
        assert {p.project for p in found} == {"billing"}

    def test_the_section_is_the_one_its_agent_names(self):
        assert read(text(self.BLOCKS, "a.md:1-9", metadata={"section": "Rules > Keys"}))[-1].section == "Rules > Keys"
        assert read(text(self.BLOCKS, "a.md:1-9"))[-1].section == ""

    def test_a_block_that_is_not_closed_is_none(self):
        assert [p.notation for p in read(text("```yaml\na: 1\n``\n", "a.md:1-3"))] == ["md"]
        assert [p.notation for p in read(text("``yaml\na: 1\n``\n", "a.md:1-3"))] == ["md"]

    @pytest.mark.parametrize(
        ("before", "path"),
        [
            ("See `app.yaml`:", "app.yaml"),
            ("`other.yaml` is not it.\nSee `a-b/app.v1.yaml`:", "a-b/app.v1.yaml"),
            ("`other.yaml` is not it.\nThis is:", ""),
            ("`a.yaml` or `b.yaml`:", ""),
            ("`retry`:", ""),
            ("app.yaml:", ""),
        ],
    )
    def test_the_last_line_before_a_block_names_its_file(self, before, path):
        assert read(text(f"{before}\n\n```yaml\na: 1\n```\n", "a.md:1-6"))[0].path == path


class TestSummaries:
    def test_a_table_of_the_graph_is_one_with_its_lines(self):
        (found,) = read(graph("x", metadata={"entities": [table("Orders", "id INT", lines=(3, 8))]}))
        assert (found.project, found.path, found.notation) == ("billing", "db/schema.sql", "summary")
        assert (found.text, found.section) == ("id INT", "Orders")
        assert found.where == Location("billing", "db/schema.sql", 3, 8)

    def test_the_graphs_own_text_is_not_read(self):
        assert read(graph("a: 1", locations=(Location("billing", "app.yaml", 1, 1),))) == []


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        *((f"{folder}/billing/db/a.sql", f"{folder}/billing") for folder in (
            "services", "packages", "apps", "libs", "modules", "projects", "components", "plugins", "crates")),
        ("services/billing/a.sql", "services/billing"),
        ("services/a.sql", ""),
        ("src/services/billing/a.sql", ""),
        ("db/schema/a.sql", ""),
        ("webapps/billing/a.sql", ""),
        ("services-old/billing/a.sql", ""),
    ],
)  # fmt: skip
def test_what_a_project_holds_several_of(path, unit):
    assert unit_of(path) == unit
