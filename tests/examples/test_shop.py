"""The example organisation is real: it parses, its imports resolve, its documents tell the truth about its code."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pathspec
import pytest
import yaml

SHOP = Path(__file__).parents[2] / "examples/shop"
PROJECTS = sorted(folder.name for folder in SHOP.iterdir() if folder.is_dir() and folder.name != "__pycache__")
SOURCES = sorted(SHOP.glob("*/**/*.py"))


def modules() -> dict[str, Path]:
    """Import name to file, of all projects together: `orders.adapter` is orders/orders/adapter.py."""
    return {".".join(source.relative_to(SHOP).parts[1:]).removesuffix(".py"): source for source in SOURCES}


def names(source: Path) -> set[str]:
    """What a module defines at its top level."""
    found = set()
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def calls(source: Path, method: str) -> set[str]:
    """The first argument of every `.method("…")` in a file."""
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == method
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def by_event(method: str) -> dict[str, set[str]]:
    """Event name to the projects whose code calls `method` with it."""
    found: dict[str, set[str]] = {}
    for source in SOURCES:
        for event in calls(source, method):
            found.setdefault(event, set()).add(source.relative_to(SHOP).parts[0])
    return found


def test_eight_projects_with_rules_and_a_package_each():
    assert PROJECTS == ["auth", "billing", "catalogue", "crm", "notifications", "orders", "payments", "platform"]
    for project in PROJECTS:
        assert (SHOP / project / "CLAUDE.md").is_file()
        assert (SHOP / project / "pyproject.toml").is_file()


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(SHOP).as_posix())
def test_imports_across_the_shop_resolve_and_are_declared(source):
    known = modules()
    packages = {name.split(".")[0] for name in known}
    project = source.relative_to(SHOP).parts[0]
    declared = tomllib.loads((SHOP / project / "pyproject.toml").read_text())["project"]
    required = {re.split(r"[<>=]", entry)[0] for entry in declared["dependencies"]} | {declared["name"]}
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in packages:
            assert node.module in known
            assert {alias.name for alias in node.names} <= names(known[node.module])
            assert node.module.split(".")[0] in required


def test_three_ways_to_key_a_customer():
    keys = {
        "billing": (r"id +UUID PRIMARY KEY", "UUID"),
        "auth": (r"email +TEXT PRIMARY KEY", "natural"),
        "crm": (r"PRIMARY KEY \(tenant_id, number\)", "composite"),
    }
    for project, (column, prose) in keys.items():
        ddl = next((SHOP / project / "db").glob("*.sql")).read_text()
        table = ddl[ddl.index("CREATE TABLE customers") :].split(";")[0]
        assert re.search(column, table)
        assert "created_at" in table
        assert "updated_at" in table
        assert prose in (SHOP / project / "docs/schema.md").read_text()
        model = (SHOP / project / project / "models.py").read_text()
        assert '__tablename__ = "customers"' in model


def test_the_table_of_events_says_what_the_code_does():
    published, consumed = by_event("publish"), by_event("subscribe")
    rows = re.findall(
        r"^\| `([\w.]+)` \| (.+) \| (.+) \|$", (SHOP / "platform/docs/events.md").read_text(), re.MULTILINE
    )
    assert {event: {publisher} for event, publisher, _ in rows} == published
    assert {event: set(who.split(", ")) for event, _, who in rows if not who.startswith("nobody")} == consumed


def test_every_service_has_a_port_of_its_own_and_waits_only_for_what_exists():
    services = yaml.safe_load((SHOP / "platform/docker-compose.yaml").read_text())["services"]
    assert {name for name, service in services.items() if "build" in service} == set(PROJECTS) - {"platform"}
    published = [port.split(":")[0] for service in services.values() for port in service.get("ports", ())]
    assert len(set(published)) == len(published)
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)


def test_the_documentation_contradicts_the_code_in_exactly_the_two_places_it_says():
    assert re.search(r"description +VARCHAR\(255\)", (SHOP / "catalogue/docs/schema.md").read_text())
    assert re.search(r"description +TEXT", (SHOP / "catalogue/db/schema.sql").read_text())
    retention = (SHOP / "notifications/docs/retention.md").read_text()
    assert re.findall(r"^## Retention\n\nLast updated: ([\d-]+)$", retention, re.MULTILINE) == [
        "2021-11-02",
        "2024-04-15",
    ]


def test_the_example_secret_is_made_up_and_the_repository_keeps_every_file():
    assert "not-a-real-key" in (SHOP / "billing/.env").read_text()
    root = SHOP.parents[1]
    ignored = pathspec.GitIgnoreSpec.from_lines((root / ".gitignore").read_text().splitlines())
    files = [file.relative_to(root).as_posix() for file in SHOP.glob("**/*") if file.is_file()]
    assert "examples/shop/billing/.env" in files
    assert not [file for file in files if ignored.match_file(file) and "__pycache__" not in file]
