"""Topic clues, which every rule for a broker gives, and what names a topic in a call.

Topics, queues, exchanges, subjects and channels are all `topic`.
Kinds of clues (indexing/resolution/topics.py reads them):
`topic`: provides = publishes to `key` (PUBLISHES), needs = subscribes to it (SUBSCRIBES). `value` is '' for a name that
is stated, REFERENCE where `key` is the name of a constant that has it, SETTING where it is a setting's, TYPED where it
is a class's, HANDLED where a function that handles something is given one, and GUESS where only the call's shape speaks
for it.
`topic name`: the constant or setting `key` has the topic `value`.

A call names its topic by a literal, or by a name that the same file gives a literal, a variable or a setting. No
parser, as the calls of a dozen languages look alike: quotation marks, a name with dots, a list of either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from extraction.facts import Clue
from extraction.rules.expressions import line_at
from extraction.rules.port import Source

PUBLISHES: Final = "PUBLISHES"
SUBSCRIBES: Final = "SUBSCRIBES"
REFERENCE: Final = "reference"
SETTING: Final = "setting"
GUESS: Final = "guess"
TYPED: Final = "typed"
HANDLED: Final = "handled"
SPOKEN_FOR: Final = "topics"
"""What `Source.parsed` has where a family knows the file's client: the shape of a call says nothing more there."""
TOPIC: Final = re.compile(r"[A-Za-z0-9_][\w.\-:/]{0,198}[\w*>#]")
FILE: Final = re.compile(
    r"\.(?:json|ya?ml|py|js|ts|html|xml|txt|md|proto|avsc|csv|sql)$|/(?:v\d+/|api/)|^(?:true|false|null)$|^(?:application|text)/"
)
ADDRESS: Final = re.compile(
    r"(?:arn:aws[\w-]*:(?:sns|sqs):[^:]*:[^:]*:|https?://[^/]*(?:queue|sqs)[^/]*/\d+/)([\w.\-]+)$"
)
FILLED: Final = re.compile(r"(?<=\w)[-_.]\$\{[^{}]*\}$|^\$\{[^{}]*\}[-_.](?=\w)")
"""A stage or a region, which a program puts behind or in front."""
WORDS: Final = re.compile(r"[._\-:/]|[a-z0-9][A-Z]")
SPACE: Final = re.compile(r"[\s&*@]*")
LIST: Final = re.compile(
    r"(?:\[\]string|new\s+(?:string)?\s*\[\s*\]|new\s+List<\w+>(?:\(\))?|(?:\w+\.)?(?:singletonList|singleton|asList|of|listOf|setOf"
    r"|arrayOf|vec!))?\s*[\[{(]\s*"
)
QUOTED: Final = re.compile(r"""([rbfu$@]?)(["'`])((?:(?!\2)(?:[^\n\\]|\\(?=\$))){1,250})\2""")
NAME: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]*)*")
NAMEOF: Final = re.compile(r"nameof\(\s*(?:\w+\.)*(\w+)\s*\)")
PLACEHOLDER: Final = re.compile(r"\$\{(?P<name>[\w.\-]+)(?::(?P<default>[^}]*))?\}|%(?P<setting>\w+)%")
"""A setting of Spring, and one of Azure's."""
ENVIRONMENT: Final = re.compile(
    r"""(?:getenv|Getenv|GetEnvironmentVariable|LookupEnv|environ\.get|environ|env::var|env|ENV(?:\.fetch)?|get_env|[gG]etEnv\w*)\s*[(\[]\s*["']([A-Z][A-Z0-9_]+)["']"""
    r"""|(?:process\.env|import\.meta\.env)\.([A-Z][A-Z0-9_]+)"""
)
CONFIGURED: Final = re.compile(
    r"""(?:[cC]onfig\w*|settings|[sS]ettings)(?:\.get\w*|\.GetValue<\w+>|\.Get\w*)?\s*[(\[]\s*["']([\w.:\-]+)["']"""
)
DEFAULT: Final = re.compile(r"""(?:\?:|\?\?|\|\||,|\bor\b|unwrap_or\w*\(|\{)\s*["'`]([^"'`\n]+)["'`]""")
OWN: Final = re.compile(r"^(?:self|this|cls|@)(?:\.|->)|^@")
MADE_HERE: Final = r"\b(?:var|let|val|const|[sS]tring)\s+{name}\s*=(?!\s*new\s)\s*[^\n\"'`]*\(|\bfor(?:each)?\b[^\n]*\b{name}\s+(?:in|of)\s|,\s*{name}\s*:=\s*range\b"  # noqa: E501 - a pattern
"""A local variable that a call makes, or a loop's: no constant of that name elsewhere is meant."""
MOST: Final = 300


@dataclass(frozen=True, slots=True)
class Argument:
    """A topic's name, or the name of what has it, a constant (REFERENCE) or a setting (SETTING); `offset`: where it is
    in the text.
    """

    name: str
    offset: int
    of: str = ""


def topic_in(text: str) -> str:
    """The topic that a literal names, of an ARN or a queue's URL the last part; '' for one that can't be a topic."""
    text = FILLED.sub("", text.strip())
    if address := ADDRESS.match(text):
        return address[1]
    return text if TOPIC.fullmatch(text) and not FILE.search(text) and not text.isdigit() and "://" not in text else ""


def is_compound(topic: str) -> bool:
    """Whether a name has several words: two projects that say `orders` need not mean the same."""
    return WORDS.search(topic) is not None


def topic_clue(rule: str, relation: str, topic: Argument, line: int, entity: str, *, guess: bool = False) -> Clue:
    """The definition (without one: the file's service) publishes or subscribes to what the argument names."""
    verb = "publishes to" if relation == PUBLISHES else "subscribes to"
    value = GUESS if guess else topic.of
    if guess and topic.of:  # a guess is not named as the setting that it may be handed
        value = REFERENCE
    side = "provides" if relation == PUBLISHES else "needs"
    return Clue(rule, "topic", topic.name, side, relation, line, entity, f"{verb} {topic.name}", value)  # type: ignore[arg-type]  # one of two


def topic_spoken(rule: str, relation: str, topic: Argument, source: Source, *, guess: bool = False) -> Clue:
    """`topic_clue` of the definition around the place where the argument stands."""
    line = line_at(source.text, topic.offset)
    return topic_clue(rule, relation, topic, line, source.around(line), guess=guess)


def names_topic(rule: str, name: str, topic: str, line: int) -> Clue:
    """A constant or setting that has a topic's name."""
    return Clue(rule, "topic name", name, "provides", "NAMES", line, says=f"{name} is {topic}", value=topic)


def arguments_at(text: str, at: int) -> Iterator[Argument]:
    """The topics named at this offset: one, or those of a list."""
    at = SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches everywhere
    opened = LIST.match(text, at)
    at = opened.end() if opened else at
    for _ in range(MOST if opened else 1):
        at = SPACE.match(text, at).end()  # type: ignore[union-attr]  # the same
        quoted, named = QUOTED.match(text, at), NAME.match(text, at)
        found = quoted or named
        if found is None:
            return
        argument = _literal(quoted[3], at) if quoted else _named(text, found[0], at, found.end())
        if argument is not None:
            yield argument
        following = re.compile(r"\s*,\s*(?=[\"'`A-Z\w])").match(text, found.end())
        if following is None:
            return
        at = following.end()


def _literal(text: str, at: int) -> Argument | None:
    if placeholder := PLACEHOLDER.fullmatch(text.strip().removeprefix("\\")):  # Kotlin's own `$` is another
        default = topic_in(placeholder["default"] or "")
        return Argument(default or placeholder["name"] or placeholder["setting"], at, "" if default else SETTING)
    topic = topic_in(text)
    return Argument(topic, at) if topic else None


def _named(text: str, name: str, at: int, end: int) -> Argument | None:
    if nameof := NAMEOF.match(text, at):
        return Argument(nameof[1], at)
    line_end = text.find("\n", end)
    rest = text[at : line_end if line_end >= 0 else len(text)]
    if text[end : end + 1] in {"(", "["} or name.startswith(("process.env", "import.meta")):
        return _read(rest, at)
    own = OWN.sub("", name)
    if re.search(r"\.|::|->", own):
        return Argument(".".join(re.split(r"\.|::|->", own)[-2:]), at, REFERENCE)
    values = {assigned(found, at) for found in _assignments(text, own)} - {None}
    if values:
        return values.pop() if len(values) == 1 else None
    if re.search(MADE_HERE.format(name=re.escape(own)), text):
        return None
    return Argument(own, at, REFERENCE)


def _assignments(text: str, name: str) -> Iterator[str]:
    """What the file gives this name, as written."""
    escaped = re.escape(name)
    for found in re.finditer(
        rf"(?:^|[^\w.\"'])(?:self\.|this\.|@|\$)?{escaped}\s*(?::\s*[\w.<>\[\]?&' ]+|\s(?:string|String))?\s*(?::=|=)(?![=>])\s*([^\n]+)",  # noqa: E501 - a pattern
        text,
    ):
        yield found[1]
    for found in re.finditer(rf"""@Value\(\s*("[^"\n]+")\s*\)[^;={{}}]{{0,80}}\b{escaped}\b""", text):
        yield found[1]


def assigned(written: str, at: int) -> Argument | None:
    """What the right side of an assignment names: a literal, a variable's default or its name."""
    quoted = QUOTED.match(written)
    if quoted and re.match(r"\s*(?:[;,)]|$|#|//|as\b)", written[quoted.end() :]):
        return _literal(quoted[3], at)
    return _read(written, at)


def _read(written: str, at: int) -> Argument | None:
    """A variable of the environment or a setting: its default, else its name."""
    found = ENVIRONMENT.search(written) or CONFIGURED.search(written)
    if found is None:
        return None
    default = DEFAULT.search(written, found.start() + 1)
    while default and default[1] in found.groups():
        default = DEFAULT.search(written, default.end())
    if default and (topic := topic_in(default[1])):
        return Argument(topic, at)
    name = next(filter(None, found.groups()))
    return Argument(name, at, SETTING)
