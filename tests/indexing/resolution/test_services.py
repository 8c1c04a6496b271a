"""The services of a project, and which of them a file belongs to."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from indexing.resolution.modules import ProjectModules
from indexing.resolution.services import Services


def services(files, project="shop"):
    return Services(ProjectModules(project, {p: extract_facts(p, text, project) for p, text in files.items()}))


def compose(*names, **builds):
    rows = [f"  {name}: {{image: x}}\n" for name in names]
    rows += [f"  {name}: {{build: {build}}}\n" for name, build in builds.items()]
    return "services:\n" + "".join(rows)


def deployment(name):
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\n"
        "spec: {template: {spec: {containers: [{name: a, image: a}]}}}\n"
    )


def owner(found, path):
    service = found.owner(path)
    return service.name if service else None


def test_one_service_of_many_definitions_stands_where_it_is_said_best():
    found = services(
        {
            "k8s/overlays/dev/cart.yaml": deployment("cart"),
            "k8s/base/cart.yaml": deployment("cart"),
            "chart/templates/cart.yaml": deployment("cart"),
            "src/cartservice/Dockerfile": "FROM x\n",
        }
    )
    assert {place.path for place in found.shown} == {"k8s/base/cart.yaml"}
    assert found.named("Cart") is found.owner("src/cartservice/main.go")


def test_a_service_behind_another_name_is_one():
    address = "apiVersion: v1\nkind: Service\nmetadata: {name: cart-external}\nspec: {selector: {app: cart}, ports: [{port: 1}]}\n"
    found = services({"cart.yaml": deployment("cart"), "svc.yaml": address})
    assert found.named("cart-external") is found.named("cart")
    assert len(found.shown) == 1
    alone = services({"svc.yaml": address})
    assert alone.named("cart-external").name == "cart-external"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/till/a.py", "till"),  # its build context
        ("src/till/lib/payment/a.py", "till"),  # and not the folder inside of it
        ("spring-shop-vets-service/src/main/java/x/orders/A.java", "vets-service"),  # what the folder ends in
        ("src/main/java/x/orders/A.java", "orders"),  # inside the sources when nothing outside says it
        ("cartservice/a.go", "cart"),  # but for an ending
        ("services/web/a.js", "web"),  # a word that says little, where services are kept
        ("lib/web/a.js", None),
        ("docs/a.md", None),
    ],
)
def test_a_file_belongs_to_the_service_of_a_folder_above_it(path, name):
    rows = compose("vets-service", "orders", "cart", "web", "payment", till="src/till")
    assert owner(services({"compose.yml": rows}), path) == name


def test_a_manifest_that_has_a_services_name_makes_its_folder_that_services():
    found = services({"compose.yml": compose("tills", "orders"), "apps/x/package.json": '{"name": "@shop/tills"}'})
    assert owner(found, "apps/x/src/index.js") == "tills"


def test_a_repository_that_is_one_service():
    orders = compose("orders", "orders-db", "zipkin")
    assert owner(services({"compose.yml": orders}, "sock-orders"), "src/a.py") == "orders"
    assert owner(services({"compose.yml": orders}, "orders"), "src/a.py") == "orders"
    assert owner(services({"compose.yml": orders}, "shop"), "src/a.py") is None
    assert owner(services({"Dockerfile": "FROM x\n"}, "shop"), "src/a.py") == "shop"
    assert owner(services({"compose.yml": compose(web=".", worker=".")}), "src/a.py") is None


def test_a_dockerfile_at_the_top_of_a_project_of_services_is_none():
    found = services({"Dockerfile": "FROM x\n", "compose.yml": compose("orders", "tills")})
    assert found.named("shop") is None


def test_a_dockerfile_inside_a_service_is_its_tool():
    found = services({"compose.yml": compose(till="src/till"), "src/till/gen/Dockerfile": "FROM x\n"})
    assert found.named("gen") is None
    assert owner(found, "src/till/gen/a.py") == "till"


def test_a_folder_of_several_services_is_not_that_of_the_one_that_is_built_from_it():
    till, desk = ({f"src/{n}/{n}.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"/>'} for n in ("Till", "Desk"))
    found = services({"compose.yml": compose(till="src"), **till, **desk})
    assert [owner(found, path) for path in ("src/Till/a.cs", "src/Desk/a.cs", "src/Lib/a.cs")] == ["till", "Desk", None]
    alone = services({"compose.yml": compose(till="src"), **till})
    assert owner(alone, "src/Lib/a.cs") == "till"


def test_a_compose_file_in_a_services_own_folder_does_not_rename_it():
    found = services({"apps/till/compose.yml": compose(app="."), "apps/till/Dockerfile": "FROM x\n"})
    assert owner(found, "apps/till/a.py") == "till"


def test_variables_are_named_after_services():
    found = services({"compose.yml": compose("product-catalog", "cart", "valkey-cart", "db")})
    names = ("PRODUCT_CATALOG_SERVICE_ADDR", "CART_HOST", "VALKEY_ADDR", "DB_HOST", "NOBODY_URL", "CART")
    assert [s.name if (s := found.variable(v)) else None for v in names] == [
        "product-catalog",
        "cart",
        "valkey-cart",
        "db",
        None,
        None,
    ]


def test_a_name_that_fits_two_fits_none():
    found = services({"compose.yml": compose("shop-cart", "demo-cart", "shop-cart-db")})
    assert owner(found, "src/cart/a.py") is None
    assert found.variable("CART_ADDR") is None


def test_a_database_that_is_called_after_a_service_is_its_own():
    found = services({"compose.yml": compose("orders", "orders-db", "ledger-db")})
    assert [found.served_by(found.named(n)) for n in ("ledger-db", "orders")] == [None, None]
    assert found.served_by(found.named("orders-db")).name == "orders"


NAMED = {"till/src/main/resources/application.yml": "micronaut:\n  application:\n    name: till\n"}


def test_what_runs_a_folder_and_what_its_settings_call_it_are_one():
    run = compose("bank") + "  shop-till: {build: till, depends_on: [bank]}\n"
    found = services({"compose.yml": run, **NAMED})
    assert found.named("shop-till") is found.named("till")
    assert (found.named("till").name, owner(found, "till/src/A.java")) == ("till", "till")  # as the folder is called
    asked = run.replace("services:\n", "services:\n  web: {image: x, depends_on: [shop-till]}\n")
    assert services({"compose.yml": asked, **NAMED}).named("till").name == "shop-till"  # as others ask for it
    other = {path: text.replace("name: till", "name: cashier") for path, text in NAMED.items()}
    found = services({"compose.yml": run, **other})
    assert found.named("cashier").name == "shop-till"
    assert {place.name for place in found.shown} == {"bank", "shop-till"}


def test_a_folder_that_runs_as_two_is_told_from_neither():
    run = "services:\n  a: {build: till}\n  b: {build: till}\n"
    assert {place.name for place in services({"compose.yml": run, **NAMED}).shown} == {"a", "b", "till"}


def test_one_service_in_two_folders_is_taken_in_once():
    run = "services:\n  shop-till: {build: till}\n"
    chart = "services:\n  shop-till: {build: chart}\n"
    again = {path.replace("till/", "chart/"): text for path, text in NAMED.items()}
    found = services({"compose.yml": run, "compose.dev.yml": chart, **NAMED, **again})
    assert found.named("shop-till") is found.named("till")


def test_a_folder_called_as_a_broker_holds_its_client():
    found = services({"compose.yml": compose("rabbitmq", "redis", "till")})
    assert [owner(found, f"{folder}/a.go") for folder in ("pkg/rabbitmq", "internal/redis", "internal/till")] == [
        None,
        None,
        "till",
    ]
    assert owner(found, "rabbitmq/a.conf") == "rabbitmq"


def test_settings_that_a_server_keeps_are_those_of_the_service_that_they_are_called_after():
    found = services(
        {"compose.yml": compose(**{"till-api": "till", "config": "config"}), "config/shared/till-api.yml": ""}
    )
    assert owner(found, "config/shared/till-api.yml") == "till-api"
    assert owner(found, "config/shared/till-api.java") == owner(found, "config/shared/application.yml") == "config"
