"""What becomes of an answer when one file of the index is damaged.

    .venv/bin/python benchmarks/damage.py [--data-dir FOLDER] [--every] [--sample N] [--json]

Each file of an index is cut, emptied, lengthened, deleted, replaced by a folder, and flipped by one bit in several
places, each time in a fresh copy that the command line is then asked questions on. Right is the same answer as before,
or exit 3 with a message. FOLDER is an index of `examples/shop`, made afresh where none is named. Files that differ only
in the names that the engine drew for them are tried once, unless --every; --sample draws some of all damages.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interfaces.cli.main import run
from memory.copying import copy_tree

SHOP = Path(__file__).resolve().parent.parent / "examples/shop"
QUESTIONS = (
    "How does OrderService connect to PaymentGateway?",
    "What patterns do other teams use for customer tables?",
)
RIGHT = ("same", "refused")
_LONGEST_S = 60
_DRAWN = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|(?<=payload_index/)[^/]+?(?=-map|-null)")
_VOLATILE = ("generation", "request_id", "seconds", "started_at", "elapsed")
_TRACEBACK = 70


@dataclass(frozen=True, slots=True)
class Damage:
    """What is done to one file. at: the byte of a flip."""

    path: str
    kind: str
    at: int = 0

    def do(self, root: Path) -> None:
        """Damage the file below `root`."""
        file = root / self.path
        if self.kind == "flipped":
            with file.open("r+b") as opened:
                opened.seek(self.at)
                [byte] = opened.read(1)
                opened.seek(self.at)
                opened.write(bytes([byte ^ 1 << self.at % 8]))
        elif self.kind == "cut":
            os.truncate(file, file.stat().st_size // 2)
        elif self.kind == "emptied":
            os.truncate(file, 0)
        elif self.kind == "lengthened":
            with file.open("ab") as opened:
                opened.write(b"more of it\n")
        else:
            file.unlink()
            if self.kind == "a folder":
                file.mkdir()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How asking ended: `same` or `refused` (exit 3), else what it should not be.
    said: the message, or what is left of one.
    """

    verdict: str
    said: str = ""


def damages(root: Path, *, every: bool = False, seed: int = 7) -> Iterator[Damage]:
    """All that is tried on the index in `root`."""
    draw, known = random.Random(seed), set[str]()  # noqa: S311 - a sample that can be drawn again
    for file in sorted(path for path in root.rglob("*") if path.is_file()):
        path = file.relative_to(root).as_posix()
        kind = path if every else _DRAWN.sub("*", path)
        if kind in known:
            continue
        known.add(kind)
        for other in ("deleted", "a folder", "lengthened"):
            yield Damage(path, other)
        if not (size := file.stat().st_size):
            continue
        yield Damage(path, "cut")
        yield Damage(path, "emptied")
        first, last = _data(file, size)
        places = {first, (first + last) // 2, last, draw.randint(first, last), draw.randint(0, size - 1)}
        yield from (Damage(path, "flipped", at) for at in sorted(places))


def _data(file: Path, size: int) -> tuple[int, int]:
    """The first and the last byte that are not 0, of those before the file's last hole."""
    content = file.read_bytes().rstrip(b"\0")
    return (len(content) - len(content.lstrip(b"\0")), len(content) - 1) if content else (0, size - 1)


def ask(data: Path, questions: Sequence[str] = QUESTIONS) -> list[tuple[int, str, str]]:
    """Exit code, document and messages of each question, asked in a process of its own; a signal is a negative code."""
    found = []
    for question in questions:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if not child:
                _in_child(["ask", question, "--json", "--data-dir", str(data)], out.fileno(), err.fileno())
            code = os.waitstatus_to_exitcode(_ended(child))
            out.seek(0)
            err.seek(0)
            found.append((code, out.read().decode(errors="replace"), err.read().decode(errors="replace")))
    return found


def _in_child(arguments: list[str], out: int, err: int) -> None:
    os.dup2(out, 1)
    os.dup2(err, 2)
    try:
        code = run(arguments)
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - what ends in a traceback is what is counted
        traceback.print_exc()
        code = _TRACEBACK
    sys.stderr.flush()
    os._exit(code)


def _ended(child: int) -> int:
    """The child's status; one that takes too long is ended."""
    until = time.monotonic() + _LONGEST_S
    while time.monotonic() < until:
        gone, status = os.waitpid(child, os.WNOHANG)
        if gone:
            return status
        time.sleep(0.005)
    os.kill(child, signal.SIGALRM)
    return os.waitpid(child, 0)[1]


def judged(before: Sequence[tuple[int, str, str]], after: Sequence[tuple[int, str, str]]) -> Outcome:
    """The worst of what became of the questions."""
    outcomes = [_judged(a, b) for a, b in zip(before, after, strict=True)]
    return max(outcomes, key=lambda outcome: RIGHT.index(outcome.verdict) if outcome.verdict in RIGHT else len(RIGHT))


def _judged(before: tuple[int, str, str], after: tuple[int, str, str]) -> Outcome:
    code, out, err = after
    last = err.strip().rpartition("\n")[2][:300]
    if code < 0:
        return Outcome("too late" if -code == signal.SIGALRM else f"signal {-code}", last)
    if code == _TRACEBACK:
        return Outcome("traceback", last)
    document = json.loads(out)
    if "error" in document:
        said = f"{document['error']['message']} {document['error']['hint']}"
        return Outcome("refused" if code == 3 else f"exit {code}", said)
    if (code, _steady(document)) == (before[0], _steady(json.loads(before[1]))):
        return Outcome("same")
    return Outcome("nothing found" if code == 4 else f"changed, exit {code}", str(document["answer"]["text"])[:120])


def _steady(value: Any) -> Any:
    """A document without what differs between two runs."""
    if isinstance(value, dict):
        return {k: _steady(v) for k, v in value.items() if not k.endswith("_ms") and k not in _VOLATILE}
    return [_steady(one) for one in value] if isinstance(value, list) else value


def _warm() -> None:
    """Import once what every child needs; nothing here starts a thread."""
    import kglite  # noqa: F401, PLC0415
    import onnxruntime  # noqa: F401, PLC0415
    import tokenizers  # noqa: F401, PLC0415

    import wiring.opening  # noqa: F401, PLC0415


def main(arguments: Sequence[str]) -> int:
    """Print the counts, and each damage that came out wrong; 1 when there is one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data-dir", type=Path, help="The index; it is copied, not touched.")
    parser.add_argument("--every", action="store_true", help="Every file, not one of each kind.")
    parser.add_argument("--sample", type=int, help="So many of the damages.")
    parser.add_argument("--json", action="store_true", help="One JSON document on standard output.")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="damage-") as place:
        data = chosen.data_dir or Path(place) / "index"
        if chosen.data_dir is None:
            run(["index", str(SHOP), "--each", "--quiet", "--data-dir", str(data)])
        _warm()
        work = Path(place) / "work"
        copy_tree(data, work)
        before = ask(work)
        tried = list(damages(data, every=chosen.every))
        if chosen.sample:
            tried = random.Random(11).sample(tried, min(chosen.sample, len(tried)))  # noqa: S311 - as above
        rows = []
        for damage in tried:
            shutil.rmtree(work)
            copy_tree(data, work)
            damage.do(work)
            outcome = judged(before, ask(work))
            rows.append((damage, outcome))
            if outcome.verdict not in RIGHT and not chosen.json:
                print(
                    f"{outcome.verdict:18} {damage.kind:10} {damage.at:>9} {damage.path}\n    {outcome.said}",
                    flush=True,
                )
    counts = Counter(outcome.verdict for _, outcome in rows)
    wrong = sum(number for verdict, number in counts.items() if verdict not in RIGHT)
    document = {"damages": len(rows), "wrong": wrong, "by_outcome": dict(sorted(counts.items()))}
    print(json.dumps(document) if chosen.json else document)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
