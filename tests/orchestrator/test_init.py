"""The face of the folder: names resolved late."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import orchestrator

ROOT = Path(orchestrator.__file__).resolve().parent.parent


@pytest.mark.parametrize("name", orchestrator.__all__)
def test_every_public_name_is_there(name):
    value = getattr(orchestrator, name)
    if isinstance(value, type):
        assert getattr(importlib.import_module(value.__module__), name) is value


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nope'"):
        _ = orchestrator.Nope
    assert "HybridResult" in dir(orchestrator)


def run(code, *first):
    paths = [str(path) for path in (*first, ROOT)]
    script = f"import sys; sys.path[:0] = {paths!r}\n{code}"
    return subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )


def test_importing_the_orchestrator_imports_no_part_of_it():
    done = run(
        "import orchestrator; print(sorted(m for m in sys.modules if m.split('.')[0] in {'agents', 'numpy', 'memory'}))"
    )
    assert done.stdout.strip() == "[]", done.stderr
