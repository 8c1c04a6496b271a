"""Exact pins within one folder; published ports of compose services."""

from __future__ import annotations

import pytest

from merging.claims import read_claims
from tests.merging.making import text


def stated(content, place):
    return {
        (claim.subject, claim.property): claim.value
        for claim in read_claims(text(content, place))
        if claim.property in {"version", "ports"}
    }


class TestPins:
    def test_requirements(self):
        content = "httpx==0.27.0\nAnyio_Core [trio] == 4.6  # pinned\nrich>=14\nold==1.0; python_version < '3.9'\n-r base.txt\n"
        pins = {("httpx", "version"): "0.27.0", ("anyio-core", "version"): "4.6"}
        assert stated(content, "requirements/base.txt:1-5") == pins
        assert stated(content, "requirements-dev.txt:1-5") == pins

    def test_pyproject(self):
        content = 'dependencies = ["httpx==0.28.1", "anyio>=4"]\nextra = [\'Rich==14.0\']\n'
        assert stated(content, "pyproject.toml:1-2") == {("httpx", "version"): "0.28.1", ("rich", "version"): "14.0"}

    def test_elsewhere_there_are_none(self):
        assert stated("httpx==0.27.0", "notes.txt:1-1") == {}
        assert stated("httpx==0.27.0", "README.md:1-1") == {}

    def test_each_folder_is_its_own(self):
        one, other = (read_claims(text("httpx==1.0", f"{folder}requirements.txt:1-1"))[0] for folder in ("a/", ""))
        assert (one.unit, other.unit) == ("a", "")


COMPOSE = "services:\n  payments:\n    image: x\n    ports:\n      - \"8081:8080\"\n      - 9090  # metrics\n  web:\n    ports: ['443:8443']\n  none:\n    image: y\n"


class TestPorts:
    def test_by_service(self):
        assert stated(COMPOSE, "docker-compose.yml:1-10") == {
            ("payments", "ports"): "8081:8080, 9090",
            ("web", "ports"): "443:8443",
        }

    def test_from_a_chunk_of_one_service(self):
        assert stated(
            "  payments:\n    ports:\n    - 127.0.0.1:5432:5432/tcp\n    image: x\n", "infra/compose.yaml:7-10"
        ) == {("payments", "ports"): "5432:5432"}

    def test_filled_in_elsewhere_or_nameless_is_not_claimed(self):
        assert stated("  a:\n    ports:\n      - ${PORT}:8080\n      - 1:1\n", "compose.yml:1-4") == {}
        assert stated("ports:\n  - 80:80\n", "compose.yml:1-2") == {}
        assert stated("  a:\n    ports:\n    image: x\n", "compose.yml:1-3") == {}

    @pytest.mark.parametrize("path", ["docker-compose.prod.yml", "docker-compose.override.yml", "k8s.yaml"])
    def test_other_environments_and_files_are_not_read(self, path):
        assert stated(COMPOSE, f"{path}:1-10") == {}
