"""The names of one component."""

from __future__ import annotations

from extraction.reading import extract_facts
from indexing.resolution.modules import ProjectModules
from indexing.resolution.references.components import Aliases, Components
from indexing.resolution.services import Services

COMPOSE = "services:\n  checkout:\n    build: till\n    image: registry/acme/cash-desk:1.2\n  carts: {build: carts}\n"
FILES = {
    "compose.yml": COMPOSE,
    "till/package.json": '{"name": "@acme/paydesk"}',
    "till/README.md": "# Money Counter\n",
    "till/a.js": "let a = 1;\n",
    "carts/README.md": "# Shared Word\n",
    "stock/README.md": "# Shared Word\n",
    "stock/a.js": "let a = 1;\n",
}


def aliases(files=FILES):
    modules = ProjectModules("shop", {path: extract_facts(path, text, "shop") for path, text in files.items()})
    services = Services(modules)
    return Aliases(modules, services, Components(modules, services))


def test_image_package_title_and_service_are_one():
    found = {
        name: aliases().named(name) for name in ("checkout", "cash-desk", "paydesk", "Money Counter", "CHECKOUT_URL")
    }
    assert {component.name for component in found.values() if component} == {"checkout"}
    assert None not in found.values()


def test_a_name_of_several_selects_none():
    assert aliases().named("Shared Word") is None
    assert aliases({path: text for path, text in FILES.items() if path != "stock/README.md"}).named("Shared Word")


def test_a_folder_of_tools_or_of_what_is_served_as_it_is_is_no_component():
    files = {
        "web/.mvn/wrapper/A.java": "class A {}\n",
        "web/public/a.js": "let a = 1;\n",
        "web/pom.xml": "<project/>\n",
    }
    assert {name: aliases(files).named(name) for name in ("wrapper", "public")} == {"wrapper": None, "public": None}
