"""The settings' own behaviour; where they come from is `test_loading`'s."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from configs import HybridRetrievalConfig, load_config
from configs.loading import known_settings

ROOT = Path(__file__).parents[2]


@pytest.mark.specification(
    "001 §8 defaults",
    "001 §8 enablement",
    "001 §8 parallelism",
    "001 §8 limits",
    "001 §8 deduplication",
    "001 §8 timeouts",
    "001 §8 fallback",
)
def test_the_specifications_fields_come_first_with_their_defaults():
    fields = [field.name for field in dataclasses.fields(HybridRetrievalConfig)]
    assert fields[:13] == [
        *("enable_local", "enable_graph", "enable_vector", "parallel_execution", "graph_scopes_vector"),
        *("max_observations_per_agent", "max_total_observations", "max_context_tokens", "similarity_threshold"),
        *("agent_timeout_ms", "total_timeout_ms", "fallback_on_timeout", "fallback_order"),
    ]
    for config, limits in ((HybridRetrievalConfig(), (15, 35)), (load_config("spec"), (10, 25))):
        assert [getattr(config, name) for name in fields[:13]] == [
            *(True, True, True, True, True, *limits, 8000, 0.85, 5000, 10000, True, ["local", "graph", "vector"]),
        ]


@pytest.mark.parametrize(
    ("given", "mode", "strength"),
    [
        ({}, "none", "soft"),
        ({"mode": "sequential"}, "sequential", "soft"),
        ({"strength": "strict"}, "none", "strict"),
        ({"mode": "auto", "strength": "strict"}, "auto", "strict"),
    ],
)
def test_with_scope(given, mode, strength):
    before = HybridRetrievalConfig(max_per_file=7)
    after = before.with_scope(**given)
    assert (after.scope.mode, after.scope.strength, after.max_per_file) == (mode, strength, 7)
    assert (before.scope.mode, before.scope.strength) == ("none", "soft")
    assert (after is before) is not bool(given)


def test_nothing_can_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        HybridRetrievalConfig().max_per_file = 2


def _rooms() -> list[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        rooms: list[str] = tomllib.load(file)["tool"]["importlinter"]["root_packages"]
    return [room for room in rooms if room != "configs"]


@pytest.mark.parametrize("name", sorted(known_settings()))
def test_every_setting_is_read_by_somebody(name):
    sources = [path for folder in _rooms() for path in (ROOT / folder).rglob("*.py")]
    asked = re.compile(rf"\.{name.rpartition('.')[2]}\b")
    assert any(asked.search(path.read_text(encoding="utf-8")) for path in sources), f"nobody reads {name}"
