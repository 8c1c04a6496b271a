"""From ranked candidates to the items of a pack: duplicates, shares, windows, budget (000 §8.2, §10 step 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agents.evidence.budget import within_budget
from agents.evidence.duplicates import without_duplicates
from agents.evidence.highlights import asked_words, highlights
from agents.evidence.pack import EvidenceItem
from agents.evidence.quotas import missing_of, needed, with_quotas
from agents.evidence.request import SettledRequest
from agents.evidence.windows import expanded
from configs.settings import EvidenceSettings
from memory.files import WholeFiles
from memory.vector.port import Corpus

__all__ = ["Selection", "select"]


@dataclass(frozen=True, slots=True)
class Selection:
    """The items of a pack, ranked from 1, what its corpora lack, and what is to be said."""

    items: tuple[EvidenceItem, ...]
    missing: dict[Corpus, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


async def select(
    ranked: Sequence[EvidenceItem], request: SettledRequest, settings: EvidenceSettings, files: WholeFiles | None = None
) -> Selection:
    """At most `top_k` of the ranked candidates. files: where windows are read, None for none."""
    distinct = without_duplicates(ranked, settings.near_duplicate)
    share = settings.quota if request.quotas else 0.0
    chosen = with_quotas(distinct, request.top_k, share).items
    if files is not None and settings.windows:
        chosen = await expanded(chosen, files, settings)
    fitting = within_budget(chosen, settings.max_tokens)
    missing = missing_of(fitting, needed(request.top_k, share))
    asked = asked_words(request.query)
    items = tuple(
        replace(item, rank=rank, highlights=highlights(asked, item.text)) for rank, item in enumerate(fitting, start=1)
    )
    return Selection(items, missing, _notes(len(chosen) - len(fitting), missing, settings))


def _notes(left_out: int, missing: dict[Corpus, int], settings: EvidenceSettings) -> tuple[str, ...]:
    notes = [f"{left_out} items left out for the budget of {settings.max_tokens} tokens"] if left_out else []
    notes += [f"{count} items of {corpus} short of its share" for corpus, count in missing.items()]
    return tuple(notes)
