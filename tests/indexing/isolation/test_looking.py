"""One file looked at, where a process of its own would."""

from __future__ import annotations

import signal

import pytest

from configs.settings import IndexingSettings
from indexing.isolation import Found, InProcess
from indexing.isolation.looking import _limit_time
from indexing.isolation.port import Look, Noted
from memory.errors import ConfigError


@pytest.mark.parametrize(
    ("what", "because"),
    [("panic", "Panic (hostile.py:29)"), ("exit", "SystemExit (hostile.py:31)")],
)
async def test_whatever_is_raised_costs_the_file_and_its_text_is_not_said(settings, look, what, because):
    async with InProcess(settings) as readers:
        [found] = await readers.look([look("x.trap", what)])
    assert (found.skipped, found.because, found.state) == ("unreadable", f"its reader raised {because}", None)


async def test_a_mistake_in_a_rule_of_the_users_own_is_theirs_to_mend(settings, look):
    async with InProcess(settings) as readers:
        with pytest.raises(ConfigError, match=r"failed on x\.trap: RecursionError"):
            await readers.look([look("x.trap", "deep")])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys\nsys.exit(3)", "SystemExit (mine.py:2)"),
        ("class Mine(Exception): ...\nraise Mine", "Mine (mine.py:2)"),
        (
            "class A:\n    name = property(lambda self: 1 / 0)\n    reads = find = None\nRULES = [A()]",
            "ZeroDivisionError (mine.py:2)",
        ),
    ],
)
async def test_whatever_a_file_of_rules_raises_names_the_file(tmp_path, look, text, said):
    (tmp_path / "mine.py").write_text(text)
    async with InProcess(IndexingSettings(rules=[str(tmp_path / "mine.py")])) as readers:
        with pytest.raises(ConfigError, match=r"mine\.py: indexing\.rules: can't be run") as told:
            await readers.look([look("a.md", "# A\n")])
    assert said in told.value.message


async def test_what_each_look_brings(settings, look):
    looks = [
        look("a.md", "# A\n\n![the crane](crane.png)\n"),
        look("a.md", "# A\n\n![the crane](crane.png)\n", "shown"),
        look(".env", "CART_URL=http://cart:80\n", "secret"),
        look(".env", "CART_URL=http://cart:80\n"),
        look("crane.png", "no picture", "picture"),
    ]
    async with InProcess(settings) as readers:
        text, shown, secret, skipped, picture = await readers.look(looks)
    assert ([chunk.path for chunk in text.chunks], text.facts.path, text.state.size) == (["a.md"], "a.md", 29)
    assert [one.target for one in shown.shown] == ["crane.png"]
    assert [clue.value for clue in secret.facts.clues] == ["cart"]
    assert (skipped.skipped, picture.skipped) == ("secret", "undecodable")
    assert Found.from_dict(text.to_dict()) == text
    assert Look.from_dict(looks[0].to_dict()) == looks[0]


async def test_what_was_met_is_noted_by_project_and_path(settings, look):
    noted = Noted(InProcess(settings))
    await noted.look([look("a.md", "# A\n"), look("x.trap", "panic")])
    assert noted.because == {("dock", "x.trap"): "its reader raised Panic (hostile.py:29)"}


def test_a_limit_beyond_what_the_system_takes_is_the_largest():
    try:
        _limit_time(1e20)
        assert signal.getitimer(signal.ITIMER_PROF)[0] > 1e7
    finally:
        _limit_time(0)
