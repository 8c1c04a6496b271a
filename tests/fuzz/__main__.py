"""`python -m tests.fuzz --minutes 60`: fuzzes in processes of its own, so that a crash of a native library is a finding too."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from tests.fuzz.running import fuzz
from tests.fuzz.targets import TARGETS

SLICE = 60.0
PATIENCE = 120.0
"""Seconds more: a native call is not broken off by a signal. A grammar that reads a file for minutes ends so, with its process, in
`index` too, which leaves the file out."""
READERS = frozenset({"source_file", "file_of_bytes", "organisation", "folder"})


def main() -> int:
    """Exit 1 where anything broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--inputs", type=int, help="so many of each target, and no limit of time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=sorted(TARGETS))
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    names = given.only or list(TARGETS)
    if given.child:
        tally = fuzz(names, seed=given.seed, inputs=given.inputs, seconds=given.minutes * 60, note=given.child)
        print(json.dumps(asdict(tally)))  # noqa: T201
        return 0
    return _supervised(names, given)


def _supervised(names: list[str], given: argparse.Namespace) -> int:
    """Children of a minute each, one after the other; one that dies leaves the seed behind it."""
    tried, refused, late = Counter[str](), Counter[str](), Counter[str]()
    failures, seed = dict[str, str](), given.seed
    until = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "note"
        while True:
            seconds = min(SLICE, until - time.monotonic()) if given.inputs is None else float("inf")
            if seconds <= 0:
                break
            command = [
                sys.executable,
                "-m",
                "tests.fuzz",
                f"--seed={seed}",
                f"--minutes={seconds / 60}",
                f"--child={note}",
            ]
            command += [f"--only={name}" for name in names]
            command += [f"--inputs={given.inputs}"] if given.inputs else []
            done = _ended(command, None if given.inputs else seconds + PATIENCE)
            last = note.read_text().split() if note.exists() else [names[0], str(seed)]
            if done is None:
                late[last[0]] += last[0] in READERS
                failures |= {} if last[0] in READERS else {f"{last[0]}: did not end": f"seed {last[1]}"}
            elif done.returncode:
                failures[f"{last[0]}: ended with code {done.returncode}"] = f"seed {last[1]}\n{done.stderr[-2_000:]}"
            else:
                tally = json.loads(done.stdout.splitlines()[-1])
                tried.update(tally["inputs"])
                refused.update(tally["refused"])
                late.update(tally["late"])
                for place, failure in tally["failures"].items():
                    failures.setdefault(place, f"seed {failure['seed']}\n{failure['what']}")
            seed = int(last[1]) + 1
            if given.inputs:
                break
    for name in names:
        print(f"{name:<20} {tried[name]:>8} inputs, {refused[name]:>8} refused, {late[name]} left out at the limit")  # noqa: T201
    for place, what in failures.items():
        print(f"\n{place}\n{what}")  # noqa: T201
    print(f"\n{sum(tried.values())} inputs, {len(failures)} places broke; the next seed is {seed}")  # noqa: T201
    return 1 if failures else 0


def _ended(command: list[str], seconds: float | None) -> subprocess.CompletedProcess[str] | None:
    """The child that ran; None for one that did not end in time, and is killed."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)  # noqa: S603 - ourselves
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    sys.exit(main())
