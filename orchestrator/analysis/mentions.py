"""What a question names: identifiers, quoted phrases, capitalised words; nothing out of a pasted snippet (design §4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["Mention", "find_mentions", "without_snippet"]

MentionKind = Literal["identifier", "quoted", "hyphenated", "capitalised"]

_FENCE = re.compile(r"(```|~~~).*?(\1|\Z)", re.DOTALL)
_INDENTED = re.compile(r"\n(?: {2,}|\t)[^\n]*")
_INLINE = re.compile(r"`[^`\n]{1,200}`")
_COLON = re.compile(r":(?=\s)")
_CODE = re.compile(r"\w\(|[{};]|[^=!<>]=|==|->|=>|\w\[")
_TOKEN = re.compile(
    r"`(?P<ticked>[^`\n]{1,200})`"
    r"|\"(?P<double>[^\"\n]{1,200})\""
    r"|\N{LEFT DOUBLE QUOTATION MARK}(?P<curly>[^\N{RIGHT DOUBLE QUOTATION MARK}\n]{1,200})\N{RIGHT DOUBLE QUOTATION MARK}"
    r"|(?<!\w)'(?P<single>[^'\n]{1,200})'(?!\w)"
    r"|(?P<word>\w(?:\w|(?:[./-]|::)(?=\w))*)"
)
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_SNAKE = re.compile(r"\w_\w|^_\w")
_DOTTED = re.compile(r"^[^\W\d].*(?:\w\.[^\W\d]|::)")
_ABBREVIATION = re.compile(r"^(?:[a-z]\.)+[a-z]$", re.IGNORECASE)
_URL = re.compile(r"\bhttps?://\S+")
_FRAME = re.compile(
    r"^\s*(?:at\s+(?:[\w$]+[./])*?(?P<method>[\w$<>]+\.[\w$<>]+)\([^)\n]*\)|File \"[^\"\n]+\", line \d+, in (?P<function>\w+))",
    re.MULTILINE,
)
_MOST_FRAMES = 5
_SENTENCE_END = re.compile(r"(?:^|[.!?:\n])[\s\"'(]*$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing the question names. Only an `identifier` is so exact that its absence everywhere means something."""

    text: str
    kind: MentionKind


def without_snippet(query: str) -> str:
    """The question's prose: no fence, no indented line after a line break, no web address, and of each paragraph
    nothing from the first colon on that code follows.
    """
    prose = _URL.sub(" ", _INDENTED.sub("\n", _FENCE.sub(" ", query)))
    return "\n\n".join(_before_code(paragraph) for paragraph in prose.split("\n\n"))


def _before_code(paragraph: str) -> str:
    blanked = _INLINE.sub(lambda ticked: " " * len(ticked.group()), paragraph)
    colon = _COLON.search(blanked)
    return paragraph[: colon.start()] if colon and _CODE.search(blanked, colon.end()) else paragraph


def find_mentions(query: str) -> tuple[Mention, ...]:
    """In the order they stand, each once."""
    prose = without_snippet(query)
    found: dict[str, Mention] = {}
    frames = _frames(query)
    for token in _TOKEN.finditer(prose):
        mention = _mention(token, prose)
        if mention is not None and frames and mention.kind == "identifier":
            mention = Mention(mention.text, "quoted")  # what a trace names is the language's as often as one's own
        if mention is not None:
            found.setdefault(mention.text, mention)
    for name in frames:
        found.setdefault(name, Mention(name, "quoted"))
    return tuple(found.values())


def _frames(query: str) -> list[str]:
    """The functions of a pasted stack trace, nearest to the failure first as Java and C# print them."""
    named = (frame["method"] or frame["function"] for frame in _FRAME.finditer(query))
    return list(dict.fromkeys(named))[:_MOST_FRAMES]


def _mention(token: re.Match[str], prose: str) -> Mention | None:
    if token["ticked"]:
        return _exact(token["ticked"].partition("(")[0].strip(), otherwise="identifier")
    quoted = token["double"] or token["curly"] or token["single"]
    if quoted:
        return _exact(quoted.strip(), otherwise="quoted")
    word = token["word"]
    kind = _kind(word)
    if kind is not None:
        return Mention(word, kind)
    if (
        word[0].isupper()
        and len(word) > 1
        and not _SENTENCE_END.search(prose, max(0, token.start() - 8), token.start())
    ):
        return Mention(word, "capitalised")
    return None


def _exact(text: str, *, otherwise: MentionKind) -> Mention | None:
    return Mention(text, _kind(text) or otherwise) if text else None


def _kind(word: str) -> MentionKind | None:
    if _ABBREVIATION.search(word) or " " in word:
        return None
    if _CAMEL.search(word) or _SNAKE.search(word) or _DOTTED.match(word):
        return "identifier"
    return "hyphenated" if "-" in word and not word.replace("-", "").isdigit() else None
