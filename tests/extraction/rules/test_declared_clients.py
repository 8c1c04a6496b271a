"""HTTP clients that are interfaces, a framework after another."""

from __future__ import annotations

import pytest

FEIGN = """@FeignClient(name = "accounts")
interface Accounts {
  @GetMapping("/accounts/{id}")
  Account one(String id);
}
"""
EXCHANGE = """@HttpExchange("/stock")
interface StockClient {
  @PutExchange("/items/{sku}")
  void take(String sku);
}
"""
QUARKUS = """@Path("/api/heroes")
@RegisterRestClient(configKey = "hero-client")
interface HeroClient {
  @GET
  @Path("/random")
  Hero random();
}
"""
MICRONAUT = """import io.micronaut.http.client.annotation.Client;
@Client(id = "pricing", path = "/prices")
interface PricingClient {
  @Post("/calculate")
  Price calculate(Offer offer);
}
"""
REFIT = """using Refit;
public interface IVehiclesAPI
{
    [Get("/vehicles/{id}")]
    Task<Vehicle> One([AliasAs("id")] string id);
    [Post("/vehicles")]
    Task Add(Vehicle vehicle);
}
"""


@pytest.mark.parametrize(
    ("path", "text", "rows"),
    [
        ("A.java", FEIGN, [(3, "/accounts/{}", "GET //accounts", "Accounts.one")]),
        ("A.java", EXCHANGE, [(3, "/stock/items/{}", "PUT StockClient", "StockClient.take")]),
        ("A.java", QUARKUS, [(4, "/api/heroes/random", "GET HeroClient", "HeroClient.random")]),
        ("A.java", MICRONAUT, [(4, "/prices/calculate", "POST //pricing", "PricingClient.calculate")]),
        (
            "A.cs",
            REFIT,
            [
                (4, "/vehicles/{}", "GET IVehiclesAPI", "IVehiclesAPI.One"),
                (6, "/vehicles", "POST IVehiclesAPI", "IVehiclesAPI.Add"),
            ],
        ),
        ("A.java", QUARKUS.replace("@RegisterRestClient", "@Served"), []),
        ("tests/A.java", FEIGN, []),
    ],
)
def test_each_method_asks(requests, path, text, rows):
    assert requests(path, text) == rows
