"""What applications are called in their own settings.

Dockerfiles.
Applications of JavaScript monorepos.
Rust crates that listen.
Modules that are built to run.
"""

from __future__ import annotations

import pytest

from extraction.rules import Source
from extraction.rules.applications import ApplicationNames, Dockerfile, RunnableModules, RustServers, WorkspaceApps

TEXT = "FROM golang:1 AS builder\nRUN make\nFROM postgres:16 AS base\nFROM base\nEXPOSE 5432\n"
NEST = """\
{
  "monorepo": true,
  "projects": {
    "till": {"type": "application", "root": "apps/till"},
    "desk": {
      "type": "application",
      "sourceRoot": "apps/desk"
    },
    "till-e2e": {"type": "application", "root": "apps/till-e2e"},
    "money": {"type": "library", "root": "libs/money"},
    "here": {"type": "application"},
    "far": {"type": "application", "root": "../../far"}
  }
}
"""


@pytest.mark.parametrize(
    ("path", "text", "name", "line", "folder"),
    [
        ("vets/src/main/resources/application.yml", "a: 1\n---\nspring:\n  application:\n    name: vets-service\n",
         "vets-service", 5, "vets"),
        ("src/main/resources/bootstrap.properties", "x=1\nspring.application.name=orders\n", "orders", 2, ""),
        ("till/application.properties", "spring.application.name: ${NAME:till}\n", "till", 1, "till"),
        ("till/src/main/resources/application.properties", "quarkus.application.name=till\n", "till", 1, "till"),
        ("till/src/main/resources/application.yml", "micronaut:\n  application:\n    name: till\n", "till", 3, "till"),
        ("Till/appsettings.json", '{\n  // who it is\n  "Spring": {"Application": {\n      "Name": "Till"\n}}}\n', "Till", 4, "Till"),
    ],
)  # fmt: skip
def test_a_module_is_the_service_that_its_settings_name(path, text, name, line, folder):
    found = ApplicationNames().find(Source(path, text, "shop"))
    assert [(d.name, d.kind, d.start_line) for d in found.definitions] == [(name, "service", line)]
    assert [(c.kind, c.key, c.value) for c in found.clues] == [
        ("service", name.lower(), "named"),
        ("service folder", folder, ""),
    ]


def test_what_is_none():
    rule = ApplicationNames()
    assert not any(map(rule.reads, ("src/test/resources/application.yml", "my-application.yml", "application.json")))
    for text in ("a: [", "spring: {application: {}}\n", "spring:\n  application:\n    name: ${NAME}\n"):
        assert rule.find(Source("application.yml", text)) is None


@pytest.mark.parametrize(
    ("path", "name", "folder"),
    [
        ("src/accounts-db/Dockerfile", "accounts-db", "src/accounts-db"),
        ("services/orders/docker/Dockerfile.dev", "orders", "services/orders"),
        ("Dockerfile", "shop", ""),
        ("docker/api.dockerfile", "shop", ""),
        ("docker/Dockerfile.dev", "shop", ""),
        ("docker/Dockerfile.alpine", "shop", ""),
    ],
)
def test_the_folder_is_the_service(path, name, folder):
    found = Dockerfile().find(Source(path, TEXT, "shop"))
    (definition,) = found.definitions
    service, home = found.clues
    assert (definition.name, definition.end_line, definition.summary) == (name, 5, "image from postgres:16; ports 5432")
    assert (service.relation, service.value, service.line) == ("STORES_IN", "folder", 4)
    assert (home.kind, home.key) == ("service folder", folder)


@pytest.mark.parametrize("path", ["docker/Dockerfile.till", "src/rust/docker/Dockerfile-till", "build/till.dockerfile"])
def test_of_several_in_a_folder_that_says_nothing_each_has_a_name_of_its_own(path):
    found = Dockerfile().find(Source(path, TEXT, "shop"))
    assert [d.name for d in found.definitions] == ["till"]
    assert [(c.kind, c.key) for c in found.clues] == [("service", "till")]  # the folder is nobody's


def test_what_is_none_of_dockerfile():
    rule = Dockerfile()
    assert rule.reads("a/Dockerfile")
    assert not any(map(rule.reads, ("tests/Dockerfile", ".devcontainer/Dockerfile", "a/Dockerfile/b.py", "docker.py")))
    assert rule.find(Source("Dockerfile", "# nothing\n")) is None


def test_the_applications_of_nest():
    found = WorkspaceApps().find(Source("web/nest-cli.json", NEST, "shop"))
    assert [(d.name, d.kind, d.start_line, d.end_line) for d in found.definitions] == [
        ("till", "service", 4, 4),
        ("desk", "service", 5, 8),
    ]
    assert [(c.kind, c.key, c.value) for c in found.clues if c.entity == "till"] == [
        ("service", "till", "folder"),
        ("service folder", "web/apps/till", ""),
    ]


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("apps/till/project.json", '{"name": "shop-till",\n "projectType": "application"}\n', [("shop-till", 1, 2)]),
        ("apps/till/project.json", '{"projectType": "application"}', [("till", 1, 1)]),
        ("apps/till/project.json", '{"projectType": "application", "targets": {"serve": {}}}', [("till", 1, 1)]),
        ("deploy/chart/project.json", '{"projectType": "application", "targets": {"helm": {}}}', []),
        ("libs/money/project.json", '{"name": "money", "projectType": "library"}', []),
        ("apps/till-e2e/project.json", '{"projectType": "application"}', []),
        ("project.json", '{"name": "shop", "projectType": "application"}', []),
        ("nest-cli.json", '{"sourceRoot": "src"}', []),
        ("nest-cli.json", "{", []),
    ],
)
def test_one_file_an_application(path, text, names):
    found = WorkspaceApps().find(Source(path, text, "shop"))
    assert [(d.name, d.start_line, d.end_line) for d in (found.definitions if found else ())] == names


def test_which_files_it_reads():
    assert not any(map(WorkspaceApps().reads, ("a/project.jsonc", "myproject.json", "package.json")))


@pytest.mark.parametrize(
    "line",
    [
        "axum::serve(listener, app).await?;",
        "axum::Server::bind(&addr).serve(app)",
        "HttpServer::new(|| App::new())",
        "rocket::build().mount()",
        "#[launch]",
        "warp::serve(routes).run(addr)",
        "use tonic::transport::Server; Server::builder().add_service(x)",
    ],
)
def test_a_binary_that_starts_a_server_is_a_service(line):
    rule = RustServers()
    assert rule.reads("crates/till/src/main.rs")
    found = rule.find(Source("crates/till/src/main.rs", f"fn main() {{\n    {line}\n}}\n", "shop"))
    assert [(d.name, d.kind, d.start_line, d.summary) for d in found.definitions] == [
        ("till", "service", 2, "listens in crates/till")
    ]
    assert [(c.kind, c.key, c.value) for c in found.clues] == [
        ("service", "till", "folder"),
        ("service folder", "crates/till", ""),
    ]


def test_what_is_none_of_rust_servers():
    rule = RustServers()
    assert not any(map(rule.reads, ("src/main.rs", "till/src/lib.rs", "till/main.rs")))
    assert rule.find(Source("till/src/main.rs", "// axum::serve(a, b)\nfn main() {}\n")) is None
    assert rule.find(Source("server/src/main.rs", "axum::serve(a, b)\n")) is None  # a name that says nothing


@pytest.mark.parametrize(
    ("path", "text", "name", "line"),
    [
        ("src/Till/Shop.Till.csproj", '<Project Sdk="Microsoft.NET.Sdk.Web">\n</Project>', "Shop.Till", 1),
        ("api/API.csproj", '<Project Sdk="Microsoft.NET.Sdk">\n<OutputType>Exe</OutputType></Project>', "API", 2),
        ("jobs/Jobs.fsproj", "<Project>\n\n<AzureFunctionsVersion>v4</AzureFunctionsVersion></Project>", "Jobs", 3),
        ("apps/till/mix.exs", "def application do\n  [mod: {Till, []}]\nend\n", "till", 2),
        ("till/build.gradle", 'plugins {\n  id "org.springframework.boot" version "3"\n}', "till", 2),
        ("till/build.gradle.kts", 'plugins {\n  id("application")\n}', "till", 2),
        ("till/pom.xml", "<plugin>\n<artifactId>spring-boot-maven-plugin</artifactId></plugin>", "till", 2),
    ],
)
def test_a_module_that_is_built_to_run_is_a_service(path, text, name, line):
    rule = RunnableModules()
    assert rule.reads(path)
    found = rule.find(Source(path, text, "shop"))
    assert [(d.name, d.kind, d.start_line) for d in found.definitions] == [(name, "service", line)]
    assert [(c.kind, c.key, c.value) for c in found.clues] == [
        ("service", name.lower(), "folder"),
        ("service folder", path.rpartition("/")[0], ""),
    ]


def test_what_is_none_of_modules():
    rule = RunnableModules()
    assert not any(map(rule.reads, ("pom.xml", "Till.Tests/Till.Tests.csproj", "till/package.json")))
    boot = 'plugins {\n  id "org.springframework.boot" version "3" apply false\n}'
    assert rule.find(Source("till/build.gradle", boot)) is None
    assert rule.find(Source("till/Till.csproj", '<Project Sdk="Microsoft.NET.Sdk">')) is None
    assert rule.find(Source("server/mix.exs", "[mod: {Till, []}]")) is None  # a name that says nothing
