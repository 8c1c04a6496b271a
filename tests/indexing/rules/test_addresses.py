"""What may leave a setting that could be a secret."""

from __future__ import annotations

import pytest

from indexing.rules.addresses import host_of


@pytest.mark.parametrize(
    ("key", "value", "host"),
    [
        ("PAYMENTS_ADDR", "payments:8080", "payments"),
        ("PAYMENTS_URL", "http://payments:8080/v1?x=1", "payments"),
        ("payments_host", "Payments.default.svc", "payments"),
        ("CART_URI", "${CART_URI:-http://cart:7070}", "cart"),
        ("DATABASE_URL", "postgres://user:word@db/x", ""),
        ("DATABASE_URL", "postgres://user@db/x", ""),
        ("API_KEY", "payments", ""),
        ("PAYMENTS_URL", "not a host", ""),
        ("PAYMENTS_URL", "", ""),
        ("PAYMENTS_URL", "http://[half", ""),
        ("PAYMENTS_ADDR", "user:word@payments", ""),
        ("PAYMENTS_ADDR", "10.0.0.1:80", ""),
    ],
)
def test_only_hosts_under_the_right_keys_and_never_beside_credentials(key, value, host):
    assert host_of(key, value) == host
