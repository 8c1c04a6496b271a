"""What of a setting is an address, and what of it is kept."""

from __future__ import annotations

import pytest

from extraction.rules.addresses import Address, addresses_in, is_address_key


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("PAYMENTS_ADDR", "payments:8080", [Address("payments")]),
        ("PAYMENTS_URL", "http://payments:8080/v1?x=1", [Address("payments")]),
        ("payments_host", "Payments.default.svc", [Address("payments")]),
        ("host", "payments.shop.svc.cluster.local", [Address("payments")]),
        ("CART_URI", "${CART_URI:-http://cart:7070}", [Address("cart")]),
        ("spring.data.mongodb.uri", "mongodb://${db:orders-db}:27017/data", [Address("orders-db", store=True)]),
        ("URL", "jdbc:postgresql://user:word@ledger-db:5432/x", [Address("ledger-db", store=True)]),
        ("DSN", "user:word@tcp(catalogue-db:3306)/socks", [Address("catalogue-db", store=True)]),
        ("Default", "Host=shop-db;Port=5432;Password=word", [Address("shop-db", store=True)]),
        ("KAFKA_BROKERS", "kafka-1:9092,kafka-2:9092", [Address("kafka-1"), Address("kafka-2")]),
        ("ZIPKIN", "http://${ZIPKIN_HOST}:9411", [Address(variable="ZIPKIN_HOST")]),
        ("CART_ADDR", "", [Address(variable="CART_ADDR")]),
        ("CART_ADDR", "${OTHER_ADDR}", [Address(variable="OTHER_ADDR")]),
        ("", "http://catalogue%s/items", [Address("catalogue")]),
        ("", "lb://vets-service", [Address("vets-service")]),
        ("Address", "http://catalog.api:8080", [Address("catalog.api")]),
        ("", "catalog.example:8080", []),
        ("", "payments", []),
        ("API_KEY", "payments", []),
        ("PAYMENTS_URL", "not a host:x", []),
        ("PAYMENTS_URL", "https://payments.example.org/x", []),
        ("PAYMENTS_URL", "http://[half", []),
        ("PAYMENTS_URL", "file:///etc/hosts", []),
        ("PAYMENTS_ADDR", "10.0.0.1:80", []),
        ("PAYMENTS_ADDR", "localhost:80", []),
        ("PAYMENTS_PORT", "${PORT}", []),
        ("X_URL", "http://${PASSWORD}/", []),
    ],
)
def test_only_hosts_are_kept(key, value, found):
    assert addresses_in(key, value) == found
    assert "word" not in repr(addresses_in(key, value))


def test_which_keys_say_that_they_hold_an_address():
    assert all(map(is_address_key, ("CART_ADDR", "cart.url", "paymentHost", "KAFKA_BROKERS", "Identity__Url", "HOST")))
    assert not any(map(is_address_key, ("CART_PORT", "ghost", "curl", "API_KEY", "observers")))
