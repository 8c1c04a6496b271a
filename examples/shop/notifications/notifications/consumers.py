"""Which event sends which message."""

from shopbus.bus import EventBus

from notifications.error_handling.delivery import Delivery

TEMPLATES = {
    "order.placed": "order-confirmation",
    "order.cancelled": "card-declined",
    "customer.registered": "welcome",
    "invoice.overdue": "gentle-reminder",
}
URGENT = frozenset({"order.cancelled"})


class MessageConsumer:
    """Turns events into messages."""

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery

    def register(self, bus: EventBus) -> None:
        """One subscription for each template."""
        bus.subscribe("order.placed", self.send)
        bus.subscribe("order.cancelled", self.send)
        bus.subscribe("customer.registered", self.send)
        bus.subscribe("invoice.overdue", self.send)

    def send(self, event: dict) -> None:
        """Fill the template and hand it over."""
        name = event["type"]
        self.delivery.deliver(event["email"], TEMPLATES[name], event, urgent=name in URGENT)
