"""Files that are named where they are used."""

from __future__ import annotations

import pytest

from indexing.extraction import extract_facts
from indexing.resolution.paths import Includes

FILES = {
    "src/main.c": '#include "cart.h"\n',
    "src/cart.h": '#include "line.h"\n#include "cart.h"\n',
    "src/cart.c": "int cart;\n",
    "include/shop/line.h": '#include "../../src/cart.h"\n',
    "other/shop/line.h": "",
    "lib/shop/order.rb": "",
}


@pytest.fixture(scope="module")
def includes():
    return Includes(FILES, {path: extract_facts(path, text, "shop") for path, text in FILES.items()})


@pytest.mark.parametrize(
    ("module", "near", "expected"),
    [
        ("cart.h", "src/main.c", ["src/cart.h"]),
        ("../src/cart.h", "lib/a.c", ["src/cart.h"]),
        ("shop/line.h", "other/a.c", ["other/shop/line.h"]),
        ("shop/line.h", "src/main.c", ["include/shop/line.h"]),
        ("stdio.h", "src/main.c", []),
        ("shop/order", "bin/a.rb", ["lib/shop/order.rb"]),
        ("./lib/shop/order", "bin/a.rb", ["lib/shop/order.rb"]),
        ("./shop/order", "bin/a.rb", []),
    ],
)
def test_from_the_folder_of_the_asking_file_else_by_the_end_of_the_path(includes, module, near, expected):
    assert includes.find(module, near) == expected


def test_a_header_reaches_what_it_includes_and_the_sources_of_all(includes):
    def twins(path):
        return ["src/cart.c"] if path == "src/cart.h" else []

    reached = includes.reached("src/cart.h", twins)
    assert set(reached) == {"src/cart.h", "include/shop/line.h", "src/cart.c"}
    assert includes.reached("src/cart.h", twins) is reached, "in circles, and once"
