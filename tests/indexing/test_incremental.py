"""However an organisation came to be as it is: the index is the one that would be made of it afresh (design §5, equality)."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import anyio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexing import IndexRequest
from tests.organisation import FiledStores, ask, differences, exported, indexer, opened_files, plain, write

TEXTS = {
    "src/gate.py": [
        "class Gate:\n    def open(self):\n        return 1\n",
        "from toll import Booth\n\nclass Gate:\n    def open(self):\n        return Booth().pay(3)\n",
        "def broken(:\n",
    ],
    "toll.py": ["class Booth:\n    def pay(self, cents):\n        return cents\n", "class Booth:\n    pass\n"],
    "docs/rules.md": ["# Rules\n\nA Gate opens for who has paid at the Booth.\n", "# Rules\n\n## Night\n\nClosed.\n"],
    "db/fares.sql": ["CREATE TABLE fares (id UUID PRIMARY KEY, cents INT);\n", "CREATE TABLE fares (zone TEXT);\n"],
    "pyproject.toml": [
        '[project]\nname = "north"\n',
        '[project]\nname = "south"\ndependencies = ["north"]\n',
    ],
    ".env": ["TOLL_URL=http://north:8000\n"],
    "data.bin": ["\0\1"],
    ".gitignore": ["docs/\n", "*.sql\n"],
}
PROJECTS = ("north", "south")
QUESTIONS = ("How does Gate connect to Booth?", "What rules do other teams have for fares at night?")


places = st.tuples(st.sampled_from(PROJECTS), st.sampled_from(sorted(TEXTS)))
changes = st.one_of(
    st.tuples(st.just("put"), places, st.integers(0, 2)),
    st.tuples(st.just("delete"), places, st.none()),
    st.tuples(
        st.just("rename"), places, st.sampled_from(["src/moved.py", "docs/moved.md", "toll.py", "deep/er/x.sql"])
    ),
)
beginnings = st.dictionaries(places, st.integers(0, 2), min_size=4, max_size=9)


def texts(place, number):
    return TEXTS[place[1]][number % len(TEXTS[place[1]])]


def apply(org, change):
    """One edit of the organisation, where it makes sense."""
    kind, (project, path), how = change
    file = org / project / path
    if kind == "put":
        write(org, {project: {path: texts((project, path), how)}})
    elif file.is_file() and kind == "delete":
        file.unlink()
    elif file.is_file():
        (org / project / how).parent.mkdir(parents=True, exist_ok=True)
        file.rename(org / project / how)


async def play(beginning, steps, made, look):
    """The organisation's story, indexed step by step, against one index of how it ended."""
    with tempfile.TemporaryDirectory() as folder:
        org, old, fresh = (Path(folder, name) for name in ("org", "old", "fresh"))
        for project in PROJECTS:
            (org / project).mkdir(parents=True)
        for place, number in beginning.items():
            apply(org, ("put", place, number))
        for step in steps:
            await made(old).run(IndexRequest([org], each=True), holder="x")
            for change in step:
                apply(org, change)
        for data in (old, fresh):
            await made(data).run(IndexRequest([org], each=True), holder="x")
        assert differences(await look(old), await look(fresh)) == []


async def in_fakes(data):
    async with opened_files(data) as (orchestrator, graph):
        everyone = frozenset(PROJECTS)
        entities, edges = await graph.all_entities(permission=everyone), await graph.all_edges(permission=everyone)
        return [entities, edges, *[plain((await orchestrator.retrieve(q)).to_dict()) for q in QUESTIONS]]


async def in_engines(data):
    return [*await exported(data), *[plain(await ask(data, question)) for question in QUESTIONS]]


@settings(max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(beginnings, st.lists(st.lists(changes, min_size=1, max_size=4), min_size=1, max_size=2))
def test_incremental_equals_fresh(beginning, steps):
    made = partial(indexer, stores=FiledStores())
    anyio.run(partial(play, beginning, steps, made, in_fakes))


async def test_so_it_is_in_the_engines():
    beginning = {(project, path): 1 for project in PROJECTS for path in TEXTS if path != ".gitignore"}
    steps = [
        [("put", ("north", "src/gate.py"), 2), ("delete", ("south", "docs/rules.md"), None)],
        [("rename", ("north", "db/fares.sql"), "deep/er/x.sql"), ("put", ("south", ".gitignore"), 1)],
    ]
    await play(beginning, steps, indexer, in_engines)
