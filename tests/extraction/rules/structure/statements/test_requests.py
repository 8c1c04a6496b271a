"""Addresses that code puts together."""

from __future__ import annotations

from extraction.rules.expressions import HOLE, Joined
from extraction.rules.structure.statements.requests import Url, base_in, url_of


def test_whose_a_path_is():
    assert url_of(Joined("http://carts/items")) == Url("/items", "//carts")
    assert url_of(Joined(f"http://{HOLE}/items", ("CARTS_URL",))) == Url("/items", "$CARTS_URL", "CARTS_URL")
    assert base_in('base_url = "http://carts:80/api/"\n') == "//carts /api"


def test_a_zero_byte_of_a_files_own_is_no_hole():
    assert url_of(Joined(f"http://{HOLE}/items")) is None
    assert url_of(Joined(f"{HOLE}/items/{HOLE}", ("CARTS_URL",))) is None
    assert base_in(f'base_url = "http://{HOLE}/api"\n') == ""
