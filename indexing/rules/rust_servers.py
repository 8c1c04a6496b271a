"""Rust crates that listen: a workspace's binary that starts a server is a service, which alone is weak evidence.

axum (https://docs.rs/axum/latest/axum/fn.serve.html), hyper, Actix Web (https://actix.rs/docs/server), Rocket, warp and
tonic (https://docs.rs/tonic/latest/tonic/transport/struct.Server.html).
"""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Definition
from indexing.rules.common_words import COMMON_FOLDERS
from indexing.rules.expressions import line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.services import FOLDER, lives_in, provides_service

__all__ = ["RustServers"]

FILE: Final = re.compile(r"(?:^|/)(?P<crate>[\w.-]+)/src/main\.rs$")
STARTS: Final = re.compile(
    r"\baxum::serve\(|\baxum::Server::bind\(|\bHttpServer::new\(|\brocket::build\(|#\[launch\]|\bwarp::serve\("
    r"|\btonic\b[\s\S]*?\bServer::builder\(\)|\bhyper\b[\s\S]*?\bServer::bind\("
)


class RustServers:
    """A Definition of kind service, named by the crate's folder; tests and crates of a common name are none."""

    name = "rust server"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        found = FILE.search(source.path)
        name = found["crate"] if found else ""
        started = STARTS.search(without_comments(source.text))
        if started is None or name.lower() in COMMON_FOLDERS:
            return None
        line = line_at(source.text, started.end())
        folder = source.path.removesuffix("/src/main.rs")
        return Findings(
            [Definition(name, "service", line, line, summary=f"listens in {folder}")],
            [provides_service(self.name, name, name, line, FOLDER), lives_in(self.name, folder, name, line)],
        )
