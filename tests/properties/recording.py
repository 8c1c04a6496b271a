"""A store's port with a witness in front: what was called, and with which permission."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Recorded:
    """Forwards everything to `store`; `calls` are the name and the permission of each call."""

    store: Any
    calls: list[tuple[str, Any]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.store, name)
        if not callable(found):
            return found

        async def forward(*arguments: Any, **named: Any) -> Any:
            self.calls.append((name, named.get("permission")))
            return await found(*arguments, **named)

        return forward
