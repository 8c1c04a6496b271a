"""Images of containers that are named in full, and the repositories that a build takes."""

from __future__ import annotations

import pytest

from extraction.rules.images import Images
from extraction.rules.port import Source

WORKFLOW = """jobs:
  build:
    container:
      image: ghcr.io/meadow/builder:3
    env:
      WORKER: ghcr.io/meadow/rain-worker
    steps:
      - uses: actions/checkout@v4
      - uses: meadow/deploy-tools/.github/workflows/release.yml@main
      - run: docker pull ghcr.io/meadow/rain-base
      - run: docker push ghcr.io/meadow/rain-api:${{ github.sha }}
"""
KUSTOMIZATION = """images:
  - name: ghcr.io/meadow/rain-worker
    newTag: 1.4.2
"""
VALUES = """image:
  repository: registry.meadow.example:5000/rain/api
homepage: meadow.example/about/us
"""
MANIFEST = "spec:\n  template:\n    spec:\n      containers:\n        - image: ghcr.io/meadow/rain-api:1\n"


def stated(path, text):
    found = Images().find(Source(path, text)) if Images().reads(path) else None
    return [(clue.side, clue.relation, clue.key, clue.line) for clue in (found.clues if found else ())]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        (
            ".github/workflows/release.yml",
            WORKFLOW,
            [
                ("needs", "DEPENDS_ON", "deploy-tools", 9),
                ("provides", "DEPLOYS", "ghcr.io/meadow/rain-worker", 6),
                ("provides", "DEPLOYS", "ghcr.io/meadow/rain-api", 11),
            ],
        ),
        ("apps/rain/kustomization.yaml", KUSTOMIZATION, [("needs", "DEPLOYS", "ghcr.io/meadow/rain-worker", 2)]),
        ("charts/rain/values.yaml", VALUES, [("needs", "DEPLOYS", "registry.meadow.example:5000/rain/api", 2)]),
        ("apps/rain/deployment.yaml", MANIFEST, []),
        ("Dockerfile", "FROM meadow/rain-base:2 AS base\n", [("needs", "DEPENDS_ON", "rain-base", 1)]),
        (
            ".gitmodules",
            '[submodule "x"]\n  url = https://github.com/meadow/rain-protocol.git\n',
            [("needs", "DEPENDS_ON", "rain-protocol", 2)],
        ),
        ("src/main.py", "IMAGE = 'ghcr.io/meadow/rain-api'\n", []),
    ],
    ids=["a workflow", "Kustomize", "values", "a workload's own", "a base image", "a submodule", "code"],
)
def test_what_a_file_states(path, text, said):
    assert stated(path, text) == said
