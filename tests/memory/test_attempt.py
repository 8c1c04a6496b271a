"""A panic of a native engine is an error like any other; what else is no `Exception` goes on as it is."""

from __future__ import annotations

import pytest

from memory.attempt import is_panic, panics_as
from memory.errors import StoreError

PanicException = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})


def test_a_panic_becomes_the_error_that_its_text_is_given_to():
    with pytest.raises(StoreError, match="the engine gave up, index out of bounds") as met, panics_as(StoreError):
        raise PanicException("index out of bounds")
    assert is_panic(met.value.__cause__)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_nothing_else_does(error):
    with pytest.raises(error), panics_as(StoreError):
        raise error
