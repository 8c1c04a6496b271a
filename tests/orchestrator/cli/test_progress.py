"""The bar is for people: it says what is done, how fast, and how long it will take; nobody else sees anything."""

from __future__ import annotations

from orchestrator.cli.progress import Progress


def test_unseen(capsys):
    with Progress("Reading", "projects", shown=False) as progress:
        progress.update(1, 2)
    assert capsys.readouterr() == ("", "")


def test_shown_on_standard_error(capsys):
    with Progress("Reading", "projects", shown=True) as progress:
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
