from __future__ import annotations

from memory.observations import NormalizedObservation
from synthesis.extractive.groups import chosen, grouped
from synthesis.extractive.passages import Passage
from synthesis.extractive.scoring import Scored
from synthesis.extractive.sources import Source
from synthesis.extractive.topic import topic_of


def said(project: str, text: str, score: float, held: str = "pool", coverage: float = 1.0) -> Scored:
    observation = NormalizedObservation("x", "vector:qdrant", project, 0.5, "code", id=project)
    passage = Passage(text, text, 0, 0, "prose")
    return Scored(Source(observation, None, (text,)), passage, score, coverage, frozenset(held.split()))


def names(*scored: Scored, question: str = "pool", **more) -> list[str]:
    return [group.project for group in grouped(topic_of(question, {s.source.project for s in scored}), scored, **more)]


def test_projects_near_the_best_in_its_order():
    assert names(said("a", "x", 0.6), said("b", "y", 0.9), said("c", "z", 0.4)) == ["b", "a"]  # .55 · .9 = .495
    assert names(said("a", "x", 0.6), said("c", "z", 0.4), keep=["c"]) == ["c", "a"]


def test_a_project_holds_more_than_half_the_terms():
    assert names(said("a", "x", 0.9, "pool limit"), said("b", "y", 0.9, "pool")) == ["a"]
    assert names(said("a", "x", 0.9, "", 0.0), said("b", "y", 0.9, "", 0.0)) == []


def test_a_project_that_is_named_is_meant():
    assert names(said("a", "x", 0.9), said("b", "y", 0.8), question="the pool of b") == ["b"]
    other = said("a", "b has a pool", 0.9)
    assert names(other, said("b", "y", 0.8), question="the pool of b") == ["a", "b"]


def test_two_passages_that_say_different_things():
    best, echo, other, far = (
        said("a", "the pool closes connections", 0.9),
        said("a", "the pool closes connections soon", 0.85),
        said("a", "a limit is set by callers", 0.8),
        said("a", "weather stays fine", 0.1),
    )
    assert chosen([best, echo, other, far], 3) == [best, other]
    assert chosen([best, other], 1) == [best]
