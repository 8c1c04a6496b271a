"""Whose code a workload runs, by its image, and who calls it therefore."""

from __future__ import annotations

import pytest

COMPOSE = """services:
  web:
    build: .
    environment:
      DESK_URL: http://desk:80
  desk:
    image: ghcr.io/shop/cash-desk:1.2@sha256:0
"""
MANIFEST = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: front
spec:
  template:
    spec:
      containers:
        - name: x
          image: shop/cash_desk
"""
DESK = {"README.md": "# Desk\n"}


def test_an_image_that_is_called_as_a_project_is_its_code(graph):
    found = graph({"shop": {"compose.yaml": COMPOSE}, "ops": {"k8s.yaml": MANIFEST}, "Cash-Desk": DESK})
    assert found.rows("DEPLOYS") == [
        ("ops/front", "DEPLOYS", "Cash-Desk/Cash-Desk", "k8s.yaml", [10]),
        ("shop/desk", "DEPLOYS", "Cash-Desk/Cash-Desk", "compose.yaml", [7]),
    ]
    edge = found.edge("desk", "Cash-Desk", "DEPLOYS")
    assert edge.status == "confirmed"
    assert [(piece.path, piece.line, piece.says) for piece in edge.evidence] == [
        ("compose.yaml", 7, "runs ghcr.io/shop/cash-desk"),
        ("README.md", 1, "project Cash-Desk"),
    ]


def test_who_calls_it_calls_that_project(graph):
    found = graph({"shop": {"compose.yaml": COMPOSE}, "cash-desk": DESK})
    assert found.rows("CALLS") == [
        ("shop/web", "CALLS", "cash-desk/cash-desk", "compose.yaml", [5]),
        ("shop/web", "CALLS", "shop/desk", "compose.yaml", [5]),
    ]
    rules = [(piece.line, piece.says) for piece in found.edge("web", "cash-desk").evidence]
    assert rules == [
        (5, "web is given DESK_URL → desk"),
        (6, "service desk"),
        (7, "runs ghcr.io/shop/cash-desk"),
        (1, "project cash-desk"),
    ]


@pytest.mark.parametrize("image", ["shop/api", "postgres:16", "shop/web", "shop/${NAME}", "shop/tin"])
def test_what_says_too_little_deploys_nothing(graph, image):
    compose = f"services:\n  desk:\n    image: {image}\n"
    others = {name: {"README.md": f"# {name}\n"} for name in ("api", "postgres", "tin")}
    assert not graph({"web": {"compose.yaml": compose}, **others}).rows("DEPLOYS")


def test_each_project_of_the_name_is_meant(graph):
    found = graph({"shop": {"compose.yaml": COMPOSE}, "cash-desk": DESK, "cash_desk": DESK})
    assert [target for _, _, target, _, _ in found.rows("DEPLOYS")] == ["cash-desk/cash-desk", "cash_desk/cash_desk"]


WORKFLOW = "env:\n  WORKER: ghcr.io/meadow/rain-worker\nsteps:\n  - uses: meadow/deploy-tools/build@v1\n"
KUSTOMIZATION = "images:\n  - name: ghcr.io/meadow/rain-worker\n  - name: ghcr.io/meadow/deploy-tools\n"
RUNS = MANIFEST.replace("shop/cash_desk", "ghcr.io/meadow/rain-worker:2")


def test_an_image_is_of_the_project_that_builds_it_under_that_name(graph):
    projects = {
        "ops": {"front.yaml": RUNS, "kustomization.yaml": KUSTOMIZATION},
        "weather": {".github/workflows/ci.yml": WORKFLOW},
        "deploy-tools": DESK,
    }
    found = graph(projects)
    assert sorted(found.rows("DEPLOYS")) == [
        ("ops/front", "DEPLOYS", "weather/weather", "front.yaml", [10]),
        ("ops/ops", "DEPLOYS", "deploy-tools/deploy-tools", "kustomization.yaml", [3]),
        ("ops/ops", "DEPLOYS", "weather/weather", "kustomization.yaml", [2]),
    ]
    says = [piece.says for piece in found.edge("front", "weather", "DEPLOYS").evidence]
    assert says == ["runs ghcr.io/meadow/rain-worker", "builds ghcr.io/meadow/rain-worker"]
    assert found.rows("DEPENDS_ON") == [
        ("weather/weather", "DEPENDS_ON", "deploy-tools/deploy-tools", ".github/workflows/ci.yml", [4])
    ]


def test_a_workload_that_is_called_as_its_image_is_that_project_s_code_too(graph):
    compose = "services:\n  tokens:\n    image: meadow/tokens:1\n  web:\n    build: .\n    environment:\n      TOKENS_URL: http://tokens\n"
    found = graph({"shop": {"compose.yaml": compose}, "tokens": DESK})
    assert found.rows("DEPLOYS") == [("shop/tokens", "DEPLOYS", "tokens/tokens", "compose.yaml", [3])]
    assert ("shop/web", "CALLS", "tokens/tokens", "compose.yaml", [7]) in found.rows("CALLS")
