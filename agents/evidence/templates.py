"""The query templates A-D of 000 §7 as data: which routes are searched, how deep, and what is kept of the fusion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from agents.evidence.intents import Intent
from memory.errors import ConfigError
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Corpus

__all__ = ["TEMPLATES", "Prefetch", "Template", "choose_template", "with_limits"]


@dataclass(frozen=True, slots=True)
class Prefetch:
    """One route of a template: the named vector and how many candidates it brings. of_symbol: only chunks of the
    question's symbol.
    """

    using: str
    limit: int
    of_symbol: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """Routes that are fused, and how many of the fusion are kept; `corpus` is forced where it is given."""

    name: str
    prefetches: tuple[Prefetch, ...]
    final: int
    corpus: Corpus | None = None

    @property
    def dense_routes(self) -> tuple[str, ...]:
        """The dense vectors that it searches."""
        return tuple(prefetch.using for prefetch in self.prefetches if prefetch.using != SPARSE_LEXICAL)


TEMPLATES: Final[Mapping[str, Template]] = {
    template.name: template
    for template in (
        Template("A", (Prefetch(DENSE_DOCS, 80), Prefetch(DENSE_CODE, 80), Prefetch(SPARSE_LEXICAL, 120)), 40),
        Template("B", (Prefetch(DENSE_CODE, 100), Prefetch(SPARSE_LEXICAL, 150)), 50, "code"),
        Template("C", (Prefetch(DENSE_DOCS, 100), Prefetch(SPARSE_LEXICAL, 150)), 50, "docs"),
        Template(
            "D",
            (Prefetch(DENSE_DOCS, 80), Prefetch(DENSE_CODE, 80, of_symbol=True), Prefetch(SPARSE_LEXICAL, 120)),
            40,
        ),
    )
}


def choose_template(intent: Intent, symbol: str, templates: Mapping[str, Template] = TEMPLATES) -> Template:
    """B and C for a forced corpus, D for the lookup of a symbol, A for all the rest."""
    if intent is Intent.CODE_ONLY:
        return templates["B"]
    if intent is Intent.DOCS_ONLY:
        return templates["C"]
    return templates["D" if intent is Intent.API_LOOKUP and symbol else "A"]


def with_limits(limits: Mapping[str, int]) -> dict[str, Template]:
    """The templates with other numbers: `A.dense_docs` is a route's, `A.final` the fusion's. Raises ConfigError."""
    known = {f"{t.name}.{key}" for t in TEMPLATES.values() for key in ("final", *(p.using for p in t.prefetches))}
    for key, limit in limits.items():
        if key not in known or limit < 1:
            hint = f"Known: {', '.join(sorted(known))}; numbers from 1."
            raise ConfigError("evidence.limits", "settings", f"{key}: {limit} can't be.", hint)
    return {name: _limited(template, limits) for name, template in TEMPLATES.items()}


def _limited(template: Template, limits: Mapping[str, int]) -> Template:
    prefetches = tuple(replace(p, limit=limits.get(f"{template.name}.{p.using}", p.limit)) for p in template.prefetches)
    return replace(template, prefetches=prefetches, final=limits.get(f"{template.name}.final", template.final))
