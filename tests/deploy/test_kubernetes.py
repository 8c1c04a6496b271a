"""deploy/kubernetes: by the schemas of Kubernetes, and against the product that it starts."""

from __future__ import annotations

import copy
import re
import shlex
import shutil
import subprocess
from pathlib import PurePath
from typing import Any

import click
import jsonschema
import kubernetes_validate
import pytest
import yaml

from configs import load_config
from tests.deploy.manifests import DEPLOY, KUBERNETES, OURS, PINS, ROOT, documents, layer, parsed, templates
from tests.deploy.rayjob import RAY_JOB

LAYERS = ("base", "ray")
OBJECTS = [one for name in LAYERS for one in layer(name)]
PODS = [(one["kind"], template) for one in OBJECTS for template in templates(one)]
CONTAINERS = [container for _, template in PODS for container in template["spec"]["containers"]]
PAGE = (ROOT / "docs/deploying.md").read_text("utf-8")
RELEASE = "1.37"
FOLDER = "/etc/hybrid-retrieval/"


def of_kind(kind: str) -> dict[str, Any]:
    [one] = [one for one in OBJECTS if one["kind"] == kind]
    return one


def name_of(one: dict[str, Any]) -> str:
    return f"{one['kind']} {one['metadata']['name']}"


def check(one: dict[str, Any]) -> None:
    """Raises for an object that a cluster would refuse, or of which it would drop something."""
    if one["kind"] == "RayJob":
        jsonschema.validate(one, RAY_JOB)
        for template in templates(one):
            pod = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "one"}, "template": template}
            kubernetes_validate.validate(pod, RELEASE, strict=True)
    else:
        kubernetes_validate.validate(one, RELEASE, strict=True)


def secrets() -> dict[str, set[str]]:
    """Those that the page has one make, and the one that Qdrant's chart makes, each with its keys."""
    made = {}
    for line in re.findall(r"^kubectl create secret generic (.+)$", PAGE.replace("\\\n", " "), re.MULTILINE):
        name, *options = shlex.split(line)
        made[name] = {option.partition("=")[2].partition("=")[0].rpartition("/")[2] for option in options}
    [qdrant] = documents(KUBERNETES / "charts/qdrant.yaml")
    return made | ({"qdrant-apikey": {"api-key"}} if qdrant["apiKey"] is True else {})


def config_maps() -> dict[str, set[str]]:
    return {one["metadata"]["name"]: set(one["data"]) for one in OBJECTS if one["kind"] == "ConfigMap"}


@pytest.mark.parametrize("one", OBJECTS, ids=name_of)
def test_an_object_is_what_a_cluster_takes(one):
    check(one)


@pytest.mark.parametrize("kind", ["Deployment", "CronJob", "RayJob"])
def test_a_misspelt_field_of_a_pod_is_refused(kind):
    wrong = copy.deepcopy(of_kind(kind))
    next(templates(wrong))["spec"]["automountServiceAccounttoken"] = False
    with pytest.raises((kubernetes_validate.ValidationError, jsonschema.ValidationError)):
        check(wrong)


def test_a_misspelt_field_of_a_ray_job_is_refused():
    with pytest.raises(jsonschema.ValidationError):
        check({**of_kind("RayJob"), "spec": {**of_kind("RayJob")["spec"], "submissionmode": "HTTPMode"}})


@pytest.mark.parametrize("name", LAYERS)
def test_every_file_is_listed(name):
    [listing] = documents(KUBERNETES / name / "kustomization.yaml")
    files = {path.name for path in (KUBERNETES / name).iterdir()} - {"kustomization.yaml"}
    assert set(listing["resources"]) == files
    assert listing["namespace"] == "hybrid-retrieval"


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kustomize_takes_both_and_puts_in_an_image_of_ones_own(tmp_path):
    for name in LAYERS:
        shutil.copytree(KUBERNETES / name, tmp_path / name)
    [mine] = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "kustomization.yaml").write_text(mine.replace("[deploy/kubernetes/base]", "[base, ray]"), "utf-8")
    (tmp_path / "sources.yaml").write_text("- {name: shop, url: https://git.example.org/shop.git}\n", "utf-8")
    done = subprocess.run(["kubectl", "kustomize", tmp_path], capture_output=True, text=True, check=True, timeout=60)  # noqa: S603, S607 - whichever is there
    built = list(yaml.safe_load_all(done.stdout))
    assert sorted(map(name_of, built)) == sorted(map(name_of, OBJECTS))
    images = {container["image"] for one in built for pod in templates(one) for container in pod["spec"]["containers"]}
    assert images == {f"registry.example.org/{OURS}"}
    [sources] = [one["data"] for one in built if one["metadata"]["name"] == "hybrid-retrieval-sources"]
    assert "name: shop" in sources["sources.yaml"]
    for one in built:
        check(one)


def command_lines() -> list[list[str]]:
    return [[str(word) for word in one["args"]] for one in CONTAINERS if "args" in one] + [
        shlex.split(of_kind("RayJob")["spec"]["entrypoint"])[1:]
    ]


def test_every_command_is_one_of_ours():
    serve, index, on_ray = map(parsed, command_lines())
    assert (serve["over_http"], serve["follow"], serve["host"]) == (True, True, "0.0.0.0")  # noqa: S104 - in a pod
    assert serve["policy"] == f"{FOLDER}policy.yaml"
    assert (str(index["listing"]), index["on"]) == (f"{FOLDER}sources.yaml", None)
    assert on_ray["listing"] == index["listing"]
    assert type(on_ray["on"]).__name__ == "Cluster"
    with pytest.raises(click.UsageError):
        parsed(["serve", "--htpp"])


@pytest.mark.parametrize(("kind", "template"), PODS, ids=[one["name"] for one in CONTAINERS])
def test_a_file_that_is_named_is_mounted(kind, template):
    [container] = template["spec"]["containers"]
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    volumes = {volume["name"]: volume for volume in template["spec"]["volumes"]}
    volume = volumes[mounts[str(PurePath(FOLDER))]]
    if kind == "Deployment":
        assert "policy.yaml" in secrets()[volume["secret"]["secretName"]]
    else:
        assert "sources.yaml" in config_maps()[volume["configMap"]["name"]]
    assert set(mounts.values()) == set(volumes)


def test_no_two_pods_share_a_volume_but_one_index_after_the_other():
    kept = {
        container["name"]: "persistentVolumeClaim" in volume
        for _, template in PODS
        for container in template["spec"]["containers"]
        for volume in template["spec"]["volumes"]
        if volume["name"] == "data"
    }
    assert kept == {"server": False, "index": True, "head": True, "worker": False}
    assert of_kind("PersistentVolumeClaim")["spec"]["accessModes"] == ["ReadWriteOnce"]


def test_what_is_referred_to_is_there():
    claims = {one["metadata"]["name"] for one in OBJECTS if one["kind"] == "PersistentVolumeClaim"}
    for _, template in PODS:
        for volume in template["spec"]["volumes"]:
            if "persistentVolumeClaim" in volume:
                assert volume["persistentVolumeClaim"]["claimName"] in claims
            if "secret" in volume:
                assert volume["secret"]["secretName"] in secrets()
    for container in CONTAINERS:
        assert {one["configMapRef"]["name"] for one in container["envFrom"]} <= set(config_maps())
        for reference in [one["valueFrom"]["secretKeyRef"] for one in container["env"] if "valueFrom" in one]:
            assert reference["key"] in secrets()[reference["name"]]
    [neo4j] = documents(KUBERNETES / "charts/neo4j.yaml")
    assert "NEO4J_AUTH" in secrets()[neo4j["neo4j"]["passwordFromSecret"]]


def test_the_settings_exist_and_name_variables_that_are_set():
    [settings] = [one["data"] for one in OBJECTS if one["metadata"]["name"] == "hybrid-retrieval-settings"]
    unknown: list[str] = []
    config = load_config(env=settings, warn=unknown.append)
    assert unknown == []
    assert (config.vector.store, config.graph.store) == ("qdrant", "neo4j")
    assert config.vector.qdrant.followers_s > 0  # servers follow
    assert config.vector.qdrant.url == "http://qdrant:6333"  # as the charts name their services
    assert config.graph.neo4j.uri == "bolt://neo4j:7687"
    needed = {config.vector.qdrant.api_key_env, config.graph.neo4j.password_env}
    for container in CONTAINERS:
        reaches_no_graph = {config.graph.neo4j.password_env} if container["name"] == "worker" else set()
        assert needed - reaches_no_graph <= {one["name"] for one in container["env"]}
    load_config(env={"HYBRID_RETRIEVAL_VECTOR__SHOP": "x"}, warn=unknown.append)
    assert unknown


async def test_the_probes_are_answered(tmp_path):
    import httpx2  # noqa: PLC0415 - takes a while

    from interfaces.mcp.http import application  # noqa: PLC0415 - takes a second
    from interfaces.mcp.index import open_served  # noqa: PLC0415 - as above
    from interfaces.mcp.policy import ANYBODY  # noqa: PLC0415 - as above

    config = load_config()
    [server] = of_kind("Deployment")["spec"]["template"]["spec"]["containers"]
    paths = [server[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")]
    async with (
        open_served(tmp_path, "embedded", config) as index,
        application(index, config.mcp, (ANYBODY,)) as app,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://pod") as web,
    ):
        answers = [(await web.get(path)).status_code for path in paths]
    assert answers == [200, 200, 503]  # there is no index yet
    assert {server[f"{kind}Probe"]["httpGet"]["port"] for kind in ("startup", "liveness", "readiness")} == {"http"}


def test_requests_come_where_the_server_listens():
    [server] = of_kind("Deployment")["spec"]["template"]["spec"]["containers"]
    assert server["ports"] == [{"name": "http", "containerPort": parsed(server["args"])["port"]}]
    assert of_kind("Service")["spec"]["ports"][0]["targetPort"] == "http"
    labels = of_kind("Deployment")["spec"]["template"]["metadata"]["labels"]
    assert of_kind("Service")["spec"]["selector"] == labels
    assert of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert of_kind("Deployment")["spec"]["selector"]["matchLabels"] == labels
    pause = server["lifecycle"]["preStop"]["sleep"]["seconds"]
    grace = of_kind("Deployment")["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    assert pause + load_config().mcp.shutdown_timeout_ms / 1000 < grace


@pytest.mark.parametrize(("kind", "template"), PODS, ids=[one["name"] for one in CONTAINERS])
def test_a_pod_may_do_nothing_more_than_it_has_to(kind, template):
    pod, [container] = template["spec"], template["spec"]["containers"]
    assert pod["enableServiceLinks"] is False  # HYBRID_RETRIEVAL_PORT would be taken for a setting
    assert pod["automountServiceAccountToken"] is False
    user = pod["securityContext"]
    assert (user["runAsNonRoot"], user["seccompProfile"]) == (True, {"type": "RuntimeDefault"})
    assert f"USER {user['runAsUser']}:{user['runAsGroup']}\n" in (DEPLOY / "Dockerfile").read_text("utf-8")
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["image"] == OURS
    assert {"cpu", "memory"} <= set(container["resources"]["requests"])
    assert "memory" in container["resources"]["limits"]
    [data] = [mount for mount in container["volumeMounts"] if mount["name"] == "data"]
    assert data == {"name": "data", "mountPath": "/data"}
    assert ("policy" in {volume["name"] for volume in pod["volumes"]}) == (kind == "Deployment")


def test_a_ray_cluster_is_of_our_release_and_closed_to_others():
    cluster = of_kind("RayJob")["spec"]["rayClusterSpec"]
    assert cluster["rayVersion"] == PINS["ray"]
    assert cluster["authOptions"] == {"mode": "token"}
    closed = of_kind("NetworkPolicy")["spec"]
    for template in templates(cluster):
        assert template["metadata"]["labels"] == closed["podSelector"]["matchLabels"]
    assert closed["policyTypes"] == ["Ingress"]
