""".NET Aspire's app host."""

from __future__ import annotations

from indexing.rules import Source
from indexing.rules.dotnet_hosts import Aspire

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
