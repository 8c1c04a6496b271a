"""The observations by rank, with what is folded under them."""

from __future__ import annotations

from dataclasses import replace

from inspector.ranking import ranking


def cards(section):
    """Those of the ranking itself."""
    return section.one("ol", class_="ranking").children


def test_one_card_each_in_their_order(shipped, tree):
    inspection = shipped("b-order-to-payment")
    section = tree(ranking(inspection))
    observations = inspection.result["observations"]
    assert [next(card.all("span", class_="rank")).text for card in cards(section)] == [
        str(o["rank"]) for o in observations
    ]
    assert [card.attributes["data-agent"] for card in cards(section)] == [o["agent"] for o in observations]
    assert section.one("p", class_="note").text.endswith(f" {len(observations)} shown")
    assert [box.attributes["id"] for box in section.all("input")] == ["show-graph", "show-vector"]


def test_a_score_against_the_best(shipped, tree):
    first, *_, last = cards(tree(ranking(shipped("b-order-to-payment"))))
    scores = [o["score"] for o in shipped("b-order-to-payment").result["observations"]]
    assert first.one("span", class_="score").text == f"{scores[0]:.3f}"
    meters = [card.one("i", class_="meter").children[0].attributes["style"] for card in (first, last)]
    assert meters == [f"width:{score / max(scores):.1%}" for score in (scores[0], scores[-1])]


def test_a_relation_shows_the_lines_that_prove_it_once_a_file(shipped, tree):
    card = next(
        card
        for card in cards(tree(ranking(shipped("b-order-to-payment"))))
        if card.one("span", class_="what").text.startswith("class OrderService of orders calls class PaymentAdapter")
    )
    assert [row.attributes["data-n"] for row in card.all("span", class_="line")] == ["8", "31", "43", "18", "22"]
    places = [citation.one("p").text for citation in card.all("div", class_="citation")]
    assert places == ["orders/orders/service.py:8, 31, 43", "orders/orders/adapter.py:18, 22"]


def test_a_chunk_shows_its_lines(shipped, tree):
    observation = shipped("b-order-to-payment").result["observations"][-1]
    assert observation["agent"] == "vector"
    card = cards(tree(ranking(shipped("b-order-to-payment"))))[-1]
    first = card.one("pre").children[0]
    assert first.attributes["data-n"] == str(observation["locations"][0]["start_line"])
    assert first.text.strip() == observation["content"].splitlines()[0].strip()


def test_the_loser_of_a_conflict_is_folded_under_the_winner(shipped, tree):
    _, winner, *others = cards(tree(ranking(shipped("conflict-source-priority"))))
    assert "5" not in [next(card.all("span", class_="rank")).text for card in others]
    dispute = winner.one("div", class_="dispute")
    assert dispute.one("p", class_="claim").text == "kept catalogue/products.description, type: text"
    assert dispute.one("p", class_="note").text.endswith("for facts the graph comes before the vector.")
    lost = dispute.one("details", class_="other")
    assert lost.one("summary").text.startswith("lost5vectorvarchar catalogue/docs/schema.md:1–22")
    assert "won 1 conflict" in next(winner.all("summary")).text


def test_what_nobody_won_stands_in_both(shipped, tree):
    open_ones = [
        card for card in cards(tree(ranking(shipped("conflict-scope")))) if list(card.all("div", class_="dispute"))
    ]
    assert len(open_ones) == 2
    for card in open_ones:
        assert "in an open conflict" in next(card.all("summary")).text
        assert card.one("details", class_="other").one("summary").text.startswith("against")
        assert card.one("div", class_="dispute").text.startswith("undecided spring freeze, applies to")


def test_copies_and_weaker_hits(shipped, tree):
    inspection = shipped("conflict-temporal")
    result = inspection.result
    [first, second, *rest] = result["observations"]
    at = first["locations"][0]
    copies = [
        {"source": "vector:qdrant", "location": at, "similarity": 0.97},
        {"source": "graph:kglite", "location": None, "similarity": 1.0},
    ]
    first = {**first, "duplicates": copies, "corroborated_by": ["vector"], "locations": [at, {**at, "start_line": 1}]}
    second = {**second, "superseded_by": first["id"], "locations": []}
    dropped = [
        {"id": "x-1", "agent": "local", "stage": "limits", "into": first["id"], "location": None},
        {"id": "x-2", "agent": "local", "stage": "deduplicate", "into": first["id"], "location": at},
    ]
    metrics = {**result["metrics"], "dropped": dropped}
    changed = {**result, "observations": [first, second, *rest], "conflicts": [], "metrics": metrics}
    shown = cards(tree(ranking(replace(inspection, result=changed))))
    summary = next(shown[0].all("summary")).text
    assert "+2 copies" in summary
    assert "vector agree" in summary
    folded = [item.text for item in list(shown[0].all("ul", class_="places"))[-1].all("li")]
    assert folded[0].endswith("0.97 alike")
    assert folded[1:] == ["graph:kglite 1.00 alike", "x-1 a weaker hit of the file"]
    assert "superseded" in next(shown[1].all("summary")).text
    assert next(shown[1].all("span", class_="what")).text == second["content"].strip().split(". ")[0][:159] + "…"


def test_nobody_reported_anything(shipped, tree):
    assert "Nobody reported anything." in tree(ranking(shipped("nobody-answers"))).text


def test_one_agent_needs_no_choice(shipped, tree):
    assert not list(tree(ranking(shipped("conflict-temporal"))).all("input"))
