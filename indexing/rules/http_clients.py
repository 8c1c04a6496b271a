"""HTTP calls in code: the verb, the path and where to, of the common clients of each language.

A call alone proves nothing: it takes an endpoint of that verb and path, and between projects an address (resolution).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.rules.component_files import is_component, script_of
from indexing.rules.endpoints import ANY, asks
from indexing.rules.expressions import arguments, join, line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code, program_language
from indexing.rules.urls import Url, base_in, url_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["HttpClients"]


@dataclass(frozen=True, slots=True)
class Client:
    """A client's calls: the pattern ends in front of the arguments and may have the group `verb`.

    url: the argument with the address; also: where else the verb may stand, among the arguments, or before the call;
    default: the verb where nothing says another; sure: it is a client whatever it is called on, so that a path without a
    slash in front counts; based: a path alone is behind the address that the file's client is made with.
    """

    calls: str
    url: int = 0
    also: str = ""
    default: str = "GET"
    sure: bool = False
    based: bool = True


_VERBS: Final = "get|post|put|patch|delete|head"
_ECMA: Final = (
    Client(r"(?<![\w.$])(?:window\.|globalThis\.)?fetch(?=\()", also=r"\bmethod\s*:\s*['\"`](\w+)", based=False),
    Client(rf"\b(?:axios|\$?http|httpClient|apiClient|\w*[aA]xios\w*|got|ky|superagent|needle)\.(?P<verb>{_VERBS})(?:<[^()\n]*>)?(?=\()"),
    Client(rf"\b(?:this\.)?(?:api|client|request|instance)\.(?P<verb>{_VERBS})(?:<[^()\n]*>)?(?=\(\s*[\"'`]/?[\w$])"),
    Client(r"\b(?:axios(?:\.request)?|\$\.ajax|\$http|got|request)(?=\()", also=r"\b(?:method|type)\s*:\s*['\"`](\w+)"),
    Client(r"\$\.(?P<verb>get|post)(?=\()"),
)  # fmt: skip
_JVM: Final = (
    Client(r"\b(?=\w*(?:[rR]est|[tT]emplate|RestOperations))\w++\.(?P<verb>get|post|put|patch|delete)(?:For\w+)?(?=\()", sure=True),
    Client(r"\b(?=\w*(?:[rR]est|[tT]emplate))\w++\.exchange(?=\()", also=r"\bHttpMethod\.(\w+)", sure=True),
    Client(r"\.uri(?=\()", also=r"(?:\.|HttpMethod\.)(get|post|put|patch|delete|GET|POST|PUT|PATCH|DELETE)\b\(?\)?", default=""),
    Client(r"\b(?:new\s+)?Request\.Builder\(\)\s*\.url(?=\()", also=r"\.(post|put|patch|delete|get)\("),
    Client(r"\bHttpRequest\.newBuilder(?=\(\s*\S)", also=r"\.(POST|PUT|DELETE|GET)\("),
    Client(rf"\b(?:\w*[cC]lient)\.(?P<verb>{_VERBS})(?=\(\s*\"(?:https?://|/|\$))"),
)  # fmt: skip
CLIENTS: Final = {
    "python": (
        Client(rf"\b(?:requests|httpx|\w*[sS]ession|\w*_?client|\w*_?http)\.(?P<verb>{_VERBS})(?=\()"),
        Client(r"\b(?:requests|httpx|\w*[sS]ession|\w*_?client)\.request(?=\()", url=1, also=r"^\s*(?:method\s*=\s*)?['\"](\w+)['\"]"),
        Client(r"\burlopen(?=\()"),
    ),
    "javascript": _ECMA,
    "typescript": _ECMA,
    "java": _JVM,
    "kotlin": _JVM,
    "csharp": (
        Client(r"\.(?P<verb>Get|Post|Put|Patch|Delete)(?:(?:FromJson|AsJson|String|Stream|ByteArray)?Async)(?:AsAsyncEnumerable)?(?:<[^()\n]*>)?(?=\()", sure=True),
        Client(r"\bnew\s+HttpRequestMessage(?=\()", url=1, also=r"\bHttpMethod\.(\w+)", sure=True),
        Client(r"\bnew\s+RestRequest(?=\()", also=r"\bMethod\.(\w+)", sure=True),
    ),
    "go": (
        Client(r"\bhttp\.(?P<verb>Get|Post|Head|PostForm)(?=\()"),
        Client(r"\b\w*[cC]lient\.(?P<verb>Get|Post|Head|Put|Patch|Delete)(?=\(\s*(?:\"|fmt\.|\w+\s*\+))"),
        Client(r"\bhttp\.NewRequest(?=\()", url=1, also=r"(?:\"|Method)(\w+)\"?"),
        Client(r"\bhttp\.NewRequestWithContext(?=\()", url=2, also=r"(?:\"|Method)(\w+)\"?"),
        Client(r"\botelhttp\.(?P<verb>Get|Post|Head)(?=\()", url=1),
    ),
    "ruby": (
        Client(rf"\b(?:Faraday|HTTParty|RestClient|HTTP|Typhoeus|\w*(?:conn|connection|client))\.(?P<verb>{_VERBS})(?=[ (])"),
        Client(r"\bNet::HTTP\.(?P<verb>get|post)(?:_response|_form)?(?=\()"),
    ),
    "php": (
        Client(rf"(?:\$\w*(?:[cC]lient|http\w*)|->\w*(?:[cC]lient|http\w*)|\bHttp:(?=:))(?:->|:)(?P<verb>{_VERBS})(?=\()"),
        Client(r"(?:\$\w*(?:[cC]lient|http\w*)|->\w*(?:[cC]lient|http\w*))->request(?=\()", url=1, also=r"^\s*['\"](\w+)['\"]"),
    ),
    "rust": (
        Client(r"\breqwest::(?:blocking::)?(?P<verb>get)(?=\()"),
        Client(rf"\bClient::(?:new|default)\(\)\s*\.(?P<verb>{_VERBS})(?=\()"),
        Client(rf"\b\w*client\w*(?:\(\))?\s*\.(?P<verb>{_VERBS})(?=\()"),
    ),
}  # fmt: skip
BEFORE: Final = re.compile(r"[\w.$>-]+$")
CALLED: Final = re.compile(r"(?:^|\.|->|::)\w+(?:<.*)?$")
SIGN: Final = re.compile(r"(?i)http|fetch|axios|request|rest|client|\burl|\bapi\b|faraday")


class HttpClients:
    """`asks for VERB path` for each call whose address has a path in it; tests are left out."""

    name = "http client"

    def reads(self, path: str) -> bool:
        return (is_code(path) and program_language(path) in CLIENTS) or is_component(path)

    def find(self, source: Source) -> Findings | None:
        if SIGN.search(source.text) is None:
            return None
        component = is_component(source.path)
        text = without_comments(script_of(source.text) if component else source.text)
        rows = _ECMA if component else CLIENTS[program_language(source.path)]
        clues = [clue for row in rows for clue in self._asked(row, source, text)]
        return Findings(clues=dict.fromkeys(clues)) if clues else None

    def _asked(self, row: Client, source: Source, text: str) -> Iterator[Clue]:
        for found in re.finditer(row.calls, text):
            at = found.end() + (text[found.end() : found.end() + 1] == " ")
            given, end = arguments(text, at)
            url = self._url(row, given, text, found.start())
            if url is None:
                continue
            before = text[max(0, found.start() - 160) : found.start()].rpartition(";")[2]
            verb = _verb(
                row,
                found.groupdict().get("verb"),
                given,
                f"{text[end : end + 200].partition(';')[0]}" if row.also else "",
                before,
            )
            line = line_at(text, found.start())
            scope = source.around(line)
            base = (
                url.base
                or (base_in(text) if row.based else "")
                or _names(url.names, _called_on(text, found.start()) + found[0], scope)
            )
            prefix = "" if url.base or not base.startswith(("//", "$")) else base.partition(" ")[2]
            yield asks(self.name, verb, f"{prefix}/{url.path}", base.partition(" ")[0], line, scope)

    def _url(self, row: Client, given: list[str], text: str, offset: int) -> Url | None:
        named = [one for one in given if re.match(r"(?:url|uri|requestUri)\s*[:=]", one)]
        chosen = named[0] if named else given[row.url] if len(given) > row.url else ""
        if chosen.startswith("{"):  # axios({url: …})
            inside = [one for one in arguments(f"({chosen[1:-1]})", 0)[0] if re.match(r"url\s*:", one)]
            chosen = inside[0] if inside else ""
        joined = join(re.sub(r"^(?:url|uri|requestUri)\s*[:=]\s*", "", chosen), text, offset) if chosen else None
        return url_of(joined, sure=row.sure) if joined else None


def _verb(row: Client, verb: str | None, given: list[str], behind: str, before: str) -> str:
    if verb:
        return "POST" if verb == "PostForm" else verb.upper()
    if row.also:
        for place in (", ".join(given), behind if not row.default else "", before if not row.default else "", behind):
            said = re.findall(row.also, place)
            if said:
                return str(said[-1] if place is before else said[0]).upper()
    return row.default or ANY


def _called_on(text: str, start: int) -> str:
    """What stands in front of a call without a space."""
    found = BEFORE.search(text[max(0, start - 60) : start])
    return found[0] if found else ""


def _names(names: str, call: str, scope: str) -> str:
    """What the code calls what it speaks to: the names in the address, in front of the call, and of the class around.

    Not the function's: `get_orders` is called so after the path.
    """
    words = re.findall(r"[A-Za-z_]\w{2,}", f"{names} {CALLED.sub('', call)} {scope.rpartition('.')[0]}")
    return ".".join(dict.fromkeys(words))[:120]
