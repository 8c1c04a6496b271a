"""deploy/Dockerfile: a linter's opinion, and what it says of the product."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from benchmarks.soak import ALLOCATOR
from tests.deploy.manifests import DEPLOY, OURS, PROJECT, ROOT, TAG, parsed

FILE = DEPLOY / "Dockerfile"
LINES = re.sub(r"\\\n\s*", " ", FILE.read_text("utf-8")).splitlines()
HADOLINT = Path(sys.executable).parent / "hadolint"


def said(instruction: str) -> list[str]:
    """What follows an instruction, wherever it stands; the last stage's comes last."""
    return [line.partition(" ")[2] for line in LINES if line.startswith(f"{instruction} ")]


def hadolint(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([HADOLINT, "-"], input=text, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - installed with the checkers


def test_the_linter_finds_nothing():
    done = hadolint(FILE.read_text("utf-8"))
    assert (done.returncode, done.stdout) == (0, "")
    assert "DL3008" in hadolint(FILE.read_text("utf-8").replace("# hadolint ignore=DL3008\n", "")).stdout


def test_both_stages_are_of_one_pinned_image():
    bases = {line.partition(" AS ")[0] for line in said("FROM")}
    assert len(bases) == 1
    assert TAG.fullmatch(bases.pop())


def test_it_runs_as_nobody_in_particular():
    user = said("USER")[-1]
    assert user == "10001:10001"
    assert f"-o {user.partition(':')[0]} -g {user.partition(':')[2]} /data" in said("RUN")[-1]
    assert any("HYBRID_RETRIEVAL_DATA_DIR=/data/index" in line for line in said("ENV"))


def test_its_allocator_is_set_as_where_memory_is_measured():
    assert said("ENV")[-1].split() == [f"{name}={value}" for name, value in ALLOCATOR.items()]


def test_what_it_runs_is_ours():
    assert json.loads(said("ENTRYPOINT")[-1]) == [*PROJECT["scripts"]]
    serve = parsed(json.loads(said("CMD")[-1]))
    assert (serve["over_http"], serve["host"]) == (True, "0.0.0.0")  # noqa: S104 - in a container of its own
    health = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", said("HEALTHCHECK")[-1])
    assert health
    assert health.groups() == (said("EXPOSE")[-1], "/health")


def test_the_extras_are_there():
    [extras] = re.findall(r"\.whl\)\[([\w,]+)]", " ".join(said("RUN")))
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    assert {"mcp", "neo4j", "offline", "qdrant", "ray", "watch"} == set(extras.split(","))


def test_what_the_wheel_is_made_of_reaches_the_build():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [*build["hooks"]["custom"]["folders"], "scripts", "hybrid_retrieval", *PROJECT["license-files"]]
    needed += ["pyproject.toml", "constraints.txt", PROJECT["readme"]]
    ignored = [
        line for line in (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"
    ]
    assert ignored
    assert [name for name in needed if any(fnmatch(name, pattern) for pattern in ignored)] == []


def test_it_is_called_by_its_release_wherever_it_is_built():
    assert f"docker build -f deploy/Dockerfile -t {OURS} ." in FILE.read_text("utf-8")
    page = (ROOT / "docs/deploying.md").read_text("utf-8")
    assert f"docker build -f deploy/Dockerfile -t registry.example.org/{OURS} ." in page
