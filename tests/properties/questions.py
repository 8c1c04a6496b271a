"""Questions of every type about such organisations, in every context and through both doors of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from memory.question import QueryType
from tests.organisation import CONFIG
from tests.properties.organisations import CLASSES, FUNCTIONS, HANDLER, PROJECTS, TABLES, TOPICS, permissions, unique

TEMPLATES = {
    QueryType.ENTITY_LOOKUP: ("What is {name}?", "Where is `{name}` defined?"),
    QueryType.RELATIONSHIP: (
        "How does {name} connect to {other}?",
        "What calls {name}?",
        "What does {project} depend on?",
        "What uses the {table} table?",
    ),
    QueryType.SIMILARITY: (f"Find code similar to this error handling:\n    {HANDLER}", "Find code similar to {name}"),
    QueryType.PATTERN: ("What patterns are there for {topic}?", "How do we handle {topic}?", "{topic} {name}"),
    QueryType.CROSS_PROJECT: (
        "What patterns do other teams use for {table} tables?",
        "Which projects use {name}, only in {project}?",
        "How do {project} and {second} handle {topic}?",
    ),
    QueryType.LOCAL_ONLY: ("What does our CLAUDE.md say about {topic}?", "What are our conventions for {topic}?"),
    QueryType.MULTI_HOP: (
        "Which projects use a project that depends on {project}?",
        "Is there a path from {name} to {other}?",
    ),
}
NAMES = (*CLASSES, *FUNCTIONS, *map(unique, PROJECTS), "PaymentGate", "gateway_payment_adapter", "FrobnicatorQuux")
SETTINGS = replace(
    CONFIG,
    agent_timeout_ms=60_000,  # a busy machine changes no answer
    total_timeout_ms=120_000,
    vector=replace(CONFIG.vector, candidates=12),  # a small crowd is more than a leg brings back
)
STORES = ("fakes", "engines")
SCOPED = (("auto", "soft"), ("none", "soft"), ("sequential", "strict"))


@dataclass(frozen=True)
class Asked:
    """A question to the organisation of `seed`; `allowed` of its projects may be seen.

    stores: `fakes` or `engines`; within: the names of a given scope, for `retrieve_with_scope`; scope: mode and strength
    of the settings.
    """

    stores: str
    seed: int
    allowed: frozenset[str]
    query: str
    context: Mapping[str, Any]
    within: tuple[str, ...] = ()
    scope: tuple[str, str] = SCOPED[0]


WORDS = {"name": NAMES, "other": NAMES, "project": PROJECTS, "second": PROJECTS, "table": TABLES, "topic": TOPICS}


def _drawn(draw: st.DrawFn, seed: int) -> Random:
    """What Hypothesis draws is the same for each organisation; what comes of it is not."""
    return Random(f"{seed} {draw(st.randoms(use_true_random=True)).random()}")  # noqa: S311 - nothing secret


@st.composite
def questions(draw: st.DrawFn, seed: int) -> Asked:
    """To one organisation: who asks, what, and how: all as likely, which shrinking would not be."""
    one = _drawn(draw, seed)
    allowed = one.choice(permissions(seed))
    named = [*PROJECTS, "nowhere"]
    context: dict[str, Any] = {"allowed_projects": sorted(allowed)}
    if one.random() < 0.5:
        context["project"] = one.choice([*sorted(allowed) * 3, *named])
    if one.random() < 0.25:
        context["mentions"] = [one.choice(NAMES)]
    if one.random() < 0.1:
        context["allowed_projects"] = [*sorted(allowed), "nowhere"]
    within = tuple(one.sample(named, 2)) if one.random() < 0.2 else ()
    return Asked(one.choice(STORES), seed, allowed, _question(one), context, within, one.choice(SCOPED))


@dataclass(frozen=True)
class Call:
    """A question on its way through `way`; the rest is what that way may also be given."""

    asked: Asked
    way: str
    name: str = "OrderService"
    other: str = "PaymentGateway"
    kind: str | None = None
    only: tuple[str, ...] = ()
    path: str | None = None
    limit: int = 10

    @property
    def permission(self) -> list[str]:
        """What its caller's owner allows."""
        return sorted(self.asked.allowed)


def _question(one: Random) -> str:
    """Its names may be known everywhere, in one project, or nowhere."""
    text = one.choice([text for texts in TEMPLATES.values() for text in texts])
    return text.format(**{key: one.choice(values) for key, values in WORDS.items()})


FILES = ("README.md", "service.py", "billing/README.md", "schema.sql", "crm/service.py", "nowhere.py", "CLAUDE.md")
KINDS = ("class", "project", "table", "function", None, None, None)


@st.composite
def calls(draw: st.DrawFn, seed: int, ways: Sequence[str]) -> Call:
    """A question, and the way out that its answer takes."""
    one = _drawn(draw, seed)
    asked = draw(questions(seed))
    named = [*PROJECTS, "nowhere"]
    names = [*NAMES, *PROJECTS, *TABLES, *(f"{project}/{name}" for project in PROJECTS for name in CLASSES)]
    return Call(
        asked,
        one.choice(ways),
        one.choice(names),
        one.choice(names),
        one.choice(KINDS),
        tuple(one.sample([*sorted(asked.allowed) * 2, *named], 1)) if one.random() < 0.4 else (),
        one.choice(FILES) if one.random() < 0.3 else None,
        one.choice([1, 10, 50]),
    )
