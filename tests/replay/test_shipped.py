"""The scenarios that ship: they hold, byte for byte, in any process, and a change of settings breaks what it should."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from replay import Cassette, Changes, find_scenarios, replay, sha256
from tests.linear import seconds

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/scenarios"
SCENARIOS = find_scenarios((FOLDER,))
GOLDEN = dict(reversed(line.split()) for line in (FOLDER / "golden.sha256").read_text(encoding="utf-8").splitlines())
MUTATIONS = yaml.safe_load(Path(__file__).with_name("mutations.yaml").read_text(encoding="utf-8"))
PRINTS = """
import json, sys
from pathlib import Path
from replay import find_scenarios, replay, sha256
print(json.dumps({one.id: sha256(replay(one).result) for one in find_scenarios((Path(sys.argv[1]),))}))
"""
SECOND = os.environ.get("HYBRID_RETRIEVAL_TEST_PYTHON", "")

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove; the tracer would double its time


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_it_replays_as_recorded_and_as_expected(scenario):
    again = replay(scenario)
    assert again.unmet == ()
    assert again.differences.lines() == []
    assert sha256(again.result) == GOLDEN[scenario.id], "run examples/scenarios/record.py --accept when this is wanted"


def test_the_specifications_scenarios_and_a_dozen_more_ship():
    names = [scenario.id for scenario in SCENARIOS]
    assert names[:3] == ["a-customer-tables", "b-order-to-payment", "c-similar-error-handling"]
    assert len(names) >= 3 + 12
    assert sorted(GOLDEN) == names


def printed(python: str, **environment: str) -> dict[str, str]:
    """What another process makes of them."""
    done = subprocess.run(  # noqa: S603 - our own text
        [python, "-c", PRINTS, str(FOLDER)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("seed", ["1", "20", "300"])
def test_any_hash_seed_gives_the_same_bytes(seed):
    assert printed(sys.executable, PYTHONHASHSEED=seed) == GOLDEN


@pytest.mark.slow
@pytest.mark.skipif(
    not SECOND, reason="HYBRID_RETRIEVAL_TEST_PYTHON names no other interpreter (scripts/second-python)"
)
@pytest.mark.parametrize("seed", ["1", "20", "300"])
def test_another_version_of_python_gives_the_same_bytes(seed):
    version = subprocess.run([SECOND, "-V"], capture_output=True, text=True, timeout=60, check=True).stdout  # noqa: S603 - the one we are told to take
    assert version.split()[1].split(".")[:2] != [str(part) for part in sys.version_info[:2]]
    assert printed(SECOND, PYTHONHASHSEED=seed, PYTHONDONTWRITEBYTECODE="1") == GOLDEN


def test_all_of_them_take_less_than_five_seconds():
    assert seconds(lambda: [replay(scenario) for scenario in SCENARIOS]) < 5


def test_there_are_eight_mutations():
    assert len(MUTATIONS) == 8


@pytest.mark.parametrize("setting", MUTATIONS)
def test_a_changed_setting_breaks_exactly_its_scenarios(setting):
    broken = [one.id for one in SCENARIOS if replay(one, Changes(settings=(setting,))).unmet]
    assert broken == sorted(MUTATIONS[setting])


def test_a_recording_under_a_permission_knows_no_other_project():
    limited = [scenario for scenario in SCENARIOS if scenario.permission is not None]
    assert limited
    for scenario in limited:
        tape = Cassette.load(scenario.cassette).tape()
        [known] = [call for call in tape.calls.values() if call.name == "catalogue.projects"]
        assert tape.codec.decode(known.answer) == scenario.permission


def test_a_recording_names_no_place_on_the_disk_it_was_made_on():
    for scenario in SCENARIOS:
        cassette = Cassette.load(scenario.cassette)
        text = json.dumps([cassette.pool, cassette.result, [(c.arguments, c.answer) for c in cassette.calls]])
        assert "/tmp/" not in text  # noqa: S108 - looked for, not used
        assert "/home/" not in text
