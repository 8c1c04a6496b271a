"""Reserving what is on the shelf."""

from dataclasses import dataclass

import psycopg
from shopbus.bus import EventBus

LOCK_TIMEOUT_MS = 1500


@dataclass(frozen=True)
class Reservation:
    """What could be set aside; `missing` names the rest. Running short is an answer, not an error."""

    order: str
    missing: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether everything was there."""
        return not self.missing


class StockKeeper:
    """Sets goods aside for orders."""

    def __init__(self, connection: psycopg.Connection, bus: EventBus) -> None:
        self.connection = connection
        self.bus = bus

    def register(self) -> None:
        """Listen for new orders."""
        self.bus.subscribe("order.placed", self.on_order_placed)

    def on_order_placed(self, event: dict) -> None:
        """Reserve, and say so when a shelf ran empty."""
        reservation = self.reserve(event["order"], event["lines"])
        for sku in reservation.missing:
            self.bus.publish("stock.exhausted", {"sku": sku})

    def reserve(self, order: str, lines: dict[str, int]) -> Reservation:
        """Take each line off the shelf in the order of its sku; waits 1.5 s for a lock and never tries again."""
        missing = []
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}")
            for sku in sorted(lines):
                cursor.execute(
                    "UPDATE shelf SET on_hand = on_hand - %s WHERE sku = %s AND on_hand >= %s",
                    (lines[sku], sku, lines[sku]),
                )
                if cursor.rowcount == 0:
                    missing.append(sku)
        return Reservation(order, tuple(missing))
