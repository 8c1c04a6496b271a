"""deploy/compose.yaml: by the schema of compose files, and against the product that it starts."""

from __future__ import annotations

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from interfaces.mcp.policy import Principal, principal_of, read_policy
from tests.deploy.manifests import DEPLOY, OURS, ROOT, TAG, documents, layer, parsed

FILE = DEPLOY / "compose.yaml"
STORES = ROOT / "docker-compose.yml"
CHECKER = Path(sys.executable).parent / "check-jsonschema"
[COMPOSE] = documents(FILE)
SERVICES = COMPOSE["services"]
MINE = ["indexer", "server"]
[SETTINGS] = [one["data"] for one in layer("base") if one["metadata"]["name"] == "hybrid-retrieval-settings"]


def checked(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [CHECKER, "--builtin-schema", "vendor.compose-spec", *files]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - installed with the checkers


def test_the_files_are_what_compose_takes(tmp_path):
    assert checked(FILE, STORES).returncode == 0
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(FILE.read_text("utf-8").replace("read_only: true", "readonly: true"), "utf-8")
    assert "readonly" in checked(wrong).stdout


def test_the_stores_are_those_at_the_top():
    [top] = documents(STORES)
    for name in ("qdrant", "neo4j"):
        assert SERVICES[name]["extends"] == {"file": "../docker-compose.yml", "service": name}
        assert TAG.fullmatch(top["services"][name]["image"])
    assert set(COMPOSE["volumes"]) == {"copy", "data", *top["volumes"]}


@pytest.mark.parametrize("name", MINE)
def test_a_command_is_one_of_ours(name):
    service = SERVICES[name]
    given = parsed(service["command"])
    assert service["image"] == OURS
    if name == "server":
        assert (given["over_http"], given["follow"]) == (True, True)
        assert given["policy"] == f"/run/secrets/{service['secrets'][0]}"
        assert service["ports"] == ["127.0.0.1:8000:8000"]
        assert set(service["secrets"]) == set(COMPOSE["secrets"])
    else:
        assert given["watch"]
        assert [str(path) for path in given["paths"]] == ["/projects"]


def test_whoever_answers_shares_no_folder_with_the_indexer():
    of = {name: [volume.rpartition("}")[2] or volume for volume in SERVICES[name]["volumes"]] for name in MINE}
    assert of == {"indexer": ["data:/data", ":/projects:ro"], "server": ["copy:/data"]}


@pytest.mark.parametrize("name", MINE)
def test_the_settings_are_those_of_kubernetes(name):
    given = dict(SERVICES[name]["environment"])
    secret = {given.pop("NEO4J_PASSWORD"), given.pop("QDRANT_API_KEY")}
    assert given == SETTINGS  # the stores bear the same names there
    assert secret == {"${NEO4J_PASSWORD:?}", "${QDRANT_API_KEY:?}"}


def test_nothing_secret_has_a_default():
    asked = re.findall(r"\$\{(\w*(?:PASSWORD|KEY)\w*)([^}]*)}", FILE.read_text("utf-8") + STORES.read_text("utf-8"))
    assert {name for name, _ in asked} == {"NEO4J_PASSWORD", "QDRANT_API_KEY"}
    assert all(otherwise.startswith(":?") for _, otherwise in asked)


@pytest.mark.parametrize("name", MINE)
def test_it_may_do_nothing_more_than_it_has_to(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    assert not {"privileged", "cap_add", "user", "network_mode", "pid"} & set(service)


def test_the_policy_of_the_page_is_one(tmp_path):
    page = (ROOT / "docs/deploying.md").read_text("utf-8")
    [written] = re.findall(r"^cat > deploy/policy\.yaml <<END\n(.*?)^END$", page, re.MULTILINE | re.DOTALL)
    policy = tmp_path / "policy.yaml"
    policy.write_text(re.sub(r"\$\(.*\)", sha256(b"a token").hexdigest(), written), "utf-8")
    [me] = read_policy(policy)
    assert principal_of(b"Bearer a token", [me]) == Principal("me", sha256(b"a token").hexdigest(), None)
