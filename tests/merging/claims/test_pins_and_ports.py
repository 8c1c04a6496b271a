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

    @pytest.mark.parametrize(
        ("line", "name", "version"),
        [
            ("Flask[async,dotenv]==3.1.0rc1", "flask", "3.1.0rc1"),
            ("a==1", "a", "1"),
            ("zope.interface==1!7.2+local-1", "zope-interface", "1!7.2+local-1"),
            ("ruamel__yaml[]==0.18", "ruamel-yaml", "0.18"),
        ],
    )
    def test_names_are_normalised_and_versions_are_kept(self, line, name, version):
        assert stated(line, "requirements.txt:1-1") == {(name, "version"): version}

    @pytest.mark.parametrize("line", ["a==1.*", "a===1", "a==v1", "a==1,<2", "-a==1", "a b==1", "x a==1", "a=1"])
    def test_what_is_no_exact_version_is_not_claimed(self, line):
        assert stated(line, "requirements.txt:1-1") == {}

    def test_elsewhere_there_are_none(self):
        assert stated("httpx==0.27.0", "notes.txt:1-1") == {}
        assert stated("httpx==0.27.0", "README.md:1-1") == {}
        assert stated('d = ["httpx==0.27.0"]', "other.toml:1-1") == {}

    def test_each_folder_is_its_own(self):
        for path, folder in (("a/requirements.txt", "a"), ("requirements.txt", ""), ("a/b/requirements.txt", "a/b")):
            (claim,) = read_claims(text("httpx==1.0", f"{path}:1-1"))
            assert claim.key() == ("billing", folder, "httpx", "version")
            assert claim.where.path == path


COMPOSE = "services:\n  payments:\n    image: x\n    ports:\n      - \"8081:8080\"\n      - 9090  # metrics\n  web:\n    ports: ['443:8443', 80]  # open\n  none:\n    image: y\n"


def service(*entries):
    """A compose file of one service with these entries below `ports`."""
    return "".join(["services:\n  web:\n    ports:\n", *(f"{entry}\n" for entry in entries)])


class TestPorts:
    @pytest.mark.parametrize("path", ["docker-compose.yml", "docker-compose.yaml", "compose.yml", "infra/compose.yaml"])
    def test_by_service(self, path):
        assert stated(COMPOSE, f"{path}:1-10") == {
            ("payments", "ports"): "8081:8080, 9090",
            ("web", "ports"): "443:8443, 80",
        }

    def test_from_a_chunk_of_one_service(self):
        assert stated(
            "  payments:\n    ports:\n    - 127.0.0.1:5432:5432/tcp\n    image: x\n", "infra/compose.yaml:7-10"
        ) == {("payments", "ports"): "5432:5432"}

    def test_in_any_order_with_comments_and_blank_lines_between(self):
        given = service("      - 90:90", "", "      # admin", "      - '53:53/udp'", "    expose:", "      - 7")
        assert stated(given, "compose.yml:1-8") == {("web", "ports"): "53:53/udp, 90:90"}

    def test_of_the_key_right_above_alone(self):
        nested = "services:\n  web:\n    deploy:\n      x: 1\n    ports:\n      - 1:1\nother:\n  ports: [2]\n"
        assert stated(nested, "compose.yml:1-8") == {("web", "ports"): "1:1", ("other", "ports"): "2"}

    def test_a_list_that_stands_further_out_is_another(self):
        assert stated("a:\n    ports:\n  - 1:1\n", "compose.yml:1-3") == {}

    @pytest.mark.parametrize(
        "entry",
        ["${PORT}:8080", "8000-8010:8000-8010", "target: 80", "[::1]:80:80", ":80", "80:http", "x80:80", "80:80x",
         "300.1:80:80", "80:80/sctp"],
    )  # fmt: skip
    def test_where_one_is_not_understood_none_is_claimed(self, entry):
        assert stated(service("      - 1:1", f"      - {entry}"), "compose.yml:1-5") == {}

    def test_nameless_or_empty_is_not_claimed(self):
        assert stated("ports:\n  - 80:80\n", "compose.yml:1-2") == {}
        assert stated("  a:\n    ports:\n    image: x\n", "compose.yml:1-3") == {}
        assert stated("  a:\n    ports: []\n", "compose.yml:1-2") == {}

    @pytest.mark.parametrize("path", ["docker-compose.prod.yml", "docker-compose.override.yml", "k8s.yaml"])
    def test_other_environments_and_files_are_not_read(self, path):
        assert stated(COMPOSE, f"{path}:1-10") == {}

    def test_services_of_two_units_are_apart(self):
        (claim,) = read_claims(text("  a:\n    ports: [1]\n", "services/x/compose.yml:1-2"))[:1]
        assert (claim.project, claim.unit, claim.where.path) == ("billing", "services/x", "services/x/compose.yml")
