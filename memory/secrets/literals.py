"""The names that secrets are set under (`DB_PASSWORD`, `clientSecret`; `password_file` is none), and their values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_NAME: Final = re.compile(
    r"(?:passw(?:or)?d|pass(?:phrase|code|wort)?|pwd|pw|kennwort|mnemonic|masterauth|seed[_-]?phrase"
    r"|mot[_-]?de[_-]?passe|contrase[ñn]a|senha|пароль|密码|密碼|パスワード"
    r"|secret|token|credentials?|salt|sig(?:nature)?|key(?:[_.-]?base|-data)?)"
    r"(?:[_.-]?(?:base64|b64|value|data|plain|prod(?:uction)?|dev|staging|live|primary|secondary|\d{1,2}))?"
    r"(?![a-z0-9_]|[.-][a-z0-9])(?=[\"'`\\\])*}\s:=?|(,<>!+\[{])"
)
"""With something behind that may lead to a value: most words of these letters are no name. Every branch begins with a
letter, so that the search leaps from one such letter to the next: a group there would take twice the time.
"""
_DRAWN: Final = ("secret", "token", "credential", "salt", "sig", "key")

_STEMS: Final = (
    "pass", "pw", "secret", "token", "credential", "key", "salt", "sig", "kennwort", "mnemonic",
    "masterauth", "seed", "contrase", "senha", "пароль", "密", "パスワード",
)  # fmt: skip

_KEY: Final = re.compile(r"[a-z0-9][_.\- ]?$")
_NO_SECRET_KEY: Final = re.compile(
    r"(?:public|cache|primary|foreign|partition|sort|object|idempotency|routing|lookup|hash|map|config|dict|row|group|index"
    r"|hot|the|a|this|that|any|some|no|of|by|on|answer|turn|mon|don|hoc)[_.\- ]?$"
)

_SHORT: Final = frozenset({"pass", "pw", "pwd", "senha"})
_JOINED: Final = re.compile(
    r"(?:db|user|root|admin|smtp|imap|mail|ftp|ldap|key|store|mysql|pg|sql|redis|vnc|http|proxy|sudo|become|bind"
    r"|require)$"
)

_OTHERS: Final = re.compile(
    r"(?:(?:proxy|fastcgi|uwsgi|grpc|scgi|memcached)_pass|(?:by|com)pass|(?:^|[^a-z])(?:no|max|min|num|total)[_-]?\w+"
    r"|(?:public(?:[_-]?key)?|next|continuation|page|cancellation)[_-]?token|public[_-]?key)$"
)

_QUERY: Final = re.compile(r"[?&][\w-]*$")
_BEFORE: Final = re.compile(r"[\w.\-]*")
_WINDOW: Final = 80
_NEAR: Final = 16
_FOLDERS: Final = frozenset({"PWD", "OLDPWD"})  # where a shell is, `$(pwd)`
_OF_A_SHELL: Final = frozenset("$({`")
_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

_OPENED: Final = re.compile(
    r"(?:(?:new[ ])?(?:SecretStr|SecureString|Some|String::from|str|bytes|Buffer\.from|base64decode)\()?"
    r"~?[brufnsBRUFLNS@$8]{0,4}#{0,4}"  # of T-SQL `N'..'`, of C `u8".."`, of Rust and Swift `r#"..."#`, Elixir's
    r"(?P<quote>(?<=[rR])\"(?P<mark>\w{0,16})\((?=[^\s\"'(){}]{1,200}\)(?P=mark)\")"  # of C++ and R `R"x(...)x"`
    r"|''(?=[^\s\"']{1,200}'')"  # of Nix
    r"|\\{0,2}(?:\"\"\"|'''|[\"'`])"
    # of Lua, Perl, Ruby, Elixir, OCaml and PostgreSQL
    r"|(?:\[={0,4}\[|q{1,2}[({]|%[qQ][({\[<]|(?<=~[sS])[({\[<|]|\{\||\$\$)"
    r"(?=[^\s\"'\[\](){}<>,|$]{1,200}[\])}>|$]))"
)
_CLOSES: Final = str.maketrans("[({<", "])}>")
_BRACKETS: Final = "[({<|$"
_OF_LINES: Final = ('"""', "'''")
_LONGEST: Final = 16_384  # between quotes
_LONG: Final = 512  # of a word: more tells nothing more of it
_WORD: Final = re.compile(rf"[^\s\"'`,;&<>(){{}}\[\]|\\]{{1,{_LONG}}}")
_WORD_ON: Final = re.compile(r"[^\s\"'`,;&<>(){}\[\]|\\]+")
_REST: Final = re.compile(rf"[^\r\n]{{1,{_LONGEST}}}")
_REST_ON: Final = re.compile(r"[^\r\n]+")
_COMMENT: Final = re.compile(r"(?<![ \t])[ \t]++(?:#|;|//[ \t]).*+")
_NO_VALUE: Final = ("|", ">", "{", "[", "#", "; ", "// ")
_BLOCK: Final = re.compile(
    r"(?:[|>][-+\d]{0,2}[ \t]*(?:#[^\n]*)?|<<[-~]?[ \t]?[\"']?(?P<mark>\w{1,40})[\"']?[ \t]*)\r?\n"
)
COMMENTS: Final = r"(?:#[^\n]{0,200}+)?(?:(?:\r?\n[ \t]{0,80}+){1,3}+#[^\n]{0,200}+){0,4}+"
"""At the end of a line and on the lines below."""
_BELOW: Final = re.compile(
    rf"[ \t]{{0,40}}{COMMENTS}(?:\r?\n[ \t]{{0,80}}(?=\r?\n)){{0,3}}\r?\n(?P<indent>[ ]{{1,80}})"
    rf"(?P<value>[^\s\-\[\]{{}}<>#&*!|?\"'][^\s:=]{{1,{_LONG}}}+={{0,2}})[ \t]{{0,40}}$",
    re.MULTILINE,
)
_MOST_LINES: Final = 200
_STOPS: Final = "`.,;:!?)*"


class Key(NamedTuple):
    """A name and where it is. password: people choose it; else a machine draws what is there."""

    start: int
    end: int
    password: bool


def keys_in(text: str) -> Iterator[Key]:
    """Every such name."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that is two in lower case would shift all places
        lowered = text.translate(_LOWER)
    for found in _NAME.finditer(lowered) if any(map(lowered.__contains__, _STEMS)) else ():
        start, end = found.span()
        window = lowered[max(0, start - _WINDOW) : start]
        front = _BEFORE.match(window[::-1])
        before = window[len(window) - front.end() :] if front else ""
        if not _names_a_secret(text, found, window, before):
            continue
        first = start - len(before)
        if text[first:end].upper() not in _FOLDERS or text[first - 1 : first] not in _OF_A_SHELL:
            yield Key(first, end, not found[0].startswith(_DRAWN) or before + found[0] == "_authtoken")


def _names_a_secret(text: str, found: re.Match[str], window: str, before: str) -> bool:
    word = found[0]
    if word.startswith("key"):
        named = _is_compound(window) or _QUERY.search(window) is not None
        return named and (word != "key-data" or before == "client-")
    if word.startswith("sig"):
        return _QUERY.search(window) is not None
    if word in _SHORT and not _is_apart(text, found.start(), before):
        return False
    return _OTHERS.search(before + word) is None


def _is_compound(window: str) -> bool:
    """Whether the word before `key` says whose it is: `api_key`, `appKey`."""
    return _KEY.search(window) is not None and _NO_SECRET_KEY.search(window) is None and "public" not in window[-_NEAR:]


def _is_apart(text: str, start: int, before: str) -> bool:
    """Whether a short name is a word of its own: not in `compass`, but in `db_pass`, `dbPass`, `dbpass`."""
    hump = text[start].isupper() and text[start - 1 : start].islower()
    return not before[-1:].isalnum() or hump or _JOINED.search(before) is not None


class Literal(NamedTuple):
    """A value and the places that hold it. loose: what is enough to take it for a secret."""

    value: str
    spans: tuple[tuple[int, int], ...]
    loose: bool


def literal_at(text: str, at: int, *, loose: bool) -> Literal | None:
    """The text between quotes that open here, on one line but for triple quotes; they may be escaped: JSON in JSON."""
    found = _OPENED.match(text, at)
    if found is None:
        return None
    start = found.end()
    quote, loose = _closing(found), loose and found["quote"][-1] not in _BRACKETS
    end = text.find(quote, start, start + _LONGEST)
    while end > start and len(quote) == 1 and _escaped(text, start, end):
        end = text.find(quote, end + 1, start + _LONGEST)
    if end <= start or (quote not in _OF_LINES and text.find("\n", start, end) >= 0):
        return None
    return Literal(text[start:end], ((start, end),), loose)


def _closing(found: re.Match[str]) -> str:
    """The quote that ends what this one opens: a bracket of Perl's `q{...}` its other half."""
    if found["mark"] is not None:
        return f'){found["mark"]}"'
    opening = found["quote"].lstrip("q%Q")
    return "|}" if opening == "{|" else opening.translate(_CLOSES)


def _escaped(text: str, start: int, end: int) -> bool:
    slashes = end
    while slashes > start and text[slashes - 1] == "\\":
        slashes -= 1
    return (end - slashes) % 2 == 1


def word_at(text: str, at: int, *, loose: bool) -> Literal | None:
    """The text up to a space, a quote or a mark that separates; quoted if it opens with a quote."""
    if quoted := literal_at(text, at, loose=loose):
        return quoted
    found = _WORD.match(text, at)
    if found is None:
        return None
    value = found[0] if loose else found[0].rstrip(_STOPS)
    end = at + len(value)
    if value and text.startswith("!", end):  # the sentence's or the password's
        end += 1
    if len(value) == _LONG and (more := _WORD_ON.match(text, end)):
        end = more.end()
    return Literal(value, ((at, end),), loose) if value else None


def rest_of_line(text: str, at: int, *, opened: str, loose: bool) -> Literal | None:
    """All that follows on the line but a comment. opened: the quote that is before the name and ends the value."""
    found = _REST.match(text, at)
    if found is None or found[0].startswith(_NO_VALUE):
        return None
    rest, quote, _ = found[0].partition(opened) if opened else (found[0], "", "")
    if not quote:
        rest = _COMMENT.sub("", rest)
    rest = rest.rstrip(" \t,;" if rest.endswith((",", ";")) else " \t")
    end = at + len(rest)
    if len(rest) == _LONGEST and (more := _REST_ON.match(text, end)):
        end = more.end()
    return Literal(rest, ((at, end),), loose) if rest else None


def line_below(text: str, at: int, indent: int, *, loose: bool) -> Literal | None:
    """The one word on the next line, where it is further in and nothing else: no key, no entry of a list."""
    found = _BELOW.match(text, at)
    if found is None or len(found["indent"]) <= indent:
        return None
    return Literal(found["value"], (found.span("value"),), loose)


def block_scalar(text: str, at: int, indent: int, *, loose: bool) -> Literal | None:
    """The lines below that are the value: in YAML those further in, of a heredoc those above its mark."""
    head = _BLOCK.match(text, at)
    mark = head["mark"] if head else None
    spans: list[tuple[int, int]] = []
    start = head.end() if head else len(text)
    while start < len(text) and len(spans) < _MOST_LINES:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        content = line.strip()
        if content:
            within = len(line) - len(line.lstrip(" \t"))
            if content == mark or (not mark and within <= indent):
                break
            spans.append((start + within, start + within + len(content)))
        start = end + 1
    return Literal(" ".join(text[first:last] for first, last in spans), tuple(spans), loose) if spans else None
