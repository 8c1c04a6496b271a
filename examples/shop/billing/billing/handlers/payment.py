"""What billing does when money arrives, and when it does not."""

import logging
from datetime import UTC, date, datetime, timedelta

from shopbus.bus import EventBus
from sqlalchemy.orm import Session

from billing.models import Customer, Invoice

logger = logging.getLogger(__name__)

DUE_AFTER = timedelta(days=14)
REMIND_AFTER = timedelta(days=7)


class UnknownInvoice(LookupError):
    """Somebody paid for something we have not billed, or not yet."""


class PaymentHandler:
    """Drafts, settles and chases invoices."""

    def __init__(self, session: Session, bus: EventBus) -> None:
        self.session = session
        self.bus = bus

    def register(self) -> None:
        """Listen for what payments and orders publish."""
        self.bus.subscribe("payment.settled", self.settle)
        self.bus.subscribe("order.placed", self.draft_invoice)

    def settle(self, event: dict) -> None:
        """Book the payment; what goes wrong is logged and raised, so that the bus delivers the event again."""
        try:
            invoice = self._find(event["order"])
            invoice.settled_at = datetime.now(UTC)
            self.session.commit()
        except UnknownInvoice as error:
            self.session.rollback()
            logger.error("payment %s matches no invoice", event["payment_id"], exc_info=error)
            raise
        except Exception as error:
            self.session.rollback()
            logger.exception("could not settle payment %s", event["payment_id"], exc_info=error)
            raise

    def draft_invoice(self, event: dict) -> None:
        """An order came in: open the invoice with the next serial of the year."""
        today = datetime.now(UTC).date()
        customer = self.session.query(Customer).filter_by(email=event["email"]).first()
        if customer is None:
            customer = Customer(legal_name=event["email"], email=event["email"])
            self.session.add(customer)
            self.session.flush()
        last = self.session.query(Invoice).filter_by(year=today.year).order_by(Invoice.serial.desc()).first()
        self.session.add(
            Invoice(
                year=today.year,
                serial=last.serial + 1 if last else 1,
                order_id=event["order"],
                customer_id=customer.id,
                total_cents=event["total_cents"],
                currency="EUR",
                due_on=today + DUE_AFTER,
            )
        )
        self.session.commit()

    def chase(self, today: date) -> None:
        """The nightly job: publish `invoice.overdue` once, a week after an unpaid invoice was due."""
        for invoice in self.session.query(Invoice).filter_by(settled_at=None, due_on=today - REMIND_AFTER):
            customer = self.session.get(Customer, invoice.customer_id)
            self.bus.publish(
                "invoice.overdue", {"invoice": invoice.number, "email": customer.email, "due_on": invoice.due_on}
            )

    def _find(self, order: str) -> Invoice:
        invoice = self.session.query(Invoice).filter_by(order_id=order).first()
        if invoice is None:
            raise UnknownInvoice(order)
        return invoice
