"""A question between two stages of its way: what was asked, and small steps from one to the next.

See docs/design.md#one-question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memory.question import ParsedQuestion, named_projects, question_of, read_question
from orchestrator.specs import SWITCHED_OFF, AgentSpec

if TYPE_CHECKING:
    from datetime import datetime

    from memory.entities import Scope
    from memory.query import QueryClassification, TaskContext
    from memory.shared import SharedWorkingMemory


@dataclass(frozen=True, slots=True)
class QueryState:
    """A question that has passed the door and is classified.

    scope: the hard one that the question or the caller gave; memory: where its agents publish; started: the clock's
    time; until: the event loop's, at which the answer is due; agents_until: the same for the agents.
    """

    query: str
    context: TaskContext
    classification: QueryClassification
    memory: SharedWorkingMemory
    scope: Scope | None
    begun: datetime
    started: float
    until: float
    agents_until: float

    @property
    def question(self) -> ParsedQuestion:
        """The question as it was read."""
        return question_of(self.query, self.context)

    @property
    def is_idle(self) -> bool:
        """Whether neither the question nor its context names anything that can be searched for."""
        return self.question.is_idle and not (self.context.mentions or self.context.recent)


def agent_spec(
    name: str, agent: Any, *, enabled: bool, gives_scope: bool = False, takes_scope: bool = False
) -> AgentSpec:
    """One of the three in a run, or why it is not there."""
    if not enabled:
        return AgentSpec(name, why_absent=f"{SWITCHED_OFF} by enable_{name}")
    return AgentSpec(name, agent=agent, gives_scope=gives_scope, takes_scope=takes_scope)


def classified(
    analyzer: Any, query: str, context: TaskContext, *, graph_scopes_vector: bool = True
) -> QueryClassification:
    """What the analyzer makes of the question, with the projects that its words name of those that may be seen."""
    classification: QueryClassification = analyzer.classify(query)
    question = classification.question or read_question(query)
    named = named_projects(question.prose, context.permission)
    classification = replace(classification, question=replace(question, projects=named))
    if classification.graph_scopes_vector and not graph_scopes_vector:
        return replace(classification, graph_scopes_vector=False)
    return classification


def with_linked(classification: QueryClassification, scope: Scope | None) -> QueryClassification:
    """What the graph linked joins what the wording named."""
    linked = scope.linked if scope else ()
    known = {name.casefold() for name in classification.entities}
    new = [name for name in dict.fromkeys(linked) if name.casefold() not in known]
    return replace(classification, entities=(*classification.entities, *new)) if new else classification
