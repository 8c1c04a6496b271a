"""Resolution is additive: a project's coming or going changes only what touches it (docs/design.md#generations)."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from extraction.reading import extract_facts
from indexing.resolution import resolve

MODULES = ("alpha", "beta", "gamma")
NAMES = ("f", "K")

LINES = st.one_of(
    st.builds("from {0} import {1}\n{1}()".format, st.sampled_from(MODULES), st.sampled_from(NAMES)),
    st.builds("from {} import {}".format, st.sampled_from(MODULES), st.sampled_from([*NAMES, "*"])),
    st.builds("import {}".format, st.sampled_from(MODULES)),
    st.builds("def {}():\n    {}()".format, st.just("f"), st.sampled_from(NAMES)),
    st.builds(
        "class K({}):\n    def f(self):\n        {}.g()".format,
        st.sampled_from([*NAMES, "alpha.K"]),
        st.sampled_from(MODULES),
    ),
    st.builds("def g(k: K):\n    k.{}()".format, st.sampled_from(NAMES)),
    st.builds("def h():\n    run('SELECT 1 FROM {}')".format, st.sampled_from(NAMES)),
)
CODE = st.lists(LINES, max_size=5).map("\n".join)


def files(package):
    """A project with a package of its own, a module whose name others may have too, a table and a manifest."""
    return st.fixed_dictionaries(
        {f"{package}/__init__.py": CODE},
        optional={
            f"{package}/inner.py": CODE,
            "alpha.py": CODE,
            "schema.sql": st.sampled_from(NAMES).map("CREATE TABLE {} (id INT);".format),
            "pyproject.toml": st.builds(
                '[project]\nname = "{}"\ndependencies = ["{}"]'.format,
                st.sampled_from(MODULES),
                st.sampled_from(MODULES),
            ),
        },
    )


CHAIN = {
    "one": {"alpha/__init__.py": "from beta import f\nf()\n"},
    "two": {"beta/__init__.py": "from gamma import f\n"},
    "three": {"gamma/__init__.py": "def f(): ...\n"},
}
PROJECTS = dict(zip(("one", "two", "three"), MODULES, strict=True))


@settings(max_examples=100, deadline=None)
@given(
    organisation=st.fixed_dictionaries({name: files(package) for name, package in PROJECTS.items()}),
    gone=st.sampled_from(sorted(PROJECTS)),
)
@example(organisation=CHAIN, gone="two")
def test_removing_a_project_removes_what_touches_it_and_nothing_else(organisation, gone):
    facts = {
        p: {path: extract_facts(path, text, p) for path, text in files.items()} for p, files in organisation.items()
    }
    whole, rest = resolve(facts), resolve({p: files for p, files in facts.items() if p != gone})
    assert rest.entities == [e for e in whole.entities if e.project != gone]
    assert rest.relationships == [r for r in whole.relationships if gone not in {r.source.project, r.target.project}]


def test_the_order_in_which_projects_and_files_come_changes_nothing():
    texts = {"a.py": "from b import f\nf()\n", "b.py": "def f(): ...\n"}
    facts = {p: {path: extract_facts(path, text, p) for path, text in texts.items()} for p in ("one", "two")}
    turned = {p: dict(reversed(files.items())) for p, files in reversed(facts.items())}
    assert resolve(facts) == resolve(turned)
