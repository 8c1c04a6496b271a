"""How several projects do something: a bullet each in its own words, then where they agree and differ (001 §10, A)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synthesis.answer import Citation
from synthesis.extractive.agreement import compared_tables, described, shared_names
from synthesis.extractive.behaviour import asks_how_it_retries, retrying
from synthesis.extractive.groups import Group, chosen, grouped
from synthesis.extractive.scoring import scored
from synthesis.extractive.statements import Claim, Line, passage_claim
from synthesis.extractive.tables import Table, tables_in
from synthesis.extractive.terms import question_terms, stem, terms
from synthesis.extractive.topic import topic_of
from synthesis.extractive.wording import counted, listed
from synthesis.markers import lines_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.scoring import Scored
    from synthesis.extractive.sources import Ground, Source

__all__ = ["pattern_lines"]

_KEY_HINTS = frozenset(stem(word) for word in ("key", "primary", "identified", "unique", "natural", "composite"))
_OF_ONE_PROJECT = 4
_SAID = 0.4


def pattern_lines(question: str, ground: Ground) -> list[Line]:
    """Lead, one bullet a project, agreement and difference; a single project gets its best sentences."""
    tables = _tables(question, ground.sources)
    hints = _KEY_HINTS | {t for table in tables.values() for t in _key_terms(table)} if tables else frozenset[str]()
    topic = topic_of(question, (source.project for source in ground.sources))
    found = scored(question, ground.sources, hints, topic)
    groups = grouped(topic, found, keep=list(tables) if len(tables) > 1 else ())
    again = retrying(ground.sources) if asks_how_it_retries(topic) else {}
    shown = {group.project for group in groups}
    again = {project: claim for project, claim in again.items() if topic.is_list or project in shown}
    if len(groups) == 1 and not again:
        picked = chosen(groups[0].passages, _OF_ONE_PROJECT)
        return [Line((passage_claim(s),), _bullet(s.source.project, _heading(s))) for s in picked]
    also = [project for project in again if project not in shown]
    lines = [Line((Claim(_lead([*(g.project for g in groups), *also], tables)),))] if groups or also else []
    for group in groups:
        picked = chosen(group.passages, 1 if group.project in again else 2)
        if group.project in tables:
            picked = chosen(_said_of_table(question, group), 1)
        contexts = ["", *(s.passage.context for s in picked)]
        said = [
            passage_claim(s, named=s.passage.context == before) for s, before in zip(picked, contexts, strict=False)
        ]
        claims = tuple(said) or described(tables[group.project])
        does = [again[group.project]] if group.project in again else []
        lines.append(Line((*does, *claims, *_copies(group)), _bullet(group.project)))
    lines += [Line((again[project],), _bullet(project)) for project in also]
    if len(tables) > 1:
        return lines + compared_tables([tables[g.project] for g in groups if g.project in tables])
    used = {group.project: list(dict.fromkeys(s.source for s in group.passages)) for group in groups}
    return lines + shared_names(question, used)


def _bullet(project: str, heading: str = "") -> str:
    name = ", ".join(part for part in (project, heading) if part)
    return f"- {name}: " if name else "- "


def _heading(s: Scored) -> str:
    return s.passage.context.rsplit(" > ", 1)[-1] if s.passage.is_prose and not s.source.is_code else ""


def _said_of_table(question: str, group: Group) -> list[Scored]:
    """What is said of a table in sentences that hold a term of the question, not only of keys."""
    asked = question_terms(question)
    return [s for s in group.passages if s.passage.is_prose and s.held & asked and s.score >= _SAID * group.best]


def _lead(names: Sequence[str], tables: dict[str, Table]) -> str:
    if len(tables) > 1 and all(name in tables for name in names):
        called = {tables[name].name for name in names}
        if len(called) == 1:
            return f"{counted(len(names), 'project').capitalize()} have a table `{called.pop()}`: {listed(names)}."
        each = [f"{name} (`{tables[name].name}`)" for name in names]
        return f"{counted(len(names), 'project').capitalize()} have such a table: {listed(each)}."
    return f"Found in {counted(len(names), 'project')}: {listed(names)}."


def _tables(question: str, sources: Sequence[Source]) -> dict[str, Table]:
    """Each project's table whose name the question means best; empty when the question means none."""
    wanted = question_terms(question)
    found: dict[str, tuple[int, Table]] = {}
    for source in sources:
        for table in tables_in(source):
            shared = len(wanted & terms(table.name))
            if shared > found.get(source.project, (0, None))[0]:
                found[source.project] = (shared, table)
    return {project: table for project, (_, table) in found.items()}


def _key_terms(table: Table) -> frozenset[str]:
    """What a sentence about the key would say: its columns and types; `id` says nothing."""
    types = [column.type for column in table.columns if column.name in table.key]
    return frozenset(term for term in terms(" ".join([*table.key, *types])) if len(term) > 2)


def _copies(group: Group) -> tuple[Claim, ...]:
    """`The same in crm.`, where the first passage's observation has copies in other projects."""
    best = group.passages[0]
    observation = best.source.observation
    copies = {d.location.project: d.location for d in observation.duplicates if d.location}
    elsewhere = sorted(set(copies) - {group.project})
    text = f"The same in {listed(elsewhere)}."
    cited = tuple(
        Citation(lines_marker(observation, copies[p]), observation.id, text, best.passage.quote, copies[p])
        for p in elsewhere
    )
    return (Claim(text, cited),) if elsewhere else ()
