"""Runs to draw pages of: the shipped scenarios, and one whose every text is an attack."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from inspector import follow, inspect_replay
from memory.clock import VirtualClock
from memory.entities import Entity, Relationship, Scope, ScopedProject
from memory.files import FakeFiles
from memory.observations import GraphObservation, Location, VectorObservation
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent
from replay import Changes, read_scenario
from tests.orchestrator.conftest import anyio_backend  # noqa: F401 - virtual time

SHIPPED = Path(__file__).parents[2] / "examples/scenarios"
VOID = {"meta", "input", "br", "path", "rect", "line", "circle", "wbr"}


class Element:
    """One element of a page: its name, attributes, children and text."""

    def __init__(self, name, attributes=()):
        self.name = name
        self.attributes = dict(attributes)
        self.children = []
        self.pieces = []

    def all(self, name=None, **wanted):
        """Those below it of this name, whose attributes have these values (`class_`: one of its classes)."""
        for child in self.children:
            if (name is None or child.name == name) and all(child.has(*one) for one in wanted.items()):
                yield child
            yield from child.all(name, **wanted)

    def one(self, name=None, **wanted):
        [found] = self.all(name, **wanted)
        return found

    def has(self, key, value):
        if key == "class_":
            return value in self.attributes.get("class", "").split()
        return self.attributes.get(key) == value

    @property
    def text(self):
        return "".join(piece if isinstance(piece, str) else piece.text for piece in self.pieces)


class Reader(HTMLParser):
    """Builds the tree, and fails where a tag is not closed by its own."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag, attrs):
        child = Element(tag, attrs)
        self.open[-1].children.append(child)
        self.open[-1].pieces.append(child)
        if tag not in VOID:
            self.open.append(child)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop().name == tag

    def handle_data(self, data):
        self.open[-1].pieces.append(data)


@pytest.fixture(scope="session")
def tree():
    """Reads markup into its root element."""

    def read(markup):
        reader = Reader()
        reader.feed(markup)
        reader.close()
        assert reader.open == [reader.root]
        return reader.root

    return read


def inspected(name, changes=Changes()):  # noqa: B008 - frozen
    return inspect_replay(read_scenario(SHIPPED / f"{name}.yaml"), changes)


@pytest.fixture(scope="session")
def what_if():
    """The inspection of a shipped scenario with something changed, drawn anew."""
    return inspected


@pytest.fixture(scope="session")
def shipped():
    """The inspection of a shipped scenario, by its id."""
    return cache(inspected)


SCRIPT = '<script>document.title = "owned"</script>'
QUESTION = f'How do "retries" work? {SCRIPT} </title><img src=x onerror=alert(1)>'
PATH = f"docs/{SCRIPT}.md"
TEXT = f"Retries work like this {SCRIPT} and that.\n</pre></details></main>{SCRIPT}\n<!-- $main \u202e\x1b[31m"


def hostile():
    """An orchestrator whose agents find nothing but attacks."""
    attacker = Entity(f"Retries{SCRIPT}", "class", "billing", PATH, 1, 2, summary=TEXT)
    victim = Entity('"><svg onload=alert(2)>', SCRIPT, "auth", PATH, 1, 1)
    edge = Relationship(attacker, "CALLS", victim, "billing", PATH, (1,))
    places = (Location("billing", PATH, 1, 3),)
    graph = GraphObservation(TEXT, [attacker, victim], [edge], ["billing"], 1, 0.9, "relationship", locations=places)
    scope = Scope([ScopedProject("billing", 0.9, because=SCRIPT)], linked=(attacker.name,))
    vector = VectorObservation(TEXT, PATH, "billing", 0.8, None, "documentation", locations=places)
    return HybridRetrievalOrchestrator(
        clock=VirtualClock(),
        graph=FakeGraphAgent([graph], scope=scope),
        vector=FakeAgent([vector]),
        local=FakeAgent(error=RuntimeError(SCRIPT)),
        files=lambda permission: FakeFiles({f"billing/{PATH}": TEXT}, permission),
    )


@pytest.fixture
async def attacked():
    """The inspection of a run in which everything is an attack."""
    async with hostile() as orchestrator:
        _, inspection = await follow(orchestrator, QUESTION, {"allowed_projects": ["billing", "auth"]})
    return inspection
