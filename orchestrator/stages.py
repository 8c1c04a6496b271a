"""A question on its way: what it passes before anybody is asked, and small steps from one stage to the next.

Is it one, who asks, what may they see: docs/design.md#permission. The stages: docs/design.md#one-question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from memory.entities import Scope
from memory.errors import InvalidInputError, UnknownProjectError
from memory.query import TaskContext
from memory.question import OURS, ParsedQuestion, QueryType, named_projects, only_projects, read_question
from memory.question.listed import asks_for_projects
from wiring.catalogue import permitted

if TYPE_CHECKING:
    from datetime import datetime

    from memory.query import QueryClassification
    from memory.shared import SharedWorkingMemory
    from wiring.catalogue import Catalogue

FindSpellings: TypeAlias = Callable[[ParsedQuestion, frozenset[str]], Mapping[str, str]]
"""The words of a question that are misspelt within a permission, each with what it is taken for."""

_ONLY: Final = "only"
_FEW: Final = 5
"""So many projects can be shown at once."""
_MOST_NAMED: Final = 50


def settle_context(given: Mapping[str, Any] | TaskContext | None, catalogue: Catalogue | None) -> TaskContext:
    """The context with its permission settled: what it allows, else all that is indexed.

    Raises UnknownProjectError, which names only what the caller may see, and InvalidInputError. Without a catalogue no
    name is checked against one.
    """
    context = TaskContext.from_mapping(given)
    if context.deadline is not None and not 0 < context.deadline < math.inf:
        raise InvalidInputError(f"The deadline is {context.deadline}.", "Give seconds above zero.")
    if context.stated_permission is None:
        if catalogue is None:
            return context
        context = context.allowing(catalogue.projects())
    permission = context.permission
    if catalogue is not None:
        visible = permission & catalogue.projects()
        if context.project is None:
            context = replace(context, project=catalogue.in_hand(visible))
        permitted(permission, catalogue.projects())
    if permission and context.project is not None and context.project not in permission:
        raise UnknownProjectError(context.project, permission)
    return context


def limited(query: str, context: TaskContext) -> tuple[TaskContext, Scope | None]:
    """The context within what the question itself allows ("only in X"), and the hard scope where it says so."""
    only = only_projects(read_question(query), context.permission)
    return (context.allowing(only), Scope(sorted(only))) if only else (context, None)


def narrowed(context: TaskContext, scope: Scope) -> tuple[TaskContext, Scope]:
    """The context within the scope's projects alone, and what of the scope may be seen.
    One of files alone narrows nothing.
    """
    if scope.names:
        names, given = frozenset(scope.names), context.stated_permission
        context = context.allowing(names if given is None else given & names)
    permission = context.stated_permission
    return context, scope if permission is None else scope.within(permission)


@dataclass(frozen=True, slots=True)
class QueryState:
    """A question that has passed the door and is classified.

    scope: the hard one that the question or the caller gave; memory: where its agents publish; started: the clock's
    time; until: the event loop's, at which the answer is due; agents_until: the same for the agents; notes: how the
    query was read, where its writer has to know it.
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
    notes: tuple[str, ...] = ()

    @property
    def question(self) -> ParsedQuestion:
        """The question as it was read."""
        return self.context.question or read_question(self.query)

    @property
    def is_idle(self) -> bool:
        """Whether neither the question nor its context names anything that can be searched for."""
        question, context = self.question, self.context
        leans = context.mentions or (context.recent and not question.is_courtesy)
        return question.is_idle and not leans


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


def reworded(
    classify: Callable[[str, TaskContext], QueryClassification],
    query: str,
    context: TaskContext,
    find: FindSpellings | None,
) -> tuple[QueryClassification, tuple[str, ...]]:
    """What the analyzer makes of the question with its misspelt words put right, and a note of each. Who asks what
    "this project" is asks for the one in hand; without one for all, where they are few.
    """
    classification = classify(query, context)
    question = classification.question
    if question and question.is_overview and (meant := _meant(context)):
        named = f"What is {' and '.join(meant)}?"
        return classify(named, context), (f'read as "{named}"',)
    spelled = dict(find(question, context.permission)) if find and question and context.permission else {}
    if not spelled:
        return classification, ()
    wrong = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(spelled, key=len, reverse=True)))})(?!\w)")
    return classify(wrong.sub(lambda found: spelled[found[0]], query), context), tuple(
        f'"{word}" was read as "{meant}"' for word, meant in spelled.items()
    )


def _meant(context: TaskContext) -> list[str]:
    if context.project is not None and context.project in context.permission:
        return [context.project]
    return sorted(context.permission) if len(context.permission) <= _FEW else []


def unmet_limit(question: ParsedQuestion, context: TaskContext) -> tuple[str, ...]:
    """A note where the question begins with a limit to what is no project that may be seen: it limits nothing."""
    begins = question.prose[: len(_ONLY)].casefold() == _ONLY
    if not question.only_in or not begins or only_projects(question, context.permission):
        return ()
    return (f'"{question.only_in.strip()}" names no project that may be seen, so nothing is limited to it',)


def projects_there_are(question: ParsedQuestion, context: TaskContext) -> tuple[str, ...]:
    """A note of all projects that may be seen, where the question asks which there are."""
    if not asks_for_projects(question) or not context.permission:
        return ()
    names = sorted(context.permission)
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    are = "project is" if len(names) == 1 else "projects are"
    return (f"{len(names)} {are} indexed: {', '.join(names[:_MOST_NAMED])}{more}",)


def of_named(classification: QueryClassification, context: TaskContext) -> TaskContext:
    """The context with the one project in hand that a question names which is about one alone; not where it says "our"
    and there is one in hand.
    """
    question = classification.question
    alone = classification.query_types == (QueryType.LOCAL_ONLY,)
    if not alone or question is None or len(question.projects) != 1:
        return context
    says_ours = any(word.text.casefold() in OURS for word in question.words)
    return context if says_ours and context.project is not None else replace(context, project=question.projects[0])


def with_linked(classification: QueryClassification, scope: Scope | None) -> QueryClassification:
    """What the graph linked joins what the wording named."""
    linked = scope.linked if scope else ()
    known = {name.casefold() for name in classification.entities}
    new = [name for name in dict.fromkeys(linked) if name.casefold() not in known]
    return replace(classification, entities=(*classification.entities, *new)) if new else classification
