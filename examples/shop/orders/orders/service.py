"""Placing orders."""

from dataclasses import dataclass, field
from uuid import uuid4

from shopbus.bus import EventBus

from orders.adapter import PaymentAdapter


@dataclass
class Order:
    """A basket that became serious."""

    email: str
    lines: dict[str, int]
    total_cents: int
    id: str = field(default_factory=lambda: uuid4().hex)
    state: str = "placed"

    def payload(self) -> dict:
        """What the other services are told."""
        return {"order": self.id, "email": self.email, "lines": self.lines, "total_cents": self.total_cents}


class OrderService:
    """Takes baskets, takes money, tells everybody."""

    def __init__(self, bus: EventBus) -> None:
        self.bus = bus
        self.payments = PaymentAdapter(bus)
        self.open: dict[str, Order] = {}

    def register(self) -> None:
        """Listen for what payments has to say about our orders."""
        self.bus.subscribe("payment.settled", self.on_payment_settled)
        self.bus.subscribe("payment.declined", self.on_payment_declined)

    def place(self, email: str, card: str, lines: dict[str, int], total_cents: int) -> Order:
        """Charge first, then publish `order.placed`; nobody packs what is not paid for."""
        order = Order(email, lines, total_cents)
        self.open[order.id] = order
        self.payments.process_payment(order.id, card, total_cents)
        self.bus.publish("order.placed", order.payload())
        return order

    def on_payment_settled(self, event: dict) -> None:
        """The scheme confirmed the charge."""
        self.open[event["order"]].state = "paid"

    def on_payment_declined(self, event: dict) -> None:
        """The issuer said no, now or weeks later; the order is over."""
        order = self.open.pop(event["order"], None)
        if order:
            self.bus.publish("order.cancelled", order.payload())
