"""Rows of the billing database."""

from datetime import date, datetime
from uuid import UUID, uuid4

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Everything billing maps."""


class Customer(Base):
    """The party an invoice is made out to."""

    __tablename__ = "customers"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    legal_name: Mapped[str]
    email: Mapped[str]
    vat_number: Mapped[str | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class Invoice(Base):
    """One bill; the number is the year and a serial without gaps."""

    __tablename__ = "invoices"

    year: Mapped[int] = mapped_column(primary_key=True)
    serial: Mapped[int] = mapped_column(primary_key=True)
    order_id: Mapped[str] = mapped_column(unique=True)
    customer_id: Mapped[UUID] = mapped_column(ForeignKey("customers.id"))
    total_cents: Mapped[int]
    currency: Mapped[str]
    due_on: Mapped[date]
    settled_at: Mapped[datetime | None]

    @property
    def number(self) -> str:
        """As printed: 2024-000317."""
        return f"{self.year}-{self.serial:06d}"
