"""Rows of auth's database."""

from datetime import datetime, timedelta

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

MAX_FAILED_LOGINS = 5
LOCKOUT = timedelta(minutes=20)


class Base(DeclarativeBase):
    """Everything auth maps."""


class Customer(Base):
    """A mailbox that can log in, found by its address."""

    __tablename__ = "customers"

    email: Mapped[str] = mapped_column(primary_key=True)
    password_hash: Mapped[str]
    failed_logins: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]

    def record_failure(self, now: datetime) -> None:
        """Count a wrong password, and lock the mailbox at the fifth."""
        self.failed_logins += 1
        if self.failed_logins >= MAX_FAILED_LOGINS:
            self.locked_until = now + LOCKOUT
