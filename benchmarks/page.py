"""`make bench`: every benchmark, one after the other, into docs/benchmarks.md with its plots.

    .venv/bin/python benchmarks/page.py [--sets FOLDER]... [--cache FOLDER] [--only NAME]...

FOLDER is a retrieval set (see `quality.py`); without any that part is left out. A benchmark that was not run keeps what
docs/benchmarks.json says of it, with the commit and the machine of that run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
KEPT = DOCS / "benchmarks.json"
PARTS = ("overhead", "latency", "throughput", "load")
SURFACE, INK, MUTED, BLUE, ORANGE = "#ffffff", "#1f2933", "#8a94a0", "#2f6db3", "#d9822b"

TARGETS: Mapping[tuple[str, ...], tuple[str, str, float]] = {
    ("overhead", "over_slowest_p50_ms"): ("one request over its slowest agent, ms (p50)", "≤", 3.0),
    ("overhead", "cpu_ms_per_request"): ("CPU a request, ms", "≤", 1.5),
    ("overhead", "merge_75_p50_ms"): ("merging 75 observations, ms (p50)", "≤", 5.0),
    ("latency", "warm", "p50_ms"): ("a question in a warm process, ms (p50)", "≤", 30.0),
    ("latency", "warm", "p95_ms"): ("a question in a warm process, ms (p95)", "≤", 80.0),
    ("latency", "cold", "answer_p50_s"): ("`ask` as a process of its own, s (p50)", "≤", 0.8),
    ("throughput", "speed", "ratio"): ("indexing beside the bare embedder, chunks a second", "≥", 0.9),
    ("throughput", "memory", "command_ratio"): ("peak memory of `index`, 200 projects to 20", "≤", 1.25),
    ("load", "runs", "python, 100 at once", "p95_s"): ("100 at once through Python, s (p95)", "≤", 2.0),
    ("load", "runs", "stdio, 100 at once", "p95_s"): ("100 at once over MCP's stdio, s (p95)", "≤", 2.0),
    ("load", "runs", "http, 100 at once", "p95_s"): ("100 at once over MCP's HTTP, s (p95)", "≤", 2.0),
    ("quality scifact", "ndcg@10"): ("SciFact, nDCG@10", "≥", 0.72),
    ("quality cosqa", "ndcg@10"): ("CoSQA, nDCG@10", "≥", 0.58),
    ("quality musique200", "recall@5"): ("MuSiQue (200), recall@5", "≥", 0.55),
}


def measured(sets: Sequence[Path], cache: Path | None, only: Sequence[str]) -> dict[str, Any]:
    """The documents of the benchmarks that were asked for, each run as a process of its own."""
    runs = {name: [name] for name in PARTS}
    kept = ["--cache", str(cache)] if cache else []
    runs |= {f"quality {folder.name}": ["quality", str(folder), *kept] for folder in sets}
    found = {}
    for name, (program, *arguments) in runs.items():
        if not only or name.partition(" ")[0] in only:
            print(f"{name} …", file=sys.stderr, flush=True)
            command = [sys.executable, str(ROOT / f"benchmarks/{program}.py"), *arguments, "--json"]
            run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own
            found[name] = json.loads(run.stdout) | {"run": _where()}
    return found


def _where() -> dict[str, Any]:
    git = ["git", "-C", str(ROOT), "rev-parse", "--short=10", "HEAD"]
    commit = subprocess.run(git, check=False, capture_output=True, text=True).stdout.strip()  # noqa: S603 - a constant
    return {
        "commit": commit or "unknown",
        "day": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",  # noqa: E501 - a table
        "load": round(os.getloadavg()[0], 1),
    }


def page(found: Mapping[str, Any]) -> str:
    """The page: what was aimed at beside what was measured, then every document."""
    rows = []
    for what, sign, target, value in _against(found):
        met = value <= target if sign == "≤" else value >= target
        rows.append(f"| {what} | {sign} {target:g} | {value:.4g} | {'yes' if met else '**no**'} |")
    runs = [
        f"| {part} | `{one['run']['commit']}` | {one['run']['day']} | {one['run']['machine']} | {one['run']['load']} "
        f"| {one['calibration']['cpu_probe_ms']:.1f} |"
        for part, one in found.items()
    ]
    blocks = [
        f"### {part}\n\n```json\n{json.dumps({k: v for k, v in one.items() if k != 'run'}, indent=1)}\n```"
        for part, one in found.items()
    ]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "<!-- Written by `make bench`. -->",
            "",
            "| what | aimed at | measured | met |",
            "|---|---|---|---|",
            *rows,
            "",
            "Absolute times mean something only beside the machine they were taken on: the probe is a million additions in",  # noqa: E501 - a table
            "a Python loop, and a busy machine (its load is said) stretches every wall time. Ratios and CPU shares carry over.",  # noqa: E501 - a table
            "",
            "| run | commit | day | machine | load | probe, CPU ms |",
            "|---|---|---|---|---|---|",
            *runs,
            "",
            "![Where a request's CPU time goes](benchmarks-overhead.svg)",
            "",
            "![What was measured, in parts of what was aimed at](benchmarks-targets.svg)",
            "",
            "## Every figure",
            "",
            "\n\n".join(blocks),
            "",
        ]
    )


def _against(found: Mapping[str, Any]) -> Iterator[tuple[str, str, float, float]]:
    """What, sign, target and value of every figure that was measured."""
    for (part, *keys), aim in TARGETS.items():
        value: Any = found.get(part)
        for key in keys:
            value = value.get(key) if value else None
        if value is not None:
            yield (*aim, value)


def plot(found: Mapping[str, Any], folder: Path) -> None:
    """Two plots as SVG: the stages of a request, and each figure as a share of its target."""
    import matplotlib as mpl  # noqa: PLC0415 - only who writes the page has it

    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "benchmarks", "font.size": 9, "text.color": INK, "axes.labelcolor": INK}
    stages = found["overhead"]["cpu_ms_by_stage"] if "overhead" in found else {}
    _bars(
        list(stages),
        [stage["ms"] for stage in stages.values()],
        "CPU milliseconds of one request, by stage",
        folder / "benchmarks-overhead.svg",
    )
    names, shares = [], []
    for what, sign, target, value in _against(found):
        names.append(f"{what} {sign} {target:g}")
        shares.append(value / target if sign == "≤" else target / value)
    _bars(
        names,
        shares,
        "Measured in parts of the target; shorter is better, 1 is the target",
        folder / "benchmarks-targets.svg",
        1.0,
    )


def _bars(names: Sequence[str], values: Sequence[float], title: str, file: Path, limit: float | None = None) -> None:
    from matplotlib import pyplot as plt  # noqa: PLC0415 - only who writes the page has it

    figure, axes = plt.subplots(figsize=(8, 0.6 + 0.32 * len(names)), facecolor=SURFACE)
    colours = [ORANGE if limit is not None and value > limit else BLUE for value in values]
    bars = axes.barh(range(len(names)), values, color=colours, height=0.62)
    axes.bar_label(bars, labels=[f"{value:.2f}" for value in values], padding=3, color=INK)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_title(title, loc="left", fontsize=10)
    axes.tick_params(colors=MUTED, labelcolor=INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    if limit is not None:
        axes.axvline(limit, color=MUTED, linewidth=1)
    axes.margins(x=0.12)
    figure.savefig(file, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what was asked for and write the page."""
    parser = argparse.ArgumentParser(description="Every benchmark, written to docs/benchmarks.md.")
    parser.add_argument("--sets", type=Path, action="append", default=[], help="a retrieval set; may be repeated")
    parser.add_argument("--cache", type=Path, help="keep the sets' embeddings in this folder")
    parser.add_argument("--only", action="append", default=[], choices=(*PARTS, "quality"), help="run only this")
    given = parser.parse_args(arguments)
    found = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    found |= measured(given.sets, given.cache, given.only)
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    plot(found, DOCS)
    (DOCS / "benchmarks.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
