"""Organisations by seed, made to lead a search astray: the same names, texts, tables and packages in many projects."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

PROJECTS = ("billing", "auth", "crm", "notify", "payments-api")
CLASSES = ("OrderService", "PaymentGateway", "PaymentGatewayAdapter", "RetryPolicy", "CustomerRecord")
FUNCTIONS = ("charge_card", "backoff_delay", "load_customer")
TABLES = ("customers", "orders", "ledger_entries")
TOPICS = ("retries", "payments", "error handling", "customer data")
SENTENCES = (
    "Retries wait twice as long each time, up to five times.",
    "Retries wait twice as long each time, up to seven times.",
    "Errors of the {0} are logged with the event and raised again.",
    "{0} charges the card through the gateway before the order is stored.",
    "Customer data is kept in the table {1} for ninety days.",
    "Nobody but {0} writes to {1}.",
    "Payments are idempotent: every payment carries a key.",
)
QUERY = "SELECT id FROM {}"
HANDLER = (
    "def handle(event):\n    try:\n        run(event)\n    except KnownError as error:\n"
    '        logger.error("could not handle %s", event, exc_info=error)\n        raise\n'
)
HELPERS = (HANDLER, HANDLER.replace("handle", "process"))


def unique(project: str) -> str:
    """The class that this project alone has."""
    return f"{project.title().replace('-', '')}Vault"


def organisation(seed: int) -> dict[str, dict[str, str]]:
    """Project → path → text, the same for the same seed; some projects are a crowd of near copies."""
    draw = Random(f"organisation {seed}")  # noqa: S311 - a draw that can be repeated, no secret
    return {project: dict(_files(project, draw)) for project in PROJECTS}


def permissions(seed: int) -> list[frozenset[str]]:
    """Three sets of projects that may be seen; others are always forbidden."""
    draw = Random(f"permissions {seed}")  # noqa: S311 - as above
    return [frozenset(draw.sample(PROJECTS, size)) for size in (2, 3, 4)]


def _package(project: str) -> str:
    return project.replace("-", "_")


def _files(project: str, draw: Random) -> Iterator[tuple[str, str]]:
    package = draw.choice([_package(project), _package(project), "shared"])
    yield "pyproject.toml", _manifest(project, draw)
    yield "README.md", f"# {project}\n\nThe {unique(project)} keeps the secrets of {project}.\n\n{_prose(draw)}"
    yield (
        f"{package}/__init__.py",
        "".join(f"from {package}.service import {name}\n" for name in draw.sample(CLASSES, 2)),
    )
    yield f"{package}/service.py", _code(project, draw)
    if draw.random() < 0.6:
        yield f"{package}/errors.py", draw.choice(HELPERS)
    if draw.random() < 0.6:
        yield "db/schema.sql", "".join(_table(name, draw) for name in draw.sample(TABLES, 2))
    if draw.random() < 0.5:
        yield (
            "CLAUDE.md",
            f"# {project}\n\n## Conventions\n\n{_prose(draw)}\n## {draw.choice(TOPICS)}\n\n{_prose(draw)}",
        )
    if draw.random() < 0.5:
        yield f"docs/{draw.choice(TOPICS).replace(' ', '-')}.md", f"# {draw.choice(TOPICS)}\n\n{_prose(draw)}"
    if draw.random() < 0.4:
        yield "docker-compose.yaml", _services(project, draw)
    if draw.random() < 0.3:
        yield (
            "package.json",
            f'{{"name": "{draw.choice(PROJECTS)}", "dependencies": {{"{draw.choice(PROJECTS)}": "1"}}}}',
        )
        yield (
            "web/index.ts",
            f'import {{ charge }} from "{draw.choice(PROJECTS)}";\nexport class {draw.choice(CLASSES)} {{}}\n',
        )
    if draw.random() < 0.3:
        yield f"src/main/java/com/acme/{package}/Desk.java", _java(package, draw)
    if draw.random() < 0.15:
        for number in range(24):
            name = f"PaymentGateway{number if draw.random() < 0.5 else ''}"
            yield f"crowd/part_{number}.py", f'class {name}:\n    """{draw.choice(SENTENCES[:2])}"""\n'


def _manifest(project: str, draw: Random) -> str:
    name = draw.choice([project, project, draw.choice(PROJECTS)])  # two projects may be one package
    needed = ", ".join(f'"{other}"' for other in draw.sample(PROJECTS, 2))
    return f'[project]\nname = "{name}"\ndependencies = [{needed}]\n'


def _prose(draw: Random) -> str:
    said = (one.format(draw.choice(CLASSES), draw.choice(TABLES)) for one in draw.sample(SENTENCES, 3))
    return " ".join(said) + "\n"


def _code(project: str, draw: Random) -> str:
    """Imports from others (named, starred, whole), classes that call what was imported, the project's own class."""
    others = [_package(other) for other in draw.sample(PROJECTS, 2)] + ["shared"]
    imports = [
        draw.choice(
            [
                f"from {other} import {draw.choice(CLASSES)}\n",
                f"from {other}.service import {draw.choice(CLASSES)}, {draw.choice(FUNCTIONS)}\n",
                f"from {other}.service import *\n",
                f"import {other}\n",
            ]
        )
        for other in others
    ]
    classes = [_class(name, draw) for name in [*draw.sample(CLASSES, 2), unique(project)]]
    function = (
        f'def {draw.choice(FUNCTIONS)}(value):\n    """{_prose(draw).strip()}"""\n    return {draw.choice(CLASSES)}()\n'
    )
    return "\n\n".join(["".join(imports), *classes, function])


def _class(name: str, draw: Random) -> str:
    base, other, table = draw.choice([*CLASSES, "object"]), draw.choice(CLASSES), draw.choice(TABLES)
    return (
        f'class {name}({base}):\n    """{draw.choice(SENTENCES).format(other, table)}"""\n\n'
        f'    __tablename__ = "{table}"\n\n'
        f"    def {draw.choice(FUNCTIONS)}(self):\n        helper = {other}()\n"
        f'        self.run("{QUERY.format(draw.choice(TABLES))}")\n'
        f"        return helper.{draw.choice(FUNCTIONS)}({draw.choice(FUNCTIONS)}())\n"
    )


def _java(package: str, draw: Random) -> str:
    name, other = draw.sample(CLASSES, 2)
    return (
        f"package com.acme.{package};\n\nimport com.acme.{_package(draw.choice(PROJECTS))}.{other};\n\n"
        f'public class {name} extends {other} {{\n    String url = System.getenv("LEDGER_URL");\n'
        f"    void run() {{ new {other}().charge(); }}\n}}\n"
    )


def _table(name: str, draw: Random) -> str:
    kind = draw.choice(["UUID", "BIGINT", "TEXT"])
    return f"CREATE TABLE {name} (\n  id {kind} PRIMARY KEY,\n  email {draw.choice(['TEXT', 'VARCHAR(80)'])}\n);\n\n"


def _services(project: str, draw: Random) -> str:
    one, other = draw.sample(PROJECTS, 2)
    return (
        f"services:\n  {project}:\n    build: .\n    depends_on: [{one}]\n"
        f"    environment:\n      LEDGER_URL: {draw.choice(['${LEDGER_URL}', f'http://{other}:8080'])}\n  {one}:\n    image: {one}:1\n"
    )
