""".NET Aspire's app host.

Services of Project Tye.
"""

from __future__ import annotations

from extraction.rules import Source
from extraction.rules.dotnet_hosts import Aspire, Tye

TEXT = """\
var builder = DistributedApplication.CreateBuilder(args);
var redis = builder.AddRedis("redis");
var bus = builder.AddRabbitMQ("eventbus");
var key = builder.AddParameter("key");
// the shop
var basketApi = builder.AddProject<Projects.Basket_API>("basket-api")
    .WithReference(redis)
    .WithReference(bus).WaitFor(bus);
var endpoint = basketApi.GetEndpoint("http");
builder.AddProject<Projects.WebApp>("webapp")
    .WithEnvironment("Basket__Url", endpoint)
    .WithEnvironment("BasketClient", endpoint)
    .WithReference(unknown);
redis.WithReference(basketApi);
"""
TYE_TEXT = """\
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


def test_resources_and_their_references():
    found = Aspire().find(Source("AppHost/Program.cs", TEXT))
    assert [(d.name, d.start_line) for d in found.definitions] == [
        ("redis", 2),
        ("eventbus", 3),
        ("basket-api", 6),
        ("webapp", 10),
    ]
    assert [(c.entity, c.relation, c.key, c.line) for c in found.clues if c.side == "needs"] == [
        ("basket-api", "CALLS", "redis", 7),
        ("basket-api", "CALLS", "eventbus", 8),
        ("basket-api", "DEPENDS_ON", "eventbus", 8),
        ("webapp", "CALLS", "basket-api", 11),
        ("redis", "CALLS", "basket-api", 14),
    ]
    assert [(c.key, c.relation) for c in found.clues if c.side == "provides"] == [
        ("redis", "STORES_IN"),
        ("eventbus", "CALLS"),
        ("basket-api", "CALLS"),
        ("basket_api", "CALLS"),
        ("webapp", "CALLS"),
    ]


def test_other_code_is_none():
    assert Aspire().find(Source("a.cs", "class A {}")) is None
    assert Aspire().find(Source("a.cs", "DistributedApplication.Run();")) is None
    assert not Aspire().reads("tests/AppHostTests.cs")


def test_services_their_homes_and_what_they_are_given():
    found = Tye().find(Source("deploy/tye.yaml", TYE_TEXT, "shop"))
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
