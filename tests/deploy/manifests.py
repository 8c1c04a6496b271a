"""The manifests of `deploy/` as data, and what they have in common."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import yaml

from interfaces.cli.main import cli

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if "==" in line)
OURS = f"hybrid-retrieval:{PROJECT['version']}"
TAG = re.compile(r"[^:@]+:v?\d+\.\d+[\w.-]*")


def documents(path: Path) -> list[dict[str, Any]]:
    """The documents of a YAML file."""
    return list(yaml.safe_load_all(path.read_text("utf-8")))


def layer(name: str) -> list[dict[str, Any]]:
    """The objects that a kustomization lists."""
    [listing] = documents(KUBERNETES / name / "kustomization.yaml")
    return [one for file in listing["resources"] for one in documents(KUBERNETES / name / file)]


def templates(value: Any) -> Iterator[dict[str, Any]]:
    """Every template of a pod in an object, however deep."""
    if isinstance(value, dict):
        if "containers" in value.get("spec", {}):
            yield value
        else:
            for inner in value.values():
                yield from templates(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from templates(inner)


def parsed(words: list[str]) -> dict[str, Any]:
    """The parameters of one of our commands, by its own parser. Raises click.UsageError, and errors of ours."""
    with click.Context(cli) as context:
        command = cli.get_command(context, words[0])
        assert command is not None, words[0]
        return command.make_context(words[0], words[1:], parent=context).params
