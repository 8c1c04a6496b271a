from __future__ import annotations

import pytest

from agents.evidence import CataloguedProject, EvidenceCatalogue
from memory.errors import InvalidInputError
from tests.agents.evidence.making import EVERYONE, catalogue

KIT = frozenset({"kit"})


@pytest.mark.specification("000 §10 step 1")
def test_an_unknown_repository_is_an_error_that_lists_the_known():
    catalogue().check_repos(["google/kit", "google/guide"], EVERYONE)
    with pytest.raises(InvalidInputError) as raised:
        catalogue().check_repos(["google/kit", "google/nope"], EVERYONE)
    assert raised.value.message == "No repository 'google/nope' here."
    assert raised.value.hint == "Known: google/guide, google/kit."


def test_what_may_not_be_seen_is_not_known():
    with pytest.raises(InvalidInputError, match=r"Known: google/kit\."):
        catalogue().check_repos(["google/guide"], KIT)
    with pytest.raises(InvalidInputError, match="Known: none"):
        catalogue().check_repos(["google/kit"], frozenset())
    assert set(catalogue().paths(KIT, ())) == {"src/tool.py", "src/agent.py", "tests/test_tool.py"}
    with pytest.raises(InvalidInputError) as raised:
        catalogue().resolve(["docs/tools.md"], KIT, ())
    assert "docs/" not in raised.value.hint


def test_paths_are_resolved_within_the_repositories():
    assert catalogue().resolve(["agent.py", "src/agent.py"], EVERYONE, ()) == ("src/agent.py",)
    with pytest.raises(InvalidInputError, match="no indexed path"):
        catalogue().resolve(["agent.py"], EVERYONE, ["google/guide"])


def test_where_nobody_knows_the_files_paths_are_taken_as_they_are():
    unknown = EvidenceCatalogue("g", {"kit": CataloguedProject("google/kit")})
    assert unknown.resolve(["any.py"], KIT, ()) == ("any.py",)
    assert unknown.corpora(KIT, ["google/kit"], ["any.py"]) == {"code", "docs"}


@pytest.mark.specification("000 §8.2 quota")
def test_which_corpora_a_scope_can_yield():
    one = catalogue()
    assert one.corpora(EVERYONE, (), ()) == {"code", "docs"}
    assert one.corpora(EVERYONE, ["google/kit"], ()) == {"code"}
    assert one.corpora(EVERYONE, (), ["docs/tools.md"]) == {"docs"}
    assert one.corpora(EVERYONE, (), ["docs/tools.md", "src/tool.py"]) == {"code", "docs"}
