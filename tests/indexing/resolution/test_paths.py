"""Modules named by path: from their own project, and as packages from others.

Files that are named where they are used.
"""

from __future__ import annotations

import json

import pytest

from extraction.reading import extract_facts
from indexing.resolution.modules import ProjectModules, separator_of, top_of
from indexing.resolution.paths import Includes

FILES = {
    "src/main.c": '#include "cart.h"\n',
    "src/cart.h": '#include "line.h"\n#include "cart.h"\n',
    "src/cart.c": "int cart;\n",
    "include/shop/line.h": '#include "../../src/cart.h"\n',
    "other/shop/line.h": "",
    "lib/shop/order.rb": "",
}


def modules(*paths, **manifests):
    texts = dict.fromkeys(paths, "") | {
        f"{folder.replace('_', '/')}/package.json".lstrip("/"): json.dumps(said) for folder, said in manifests.items()
    }
    return ProjectModules("p", {path: extract_facts(path, text, "p") for path, text in texts.items()})


def find(found, module, near=""):
    return found.find(module, near, separator="/")


def test_relative_ones_a_file_before_a_folder_and_sources_before_what_is_made_from_them():
    found = modules("src/a.js", "src/a.ts", "src/a.d.ts", "src/b.tsx", "src/b/index.ts", "src/c/index.js", "index.js")
    assert find(found, "./src/a") == ["src/a.ts"]
    assert find(found, "./src/b") == ["src/b.tsx"]
    assert find(found, "./src/b/index") == ["src/b/index.ts"]
    assert find(found, "./src/c") == ["src/c/index.js"]
    assert find(found, "./") == ["index.js"]
    assert find(found, "./src/nothing") == find(found, "../a") == []
    assert found.module_names["src/c/index.js"] == "src/c"
    assert found.module_names["src/a.js"] == "src/a.js", "nobody means it, but it has a name"
    assert found.find("src.a") == []


def test_packages_of_workspaces_and_where_they_are_entered():
    found = modules(
        "packages/pay/src/index.ts",
        "packages/pay/src/client.ts",
        "packages/pay/lib/start.js",
        "packages/web/dist.ts",
        "packages/web/src/entry.ts",
        packages_pay={"name": "@shop/pay"},
        packages_web={"name": "web", "exports": {".": {"types": "./x.d.ts", "import": "./dist/esm/entry.js"}}},
    )
    assert found.packages == {"@shop/pay", "web"}
    assert find(found, "@shop/pay") == ["packages/pay/src/index.ts"]
    assert find(found, "@shop/pay/client") == ["packages/pay/src/client.ts"]
    assert find(found, "@shop/pay/start.js") == ["packages/pay/lib/start.js"]
    assert find(found, "web") == ["packages/web/src/entry.ts"]
    assert find(found, "@shop/other") == []


def test_aliases_of_the_source_folder_unless_a_dependency_has_the_name():
    found = modules(
        "web/src/graphql/index.ts",
        "web/src/cart/view.ts",
        "web/fs.ts",
        "other/a.ts",
        web={"dependencies": {"graphql": "*"}},
    )
    near = "web/src/cart/view.ts"
    assert (
        find(found, "@/cart/view", near) == find(found, "~/cart/view", near) == find(found, "cart/view", near) == [near]
    )
    assert find(found, "graphql", near) == find(found, "fs", near) == []
    assert find(found, "@/graphql", near) == ["web/src/graphql/index.ts"]
    assert find(found, "@/cart/view", "other/a.ts") == find(found, "@/cart/view") == []


@pytest.mark.parametrize(
    ("module", "top"),
    [("@a/b/c", "@a/b"), ("a/b", "a"), ("./a", ""), ("../a", ""), ("@/a", ""), ("~/a", ""), ("node:fs", "")],
)
def test_the_package_of_a_module(module, top):
    assert top_of(module, "/") == top


def test_how_a_files_imports_are_written():
    assert [separator_of(path) for path in ("a.py", "a.ts", "a.md")] == [".", "/", "."]


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
