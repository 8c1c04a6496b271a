"""The command line in this process, on an organisation that is indexed once with the real model."""

from __future__ import annotations

import gc
import json
import os

import pytest
import structlog

from interfaces.cli.main import run
from orchestrator import logbook
from tests.organisation import write
from wiring import opening


@pytest.fixture(autouse=True)
def nobodys_settings(monkeypatch, tmp_path):
    """No settings of the user's, nothing that a command leaves to the end of its process, and no data folder but one
    that is not there.
    """
    for name in [name for name in os.environ if name.startswith("HYBRID_RETRIEVAL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HYBRID_RETRIEVAL_DATA_DIR", str(tmp_path / "nowhere"))
    yield
    logbook._doors.clear()
    structlog.reset_defaults()
    gc.enable()
    if opening._LEFT_OPEN:
        opening._LEFT_OPEN.clear()
        gc.collect()  # a model and an index take a hundred megabytes


@pytest.fixture(scope="session")
def org(tmp_path_factory):
    return write(tmp_path_factory.mktemp("cli") / "org")


@pytest.fixture(scope="session")
def data(org):
    folder = org.parent / "data"
    assert run(["index", str(org), "--each", "--quiet", "--data-dir", str(folder)]) == 0
    return folder


@pytest.fixture
def cli(capsys):
    """Runs one command line; gives exit code, standard output and standard error."""

    def command(*arguments):
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def document(cli):
    """The same for `--json`: exit code and the one document."""

    def command(*arguments):
        code, out, _ = cli(*arguments, "--json")
        return code, json.loads(out)

    return command
