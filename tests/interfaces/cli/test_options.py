"""What every command is run with: command line over environment over file over profile.

The bar is for people: it says what is done, how fast, and how long it will take; a file gets a line a minute.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import click
import platformdirs
import pytest

from interfaces.cli.options import Progress, common_options
from wiring import data_folder


@pytest.fixture
def door():
    """Runs a command of these options alone; gives what it was handed."""
    handed = []

    @click.command
    @common_options
    def command(door):
        handed.append(door)

    def run(*arguments):
        command.main([str(argument) for argument in arguments], standalone_mode=False)
        return handed.pop()

    return run


def test_defaults(door):
    got = door()
    assert (got.profile, got.as_json, got.quiet, got.progress) == ("embedded", False, False, "lines")
    assert got.config.agent_timeout_ms == 5000


def test_later_places_win(door, monkeypatch, tmp_path):
    (tmp_path / "mine.yaml").write_text("agent_timeout_ms: 1\ntotal_timeout_ms: 1\nmax_per_file: 5\n")
    monkeypatch.setenv("HYBRID_RETRIEVAL_PROFILE", "spec")
    monkeypatch.setenv("HYBRID_RETRIEVAL_AGENT_TIMEOUT_MS", "2")
    monkeypatch.setenv("HYBRID_RETRIEVAL_TOTAL_TIMEOUT_MS", "2")
    got = door("--config", tmp_path / "mine.yaml", "--set", "total_timeout_ms=3", "--json", "--quiet")
    assert (got.profile, got.config.scope.strength) == ("spec", "strict")
    assert (got.config.max_per_file, got.config.agent_timeout_ms, got.config.total_timeout_ms) == (5, 2, 3)
    assert (got.as_json, got.quiet) == (True, True)
    assert door("--profile", "embedded").config.scope.strength == "soft"


def test_an_unknown_name_in_the_environment_only_warns(door, monkeypatch, capsys):
    monkeypatch.setenv("HYBRID_RETRIEVAL_COLOUR", "red")
    monkeypatch.setenv("HYBRID_RETRIEVAL_PROFILE", "embedded")
    monkeypatch.setenv("HYBRID_RETRIEVAL_TEST_QDRANT_URL", "http://x")
    door()
    assert capsys.readouterr().err == "HYBRID_RETRIEVAL_COLOUR in the environment is no setting and is ignored.\n"


def test_the_data_folder(door, monkeypatch, tmp_path):
    assert door("--data-dir", tmp_path / "a").data_dir == tmp_path / "a"
    assert door().data_dir == tmp_path / "nowhere"
    monkeypatch.delenv("HYBRID_RETRIEVAL_DATA_DIR")
    assert door().data_dir == Path(platformdirs.user_data_dir("hybrid-retrieval"))
    assert data_folder("~/index") == Path("~/index").expanduser()


def test_settings_that_lie_in_the_folder_are_not_read_and_that_is_said(door, tmp_path, capsys):
    (tmp_path / "hybrid-retrieval.yaml").write_text("max_per_file: 5\n")
    with contextlib.chdir(tmp_path):
        unread, read = door(), door("--config", "hybrid-retrieval.yaml")
    assert unread.config.max_per_file != 5 == read.config.max_per_file
    said = "hybrid-retrieval.yaml of this folder is not read; --config hybrid-retrieval.yaml reads it.\n"
    assert capsys.readouterr().err == said


def test_unseen(capsys):
    with Progress("Reading", "projects", shown="nothing") as progress:
        progress.update(1, 2)
    assert capsys.readouterr() == ("", "")


def test_shown_on_standard_error(capsys):
    with Progress("Reading", "projects", shown="bar") as progress:
        progress.update(1, 2)
        task = progress._bar.tasks[0]
        assert (task.description, task.completed, task.total, task.fields["rate"]) == ("Reading", 1, 2, "")
        progress.update(0, 40, "Embedding", "chunks")
        for done in (10, 20, 30):
            progress.update(done, 40, "Embedding", "chunks")
        assert (task.description, task.completed, task.total) == ("Embedding", 30, 40)
        assert task.fields["rate"].endswith(" chunks/s")
        assert progress._bar.console.stderr
    assert capsys.readouterr().out == ""


def test_a_line_a_minute_where_nobody_watches(capsys):
    times = iter([0.0, 10.0, 61.0, 62.0, 130.0])
    with Progress("Reading", "projects", shown="lines", monotonic=lambda: next(times)) as progress:
        progress.update(1, 2)
        progress.update(2, 2)
        progress.update(1, 40, "Embedding", "chunks")
        progress.update(9, 40, "Embedding", "chunks")
    said = "Reading: 2 of 2 projects, after 61 s\nEmbedding: 9 of 40 chunks, after 130 s\n"
    assert capsys.readouterr() == ("", said)
