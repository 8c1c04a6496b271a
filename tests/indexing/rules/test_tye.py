"""Services of Project Tye."""

from __future__ import annotations

from indexing.rules import Source
from indexing.rules.dotnet_hosts import Tye

TEXT = """\
name: shop
services:
- name: till
  project: src\\Till\\Till.csproj
  env:
  - PAY_URL=http://payments:80
- name: desk
  dockerFile: src/desk/docker/Dockerfile
  dockerFileContext: src/desk
- name: shop-db
  image: postgres
  env:
  - name: PAY_ADDR
    value: payments:81
- name: far
  project: ../elsewhere/Far.csproj
- executable: tail
"""


def test_services_their_homes_and_what_they_are_given():
    found = Tye().find(Source("deploy/tye.yaml", TEXT, "shop"))
    assert [(d.name, d.kind, d.start_line, d.end_line, d.summary) for d in found.definitions] == [
        ("till", "service", 3, 6, ""),
        ("desk", "service", 7, 9, ""),
        ("shop-db", "service", 10, 14, "image postgres"),
        ("far", "service", 15, 16, ""),
    ]
    assert [(c.key, c.relation, c.value) for c in found.clues if c.kind == "service" and c.side == "provides"] == [
        ("till", "CALLS", "workload"),
        ("desk", "CALLS", "workload"),
        ("shop-db", "STORES_IN", "workload"),
        ("far", "CALLS", "workload"),
    ]
    homes = [(c.entity, c.key) for c in found.clues if c.kind == "service folder"]
    assert homes == [("till", "deploy/src/Till"), ("desk", "deploy/src/desk"), ("far", "elsewhere")]
    calls = [(c.entity, c.key, c.line) for c in found.clues if c.kind == "service" and c.side == "needs"]
    assert calls == [("till", "payments", 6), ("shop-db", "payments", 13)]


def test_what_is_none():
    rule = Tye()
    assert rule.reads("tye.yaml")
    assert rule.reads("a/tye.slim.yml")
    assert not rule.reads("a/stye.yaml")
    assert rule.find(Source("tye.yaml", "name: shop\n")) is None
