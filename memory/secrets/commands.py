"""Passwords on a command's line, where no name announces them: `mysql -p…`, `redis-cli -a …`, `echo … | docker login`.

What is taken has to be of a password's make, since the same letters mean other things too (`docker login -p $PASS`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memory.secrets.values import is_chosen, is_drawn, is_placeholder

_VALUE: Final = r"[\"']?(?P<secret>[^\s\"'`|;&<>\]]{0,199}[^\s\"'`|;&<>\],])"
_ENTRY: Final = r"\r?\n[ \t]{0,40}+(?:-[ \t]{1,4}+[\"']?+|[\"'])"  # of a list with a line for each argument
_APART: Final = rf"(?:[ \t=]{{0,4}}|[\"']?,[ \t]{{0,4}}|[\"']?,?{_ENTRY})"
_USER: Final = rf"{_APART}[\"']?[^\s:\"',]{{1,64}}:"


def _option(letters: str, *, apart: str = _APART) -> re.Pattern[str]:
    """On the same command, up to 200 characters on, or among its arguments as a list."""
    arguments = rf"[\w.\-]{{0,20}}+[\"']?+,?+(?:{_ENTRY}[^\n]{{0,100}}+){{0,7}}?{_ENTRY}"
    return re.compile(rf"(?:[^\n|;&]{{0,200}}?[ \t,\"']|{arguments})-(?:{letters}){apart}{_VALUE}")


_COMMANDS: Final = (
    ("mysql", _option("p", apart="")),
    ("mariadb", _option("p", apart="")),
    ("7z", _option("p", apart="")),
    ("sshpass", _option("p")),
    ("mongo", _option("p")),
    (" login", _option("p")),  # of docker, podman, helm, az, oc
    ('"login"', _option("p")),
    ("redis-cli", _option("a")),
    ("openssl", _option(r"[kK][ \t]{1,4}|pass(?:in|out)?[ \t]{1,4}pass:", apart="")),
    ("ldap", _option("w")),
    ("sqlcmd", _option("P")),
    ("ipmitool", _option("P")),
    ("zip", _option("P")),
    ("curl", _option("[a-zA-Z]{0,6}[uU]|-user|-proxy-user", apart=_USER)),
    ("http", _option("a|-auth", apart=_USER)),  # HTTPie
    ("ConvertTo-SecureString", re.compile(rf"[ \t]{{1,4}}(?:-String[ \t]{{1,4}})?{_VALUE}")),
)
_ANY: Final = re.compile(r"-(?<=[ ,\"']-)[a-zA-Z-]")  # a search for this is quick, and most texts have none
_READERS: Final = ("--password-stdin", "chpasswd", "sudo -S")
_ECHOED: Final = re.compile(
    r"(?:echo|printf)[ \t]{1,4}(?:-[a-zA-Z]{1,3}[ \t]{1,4}|[\"']?%s(?:\\n)?[\"']?[ \t]{1,4})?"
    rf"(?:[\"']?[\w.\-]{{1,64}}:)?{_VALUE}"
    r"[\"']?[ \t]{0,8}\|"
)
_BEFORE: Final = 300


def option_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where they stand; what is quoted, is without its quotes."""
    for command, option in _COMMANDS if _ANY.search(text) else ():
        for at in _places(text, command):
            if (found := option.match(text, at)) and _is_secret(found["secret"]):
                yield found.span("secret")
    for reader in _READERS:
        done = 0
        for at in _places(text, reader):
            start = max(text.rfind("\n", max(0, at - _BEFORE), at) + 1, at - _BEFORE, done)
            yield from (one.span("secret") for one in _ECHOED.finditer(text, start, at) if _is_secret(one["secret"]))
            done = at


def _places(text: str, word: str) -> Iterator[int]:
    """Where it ends, each time."""
    at = text.find(word)
    while at >= 0:
        at += len(word)
        yield at
        at = text.find(word, at)


def _is_secret(value: str) -> bool:
    return (is_chosen(value) or is_drawn(value)) and not is_placeholder(value)
