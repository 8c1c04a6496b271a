"""What the agents found becomes one ranked list: duplicates folded, conflicts named, limits kept (001 §5)."""

from merging.agreement import independent_sources
from merging.claims import Claim, ClaimRule, Passage, read_claims
from merging.conflicts import Conflict, detect_conflicts
from merging.duplicates import deduplicate_observations
from merging.limits import apply_limits
from merging.merger import Dropped, MergeCounts, MergeResult, ResultMerger, trace_dropped
from merging.normalise import normalise, within_permission
from merging.ranking import rank_observations
from merging.resolution import resolve_conflicts

__all__ = [
    "Claim",
    "ClaimRule",
    "Conflict",
    "Dropped",
    "MergeCounts",
    "MergeResult",
    "Passage",
    "ResultMerger",
    "apply_limits",
    "deduplicate_observations",
    "detect_conflicts",
    "independent_sources",
    "normalise",
    "rank_observations",
    "read_claims",
    "resolve_conflicts",
    "trace_dropped",
    "within_permission",
]
