"""The door to the card acquirer."""

import os

import httpx
from shopbus.bus import EventBus

ACQUIRER_TIMEOUT = 8.0


class GatewayTimeout(Exception):
    """The acquirer did not answer in time; the charge may or may not have happened."""


class CardDeclined(Exception):
    """The issuer said no."""


class PaymentGateway:
    """Charges tokenised cards. It never tries again by itself: only the caller knows whether it may."""

    def __init__(self, bus: EventBus, timeout: float = ACQUIRER_TIMEOUT) -> None:
        self.bus = bus
        self.client = httpx.Client(base_url=os.environ.get("ACQUIRER_URL", "http://acquirer:9090"), timeout=timeout)

    def charge(self, card: str, amount_cents: int, *, idempotency_key: str) -> str:
        """Take the money and return the receipt; publishes `payment.settled` or `payment.declined`."""
        if amount_cents <= 0:
            raise ValueError("an amount to charge is positive")
        try:
            answer = self.client.post(
                "/charges",
                json={"card": card, "amount": amount_cents},
                headers={"Idempotency-Key": idempotency_key},
            )
        except httpx.TimeoutException as error:
            raise GatewayTimeout(idempotency_key) from error
        if answer.status_code == httpx.codes.PAYMENT_REQUIRED:
            self.bus.publish("payment.declined", {"order": idempotency_key})
            raise CardDeclined(idempotency_key)
        answer.raise_for_status()
        receipt = answer.json()["receipt"]
        self.bus.publish("payment.settled", {"order": idempotency_key, "payment_id": receipt})
        return receipt

    def refund(self, receipt: str, amount_cents: int) -> None:
        """Give it back, in full or in part; the money moves overnight."""
        self.client.post("/refunds", json={"receipt": receipt, "amount": amount_cents}).raise_for_status()
