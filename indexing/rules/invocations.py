"""Services that code invokes by their name, through a framework that finds them: Dapr, Nameko and Moleculer.

No address tells who is called, as the framework's sidecar or broker stands between. A name alone proves nothing: it takes
a service that is called so, by what runs it or by its annotation (`dapr.io/app-id`, kubernetes.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from indexing.rules.addresses import Address
from indexing.rules.expressions import line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.services import calls

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


class Invocations:
    """A call of the service that has the name; tests are left out."""

    name = "service invocation"

    def reads(self, path: str) -> bool:
        return is_code(path)

    def find(self, source: Source) -> Findings | None:
        used = [framework for framework in FRAMEWORKS if re.search(framework.sign, source.text)]
        text = without_comments(source.text) if used else ""
        clues = [
            calls(framework.name, Address(one["app"]), line_at(text, one.start("app")), says=f"invokes {one['app']}")
            for framework in used
            for pattern in framework.invoked
            for one in re.finditer(pattern, text)
        ]
        return Findings(clues=dict.fromkeys(clues), recognised=used[0].name) if clues else None
