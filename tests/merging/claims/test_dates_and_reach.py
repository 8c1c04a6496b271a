"""When a section was changed, and for whom it holds."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memory.observations import Location
from merging.claims import read_claims, stated_time, time_of
from tests.merging.making import text

MAY = datetime(2024, 5, 1, tzinfo=UTC).timestamp()


class TestTime:
    @pytest.mark.parametrize(
        ("value", "seconds"),
        [
            (12, 12.0),
            (0.5, 0.5),
            ("2024-05-01", MAY),
            ("2024-05-01T02:00:00+02:00", MAY),
            (datetime(2024, 5, 1), MAY),  # noqa: DTZ001 - a time without a zone is read as UTC
            (date(2024, 5, 1), MAY),
            ("yesterday", None),
            (True, None),
            (None, None),
            ([], None),
        ],
    )
    def test_from_metadata(self, value, seconds):
        assert time_of(text("x", metadata={"last_updated": value})) == seconds

    def test_the_commits_when_there_is_no_other(self):
        assert time_of(text("x", metadata={"commit_date": 5})) == 5.0
        assert time_of(text("x", metadata={"commit_date": 5, "last_updated": 7})) == 7.0

    @pytest.mark.parametrize(
        "line",
        [
            "Last updated: 2024-05-01",
            "> **Last modified:** 2024-05-01",
            'updated: "2024-05-01"',
            "_Updated at: 2024-05-01_",
        ],
    )
    def test_from_what_the_section_says(self, line):
        assert time_of(text(f"# S\n\n{line}\nMore.", "a.md:1-4")) == MAY

    def test_not_from_other_dates_or_two_of_them(self):
        assert time_of(text("Released 2024-05-01. Note last updated: 2024-05-01", "a.md:1-4")) is None
        assert time_of(text("Updated: 2024-05-01\nUpdated: 2024-06-01", "a.md:1-4")) is None
        assert time_of(text("Updated: 2024-05-01\nUpdated: 2024-05-01", "a.md:1-4")) == MAY
        assert time_of(text("Updated: 2024-13-45", "a.md:1-4")) is None

    @pytest.mark.parametrize("suffix", ["sql", "yaml", "toml", "ini", "env"])
    def test_from_a_comment_of_any_data_file(self, suffix):
        assert time_of(text("# 2024-05-01 first", f"a.{suffix}:1-1")) == MAY
        assert time_of(text("# 2024-05-012 first", f"a.{suffix}:1-1")) is None
        assert time_of(text("no comment # 2024-05-01", f"a.{suffix}:1-1")) is None
        assert time_of(text("nothing", f"a.{suffix}:1-1")) is None

    def test_what_it_says_itself_goes_before_its_comments_and_its_metadata_before_both(self):
        said = "Last updated: 2024-05-01\n-- 2025-05-01: x\n"
        assert time_of(text(said, "a.sql:1-2")) == stated_time(text(said, "a.sql:1-2")) == MAY
        dated = text(said, "a.sql:1-2", metadata={"last_updated": 7})
        assert (time_of(dated), stated_time(dated)) == (7.0, MAY)
        assert time_of(text(said, "a.sql:1-2", metadata={"last_updated": "soon"})) == MAY

    @pytest.mark.parametrize("sign", ["--", "#", "//"])
    def test_from_the_newest_dated_comment_of_a_data_file(self, sign):
        history = f"{sign} 2023-02-01: first\n  {sign} 2024-05-01: longer titles\n{sign} 2024-13-45: no day\nid INT\n"
        assert time_of(text(history, "db/schema.sql:1-4")) == MAY
        assert time_of(text(history, "docs/schema.md:1-4")) is None
        assert time_of(text("-- see 2024-05-01", "db/schema.sql:1-1")) is None
        assert time_of(text(f"-- Last updated: 2024-05-01\n{sign} 2025-05-01: x", "db/schema.sql:1-2")) == MAY


def reach(content, place="docs/a.md:1-5", **fields):
    return [
        (claim.project, claim.subject, claim.value)
        for claim in read_claims(text(content, place, **fields))
        if claim.property == "applies to"
    ]


class TestReach:
    @pytest.mark.parametrize(
        "whom",
        ["all projects", "all project", "All teams.", "every service", "everyone", "**all**", "company-wide", "global", "`all projects`", "each project",
         "organization wide", "Organisation", "everything"],
    )  # fmt: skip
    def test_everyone(self, whom):
        assert reach(f"## Keys\n\nApplies to: {whom}\n") == [("", "keys", "all projects")]

    @pytest.mark.parametrize("line", ["> Scope: all", "- **applies to:** all", "  * _Scope_: all  ", "SCOPE:all"])
    def test_however_it_is_written(self, line):
        assert reach(f"## Keys\n{line}\n") == [("", "keys", "all projects")]

    @pytest.mark.parametrize(
        "whom", ["billing", "`billing` only", "Billing", "the billing service", "the `billing` team"]
    )
    def test_one(self, whom):
        assert reach(f"## Keys\n\n**Scope:** {whom}\n") == [("", "keys", "billing")]

    def test_prose_and_several_are_not_read(self):
        assert reach("## Keys\n\nThis applies to: all projects we know of, and more\n") == []
        assert reach("## Keys\n\nApplies to: billing and auth\n") == []
        assert reach("## Keys\n\nApplies to: all projects but one\n") == []
        assert reach("## Keys\n\nApplies to:\nall projects\n") == []

    def test_the_section_is_the_subject(self):
        assert reach("Applies to: all\n", metadata={"section": "Rules > Keys"}) == [("", "keys", "all projects")]
        assert reach("Applies to: all\n") == []
        assert reach("Applies to: all\n# Keys #\nApplies to: billing\n") == [("", "keys", "billing")]
        assert reach("####### Seven\n#None\nApplies to: all\n") == []
        assert reach("# Keys\nApplies to: all\n", "app.yaml:1-2") == []

    def test_of_several_headings_the_nearest_above(self):
        text = "# Rules\n\n## Keys\nApplies to: all\n\n## Names\nApplies to: billing\n"
        assert reach(text, metadata={"section": "Rules"}) == [("", "keys", "all projects"), ("", "names", "billing")]

    def test_a_heading_goes_before_the_section_it_was_cut_from_and_one_below_is_not_above(self):
        assert reach("## Keys\nScope: all\n", metadata={"section": "Rules > Other"}) == [("", "keys", "all projects")]
        assert reach("Scope: all\n## Keys\n", metadata={"section": "Rules"}) == [("", "rules", "all projects")]

    def test_the_claim_has_its_place_and_no_project_of_its_own(self):
        for whom in ("all", "billing"):
            (claim,) = read_claims(text(f"## Keys\nScope: {whom}\n", "docs/a.md:1-2"))
            assert claim.key() == ("", "", "keys", "applies to")
            assert claim.where == Location("billing", "docs/a.md", 1, 2)
