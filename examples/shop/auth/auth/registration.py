"""Signing up."""

from argon2 import PasswordHasher
from shopbus.bus import EventBus
from sqlalchemy.orm import Session

from auth.models import Customer

ACCESS_TOKEN_MINUTES = 15
REFRESH_TOKEN_DAYS = 30

_hasher = PasswordHasher()


class AddressTaken(Exception):
    """The mailbox already has an account."""


def hash_password(password: str) -> str:
    """The one place that hashes."""
    return _hasher.hash(password)


class Registration:
    """Creates accounts and tells the others."""

    def __init__(self, session: Session, bus: EventBus) -> None:
        self.session = session
        self.bus = bus

    def sign_up(self, address: str, password: str) -> Customer:
        """Store the account, then publish `customer.registered`."""
        email = address.strip().lower()
        if self.session.get(Customer, email):
            raise AddressTaken(email)
        customer = Customer(email=email, password_hash=hash_password(password))
        self.session.add(customer)
        self.session.commit()
        self.bus.publish("customer.registered", {"email": email})
        return customer
