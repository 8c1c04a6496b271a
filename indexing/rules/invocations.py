"""Services that code invokes by their name, through a framework that finds them: Dapr, Nameko and Moleculer.

Dapr also says which endpoint: the method's name is the path that the callee serves. No address tells who is called, as the framework's sidecar or broker stands between. A name alone proves nothing: it takes
a service that is called so, by what runs it or by its annotation (`dapr.io/app-id`, kubernetes.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.rules.addresses import Address
from indexing.rules.endpoints import asks
from indexing.rules.expressions import line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.services import calls

if TYPE_CHECKING:
    from indexing.facts import Clue

__all__ = ["Invocations"]

APP: Final = r"[\"'`](?P<app>[a-z][a-z0-9_\-]*)[\"'`]"


@dataclass(frozen=True, slots=True)
class Framework:
    """`sign`: what its files contain; `invoked`: calls with the group `app`, the service's name."""

    name: str
    sign: str
    invoked: tuple[str, ...]


FRAMEWORKS: Final = (
    Framework(  # https://docs.dapr.io/developing-applications/building-blocks/service-invocation
        "dapr",
        r"(?i)dapr",
        (
            rf"\bInvokeMethod(?:With\w+)?\(\s*[\w.]+(?:\(\))?\s*,\s*{APP}",  # Go: the context comes first
            rf"\.(?:InvokeMethod(?:Grpc|WithResponse)?Async|CreateInvokeMethodRequest)(?:<[^()]*>)?\(\s*(?:[\w.]+\s*,\s*)?{APP}",
            rf"\bDaprClient\.Create(?:InvokeHttpClient|InvocationInvoker)\(\s*(?:appId\s*:\s*)?{APP}",
            rf"\binvoke_method(?:_async)?\(\s*(?:app_id\s*=\s*)?{APP}",
            rf"\.invoker\.invoke\(\s*{APP}",
            rf"\.invokeMethod\(\s*{APP}",
            r"/v1\.0/invoke/(?P<app>[a-z][a-z0-9\-]*)/method\b",
            rf"[\"'`]dapr-app-id[\"'`]\s*[\]:,=]+\s*{APP}",
        ),
    ),
    Framework(  # https://nameko.readthedocs.io/en/stable/built_in_extensions.html#rpc
        "nameko", r"\bnameko\b", (rf"\b(?:RpcProxy|ServiceRpc)\(\s*(?:target_service\s*=\s*)?{APP}",)
    ),
    Framework(  # https://moleculer.services/docs/0.14/actions: `ctx.call("v2.posts.list")`
        "moleculer",
        r"\bctx\.m?call\(|\bbroker\.m?call\(",
        (r"\b(?:ctx|broker)\.call\(\s*[\"'`](?:v\d+\.)?(?P<app>[a-z][\w\-]*)\.\w+[\"'`]",),
    ),
)

METHOD: Final = re.compile(
    r"[\"'`]\s*,\s*(?:method(?:_?[nN]ame)?\s*[:=]\s*)?[\"'`](?P<path>/?[\w\-.]+(?:/[\w\-.]+)*)[\"'`](?P<rest>[^;)]{0,200})"
)
VERB: Final = re.compile(
    r"\bHttp(?:Method|Extension)\.(\w+)|\bhttp_verb\s*=\s*[\"'](\w+)|[\"'](get|post|put|patch|delete)[\"']",
    re.IGNORECASE,
)


class Invocations:
    """A call of the service that has the name, and of its endpoint where that is said; tests are left out."""

    name = "service invocation"

    def reads(self, path: str) -> bool:
        return is_code(path)

    def find(self, source: Source) -> Findings | None:
        used = [framework for framework in FRAMEWORKS if re.search(framework.sign, source.text)]
        text = without_comments(source.text) if used else ""
        clues: list[Clue] = []
        for framework, one in ((f, one) for f in used for pattern in f.invoked for one in re.finditer(pattern, text)):
            line = line_at(text, one.start("app"))
            clues.append(calls(framework.name, Address(one["app"]), line, says=f"invokes {one['app']}"))
            if framework.name == "dapr" and "Grpc" not in one[0] and (method := METHOD.match(text, one.end("app"))):
                said = VERB.search(one[0]) or VERB.search(method["rest"])
                default = "POST" if source.path.endswith(".cs") else "GET"  # as the SDKs do
                verb = next(filter(None, said.groups())) if said else default
                clues.append(asks("dapr", verb.upper(), method["path"], f"//{one['app']}", line, source.around(line)))
        return Findings(clues=dict.fromkeys(clues), recognised=used[0].name) if clues else None
