"""Dependencies between projects and inside one."""

from __future__ import annotations

BUS = '[project]\nname = "shopbus"\ndescription = "Publish and subscribe"\n'
NEEDS = '[project]\nname = "billing"\ndependencies = ["shopbus>=2"]\n'


def test_a_package_of_another_name_than_its_project_is_an_entity_that_others_depend_on(graph):
    found = graph({"platform": {"pyproject.toml": BUS}, "billing": {"pyproject.toml": NEEDS}})
    package = found.entity("shopbus", "package")
    assert (package.project, package.path, package.start_line, package.summary) == (
        "platform",
        "pyproject.toml",
        2,
        "Publish and subscribe",
    )
    assert {row[2] for row in found.rows("DEPENDS_ON")} == {"platform/shopbus", "platform/platform"}
    assert {(row[0], row[4][0]) for row in found.rows("DEPENDS_ON")} == {("billing/billing", 3)}


def test_modules_of_one_build_depend_on_each_other(graph):
    found = graph(
        {
            "shop": {
                "common/build.gradle": "",
                "orders/build.gradle": 'dependencies {\n  compile project(":common")\n}\n',
                "crates/money/Cargo.toml": '[package]\nname = "money"\n',
                "crates/api/Cargo.toml": '[package]\nname = "api-x"\n[dependencies]\nmoney = { path = "../money" }\n',
            },
            "other": {"common/build.gradle": ""},
        }
    )
    assert {row[:3] for row in found.rows("DEPENDS_ON")} == {
        ("shop/orders", "DEPENDS_ON", "shop/common"),
        ("shop/api-x", "DEPENDS_ON", "shop/money"),
    }


def test_a_service_is_its_package(graph):
    compose = "services:\n  cart:\n    build: src/cart\n"
    found = graph(
        {
            "shop": {
                "compose.yaml": compose,
                "src/cart/cart.csproj": '<Project><ItemGroup><ProjectReference Include="../lib/lib.csproj"/></ItemGroup></Project>',
                "src/lib/lib.csproj": "<Project/>",
            }
        }
    )
    edge = found.edge("cart", "lib", "DEPENDS_ON")
    assert (edge.source.kind, edge.target.kind) == ("service", "package")
