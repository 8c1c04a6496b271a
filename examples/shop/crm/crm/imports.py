"""Spreadsheets from the agencies, and contacts from the other services."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import httpx
from shopbus.bus import EventBus
from sqlalchemy.orm import Session

from crm.models import Customer, FollowUp

DOWNLOAD_TIMEOUT = 20.0
DOWNLOAD_ATTEMPTS = 3
PAUSE_SECONDS = 5
HOUSE_TENANT = 1


@dataclass
class ImportReport:
    """What went in and what did not, row by row; a bad row never stops the rest."""

    accepted: int = 0
    rejects: list[str] = field(default_factory=list)


def download(url: str) -> bytes:
    """Fetch a spreadsheet: three attempts, five seconds apart."""
    for attempt in range(1, DOWNLOAD_ATTEMPTS + 1):
        answer = httpx.get(url, timeout=DOWNLOAD_TIMEOUT)
        if answer.is_success:
            return answer.content
        if attempt < DOWNLOAD_ATTEMPTS:
            time.sleep(PAUSE_SECONDS)
    raise ConnectionError(f"{url} answered {answer.status_code}")


class ContactImport:
    """Writes contacts into one tenant."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def register(self, bus: EventBus) -> None:
        """New accounts become contacts of the house tenant; overdue invoices become follow-ups."""
        bus.subscribe("customer.registered", self.add_registered)
        bus.subscribe("invoice.overdue", self.note_overdue)

    def load(self, tenant_id: int, rows: Iterable[dict]) -> ImportReport:
        """Take what can be taken and collect the reasons for the rest."""
        report = ImportReport()
        for line, row in enumerate(rows, start=2):
            try:
                self.session.add(
                    Customer(
                        tenant_id=tenant_id,
                        number=int(row["number"]),
                        display_name=row["name"],
                        created_by="import",
                    )
                )
                report.accepted += 1
            except (KeyError, ValueError) as problem:
                report.rejects.append(f"line {line}: {problem}")
        self.session.commit()
        return report

    def add_registered(self, event: dict) -> None:
        """Keep the mailbox as a contact."""
        number = self.session.query(Customer).filter_by(tenant_id=HOUSE_TENANT).count() + 1
        self.session.add(
            Customer(
                tenant_id=HOUSE_TENANT,
                number=number,
                display_name=event["email"],
                email=event["email"],
                created_by="registration",
            )
        )
        self.session.commit()

    def note_overdue(self, event: dict) -> None:
        """Leave a follow-up for whoever looks after the contact."""
        contact = self.session.query(Customer).filter_by(tenant_id=HOUSE_TENANT, email=event["email"]).one()
        self.session.add(FollowUp(tenant_id=HOUSE_TENANT, customer_number=contact.number, due_on=event["due_on"]))
        self.session.commit()
