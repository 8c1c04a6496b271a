"""What is a database."""

from __future__ import annotations

import pytest

from extraction.rules.common_names import is_store


@pytest.mark.parametrize(
    ("name", "image", "store"),
    [
        ("accounts-db", "shop/accounts-db:1", True),
        ("redis-cart", "", True),
        ("cart", "registry.example.org/bitnami/redis:7", True),
        ("catalogdb", "", True),
        ("redis-exporter", "oliver006/redis_exporter", False),
        ("mongo-express", "mongo-express", False),
        ("kafka", "confluentinc/cp-kafka", False),
        ("orders", "shop/orders", False),
    ],
)
def test_by_name_and_image(name, image, store):
    assert is_store(name, image) is store
