"""Names of packages."""

from __future__ import annotations

import pytest

from extraction.rules.packages import needs_package, normal_name, provides_package, requirement_name


def test_pep_503_normal_form():
    assert {normal_name(n) for n in ("Foo.Bar_baz", "foo-bar-baz", "FOO--bar__baz")} == {"foo-bar-baz"}


@pytest.mark.parametrize(
    ("requirement", "name"),
    [
        ("httpx", "httpx"),
        ("httpx>=0.27,<1", "httpx"),
        ("httpx[http2]>=0.27; python_version > '3'", "httpx"),
        ("pkg @ https://example.org/x.whl", "pkg"),
        ("zope.interface == 5", "zope.interface"),
        ("-r other.txt", ""),
        ("https://example.org/x.whl", ""),
        ("", ""),
    ],
)
def test_the_name_in_a_requirement(requirement, name):
    assert requirement_name(requirement) == name


def test_both_sides_meet_under_one_key():
    needed, provided = needs_package("r", "My_Pkg", 3, "extra x"), provides_package("r", "my.pkg", 1, "Does it.")
    assert (needed.kind, needed.key, needed.relation) == (provided.kind, provided.key, provided.relation)
    assert (needed.says, provided.says) == ("dependency My_Pkg (extra x)", "Does it.")
