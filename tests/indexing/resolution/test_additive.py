"""Resolution is additive: a project's coming or going changes only what touches it (design §5)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from indexing.extraction import extract_facts
from indexing.resolution import resolve

MODULES = ("alpha", "beta", "gamma")
NAMES = ("f", "g", "K")

LINES = st.one_of(
    st.builds("from {} import {}".format, st.sampled_from(MODULES), st.sampled_from([*NAMES, "*"])),
    st.builds("import {}".format, st.sampled_from(MODULES)),
    st.builds("def {}():\n    {}()".format, st.sampled_from("fg"), st.sampled_from(NAMES)),
    st.builds(
        "class K({}):\n    def f(self):\n        {}.g()".format,
        st.sampled_from([*NAMES, "alpha.K"]),
        st.sampled_from(MODULES),
    ),
    st.builds("def g(k: K):\n    k.{}()".format, st.sampled_from(NAMES)),
    st.builds("def h():\n    run('SELECT 1 FROM {}')".format, st.sampled_from(NAMES)),
)
FILES = st.fixed_dictionaries(
    {},
    optional={
        **{f"{m}.py": st.lists(LINES, max_size=4).map("\n".join) for m in MODULES},
        "beta/__init__.py": st.lists(LINES, max_size=3).map("\n".join),
        "schema.sql": st.sampled_from(NAMES).map("CREATE TABLE {} (id INT);".format),
        "pyproject.toml": st.builds(
            '[project]\nname = "{}"\ndependencies = ["{}"]'.format, st.sampled_from(MODULES), st.sampled_from(MODULES)
        ),
    },
)


@settings(max_examples=100, deadline=None)
@given(
    organisation=st.fixed_dictionaries(dict.fromkeys(("one", "two", "three"), FILES)),
    gone=st.sampled_from(["one", "two", "three"]),
)
def test_removing_a_project_removes_what_touches_it_and_nothing_else(organisation, gone):
    facts = {
        p: {path: extract_facts(path, text, p) for path, text in files.items()} for p, files in organisation.items()
    }
    whole, rest = resolve(facts), resolve({p: files for p, files in facts.items() if p != gone})
    assert rest.entities == [e for e in whole.entities if e.project != gone]
    assert rest.relationships == [r for r in whole.relationships if gone not in {r.source.project, r.target.project}]
    assert rest.mentions == [m for m in whole.mentions if m.project != gone]


def test_the_order_in_which_projects_and_files_come_changes_nothing():
    texts = {"a.py": "from b import f\nf()\n", "b.py": "def f(): ...\n"}
    facts = {p: {path: extract_facts(path, text, p) for path, text in texts.items()} for p in ("one", "two")}
    turned = {p: dict(reversed(files.items())) for p, files in reversed(facts.items())}
    assert resolve(facts) == resolve(turned)
