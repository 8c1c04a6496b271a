"""The evidence pack: what the retriever returns, field by field (000 §8.1, §10 step 8), what may come into it,
and the words to highlight.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from agents.evidence.intents import Intent
from memory.embedders.english import ENGLISH
from memory.question import ParsedQuestion
from memory.text.kinds import is_debris
from memory.text.lines import split_lines
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Chunk, Corpus, Hit

if TYPE_CHECKING:
    from agents.candidates import Candidate
    from agents.file_ranking import File

FUSION: Final = "fusion_rrf"
RANKED: Final = "ranked"
RELATION: Final = "relation"
_REPEATED: Final = 0.9
"""What each further piece of one file counts, beside the one before."""
_IMPORTS: Final = 0.7
"""What imports count beside code that does something."""
_MOST_HIGHLIGHTS: Final = 8
_WORD: Final = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A piece of a file as evidence. `text` is exactly the lines start_line..end_line, which need not be the chunk's.

    chunk: what was stored; score: what it was ranked by, which measures nothing; retrieval_route: the only route that
    found it, the fusion, the ranking of files, or a relation that these lines prove; reason: that relation in words;
    also_in: where else nearly the same text is, as PROJECT/path:first-last; stale: the file has changed since it was
    indexed.
    """

    chunk: Chunk
    score: float
    rank: int
    start_line: int
    end_line: int
    text: str
    retrieval_route: str
    highlights: tuple[str, ...] = ()
    reason: str = ""
    also_in: tuple[str, ...] = ()
    stale: bool = False

    @property
    def place(self) -> str:
        """Project, path and lines, as citations have them."""
        lines = f":{self.start_line}-{self.end_line}" if self.start_line > 0 else ""
        return f"{self.chunk.project}/{self.chunk.path}{lines}"

    @property
    def evidence_id(self) -> str:
        """The point and the lines that are shown."""
        return f"{self.chunk.id}:{self.start_line}:{self.end_line}"

    def to_dict(self) -> dict[str, Any]:
        """The mandatory fields, lines being None where the collection has none;
        `reason`, `also_in` and `stale` where there is any.
        """
        has_lines = self.start_line > 0
        more = {"reason": self.reason} if self.reason else {}
        also = {"also_in": list(self.also_in)} if self.also_in else {}
        stale = {"stale": True} if self.stale else {}
        return {
            "evidence_id": self.evidence_id,
            "score": self.score,
            "rank": self.rank,
            "corpus": self.chunk.corpus,
            "repo": self.chunk.repo,
            "path": self.chunk.path,
            "commit": self.chunk.commit,
            "start_line": self.start_line if has_lines else None,
            "end_line": self.end_line if has_lines else None,
            "chunk_kind": self.chunk.chunk_kind,
            "text": self.text,
            "retrieval_route": self.retrieval_route,
            "highlights": list(self.highlights),
            **more,
            **also,
            **stale,
        }


@dataclass(frozen=True, slots=True)
class EvidencePack:
    """The answer to one request. hnsw_ef: None where the search was exact and sent none; missing: by how many items a
    corpus stays below its share; notes: what was not as asked or not as usual; changed: how many files have changed
    since they were indexed, of each project of a piece in which any have.
    """

    intent: Intent
    query: str
    evidence: tuple[EvidenceItem, ...]
    candidates_received: int
    routes_used: tuple[str, ...]
    hnsw_ef: int | None
    exact: bool
    missing: Mapping[Corpus, int]
    notes: tuple[str, ...] = ()
    changed: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of 000 §10 step 8; beyond it `stats` has `notes` and `missing`, and `changed` where any has."""
        corpora = [item.chunk.corpus for item in self.evidence]
        return {
            "intent": self.intent.value,
            "query": self.query,
            "evidence": [item.to_dict() for item in self.evidence],
            "stats": {
                "candidates_received": self.candidates_received,
                "returned": len(self.evidence),
                "corpus_mix": {"code": corpora.count("code"), "docs": corpora.count("docs")},
                "routes_used": list(self.routes_used),
                "qdrant_params": {"hnsw_ef": self.hnsw_ef, "exact": self.exact},
                "notes": list(self.notes),
                "missing": {"code": self.missing.get("code", 0), "docs": self.missing.get("docs", 0)},
                **({"changed": dict(self.changed)} if self.changed else {}),
            },
        }


def item_of(hit: Hit, rank: int) -> EvidenceItem:
    """A hit as the candidate of this rank, with the lines that are stored."""
    chunk = hit.chunk
    route = hit.routes[0] if len(hit.routes) == 1 else FUSION
    return EvidenceItem(chunk, hit.score, rank, chunk.start_line, chunk.end_line, chunk.text, route)


def routes_used(sent: Sequence[str], how: str = FUSION) -> tuple[str, ...]:
    """The routes that were searched, in the order of 000 §10, and what made one list of them."""
    return (*(route for route in (DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL) if route in sent), how)


def asked_words(question: ParsedQuestion) -> tuple[tuple[str, str], ...]:
    """The question's identifiers, then its other words of three letters and more, each as (as written, casefolded)."""
    named = [word for word in question.words if word.kind in {"identifier", "hyphenated"}]
    others = (one for word in question.words if word not in named for one in _WORD.findall(word.text))
    words = [*(word.text for word in named), *(word for word in others if word.lower() not in ENGLISH)]
    folded = {word.casefold(): word for word in reversed(words)}
    ordered = dict.fromkeys(word.casefold() for word in words)
    return tuple((folded[word], word) for word in ordered)


def highlights(asked: tuple[tuple[str, str], ...], text: str) -> tuple[str, ...]:
    """Those that stand in the text as whole words in any case, in the question's order and spelling."""
    folded = text.casefold()
    return tuple(islice((written for written, word in asked if _occurs(word, folded)), _MOST_HIGHLIGHTS))


def _occurs(word: str, text: str) -> bool:
    """Whether it is there with no letter, digit or underscore on either side; ten times as quick as a pattern."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (at > 0 and _joins(text[at - 1])) and not (end < len(text) and _joins(text[end])):
            return True
        at = text.find(word, at + 1)
    return False


def _joins(character: str) -> bool:
    return character.isalnum() or character == "_"


def spread(candidates: Sequence[Candidate]) -> list[EvidenceItem]:
    """The chunks as items ranked from 1: by score, the further ones of a file a little later than that.

    The first of a file carries the relation for which the file was found.
    """
    counts: dict[File, int] = {}
    scored = []
    for one in candidates:
        chunk = one.chunk
        before = counts.get((chunk.project, chunk.path), 0)
        counts[chunk.project, chunk.path] = before + 1
        empty = chunk.corpus == "code" and is_debris(split_lines(chunk.text))
        score = round(one.score * _REPEATED**before * (_IMPORTS if empty else 1.0), 6)
        scored.append((score, "" if before else one.evidence, chunk))
    scored.sort(key=lambda row: (-row[0], row[2].project, row[2].path, row[2].start_line, row[2].id))
    return [
        replace(item_of(Hit(chunk, score, routes=(RANKED,)), rank), reason=reason)
        for rank, (score, reason, chunk) in enumerate(scored, start=1)
    ]


def behind(candidates: Sequence[Candidate], further: Sequence[Candidate]) -> list[Candidate]:
    """The further chunks that are not among the candidates, in their order, each scored below all of those."""
    known, least = {one.chunk.id for one in candidates}, min((one.score for one in candidates), default=1.0)
    return [replace(one, score=round(one.score * least, 6)) for one in further if one.chunk.id not in known]
