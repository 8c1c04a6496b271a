"""Whether a text at the place of a secret is one: placeholders, references and plain words are none."""

from __future__ import annotations

import re
from typing import Final

REDACTED: Final = "(redacted)"
"""What is in a secret's place: a plain value in YAML, JSON, XML and addresses alike, and no citation's bracket."""

_JUDGED: Final = 160  # characters of a value that are looked at

_REFERENCE: Final = re.compile(
    r"\$\w+|%\w+%|\*\w+|&\w+|@[\w.\-]+@|\$?\{\{.*|\$\{.*|\$\(.*|\$\[.*|\#\{.*|\{%.*|<.*>?|\{[\w.\- ]{0,32}\}|\[.*\]"
    r"|[A-Z]+(?:_[A-Z]+)+|%\(\w+\)s|%[a-z]|:\w+"
    r"|!(?:Ref|Sub|GetAtt|ImportValue|Join|If|vault|secret|env|include|reference)\b.*"
    r"|(?:ENC|env|vault|ssm|sops|op|aws|gcp|azurekv|file|classpath|secret|arn|ref)[:(\[].*"
    r"|(?:process\.env|os\.environ|env|var|local|data|module|secrets|vars|inputs|config|settings|self|this)\..*",
    re.DOTALL,
)
_PUT_IN: Final = re.compile(r"\$\{|\{\{|\#\{|%\(\w+\)s|<%|\{[\w.]{1,40}\}")
_WORDS: Final = frozenset(
    {
        "", "password", "passwd", "pass", "passphrase", "pwd", "pw", "secret", "token", "key", "apikey",
        "credentials", "credential", "secretkey", "accesskey", "accesstoken", "clientsecret", "authtoken", "none",
        "null", "nil", "true", "false", "yes", "no", "on", "off", "undefined", "empty", "string", "str", "text",
        "bytes", "number", "int", "integer", "boolean", "bool", "any", "object", "value", "required", "optional",
        "disabled", "enabled", "default", "auto", "unset", "unknown", "prompt", "ask", "bearer", "basic",
        "redacted", "hidden", "masked", "censored", "removed", "plaintext", "secretstr", "securestring", "char",
        "passwort", "kennwort", "contraseña", "senha", "motdepasse", "geheim", "schlüssel", "clé", "jeton", "salt",
        "username", "user", "todo", "tbd", "fixme", "foo", "bar", "baz", "foobar", "xxx", "abc", "asdf", "dummy",
        "fake", "mock", "sample", "example",
    }
)  # fmt: skip
_AROUND_WORDS: Final = re.compile(r"[\s_\-.,:<>(){}\[\]*'\"\\]+")
_STANDS_FOR: Final = re.compile(
    r"change[_\- ]?(?:me|this|it)|replace[_\- ]?(?:me|this|with)|your[_\- ]|[_\- ]here\b|example|placeholder"
    r"|insert[_\- ]|enter[_\- ]|put[_\- ]your|redacted|x{4,}|\*{3,}|\.{3}|…|<[^<>]+>|goes[_\- ]here"
    r"|not[_\- ]?(?:a[_\- ])?(?:real|secret)"
    r"|(?:^|[_\-. ])(?:fake|todo|sample|dummy|mock|notset)(?:$|[_\-. ])"
)
_LABEL: Final = re.compile(r"pass|pwd|secret|token|kennwort|contrase|senha|парол|パスワード|密码")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.\-]*://", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.\-]+){2,}/?|\.{1,2}/[\w.\-/]+|[\w\-]+(?:/[\w.\-]+){2,}"
)
_LIMIT: Final = re.compile(r"[a-z_]{1,20}:[\d,]{1,12}")  # `max:255` of a form's rules, a host and its port
_RUN_TOGETHER: Final = re.compile(r"[a-z]{16,64}")
_OF_A_FORM: Final = re.compile(rf"{_LABEL.pattern}|credential|invalid|incorrect|require|missing|error|field|input")
_BASE32: Final = re.compile(r"(?:[A-Z]{1,60}[2-7]{1,60}){2,60}[A-Z]{0,60}={0,6}")  # of one-time passwords
_DATE: Final = re.compile(r"\d{4}-\d\d")
_NUMBER: Final = re.compile(r"[+-]?\d[\d_,.]*[a-z%]{0,2}", re.IGNORECASE)
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_BETWEEN: Final = re.compile(r"[-_.:/]+")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_LETTERS: Final = re.compile(r"[a-z]{6}|[A-Z]{6}")
_BETWEEN_LETTERS: Final = re.compile(r"[^\w\s]")
_MADE_OF: Final = re.compile(r"[A-Za-z0-9+/=_.\-~!@#$%^&*:?]+")
_OF_CODE: Final = re.compile(r"[(){}<>\[\]\\|`\"]|^[\w\-]+(?:\.[\w\-]+)+$|^[./#]|[:,;]$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$")
_MARK: Final = re.compile(r"[\d!@#$%^&*+~]")
_MIXED: Final = re.compile(r"(?=.*\d.*\d)(?=.*[^\W\d_]).{4,}")
_LETTER: Final = re.compile(r"[^\W\d_]")
_LONG: Final = 16  # of a part between marks: no number of a version
_LONGEST_WORDS: Final = 3.0
"""Letters and digits a part, by case and kind: a drawn text changes every second character, a name keeps its words."""


def is_placeholder(value: str) -> bool:
    """Whether the text replaces a secret that is elsewhere: `changeme`, `${DB_PASSWORD}`, `<your-token>`, `True`."""
    value = value[:_JUDGED]
    if REDACTED in value or _REFERENCE.fullmatch(value) or _PUT_IN.search(value):
        return True
    lowered = value.lower()
    plain = _AROUND_WORDS.sub("", lowered)
    return plain in _WORDS or len(set(plain)) == 1 or _STANDS_FOR.search(lowered) is not None


def is_password(value: str, *, loose: bool) -> bool:
    """Whether a text at a password's name is one. loose: in settings, where anything but a placeholder is."""
    value = value[:_JUDGED].strip()
    if is_placeholder(value) or _ADDRESS.match(value):
        return False
    if re.search(r"\s", value):
        return loose and is_phrase(value)
    if not loose:
        return is_chosen(value)
    if _NUMBER.fullmatch(value):
        return len(value) > 3 and value.isdigit()
    if _PLACE.fullmatch(value):
        return is_drawn(value)
    return len(value) > 1


def is_token(value: str, *, loose: bool) -> bool:
    """Whether a text at the name of a token or a key is one: drawn by a machine, not the name of something."""
    value = value[:_JUDGED].strip()
    if _is_noise(value):
        return True
    if len(value) < 8 or is_placeholder(value) or _ADDRESS.match(value) or not _MADE_OF.fullmatch(value.strip("{}")):
        return False
    return is_drawn(value, least=8 if loose else 16) or _is_base32(value)


def _is_base32(value: str) -> bool:
    """Whether it is as many bytes in base32 as keys have: mostly capitals, which `is_drawn` takes for words."""
    return len(value) in {16, 26, 32, 52, 56, 64} and _BASE32.fullmatch(value) is not None


def _is_noise(value: str) -> bool:
    """Whether marks of every kind stand between short runs of letters, as WordPress and Django draw their keys."""
    kinds = len(set(_BETWEEN_LETTERS.findall(value))) if 32 <= len(value) <= 128 else 0
    return kinds > 7 and value.count(" ") * 10 <= len(value) and _LETTERS.search(value) is None


def is_phrase(value: str) -> bool:
    """Several words that were chosen together, and no sentence: with a number, or with letters and digits in a word."""
    words = value.split()
    if value.endswith((".", "?", ":", "…")) or _LABEL.search(value.lower()):
        return False
    if any(map(_MIXED.fullmatch, words)):
        return True
    return len(words) >= 3 and (any(map(str.isdigit, words)) or len(words) in {12, 15, 18, 21, 24})


def is_chosen(value: str) -> bool:
    """Whether a person chose it to be hard to guess: letters with digits or marks, and neither a name nor code."""
    return (
        (6 <= len(value) < _JUDGED or is_drawn(value))
        and _MARK.search(value) is not None
        and _LETTER.search(value) is not None
        and _OF_CODE.search(value) is None
        and (value[-1].isdigit() or _LABEL.search(value.lower()) is None)
        and _PLACE.fullmatch(value) is None
        and _DATE.match(value) is None
        and _LIMIT.fullmatch(value) is None
    )


def is_run_together(value: str) -> bool:
    """Whether it is too long for one word, and letters alone: `correct horse batt` without its spaces."""
    return _RUN_TOGETHER.fullmatch(value) is not None and not is_placeholder(value) and _OF_A_FORM.search(value) is None


def is_drawn(value: str, *, least: int = 16) -> bool:
    """Whether a machine drew it: letters and digits in turns shorter than words and numbers are."""
    parts = _PART.findall(value)
    held = sum(map(len, parts))
    digits = sum(len(part) for part in parts if part.isdigit())
    if len(value) < least or held < least * 0.6 or held / len(parts) >= _LONGEST_WORDS or _is_name(value):
        return False
    return held - digits >= 2 and (digits >= 2 or held / len(parts) < 2.4 or (least < 16 and digits > 0))


def _is_name(value: str) -> bool:
    """Words with marks between them, `my-app-v2`, or a date."""
    segments = _BETWEEN.split(value)
    others = [segment for segment in segments if not _WORD.fullmatch(segment)]
    named = len(others) * 2 <= len(segments) and max(map(len, others), default=0) < _LONG
    return named or _DATE.match(value) is not None
