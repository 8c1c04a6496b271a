"""The damages that are tried, what is made of an answer after one, and a sample of them on a real index."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.damage import Damage, Outcome, damages, judged
from tests.organisation import write

DAMAGE = Path(__file__).parents[2] / "benchmarks/damage.py"
ANSWER = {"answer": {"text": "It calls.", "took_ms": 3}, "seconds": 1}


def test_each_file_is_damaged_in_each_way_and_one_of_each_kind_is_enough(tmp_path):
    for name in ("CURRENT", "0a1b2c3d-0000-0000-0000-000000000001/a", "0a1b2c3d-0000-0000-0000-000000000002/a"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"\0\0abc\0")
    (tmp_path / "lock").touch()
    tried = list(damages(tmp_path))
    assert {damage.path.rpartition("/")[2] for damage in tried} == {"CURRENT", "a", "lock"}
    kinds = {"deleted", "a folder", "lengthened", "cut", "emptied", "flipped"}
    assert {damage.kind for damage in tried if damage.path == "CURRENT"} == kinds
    assert {damage.kind for damage in tried if damage.path == "lock"} == {"deleted", "a folder", "lengthened"}
    assert {2, 3, 4} <= {damage.at for damage in tried if damage.kind == "flipped"}
    assert len(list(damages(tmp_path, every=True))) > len(tried)


def test_a_flip_is_one_bit(tmp_path):
    (tmp_path / "f").write_bytes(b"abc")
    Damage("f", "flipped", 1).do(tmp_path)
    assert (tmp_path / "f").read_bytes() == b"a`c"


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ((0, json.dumps({**ANSWER, "seconds": 9}), ""), "same"),
        ((0, json.dumps({"answer": {"text": "Else."}}), ""), "changed, exit 0"),
        ((4, json.dumps({"answer": {"text": "Nothing."}}), ""), "nothing found"),
        ((3, json.dumps({"error": {"message": "Damaged.", "hint": ""}}), ""), "refused"),
        ((2, json.dumps({"error": {"message": "Yours.", "hint": ""}}), ""), "exit 2"),
        ((70, "", "Traceback\nPanicException: no"), "traceback"),
        ((-7, "", ""), "signal 7"),
        ((-14, "", ""), "too late"),
    ],
)
def test_what_is_made_of_an_answer(after, verdict):
    right = (0, json.dumps(ANSWER), "")
    assert judged([right], [after]).verdict == verdict
    assert judged([right, right], [right, after]).verdict == verdict
    assert judged([right], [right]) == Outcome("same")


@pytest.mark.slow
def test_a_sample_of_a_real_index_is_answered_as_before_or_refused(tmp_path):
    data = tmp_path / "data"
    main = "from interfaces.cli.main import main; main()"
    org = write(tmp_path / "org")
    subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", main, "index", str(org), "--each", "--quiet", "--data-dir", str(data)], check=True
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, str(DAMAGE), "--data-dir", str(data), "--sample", "12", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    counts = json.loads(done.stdout)
    assert (done.returncode, counts["damages"], counts["wrong"]) == (0, 12, 0), counts
