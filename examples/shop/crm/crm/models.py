"""Rows of the crm."""

from datetime import date, datetime

from sqlalchemy import ForeignKeyConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Everything the crm maps."""


class Customer(Base):
    """A contact of one agency, under the agency's own number."""

    __tablename__ = "customers"

    tenant_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    display_name: Mapped[str]
    email: Mapped[str | None]
    created_by: Mapped[str]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class FollowUp(Base):
    """A promise to call back."""

    __tablename__ = "follow_ups"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "customer_number"], ["customers.tenant_id", "customers.number"]),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tenant_id: Mapped[int]
    customer_number: Mapped[int]
    due_on: Mapped[date]
    closed_at: Mapped[datetime | None]
