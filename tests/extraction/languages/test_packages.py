"""The package that a file is part of."""

from __future__ import annotations

import pytest

from extraction.languages import language_of
from extraction.languages.imports import crate_module, package_name


@pytest.mark.parametrize(
    ("path", "declared", "expected"),
    [
        ("a/B.java", "org.shop", "org.shop"),
        ("cart/store/a.go", "store", "cart/store"),
        ("a.go", "main", "main"),
        ("cart/src/models/order.rs", "", "cart::models.order"),
        ("a.rb", "", ""),
    ],
)
def test_declared_by_folder_or_by_path(path, declared, expected):
    assert package_name(language_of(path), declared, path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/lib.rs", "::"),
        ("src/cart/src/main.rs", "src/cart::"),
        ("cart/src/models/mod.rs", "cart::models"),
        ("cart/tests/place.rs", "cart::place"),
        ("cart/build.rs", "cart::build"),
        ("build.rs", "::build"),
    ],
)
def test_a_crate_begins_above_its_src(path, expected):
    assert crate_module(path) == expected
