"""Rust crates that listen."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.applications import RustServers


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


def test_what_is_none():
    rule = RustServers()
    assert not any(map(rule.reads, ("src/main.rs", "till/src/lib.rs", "till/main.rs")))
    assert rule.find(Source("till/src/main.rs", "// axum::serve(a, b)\nfn main() {}\n")) is None
    assert rule.find(Source("server/src/main.rs", "axum::serve(a, b)\n")) is None  # a name that says nothing
