"""What states a property is a rule's business (docs/design.md#conflicts): one rule a file, and prose states none.

A rule more is a file here and its name in `RULES`.
"""

from __future__ import annotations

from memory.observations import NormalizedObservation
from merging.claims.passages import Claim, ClaimRule, Passage, passages
from merging.claims.sections import DATES, EVERYONE, REACH, ReachRule, stated_time, time_of
from merging.claims.settings import PinRule, PortRule, SettingRule
from merging.claims.tables import TableRule

__all__ = [
    "DATES",
    "EVERYONE",
    "REACH",
    "RULES",
    "Claim",
    "ClaimRule",
    "Passage",
    "read_claims",
    "stated_time",
    "time_of",
]

RULES: tuple[ClaimRule, ...] = (TableRule(), SettingRule(), PinRule(), PortRule(), ReachRule())


def read_claims(observation: NormalizedObservation) -> tuple[Claim, ...]:
    """What an observation states, each claim once; of a property that it gives two values it states none."""
    read = tuple(passages(observation))
    if not read:
        return ()
    found: dict[tuple[str, str, str, str], Claim] = {}
    unclear = set()
    for passage in read:
        for rule in (one for one in RULES if passage.notation in one.notations):
            for claim in rule.claims(passage):
                known = found.setdefault(claim.key(), claim)
                if known.value != claim.value:
                    unclear.add(claim.key())
    return tuple(claim for key, claim in found.items() if key not in unclear)
