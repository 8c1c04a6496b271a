"""`python -m tests.fuzz --minutes 60`: fuzzes in processes of its own, so that a crash of a native library is a finding too."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from tests.fuzz.running import INPUT, TALLY, Tally, fuzz
from tests.fuzz.targets import TARGETS

SLICE = 60.0
PATIENCE = 120.0
"""Seconds for one input: a native call is not broken off by a signal. A grammar that reads a file for minutes ends so, with its process, in
`index` too, which leaves the file out."""
HUNG = 124
"""What `timeout` exits with."""
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
        fuzz(names, seed=given.seed, inputs=given.inputs, seconds=given.minutes * 60, notes=given.child)
        return 0
    return _supervised(names, given)


def _supervised(names: list[str], given: argparse.Namespace) -> int:
    """Children of a minute each, one after the other, or one for all inputs; the next takes over where one dies."""
    tried, refused, late = Counter[str](), Counter[str](), Counter[str]()
    failures, seed = dict[str, str](), given.seed
    until = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder)
        while True:
            seconds = min(SLICE, until - time.monotonic()) if given.inputs is None else float("inf")
            left = None if given.inputs is None else given.seed + given.inputs - seed
            if seconds <= 0 or left == 0:
                break
            command = [
                sys.executable,
                "-X",
                "faulthandler",
                "-m",
                "tests.fuzz",
                f"--seed={seed}",
                f"--minutes={seconds / 60}",
                f"--child={notes}",
            ]
            command += [f"--only={name}" for name in names]
            command += [f"--inputs={left}"] if left else []
            code, wrote = watched(command, notes)
            tally = json.loads((notes / TALLY).read_text(encoding="utf-8"))
            tried.update(tally["inputs"])
            refused.update(tally["refused"])
            late.update(tally["late"])
            for place, failure in tally["failures"].items():
                failures.setdefault(place, f"seed {failure['seed']}\n{failure['what']}")
            began = (notes / INPUT).read_text().split()
            if code and not began:
                failures["did not begin"] = f"ended with code {code}\n{wrote[-6_000:]}"
                break
            name, at = began or [names[0], str(seed)]
            if code == HUNG and name in READERS:
                late[name] += 1
            elif code:
                failures[f"{name}: ended with code {code}"] = f"seed {at}\n{wrote[-6_000:]}"
            seed = int(at) + 1
    for name in names:
        print(f"{name:<20} {tried[name]:>8} inputs, {refused[name]:>8} refused, {late[name]} left out at the limit")  # noqa: T201
    for place, what in failures.items():
        print(f"\n{place}\n{what}")  # noqa: T201
    print(f"\n{sum(tried.values())} inputs, {len(failures)} places broke; the next seed is {seed}")  # noqa: T201
    return 1 if failures else 0


def watched(command: list[str], notes: Path, patience: float = PATIENCE) -> tuple[int, str]:
    """What the child exited with and wrote; one that is too long at one input writes where it is, and exits with HUNG."""
    (notes / INPUT).write_text("")
    (notes / TALLY).write_text(json.dumps(asdict(Tally())))
    with tempfile.TemporaryFile("w+") as wrote:  # a pipe would be held open by who is left
        child = subprocess.Popen(command, stdout=wrote, stderr=wrote)  # noqa: S603 - ourselves
        while (code := child.poll()) is None:
            if time.time() - (notes / INPUT).stat().st_mtime > patience:
                child.send_signal(signal.SIGABRT)
                child.wait()
                code = HUNG
                break
            time.sleep(0.1)
        wrote.seek(0)
        return code, wrote.read()


if __name__ == "__main__":
    sys.exit(main())
