"""Routes that are files: Next.js (`pages/api/x.ts`, `app/x/route.ts`), SvelteKit (`routes/x/+server.ts`), Nuxt (`server/api/x.get.ts`)."""

from __future__ import annotations

import re
from typing import Final

from indexing.rules.endpoints import ANY, found_routes, route, serves
from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source

__all__ = ["FileRoutes"]

END: Final = r"\.(?:js|ts|jsx|tsx|mjs)$"
ROWS: Final = (
    ("next.js", re.compile(rf"(?:^|/)(?:src/)?pages/(?P<path>api/[^.]*?)(?:/?index)?{END}")),
    ("next.js", re.compile(rf"(?:^|/)app/(?P<path>(?:[^/]+/)*)route{END}")),
    ("sveltekit", re.compile(rf"(?:^|/)src/routes/(?P<path>(?:[^/]+/)*)\+server{END}")),
    (
        "nuxt",
        re.compile(rf"(?:^|/)server/(?P<path>api/[^.]*?)(?:/?index)?(?:\.(?P<verb>get|post|put|patch|delete))?{END}"),
    ),
)
EXPORTED: Final = re.compile(r"^export\s+(?:async\s+)?(?:function|const)\s+(GET|POST|PUT|PATCH|DELETE)\b", re.MULTILINE)
HANDLED: Final = re.compile(
    r"\bmethod\s*===?\s*['\"](GET|POST|PUT|PATCH|DELETE)['\"]|\bcase\s+['\"](GET|POST|PUT|PATCH|DELETE)['\"]"
)
DEFAULT: Final = re.compile(r"^export\s+default\b|^module\.exports\s*=|^export\s+\{[^}]*\bdefault\b", re.MULTILINE)


class FileRoutes:
    """An endpoint for each method that the file exports or asks for; ANY where its one handler asks for none."""

    name = "file routes"

    def reads(self, path: str) -> bool:
        return any(pattern.search(path) for _, pattern in ROWS) and "node_modules/" not in path

    def find(self, source: Source) -> Findings | None:
        framework, found = next((name, hit) for name, pattern in ROWS if (hit := pattern.search(source.path)))
        parts = [part for part in found["path"].split("/") if part and not re.fullmatch(r"\(.*\)|@.*", part)]
        path = "/".join(re.sub(r"^\[+(?:\.\.\.)?(\w+)\]+$", r"{\1}", part) for part in parts)
        verb = (found.groupdict().get("verb") or "").upper()
        text = source.text
        default = DEFAULT.search(text)
        seen = {one[1]: line_at(text, one.start()) for one in reversed(list(EXPORTED.finditer(text)))}
        if not seen and default:
            asked = {one[1] or one[2]: line_at(text, one.start()) for one in reversed(list(HANDLED.finditer(text)))}
            seen = {verb: line_at(text, default.start())} if verb else asked or {ANY: line_at(text, default.start())}
        return found_routes(
            (framework, *serves(framework, one, path, line)) for one, line in sorted(seen.items()) if route(path)
        )
