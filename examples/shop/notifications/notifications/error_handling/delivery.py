"""Handing a message to the mail relay, and what happens when it will not take it."""

import logging
import smtplib
import time
from email.message import EmailMessage

logger = logging.getLogger(__name__)

RELAY_TIMEOUT = 12.0
MAX_ATTEMPTS = 6
FIRST_PAUSE = 30.0
LONGEST_PAUSE = 900.0


class Undeliverable(Exception):
    """The relay said no for good."""


class Delivery:
    """Sends through one relay; up to six attempts, the pause doubling from 30 s to a quarter of an hour."""

    def __init__(self, relay: str, port: int = 25) -> None:
        self.relay = relay
        self.port = port

    def deliver(self, address: str, template: str, values: dict, *, urgent: bool = False) -> None:
        """Send now, or later, or give up loudly."""
        pause = FIRST_PAUSE
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                return self._hand_over(address, template, values, urgent)
            except Undeliverable:
                raise
            except OSError:
                if attempt == MAX_ATTEMPTS:
                    raise
                time.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    def _hand_over(self, address: str, template: str, values: dict, urgent: bool) -> None:
        message = EmailMessage()
        message["To"] = address
        message["X-Template"] = template
        message["X-Priority"] = "1" if urgent else "3"
        message.set_content("\n".join(f"{key}: {value}" for key, value in values.items()))
        try:
            with smtplib.SMTP(self.relay, self.port, timeout=RELAY_TIMEOUT) as relay:
                relay.send_message(message)
        except smtplib.SMTPRecipientsRefused as error:
            logger.error("relay refused a recipient of %s", template, exc_info=error)
            raise Undeliverable(template) from error
        except OSError as error:
            logger.exception("could not hand over %s", template, exc_info=error)
            raise
