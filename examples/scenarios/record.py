"""Records the scenarios of this folder on the example organisation anew, and writes what their replays must give.

    .venv/bin/python examples/scenarios/record.py            # after a change of agents, stores or scenarios
    .venv/bin/python examples/scenarios/record.py --accept   # after a change of the result alone: the calls stay

The organisation is copied first, so that no commit of the repository around it enters the recordings.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from hybrid_retrieval.interfaces.cli.main import run
from hybrid_retrieval.replay import find_scenarios, replay, sha256

HERE = Path(__file__).resolve().parent


def main(arguments: list[str]) -> int:
    """Record or accept; the exit code of the commands that do it."""
    if "--accept" in arguments:
        code = run(["replay", str(HERE), "--accept"])
    else:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(HERE.parent / "shop", f"{folder}/shop")
            data = ["--data-dir", f"{folder}/data"]
            code = run(["index", f"{folder}/shop", "--each", *data]) or run(["record", str(HERE), *data])
    if code == 0:
        lines = [f"{sha256(replay(scenario).result)}  {scenario.id}\n" for scenario in find_scenarios((HERE,))]
        (HERE / "golden.sha256").write_text("".join(lines), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
