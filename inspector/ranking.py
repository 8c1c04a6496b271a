"""The observations by rank; what says the same, and what lost a conflict, is folded under the one that was kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from configs import AGENTS
from inspector.inspection import place_of
from inspector.markup import Html, agent, badge, count, join, numbered, place, proof, section, span, tag
from memory.text.output import shortened

if TYPE_CHECKING:
    from inspector.inspection import Inspection


def ranking(inspection: Inspection) -> Html:
    result = inspection.result
    observations = {o["id"]: o for o in result["observations"]}
    folded = {loser: winner for winner, losers in _lost(result, observations).items() for loser in losers}
    best = max((o["score"] for o in observations.values()), default=1.0) or 1.0
    cards = [_card(o, inspection, observations, best) for id_, o in observations.items() if id_ not in folded]
    metrics = result["metrics"]
    reported = sum(metrics[f"{name}_observations"] for name in AGENTS)
    note = f"{reported} reported, {metrics['after_dedup']} without duplicates, {len(observations)} shown"
    if not cards:
        return section("observations", "Observations", tag("p", "Nobody reported anything.", class_="empty"), note=note)
    chosen = [
        tag("label", tag("input", type="checkbox", checked=True, id=f"show-{name}"), agent(name))
        for name in AGENTS
        if any(o["agent"] == name for o in observations.values())
    ]
    filters = tag("div", *chosen, class_="filters", role="group", aria_label="Shown agents") if len(chosen) > 1 else ""
    return section("observations", "Observations", filters, tag("ol", *cards, class_="ranking"), note=note)


def _lost(result: Mapping[str, Any], observations: Mapping[str, Any]) -> dict[str, list[str]]:
    """The losers that are shown, by the winner under which they are folded: one that lost nothing itself."""
    losers = {loser for conflict in result["conflicts"] for loser in conflict["losers"]}
    lost: dict[str, list[str]] = {}
    for conflict in result["conflicts"]:
        winner = conflict["winner"]
        if winner in observations and winner not in losers:
            own = [loser for loser in conflict["losers"] if loser in observations]
            lost.setdefault(winner, []).extend(own)
    return lost


def _card(observation: Mapping[str, Any], inspection: Inspection, observations: Mapping[str, Any], best: float) -> Html:
    result = inspection.result
    by = observation["agent"]
    cited = any(c["observation_id"] == observation["id"] for c in result["citations"])
    summary = tag(
        "summary",
        tag("span", observation["rank"], class_="rank num"),
        tag(
            "span",
            agent(by),
            tag("span", observation["observation_type"].replace("_", " "), class_="soft"),
            class_="by",
        ),
        tag("span", _title(observation), class_="what"),
        tag("span", badge("cited", "good") if cited else "", *_marks(observation, result), class_="badges"),
        _score(observation, best),
    )
    inside = (
        _facts(observation),
        *_disputes(observation["id"], result, observations),
        _text(observation, inspection),
        _copies(observation, result),
    )
    return tag("li", tag("details", summary, tag("div", *inside, class_="inside")), class_=by, data_agent=by)


def _title(observation: Mapping[str, Any]) -> Html:
    if observation["source"].startswith("graph:") or not observation["locations"]:
        first = observation["content"].strip().split(". ")[0]
        return join(shortened(first, 160))
    return place(observation["locations"][0])


def _score(observation: Mapping[str, Any], best: float) -> Html:
    share = max(0.0, min(observation["score"] / best, 1.0))
    bar = tag("i", tag("i", style=f"width:{share:.1%}"), class_="meter", aria_hidden="true")
    return tag("span", bar, f"{observation['score']:.3f}", class_="score num", title="score of the ranking")


def _marks(observation: Mapping[str, Any], result: Mapping[str, Any]) -> list[Html]:
    """What is worth knowing before the card is open."""
    id_ = observation["id"]
    won = sum(len(c["losers"]) for c in result["conflicts"] if c["winner"] == id_)
    open_ = sum(id_ in c["values"] for c in result["conflicts"] if c["winner"] is None)
    copies = len(observation["duplicates"])
    return [
        *([badge(f"+{count(copies, 'copy', 'copies')}")] if copies else []),
        *([badge(f"{', '.join(observation['corroborated_by'])} agree")] if observation["corroborated_by"] else []),
        *([badge(f"won {count(won, 'conflict')}", "warn")] if won else []),
        *([badge("in an open conflict", "warn")] if open_ else []),
        *([badge("superseded", "bad")] if observation["superseded_by"] else []),
    ]


def _facts(observation: Mapping[str, Any]) -> Html:
    facts = [("confidence", f"{observation['confidence']:.2f}"), ("source", observation["source"])]
    if observation["entities_mentioned"]:
        facts.append(("names", ", ".join(observation["entities_mentioned"][:12])))
    metadata = observation["metadata"]
    if metadata.get("linked_by"):
        facts.append(("linked", str(metadata["linked_by"])))
    rows = [tag("div", tag("dt", name), tag("dd", value)) for name, value in (*facts, ("id", observation["id"]))]
    return tag("dl", *rows, class_="facts")


def _disputes(id_: str, result: Mapping[str, Any], observations: Mapping[str, Any]) -> list[Html]:
    """Each conflict this one won, with who lost it; one that no one won, with what is against it."""
    shown = []
    for conflict in result["conflicts"]:
        about = join(tag("b", conflict["subject"]), f", {conflict['property']}: ", _coded(conflict["values"].get(id_)))
        if id_ == conflict["winner"]:
            others = [o for o in conflict["losers"] if o in observations]
            head = tag("p", badge("kept", "good"), " ", about, class_="claim")
        elif conflict["winner"] is None and id_ in conflict["values"]:
            others = [o for o in conflict["values"] if o != id_ and o in observations]
            head = tag("p", badge("undecided", "warn"), " ", about, class_="claim")
        else:
            continue
        rows = [_other(observations[o], conflict) for o in others]
        shown.append(tag("div", head, tag("p", conflict["reason"], class_="note"), *rows, class_="dispute"))
    return shown


def _other(observation: Mapping[str, Any], conflict: Mapping[str, Any]) -> Html:
    lost = observation["id"] in conflict["losers"]
    summary = tag(
        "summary",
        badge("lost", "bad") if lost else badge("against"),
        tag("span", observation["rank"], class_="rank num"),
        agent(observation["agent"]),
        tag("span", _coded(conflict["values"].get(observation["id"])), " ", _title(observation), class_="what"),
    )
    first = observation["locations"][0]["start_line"] if observation["locations"] else 1
    return tag("details", summary, numbered(observation["content"], first), class_="other")


def _coded(value: object) -> Html:
    return tag("code", value) if value is not None else join("")


def _text(observation: Mapping[str, Any], inspection: Inspection) -> Html:
    """The content; of a graph's observation the sentence, and the lines that prove it."""
    places = observation["locations"]
    if not observation["source"].startswith("graph:"):
        rest = tag("ul", *(tag("li", place(at)) for at in places[1:]), class_="places")
        return join(
            numbered(observation["content"], places[0]["start_line"] if places else 1), rest if places[1:] else ""
        )
    files: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for at in places:
        files.setdefault((at["project"], at["path"]), []).append(at)
    proofs = [
        tag("div", tag("p", *_places(own)), proof(own, inspection.excerpts), class_="citation")
        for own in files.values()
    ]
    return join(tag("p", observation["content"], class_="claim"), *proofs)


def _places(places: list[Mapping[str, Any]]) -> list[Html]:
    """Of one file: its name once, then the lines."""
    first, *others = sorted(places, key=place_of)
    return [place(first), *(tag("span", f", {span(at)}", class_="place lines-at") for at in others)]


def _copies(observation: Mapping[str, Any], result: Mapping[str, Any]) -> Html:
    """What was folded into this one: duplicates, and weaker hits of its file."""
    rows = [
        join(
            place(d["location"]) if d["location"] else d["source"],
            tag("span", f" {d['similarity']:.2f} alike", class_="soft"),
        )
        for d in observation["duplicates"]
    ]
    rows += [
        join(
            place(one["location"]) if one["location"] else one["id"],
            tag("span", " a weaker hit of the file", class_="soft"),
        )
        for one in result["metrics"]["dropped"]
        if one["into"] == observation["id"] and one["stage"] == "limits"
    ]
    if not rows:
        return join("")
    return tag("div", tag("h3", "Folded into it"), tag("ul", *(tag("li", row) for row in rows), class_="places"))
