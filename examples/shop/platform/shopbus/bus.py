"""Publish and subscribe, the same way in every service.

This is the bus inside one process, for tests and for one machine; the one on NATS has the same two methods.
"""

import json
from collections import defaultdict
from collections.abc import Callable

MAX_DELIVERIES = 5

Handler = Callable[[dict], None]


class EventBus:
    """At least once: a handler that raises gets the event again, five times in all, then it is parked."""

    def __init__(self) -> None:
        self.handlers: dict[str, list[Handler]] = defaultdict(list)
        self.parked: list[str] = []

    def subscribe(self, event: str, handler: Handler) -> None:
        """Call `handler` for each event of this name."""
        self.handlers[event].append(handler)

    def publish(self, event: str, payload: dict) -> None:
        """Hand the payload to everybody who listens."""
        for handler in self.handlers[event]:
            self._deliver(handler, {"type": event, **payload})

    def _deliver(self, handler: Handler, message: dict) -> None:
        for _ in range(MAX_DELIVERIES):
            try:
                return handler(message)
            except Exception:  # whatever a service raises: it is that service's to log
                continue
        self.parked.append(json.dumps(message))
