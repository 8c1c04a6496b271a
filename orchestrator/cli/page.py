"""An answer as people read it: the text, where each citation stands, what was not reached, and - if asked - why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["answer_page"]


def answer_page(result: dict[str, Any], *, explain: bool) -> str:
    """The page of one `HybridResult.to_dict()`."""
    parts = [result["answer"]["text"].strip()]
    parts += ["\n".join(block) for block in (_sources(result), _conflicts(result), _missing(result)) if block]
    if explain:
        parts.append("\n".join(_explanation(result)))
    return "\n\n".join(parts)


def _sources(result: dict[str, Any]) -> list[str]:
    """Each cited place once, with the line it opens on and whether it was verified."""
    seen: dict[str, str] = {}
    for citation in result["citations"]:
        at = citation["location"]
        place = f"{at['project']}/{at['path']}:{at['start_line']}" if at else citation["marker"]
        note = "" if citation["verified"] else f"  NOT VERIFIED: {citation['reason']}"
        stale = "  (the file has changed since it was indexed)" if citation.get("stale") else ""
        if note or place not in seen:  # what does not hold is never hidden behind what does
            seen[place] = f"  {place}{note}{stale}"
    return ["Sources", *seen.values()] if seen else []


def _conflicts(result: dict[str, Any]) -> list[str]:
    """What was kept and why; where that is for the user to say, the question."""
    lines = []
    for conflict in result["conflicts"]:
        about = f"{conflict['subject']}, {conflict['property']}: {conflict['reason']}"
        lines.append(f"  {conflict.get('question') or about}")
    return ["Conflicts", *lines] if lines else []


def _missing(result: dict[str, Any]) -> list[str]:
    return (
        ["Not covered", *(f"  {item}" for item in result["answer"]["missing"])] if result["answer"]["missing"] else []
    )


def _explanation(result: dict[str, Any]) -> Iterator[str]:
    classification, scope = result["classification"], result["scope"]
    yield f"Classified   {', '.join(classification['query_types'])} -> {', '.join(classification['paths'])}"
    yield from (f"             {reason}" for reason in classification["reasons"])
    if classification["entities"]:
        yield f"Entities     {', '.join(classification['entities'])}"
    for agent in result["coverage"]["agents"]:
        reason = f"  {agent['reason']}" if agent["reason"] else ""
        yield f"{agent['agent']:<12} {agent['role']:<5} {agent['status']:<8} {agent['observations']:>3} found {agent['elapsed_ms']:8.1f} ms{reason}"
    yield f"Scope        {scope['mode']}, {scope['strength']}"
    for project in scope["projects"]:
        yield f"             {project['project']} {project['confidence']:.2f}  {project['because']}"
    if scope["widened"]:
        yield f"             widened by {', '.join(scope['widened_by'])}"
    yield "Ranking"
    for item in result["observations"]:
        at = item["locations"][0] if item["locations"] else None
        place = f"{at['project']}/{at['path']}:{at['start_line']}-{at['end_line']}" if at else item["source"]
        yield f"  {item['rank']:>2}. {item['score']:.3f} {item['agent']:<6} {place}"
    metrics = result["metrics"]
    yield f"Time         {metrics['total_time_ms']:.1f} ms, merging {metrics['merge_time_ms']:.1f}, synthesis {metrics['synthesis_time_ms']:.1f}"
