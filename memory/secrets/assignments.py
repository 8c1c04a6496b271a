"""What is set under a name that says it is secret, in whatever way files say so: `key: value`, `KEY=value`, a tag's
text, `name: KEY` with `value:` beside it, an option of a command, the default of a variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memory.secrets.literals import (
    COMMENTS,
    Key,
    Literal,
    block_scalar,
    keys_in,
    line_below,
    literal_at,
    rest_of_line,
    word_at,
)
from memory.secrets.names import Writing
from memory.secrets.values import is_password, is_placeholder, is_run_together, is_token

_BEFORE: Final = 120  # characters of a line that are looked at before a name
_LONG_WORD: Final = 400
_UNQUOTED: Final = {Writing.SETTINGS, Writing.SCRIPT, Writing.ENVIRONMENT, Writing.PROSE}
_LOOSE: Final = {Writing.SETTINGS, Writing.SCRIPT, Writing.ENVIRONMENT, Writing.QUOTED}
_SAYS_IN_COMMENTS: Final = {Writing.CODE, Writing.QUOTED}
_SIGN: Final = re.compile(
    r"(?P<closed>\\{0,2}[\"'`])?[\])*]{0,3}[\"'`]?(?:(?<=[\"'])\s{0,80}(?=:)|[ \t\xa0\u202f]{0,40})"
    r"(?P<sign>(?::{1,3}|[+?])=|!=[ \t]{0,4}echo\b|<{1,2}-(?=[ \t]{0,4}[rR]?[\"'])|\?\?=|\|\|=|=>|={1,3}|:(?!:)[-=?]?)"
    r"[ \t]{0,40}\*{0,2}[ \t]?"
    r"(?:(?:[(\[][ \t]{0,4})?(?:\r?\n\s{0,80}(?(closed)|(?<=[ \t])))?(?=[brufBRUF]{0,2}\\{0,2}[\"'`]))?"
)
_TYPED: Final = re.compile(
    r"[?!]?[ \t]{0,4}(?:"
    r"::?(?:[\w.&'*?| \t]|\[[^\n\"=]{0,60}\]|<[^\n\"=]{0,60}>){1,60}+"  # password: &'static str
    r"(?:(?:\r?\n[ \t]{1,40}get)?\(\))?"  # password: String get()
    r"|(?:[ \t]as)?[ \t]{1,4}[\w.]{2,30}(?:\(\d{0,5}\))?(?:\[\])?"  # password string, Password As String
    r"|[ \t]{1,4}for[ \t]{1,4}[\w.'\"`@%\-]{1,80}"  # SET PASSWORD FOR 'ann'@'%'
    r"|\[\d{0,5}\]|[ \t]?\{[\w; \t]{1,40}\})[ \t]{0,4}(?::?=|\{(?:\s{0,40}return\b)?)[ \t]{0,4}(?:\r?\n[ \t]{1,40})?",
    re.IGNORECASE,
)
_BEFORE_TYPE: Final = (" ", "\t", ":", "?", "!", "[")
_NODE: Final = re.compile(
    r"(?:(?:&[\w.\-]{1,64}|!(?:![\w:.\-]{1,40}|<[^>\s]{1,80}>|unsafe)?)(?:[ \t]{1,8}|(?=\r?\n))){1,2}"
)
"""The anchor of a YAML value and its tag, where that says no more than how the value is read."""
_EXPLICIT: Final = re.compile(r"[\"'`*]{0,3}[ \t]{0,8}\r?\n[ \t]{0,40}:[ \t]{1,8}")
_EXPLICIT_OPENS: Final = re.compile(r"[ \t\-]*\?[ \t]+[\"']?")
_DEFINED_OPENS: Final = re.compile(r"[ \t\->*+]*[\"'`]?(?:\w[\w \t]*)?")
"""The term of a list of definitions, in text for people."""
_COMMENTED: Final = re.compile(r"[ \t]*(?:#|//|<!--|(?:/?\*+|--+|;+|%+)(?=[ \t]))|.*[ \t](?:#|//)[ \t]")
_ARGUMENT: Final = re.compile(r"\\{0,2}[\"'`]?\s{0,4},\s{0,40}(?:<<)?(?=[brufBRUF]{0,2}\\{0,2}[\"'`])")
_TUPLE_OPENS: Final = re.compile(r"\{[ \t]{0,4}:?$|\([ \t]{0,4}:$|^-define\([ \t]{0,4}$")
"""Of Erlang's `{password, "..."}` and `-define(PASSWORD, "...")`, Elixir's `{:password, "..."}`, Ruby's
`(:password, "...")`
"""
_ENTRY: Final = re.compile(r"[\"']?(?:,\s{0,40}|[ \t]{0,4}\r?\n[ \t]{0,40}-[ \t]{1,4})(?=[^\s\-|&;<>=])")
_SETTER: Final = re.compile(r"[({]\s{0,40}(?=[\"'`])")
_OTHERWISE: Final = re.compile(r"[\"'`]?[\])]{0,2}[ \t]{1,4}(?:\|\||\?[?:]|or|by[ ]lazy[ ]\{)[ \t]{1,4}(?=[\"'`])")
"""`env.PASSWORD || "..."`"""
_BY_DEFAULT: Final = re.compile(
    r"(?:[\"'`]\s{0,4},|(?:[ \t]?:[^=\n\"]{1,60}+)?[ \t]?=[ \t]?(?:[\w.]{1,60}\(|\d{1,9}[ \t]?\[))"
    r"[^()]{0,160}?\bdefault[ \t]?=[ \t]?(?=[\"'])"
)
_SPACE: Final = re.compile(r"[ \t]{1,8}(?=(?:u8|[LuUN@])?[\"']|\$\$)")
_HANDED: Final = re.compile(r"[ \t]{1,8}(?=<<[^<])")
"""A heredoc that a command reads: `read PASSWORD <<EOF`"""
_OPTION: Final = re.compile(r"[ \t]{1,4}(?=[^\s\-|&;<>=])")
_WORDS: Final = re.compile(r"[ \t]{1,20}(?!!=)(?=[^\s=:])")
_IN_PROSE: Final = re.compile(r"[*`]{0,3}[ \t]{1,4}(?:is|=)[ \t]{1,4}|[ \t]{0,20}\|[ \t]{0,20}")
_PAIR: Final = re.compile(
    rf"\\{{0,2}}[\"']?[ \t]{{0,8}},?[ \t]{{0,40}}{COMMENTS}\s{{0,80}}"
    rf"\\{{0,2}}[\"']?value\\{{0,2}}[\"']?\s{{0,8}}[:=]\s{{0,8}}",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?:name|key|id|(?P<type>type))\\{0,2}[\"']?\s{0,8}[:=]\s{0,8}\\{0,2}[\"']?$", re.IGNORECASE
)
_TAG: Final = re.compile(
    r"(?:\s[^<>]{0,200})?>|[\"'][^<>]{0,100}>(?:\s{0,80}<[\w:-]{0,20}value>)?"
    r"|\s{0,80}</[\w:-]{1,30}>\s{0,80}<(?:[\w:-]{0,20}value|string)(?:\s[^<>]{0,80})?>",
    re.IGNORECASE,
)
_TAG_OPENS: Final = re.compile(r"<(?:[\w-]{1,20}:|(?:[\w:-]{1,20}[:-])?(?:key|name|id)>\s{0,80})?$", re.IGNORECASE)
_NEAR: Final = 40
_TAG_TEXT: Final = re.compile(r"\s*+(?P<value>[^<>\s](?:[^<>]{0,4095}?[^<>\s])?)\s*+</")
_BLOCK: Final = re.compile(r"\"\s{0,4}\{[^}]{0,600}?\bdefault\s{0,20}=\s{0,4}")
_OWN_LINE: Final = re.compile(
    r"[ \t>#;/*+|]*(?:-[ \t]+)?(?:(?:export|declare|local|readonly|ENV|ARG|set|SET|setx|env|setenv|SetEnv)[ \t]+"
    r"|Environment=|[\"']?)"
    r"[\"']?(?:--?)?"
)
_ENVIRONMENT_LINE: Final = re.compile(
    r"^[ \t]*(?:export[ \t]+|set[ \t]+)?[A-Za-z_][\w.\-]*[ \t]*[=:][ \t]*"
    r"(?P<quote>[\"']?)(?P<value>[^\r\n]*?)(?P=quote)(?:[ \t]+#[^\r\n]*|[ \t]*)$",
    re.MULTILINE,
)
_CLOSING: Final = ("\\", '"', "'", "`")
_SPACES: Final = (" ", "\t", "*", "|")
_SMALL: Final = re.compile(r"\d{1,5}")
_DEFAULT: Final = re.compile(
    r"\$\{(?!(?:env|file|ssm|sys|opt|self|cf|s3|vault|secrets?|sm|aws|param|git|prop)[:.])"
    r"[\w.\-]{1,80}:[-=?]?(?P<value>[^${}\s]{1,200})\}"
)
_DEFAULT_OF: Final = re.compile(r":[-=?]?(?P<value>[^${}\s]{1,200})\}")
_TOLD_TO_SET: Final = re.compile(r"(?:^|[\s:])set[ \t]+(?:--?\w[\w-]*[ \t]+)?(?://[\w.\-/]{1,80}:)?$", re.IGNORECASE)
_FUNCTION: Final = re.compile(r"[\w.]*[(\[]")
_HEREDOC: Final = re.compile(
    r"(?P<prose>\bdescription[ \t]*=[ \t]*)?<<[-~]?[\"']?(?P<end>[A-Za-z_]\w{0,40})[\"']?[ \t]*$"
)


def assignment_spans(text: str, writing: Writing) -> Iterator[tuple[int, int]]:
    """The values that are secret. writing: how the file writes settings."""
    if writing is Writing.ENVIRONMENT:
        yield from _variables(text)
    heredocs = _heredocs(text) if writing is Writing.QUOTED else iter(())
    heredoc = next(heredocs, None)
    done = 0
    for key in keys_in(text):
        if key.start < done:
            continue
        judged = is_password if key.password else is_token
        while heredoc and heredoc[1] <= key.start:
            heredoc = next(heredocs, None)
        inside = heredoc[2] if heredoc and heredoc[0] <= key.start else writing
        for literal in _readings(text, key, inside):
            if literal is not None and (
                judged(literal.value, loose=literal.loose)
                or (_is_plainly_set(text, key, literal) and is_run_together(literal.value))
            ):
                yield from literal.spans
                done = literal.spans[-1][1]
                break
            if literal is not None and len(literal.value) >= _LONG_WORD and " " not in literal.value:
                done = literal.spans[-1][1]  # names in it have no other value


def _variables(text: str) -> Iterator[tuple[int, int]]:
    for found in _ENVIRONMENT_LINE.finditer(text):
        value = found["value"].strip()
        if not is_placeholder(value) and not _SMALL.fullmatch(value):
            yield found.span("value")


def _heredocs(text: str) -> Iterator[tuple[int, int, Writing]]:
    """Where the texts on lines of their own begin and end in HCL: scripts, and prose where it is a description."""
    start = at = 0
    end, inside = "", Writing.SCRIPT
    for line in text.splitlines(keepends=True) if "<<" in text else ():
        at += len(line)
        if end and line.strip() == end:
            yield start, at, inside
            end = ""
        elif not end and (found := _HEREDOC.search(line)):
            start, end, inside = at, found["end"], Writing.PROSE if found["prose"] else Writing.SCRIPT
    if end:
        yield start, at, inside


def _readings(text: str, key: Key, writing: Writing) -> Iterator[Literal | None]:
    """What may be set under a name, by each way to read what follows it."""
    before = text[max(0, key.start - _BEFORE) : key.start]
    line = before[before.rfind("\n") + 1 :]
    if writing in _SAYS_IN_COMMENTS and _COMMENTED.match(line):
        writing = Writing.PROSE
    loose, at = writing in _LOOSE, key.end
    following = text[at : at + 1]
    closed = following in _CLOSING
    opens = "<" in before[-_NEAR:] and _TAG_OPENS.search(before) is not None
    if (closed or opens) and (found := _TAG.match(text, at)) and (inner := _TAG_TEXT.match(text, found.end())):
        yield Literal(inner["value"], (inner.span("value"),), loose)
        return
    if line.endswith("${") and (found := _DEFAULT_OF.match(text, at)):
        yield Literal(found["value"], (found.span("value"),), loose)
    yield from _after(text, key, line, writing)
    if found := _OTHERWISE.match(text, at) or _BY_DEFAULT.match(text, at):
        yield literal_at(text, found.end(), loose=False)
    tuple_opens = not closed and _TUPLE_OPENS.search(line) is not None
    quoted = closed and (not loose or text.startswith("--", key.start))
    if (tuple_opens or quoted) and (found := _ARGUMENT.match(text, at)):
        yield literal_at(text, found.end(), loose=loose)
    if text.startswith("--", key.start) and (found := _ENTRY.match(text, at)):
        yield word_at(text, found.end(), loose=False)
    if (found := _PAIR.match(text, at)) and (named := _NAMED.search(before)):
        reading = word_at if writing in _UNQUOTED else literal_at
        yield reading(text, found.end(), loose=loose and not named["type"])
    if closed and before.endswith('variable "') and (found := _BLOCK.match(text, at)):
        yield literal_at(text, found.end(), loose=True)


def _after(text: str, key: Key, line: str, writing: Writing) -> Iterator[Literal | None]:
    """What a sign, a type, a bracket or a space leads to. line: what is before the name."""
    loose, at = writing in _LOOSE, key.end
    following = text[at : at + 1]
    if found := _SIGN.match(text, at):
        yield from _set(text, found, line, writing)
    elif following in _SPACES and not _SPACE.match(text, at):
        yield _spoken(text, key, line, writing)
    elif found := _SETTER.match(text, at) or _SPACE.match(text, at):
        yield literal_at(text, found.end(), loose=loose)
    if following in _BEFORE_TYPE and (found := _TYPED.match(text, at)):
        yield literal_at(text, found.end(), loose=loose)
    if (found := _EXPLICIT.match(text, at)) and (
        (writing is Writing.SETTINGS and _EXPLICIT_OPENS.fullmatch(line))
        or (writing is Writing.PROSE and _DEFINED_OPENS.fullmatch(line))
    ):
        yield from _set(text, found, "", writing)
    if writing in _UNQUOTED and (found := _HANDED.match(text, at)):
        yield block_scalar(text, found.end(), 0, loose=False)


def _set(text: str, found: re.Match[str], line: str, writing: Writing) -> Iterator[Literal | None]:
    """What follows a sign of assignment. line: what is before the name."""
    loose, at = writing in _LOOSE and "[" not in found[0], found.end()
    if node := _NODE.match(text, at):
        at = node.end()
    if default := _DEFAULT.match(text, at):
        yield Literal(default["value"], (default.span("value"),), loose)
        return
    if quoted := literal_at(text, at, loose=loose):
        is_next_key = "\n" in found[0] and text.startswith(":", quoted.spans[0][1] + 1)
        yield None if is_next_key else quoted
        return
    if writing not in _UNQUOTED:
        yield block_scalar(text, at, 0, loose=loose)
        yield word_at(text, at, loose=False) if found[0] == "=" and _in_literal(line) else None
    elif writing is Writing.SETTINGS and len(line) < _BEFORE and _OWN_LINE.fullmatch(line):
        indent = len(line) - len(line.lstrip(" \t"))
        yield block_scalar(text, at, indent, loose=loose) or line_below(text, at, indent, loose=loose)
        opened = line[-1:] if line[-1:] in _CLOSING and not found["closed"] else ""
        yield rest_of_line(text, at, opened=opened, loose=loose)
    elif not _FUNCTION.match(text, at):
        yield word_at(text, at, loose=loose)


def _spoken(text: str, key: Key, line: str, writing: Writing) -> Literal | None:
    """What follows a name and a space, no sign: an option's, a setting's of a file that has none, a sentence's."""
    if text.startswith("-", key.start):
        found = _OPTION.match(text, key.end)
        return word_at(text, found.end(), loose=writing in _LOOSE) if found else None
    if _TOLD_TO_SET.search(line) and not _OWN_LINE.fullmatch(line):
        found = _WORDS.match(text, key.end)
        return word_at(text, found.end(), loose=False) if found else None
    if writing is Writing.PROSE:
        found = _IN_PROSE.match(text, key.end)
        return word_at(text, found.end(), loose=False) if found else None
    if writing in {Writing.SETTINGS, Writing.SCRIPT} and _OWN_LINE.fullmatch(line):
        found = _WORDS.match(text, key.end)
        return word_at(text, found.end(), loose=not _COMMENTED.match(line)) if found else None
    return None


def _is_plainly_set(text: str, key: Key, literal: Literal) -> bool:
    """Whether a sign and a quote are before it, and the name is a password's alone: compilers have passes."""
    between = text[key.end : literal.spans[0][0]]
    named = key.password and not text[key.start : key.end].lower().endswith("pass")
    return named and between.endswith(_CLOSING[1:]) and (":" in between or "=" in between)


def _in_literal(line: str) -> bool:
    """Whether a quote is open at the end of this part of a line, or an address's query."""
    return line.endswith(("?", "&")) or any(line.count(quote) % 2 for quote in "\"'`")
