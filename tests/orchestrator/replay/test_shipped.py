"""The scenarios that ship: they hold, byte for byte, in any process, and a change of settings breaks what it should."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from orchestrator.replay import Cassette, Changes, find_scenarios, replay, sha256

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples/scenarios"
SCENARIOS = find_scenarios((FOLDER,))
GOLDEN = dict(reversed(line.split()) for line in (FOLDER / "golden.sha256").read_text(encoding="utf-8").splitlines())
MUTATIONS = yaml.safe_load(Path(__file__).with_name("mutations.yaml").read_text(encoding="utf-8"))
PRINTS = """
import json, sys
from pathlib import Path
from orchestrator.replay import find_scenarios, replay, sha256
print(json.dumps({one.id: sha256(replay(one).result) for one in find_scenarios((Path(sys.argv[1]),))}))
"""
LIBRARIES = "import anyio, click, numpy, yaml, mmh3, py_rust_stemmers"

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


def another_python() -> str | None:
    """An interpreter of another version that has the libraries."""
    ours = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for name in ("python3.12", "python3.13", "python3.14", "python3.11"):
        found = shutil.which(name) if name != ours else None
        if found is not None:
            tried = subprocess.run([found, "-c", LIBRARIES], cwd=ROOT, capture_output=True, timeout=60, check=False)  # noqa: S603 - found on the path
            if tried.returncode == 0:
                return found
    return None


def test_another_version_of_python_gives_the_same_bytes():
    python = another_python()
    if python is None:
        pytest.skip("no second version of Python with the libraries is installed")
    assert printed(python) == GOLDEN


def test_all_of_them_take_less_than_five_seconds():
    began = time.process_time()
    for scenario in SCENARIOS:
        replay(scenario)
    assert time.process_time() - began < 5


def test_there_are_eight_mutations():
    assert len(MUTATIONS) == 8


@pytest.mark.parametrize("setting", MUTATIONS)
def test_a_changed_setting_breaks_exactly_its_scenarios(setting):
    broken = [one.id for one in SCENARIOS if replay(one, Changes(settings=(setting,))).unmet]
    assert broken == sorted(MUTATIONS[setting])


def test_a_recording_names_no_place_on_the_disk_it_was_made_on():
    for scenario in SCENARIOS:
        cassette = Cassette.load(scenario.cassette)
        text = json.dumps([cassette.pool, cassette.result, [(c.arguments, c.answer) for c in cassette.calls]])
        assert "/tmp/" not in text  # noqa: S108 - looked for, not used
        assert "/home/" not in text
