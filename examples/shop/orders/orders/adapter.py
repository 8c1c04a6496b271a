"""The only place in orders that knows the payments package."""

import time
from collections.abc import Callable

from payments.gateway import CardDeclined, GatewayTimeout, PaymentGateway
from shopbus.bus import EventBus

CHARGE_TIMEOUT = 3.0
MAX_ATTEMPTS = 4
BASE_DELAY = 0.2


class PaymentUnavailable(Exception):
    """The money could not be taken now; the basket is still good."""


class PaymentAdapter:
    """Speaks to `PaymentGateway` so that the rest of orders need not."""

    def __init__(self, bus: EventBus, sleep: Callable[[float], None] = time.sleep) -> None:
        self.gateway = PaymentGateway(bus, timeout=CHARGE_TIMEOUT)
        self.sleep = sleep

    def process_payment(self, order_id: str, card: str, amount_cents: int) -> str:
        """Charge the card; a timeout is tried again with exponential back-off: after 0.2, 0.4 and 0.8 seconds.

        The order id is the idempotency key, so a charge that did arrive is not made twice. A declined card is final.
        """
        for attempt in range(MAX_ATTEMPTS):
            try:
                return self.gateway.charge(card, amount_cents, idempotency_key=order_id)
            except CardDeclined:
                raise
            except GatewayTimeout as error:
                if attempt == MAX_ATTEMPTS - 1:
                    raise PaymentUnavailable(order_id) from error
                self.sleep(BASE_DELAY * 2**attempt)
        raise AssertionError("unreachable")
