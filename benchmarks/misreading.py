"""False sentences about a true place, made by a seeded hand: the marker leads to lines that speak of it, and say
otherwise.

Each is a true sentence with one thing wrong (`Sentence`), or a relation told wrongly. What is put in is looked up in
the texts first, so that it cannot be true by chance.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from typing import Final, Literal, get_args

from benchmarks.free_wording import Sentence
from memory.entities import VERBS, Relationship
from synthesis.answer import graph_marker, parse_markers

Misreading = Literal[
    "foreign name", "negation", "reversal", "other relation", "other number", "other unit", "invented predicate"
]
MISREADINGS: Final[tuple[Misreading, ...]] = get_args(Misreading)

ROUNDS: Final = 40
"""How often one sentence may be tried."""

_QUOTED = re.compile(r"``.+?``|`[^`\n]+`|“[^”]+”")
_NAME = re.compile(r"(?<![\w./`-])(?:[^\W\d]\w*(?:_\w+|[a-z\d][A-Z]\w*)|(?<!^)(?<![.?!:] )[A-Z]\w{2,})(?![\w/`-])")
_STRANGERS: Final = (
    "Stripe", "Kafka", "Salesforce", "Twilio", "Memcached", "LedgerEngine", "FraudScreening", "settlement_batch",
    "WarehouseRobot", "Okta", "quota_ledger", "TurbineService", "Zookeeper", "audit_trail_writer",
)  # fmt: skip
_ASIDES: Final = ("through {}", "and {}", "via {}", "with the help of {}", "on behalf of {}")
_AUXILIARY = re.compile(r"(?<!`)\b(is|are|was|may|must|can|has to|will|should)\b(?! not\b)(?=\s+[a-z])")
_DENIED = re.compile(r"\b(?:(?:do|does) not|not|never|no longer)\s+|\bno\s+(?=[a-z])")
_ANY_DENIAL = re.compile(r"\b(?:nothing|nobody|none|without|cannot|rather than|unlike)\b", re.IGNORECASE)
_THIRD: Final = {
    "calls": "call", "publishes": "publish", "subscribes": "subscribe", "uses": "use", "owns": "own", "reads": "read",
    "imports": "import", "inherits": "inherit", "depends": "depend", "exposes": "expose", "raises": "raise",
    "extends": "extend", "consumes": "consume", "listens": "listen", "hands": "hand", "keeps": "keep", "takes": "take",
    "waits": "wait", "gets": "get", "sends": "send", "creates": "create", "goes": "go", "needs": "need",
    "identifies": "identify", "mirrors": "mirror", "holds": "hold", "defines": "define", "stores": "store",
}  # fmt: skip
_THIRD_PERSON = re.compile(rf"(?<=[\w`] )({'|'.join(_THIRD)})\b")
_PASSIVE: Final = {
    "CALLS": "called", "IMPORTS": "imported", "DEFINES": "defined", "OWNS_TABLE": "owned", "USES_TABLE": "used",
    "READS": "read", "EXPOSES": "exposed", "PUBLISHES": "published", "CONSUMES": "consumed", "INVOKES": "invoked",
}  # fmt: skip
_MAY_BE_TRUE: Final = frozenset({"DEPENDS_ON", "USES_TABLE", "STORES_IN", "READS"})
"""What one that calls or stores may also be said to do: nothing to plant, except beside the types below."""
_ALIKE: Final = (
    frozenset({"CALLS", "INVOKES"}),
    frozenset({"SUBSCRIBES", "CONSUMES", "READS"}),
    frozenset({"DEFINES", "OWNS_TABLE", "USES_TABLE", "STORES_IN", "READS", "EXPOSES"}),
)
_COUNTS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = re.compile(rf"(?<![\w.:/,-])(?:\d+(?:[.,]\d+)*|{'|'.join(_COUNTS)})(?![\w:/-]|[.,]\d)", re.IGNORECASE)
_UNITS: Final = ("milliseconds", "seconds", "minutes", "hours", "days", "weeks", "MB", "KB")
_UNIT = re.compile(r"(?<=[\d.])( ?)(ms|s|MB|KB)\b|(?<=\w)( )(milliseconds|seconds|minutes|hours|days|weeks)\b")
_SHORT: Final = {"ms": "milliseconds", "s": "seconds"}
_PREDICATES: Final = (
    "deletes all customers every night", "encrypts every payload with a rotating key",
    "sends a weekly report to the managers", "translates the texts into French", "compresses old images in the background",  # noqa: E501 - a table
    "mirrors its traffic to a second region", "asks an administrator for approval", "generates thumbnails for the gallery",  # noqa: E501 - a table
    "charges a penalty of the last quarter", "schedules interviews with candidates", "prints shipping labels in colour",
    "migrates legacy passwords at midnight", "throttles suspicious visitors", "renders dashboards for the finance people",  # noqa: E501 - a table
    "exports its history to a spreadsheet", "rewrites the search ranking by popularity",
    "notifies the police of fraud", "replicates snapshots to the moon", "predicts tomorrow's demand by regression",
    "blocks every visitor from abroad", "merges duplicate accounts silently", "rotates certificates twice a month",
    "archives chat transcripts for lawyers", "balances load across idle machines", "validates fingerprints of employees",  # noqa: E501 - a table
)  # fmt: skip


def misread(kind: Misreading, sentences: Iterable[Sentence], count: int, seed: int) -> list[Sentence]:
    """At most `count` different false ones of a kind, in an order and of a make that the seed decides."""
    rng = random.Random(f"{kind} {seed}")  # noqa: S311 - no secret
    pool = [one for one in sentences if parse_markers(one.text)]
    rng.shuffle(pool)
    found: dict[str, Sentence] = {}
    for _ in range(ROUNDS):
        for one in pool:
            if len(found) == count:
                return list(found.values())
            text = _MAKERS[kind](one, rng)
            if text is not None and text != one.text:
                found.setdefault(text, Sentence(text, one.observations))
    return list(found.values())


def _parts(one: Sentence) -> tuple[str, str]:
    """The claim and its markers."""
    start = parse_markers(one.text)[0].start
    return one.text[:start].strip(), one.text[start:]


def _outside(pattern: re.Pattern[str], claim: str) -> list[re.Match[str]]:
    """Where a pattern matches outside of quotations."""
    quoted = [match.span() for match in _QUOTED.finditer(claim)]
    return [m for m in pattern.finditer(claim) if not any(a < m.end() and m.start() < b for a, b in quoted)]


def _known(one: Sentence) -> str:
    ends = (e.label for o in one.observations for r in o.relationships for e in (r.source, r.target))
    return " ".join([one.text, *(o.content for o in one.observations), *ends]).casefold()


def _swapped(claim: str, match: re.Match[str], new: str) -> str:
    return claim[: match.start()] + new + claim[match.end() :]


def _foreign_name(one: Sentence, rng: random.Random) -> str | None:
    claim, markers = _parts(one)
    stranger = rng.choice([name for name in _STRANGERS if name.casefold() not in _known(one)])
    names = _outside(_NAME, claim)
    if names and rng.random() < 0.5:
        return f"{_swapped(claim, rng.choice(names), stranger)} {markers}"
    return f"{claim.rstrip('.: ')} {rng.choice(_ASIDES).format(stranger)}. {markers}"


def _negation(one: Sentence, rng: random.Random) -> str | None:
    """A denial put in, or the only one taken out."""
    claim, markers = _parts(one)
    made = [_swapped(claim, m, "") for m in _outside(_DENIED, claim)]
    if not made and not _ANY_DENIAL.search(claim):
        made = [_swapped(claim, m, f"{m[1]} not") for m in _outside(_AUXILIARY, claim)]
        made += [
            _swapped(claim, m, rng.choice((f"does not {_THIRD[m[1]]}", f"never {m[1]}")))
            for m in _outside(_THIRD_PERSON, claim)
        ]
    return f"{rng.choice(made)} {markers}" if len(made) == 1 or (made and not _DENIED.search(claim)) else None


def _relation(one: Sentence, rng: random.Random) -> Relationship | None:
    edges = [edge for o in one.observations for edge in o.relationships if edge.type in VERBS]
    return rng.choice(edges) if edges else None


def _reversal(one: Sentence, rng: random.Random) -> str | None:
    """The ends of a relation in each other's place: in a sentence of ours, or where a person named both."""
    edge = _relation(one, rng)
    if edge is None or edge.source.name == edge.target.name:
        return None
    pairs = {(e.source.name, e.target.name) for o in one.observations for e in o.relationships}
    if (edge.target.name, edge.source.name) in pairs:
        return None
    claim, markers = _parts(one)
    both = [re.search(rf"(?<!\w){re.escape(end.name)}(?!\w)", claim) for end in (edge.source, edge.target)]
    if all(both) and rng.random() < 0.5:
        names = {edge.source.name: edge.target.name, edge.target.name: edge.source.name}
        either = "|".join(re.escape(name) for name in names)
        swapped = re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda match: names[match[0]], claim)
        return f"{swapped} {markers}"
    return _told(edge.target.name, edge.type, edge.source.name, edge, rng)


def _other_relation(one: Sentence, rng: random.Random) -> str | None:
    edge = _relation(one, rng)
    if edge is None:
        return None
    ends = {edge.source.name, edge.target.name}
    held = {e.type for o in one.observations for e in o.relationships if {e.source.name, e.target.name} == ends}
    alike = frozenset().union(*(group for group in _ALIKE if held & group))
    others = [kind for kind in VERBS if kind not in held | alike | _MAY_BE_TRUE]
    return _told(edge.source.name, rng.choice(others), edge.target.name, edge, rng)


def _told(one: str, kind: str, two: str, edge: Relationship, rng: random.Random) -> str:
    """`one` does it to `two`, in one of several wordings."""
    verb = VERBS[kind]
    wordings = [f"{one} {verb} {two}.", f"Here {one} {verb} {two}.", f"In {edge.path}, {one} {verb} {two}."]
    wordings.append(f"It is {two} that {one} {verb}.")
    if kind in _PASSIVE:
        wordings += [f"{two} is {_PASSIVE[kind]} by {one}.", f"{two} gets {_PASSIVE[kind]} by {one}."]
        wordings.append(f"As can be seen there, {two} is always {_PASSIVE[kind]} by {one}.")
    return f"{rng.choice(wordings)} {graph_marker([edge.source.label, edge.target.label])}"


def _other_number(one: Sentence, rng: random.Random) -> str | None:
    claim, markers = _parts(one)
    numbers = _outside(_NUMBER, claim)
    if not numbers:
        return None
    number = rng.choice(numbers)
    known = _known(one)
    digits = number[0][0].isdigit()
    others = [str(n) for n in (*range(2, 100), 250, 750)] if digits else list(_COUNTS)
    values = {word: str(n) for n, word in enumerate(_COUNTS, 2)}
    spelled = {number: word for word, number in values.items()} | values
    others = [n for n in others if not re.search(rf"\b(?:{n}|{spelled.get(n, n)})\b", known)]
    return f"{_swapped(claim, number, rng.choice(others))} {markers}" if others else None


def _other_unit(one: Sentence, rng: random.Random) -> str | None:
    claim, markers = _parts(one)
    units = _outside(_UNIT, claim)
    if not units:
        return None
    unit = rng.choice(units)
    known = _known(one)
    others = [other for other in _UNITS if other.casefold().rstrip("s") not in known and other != _SHORT.get(unit[2])]
    return f"{_swapped(claim, unit, f' {rng.choice(others)}')} {markers}"


def _invented_predicate(one: Sentence, rng: random.Random) -> str | None:
    claim, markers = _parts(one)
    names = [m[0] for m in _outside(_NAME, claim)]
    edges = [edge.source.name for o in one.observations for edge in o.relationships]
    subject = rng.choice([*names, *edges, "It"])
    return f"{subject} {rng.choice(_PREDICATES)}. {markers}"


_MAKERS: Final[dict[Misreading, Callable[[Sentence, random.Random], str | None]]] = {
    "foreign name": _foreign_name,
    "negation": _negation,
    "reversal": _reversal,
    "other relation": _other_relation,
    "other number": _other_number,
    "other unit": _other_unit,
    "invented predicate": _invented_predicate,
}
