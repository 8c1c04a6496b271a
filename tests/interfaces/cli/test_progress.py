"""The bar is for people: it says what is done, how fast, and how long it will take; a file gets a line a minute."""

from __future__ import annotations

from interfaces.cli.progress import Progress


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
