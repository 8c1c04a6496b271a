"""Stories of two projects: edits, renames, deletions and additions, and indexing runs that may be killed at any step."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from indexing import Indexer, IndexingParts, IndexRequest
from indexing.isolation import InProcess
from memory.embedders import Bm25Sparse, FakeSource
from memory.generation import DataFolder
from tests.organisation import CONFIG, Unsynced, differences, write
from wiring.embedded_stores import EmbeddedStores

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
    ".env": ["TOLL_URL=http://north:8000\n", "TOLL_URL=http://south:8000\n"],
    "settings.py": ['import os\n\nTOLL = os.environ["TOLL_URL"]\n'],
    "compose.yaml": ["services:\n  north:\n    build: .\n    env_file: .env\n", "kind: Secret\ndata:\n  a: Yg==\n"],
    "data.bin": ["\0\1"],
    ".gitignore": ["docs/\n", "*.sql\n"],
}
PROJECTS = ("north", "south")
QUESTIONS = ("How does Gate connect to Booth?", "What rules do other teams have for fares at night?")
MOVED = ("src/moved.py", "docs/moved.md", "toll.py", "deep/er/x.sql")

places = st.tuples(st.sampled_from(PROJECTS), st.sampled_from(sorted(TEXTS)))
edits = st.one_of(
    st.tuples(st.just("put"), places, st.integers(0, 2)),
    st.tuples(st.just("delete"), places, st.none()),
    st.tuples(st.just("rename"), places, st.sampled_from(MOVED)),
    st.tuples(st.just("remove"), places, st.none()),
)
beginnings = st.dictionaries(places, st.integers(0, 2), min_size=4, max_size=9)


class Killed(BaseException):
    """The process is no more: nothing catches it, and what is done while it passes is undone by `Life`."""


@dataclass
class Life:
    """A run's, of so many steps; the next one is not taken, and the folder stays as it was at that moment."""

    data: Path
    left: int | None = None
    taken: int = 0

    def step(self) -> None:
        """Once before each call that changes something outside of the run."""
        if self.left == self.taken:
            self.end()
        self.taken += 1

    def end(self) -> None:
        """Leave the folder as it is; an engine's files are as the kernel has them."""
        shutil.copytree(self.data, self.remains, dirs_exist_ok=True)
        raise Killed

    @property
    def remains(self) -> Path:
        """What is left of the data folder."""
        return self.data.with_name("remains")

    def bury(self) -> None:
        """Undo what the run did after its end."""
        shutil.rmtree(self.data)
        self.remains.rename(self.data)


class Mortal:
    """What has calls that change something, each a step."""

    def __init__(self, one: Any, life: Life) -> None:
        self.one, self.life = one, life

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.one, name)

        async def call(*arguments: Any, **named: Any) -> Any:
            self.life.step()
            return await found(*arguments, **named)

        return call


@dataclass(frozen=True)
class MortalStores:
    """The doors of the stores."""

    stores: Any
    life: Life

    @property
    def keeps_deleted(self) -> bool:
        return self.stores.keeps_deleted

    def open_vectors(self, *arguments: Any, **named: Any) -> Any:
        self.life.step()
        return Mortal(self.stores.open_vectors(*arguments, **named), self.life)

    def open_graph(self, *arguments: Any, **named: Any) -> Any:
        self.life.step()
        return Mortal(self.stores.open_graph(*arguments, **named), self.life)

    async def holds(self, graph_path: Path) -> bool:
        self._step()
        return bool(await self.stores.holds(graph_path))

    async def sweep(self, graph_path: Path) -> None:
        self._step()
        await self.stores.sweep(graph_path)

    def _step(self) -> None:
        """On a server alone: of a graph in its generation's folder there is nothing to sweep."""
        if type(self.stores).sweep is not EmbeddedStores.sweep:
            self.life.step()


class MortalDisk(Unsynced):
    """The folder's disk. A write is two steps: the file beside, and its name."""

    def __init__(self, life: Life) -> None:
        self.life = life

    def write(self, path: Path, lines: Iterable[str]) -> None:
        self.life.step()
        super().write(path, lines)

    def write_bytes(self, path: Path, content: bytes) -> None:
        self.life.step()
        super().write_bytes(path, content)

    def copy(self, source: Path, target: Path, fixed: Collection[Path] = ()) -> None:
        self.life.step()
        super().copy(source, target, fixed)

    def publish(self, stage: Path, target: Path) -> None:
        self.life.step()
        super().publish(stage, target)
        self.life.step()


class MortalSource(FakeSource):
    """The fake model, whose every text is a step. In a worker's process it would be a copy: there are none here."""

    def __init__(self, life: Life) -> None:
        super().__init__()
        object.__setattr__(self, "life", life)

    def load(self) -> Any:
        encode = super().load()

        def one(texts: Sequence[str]) -> Any:
            self.life.step()
            return encode(texts)

        return one


async def index(data: Path, org: Path, stores: Any, *, life: Life | None = None, text_first_above: int = 2) -> None:
    """One run over the organisation; Killed when its life ends."""
    life = life or Life(data)
    config = replace(CONFIG, indexing=replace(CONFIG.indexing, workers=0, publish_text_first_above=text_first_above))
    parts = IndexingParts(MortalStores(stores, life), MortalSource(life), Bm25Sparse(), readers=InProcess)
    folder = DataFolder.open_or_create(data, disk=MortalDisk(life))
    await Indexer(folder, parts, config, profile="embedded").run(IndexRequest([org], each=True), holder="x")


def apply(org: Path, edit: Sequence[Any]) -> None:
    """One edit of the organisation, where it makes sense."""
    kind, (project, path), how = edit
    file = org / project / path
    if kind == "put":
        texts = TEXTS[path]
        write(org, {project: {path: texts[how % len(texts)]}})
    elif kind == "remove":
        shutil.rmtree(org / project, ignore_errors=True)
        with suppress(StopIteration):
            next(one for one in org.iterdir() if one.is_dir())
            return
        (org / project).mkdir()  # an organisation has a project
    elif file.is_file() and kind == "delete":
        file.unlink()
    elif file.is_file():
        (org / project / how).parent.mkdir(parents=True, exist_ok=True)
        file.rename(org / project / how)


@dataclass(frozen=True)
class History:
    """How an organisation came to be as it is; a round is what is edited, and the step at which the run after it ends."""

    beginning: Any
    rounds: Sequence[tuple[Sequence[Any], int | None]]
    text_first_above: int

    async def hold(self, root: Path, stores: Any, look: Callable[[Path], Awaitable[Any]]) -> int:
        """The index that lived through it is the one that would be made afresh; returns how many runs were killed."""
        org, old, fresh = (root / name for name in ("org", "old", "fresh"))
        killed = 0
        for project in PROJECTS:
            (org / project).mkdir(parents=True)
        for place, number in self.beginning.items():
            apply(org, ("put", place, number))
        for edited, steps in self.rounds:
            life = Life(old, steps)
            try:
                await index(old, org, stores, life=life, text_first_above=self.text_first_above)
            except Killed:
                killed += 1
                life.bury()
                if (old / "CURRENT").exists():
                    await look(old)  # the generation before it, or one with every text
            for edit in edited:
                apply(org, edit)
        await index(old, org, stores, text_first_above=self.text_first_above)
        await index(fresh, org, stores, text_first_above=1000)
        assert differences(await look(old), await look(fresh)) == []
        assert not [entry.name for entry in (old / "generations").iterdir() if entry.name.startswith(".")]
        return killed


histories = st.builds(
    History,
    beginnings,
    st.lists(
        st.tuples(st.lists(edits, min_size=1, max_size=4), st.none() | st.integers(0, 45)), min_size=1, max_size=3
    ),
    st.sampled_from([0, 2, 1000]),
)
