"""Routes that are files.

Rails and Sinatra.
Symfony's routes in YAML, and the variables of its configuration.
Routes of Spring Data REST.
"""

from __future__ import annotations

import pytest

from extraction.rules import Source
from extraction.rules.routes import DataRestRoutes, FileRoutes, RailsRoutes, SymfonyRouteFiles, SymfonyVariables

SWITCH = "const handler = (req, res) => {\n  switch (req.method) {\n    case 'GET': {\n    }\n    case 'POST':\n  }\n};\nexport default handler;\n"
RAILS = """Rails.application.routes.draw do
  get "/up", to: "health#show"
  namespace :api do
    resources :orders, only: [:index, :show] do
      post :cancel, on: :member
      collection do
        get "late"
      end
      resources :lines, except: %i[create update destroy]
    end
    scope path: "/v2" do
      match "any", via: :all
    end
  end
  resource :basket, only: :create
  # get "/old"
end
"""
ROUTES = """orders_show:
  path: /orders/{id}
  controller: Shop\\Controller\\OrderController::show
  methods: [GET, HEAD]
orders_place:
  path: /orders
  defaults: { _controller: 'Shop\\Controller\\PlaceOrder' }
  methods: post|put
any:
  path: /search
  controller: Shop\\Controller\\Search
elsewhere:
  resource: ../src/Controller
  type: attribute
gone:
  path: /gone
  methods: [GET]
odd: {path: 'a b', controller: 'Shop\\A'}
"""
TEXT = """package shop;
@RepositoryRestResource(path = "/orders", collectionResourceRel = "orders")
public interface OrderRepository extends CrudRepository<Order, Long> {
  List<Order> findByState(@Param("state") String state);
  @RestResource(path = "mine")
  @Query("select o from Order o")
  List<Order> findByCustomer(@Param("id") String id);
  @RestResource(exported = false)
  List<Order> findBySecret(String s);
  Order findById(@Param("id") Long id);
}
"""
BASIC = [
    "GET /orders",
    "POST /orders",
    "GET /orders/{id}",
    "PUT /orders/{id}",
    "PATCH /orders/{id}",
    "DELETE /orders/{id}",
]


@pytest.mark.parametrize(
    ("path", "text", "rows"),
    [
        ("web/pages/api/products/[productId]/index.ts", SWITCH, [(3, "GET /api/products/{productId}", ""), (5, "POST /api/products/{productId}", "")]),
        ("pages/api/data.js", "module.exports = f;\n", [(1, "ANY /api/data", "")]),
        ("src/app/(shop)/carts/[...all]/route.ts", "import x\nexport async function DELETE(r) {}\n", [(2, "DELETE /carts/{all}", "")]),
        ("src/routes/api/ping/+server.ts", "export const GET = f;\n", [(1, "GET /api/ping", "")]),
        ("server/api/users.post.ts", "export default defineEventHandler(f)\n", [(1, "POST /api/users", "")]),
        ("pages/api/types.ts", "export type A = string;\n", []),
    ],
)  # fmt: skip
def test_a_file_is_a_route(served, path, text, rows):
    assert served(FileRoutes(), path, text) == rows


def test_other_files_are_none():
    assert not any(map(FileRoutes().reads, ("pages/index.tsx", "src/route.txt", "a/routes.ts")))


def test_rails_routes_and_resources(served):
    assert served(RailsRoutes(), "config/routes.rb", RAILS) == [
        (2, "GET /up", "health#show"),
        (4, "GET /api/orders", "orders#index"),
        (4, "GET /api/orders/{id}", "orders#show"),
        (5, "POST /api/orders/{order_id}/cancel", ""),
        (7, "GET /api/orders/late", ""),
        (9, "GET /api/orders/{order_id}/lines", "lines#index"),
        (9, "GET /api/orders/{order_id}/lines/{id}", "lines#show"),
        (12, "ANY /api/v2/any", ""),
        (15, "POST /basket", "basket#create"),
    ]
    assert served(RailsRoutes(), "config/routes/admin.rb", "draw do\nend\n") == []
    assert not RailsRoutes().reads("lib/routes.rb")


def test_rails_options_before_ruby_1_9_are_no_resources(served):
    text = "resources :reports, :bills, :only => [:index]\nresources :mails, :except => :show do\nend\n"
    assert {row[1] for row in served(RailsRoutes(), "config/routes.rb", text)} == {
        "GET /reports",
        "GET /bills",
        *("GET /mails", "POST /mails", "PATCH /mails/{id}", "DELETE /mails/{id}"),
    }


def test_sinatra_blocks(routes):
    text = 'require "sinatra"\npost "/send_order_confirmation" do\n  get "x"\nend\nget("/a/:b") { 1 }\n'
    assert routes("a.rb", text) == [(2, "POST /send_order_confirmation", ""), (5, "GET /a/{b}", "")]


def test_a_route_has_a_path_and_a_controller(served):
    assert served(SymfonyRouteFiles(), "config/routes/orders.yaml", ROUTES) == [
        (2, "GET /orders/{id}", "show"),
        (2, "HEAD /orders/{id}", "show"),
        (6, "POST /orders", "PlaceOrder"),
        (6, "PUT /orders", "PlaceOrder"),
        (10, "ANY /search", "Search"),
    ]
    assert served(SymfonyRouteFiles(), "app/routing.yml", "- a\n") == []


def test_which_files_have_routes():
    rule = SymfonyRouteFiles()
    assert all(
        map(rule.reads, ("config/routes.yaml", "apps/web/config/routes/till/orders.yml", "config/routing_dev.yml"))
    )
    assert not any(map(rule.reads, ("config/services.yaml", "tests/routes.yaml", "src/routes.py")))


def test_a_service_reads_the_addresses_that_its_configuration_is_given():
    text = """services:
  Shop\\Bus\\Connection:
    arguments:
      - host: '%env(RABBITMQ_HOST)%'
        password: '%env(RABBITMQ_PASSWORD)%'
      - '%env(string:resolve:SEARCH_URL)%'
"""
    rule = SymfonyVariables()
    assert rule.reads("config/services.yaml")
    assert not rule.reads("config/services_test.yaml")
    assert [(c.kind, c.key, c.line) for c in rule.find(Source("config/services.yaml", text)).clues] == [
        ("variable", "RABBITMQ_HOST", 4),
        ("variable", "SEARCH_URL", 6),
    ]
    assert rule.find(Source("config/a.yaml", "a: '%env(APP_SECRET)%'\n")) is None


def test_a_collection_its_items_and_a_search_for_each_finder(served):
    assert served(DataRestRoutes(), "OrderRepository.java", TEXT) == sorted(
        [(2, route, "OrderRepository") for route in BASIC]
        + [
            (4, "GET /orders/search/findByState", "OrderRepository.findByState"),
            (7, "GET /orders/search/mine", "OrderRepository.findByCustomer"),
        ]
    )


def test_what_is_not_exported(served):
    rule = DataRestRoutes()
    for said in ('(path = "orders", exported = false)', '(collectionResourceRel = "orders")', ""):
        assert (
            served(rule, "A.java", f"@RepositoryRestResource{said}\ninterface A extends Repository<B, C> {{\n}}\n")
            == []
        )
    assert served(rule, "A.java", "interface A extends Repository<B, C> {\n}\n") == []
    open_ended = '@RepositoryRestResource(path = "orders")\ninterface A extends Repository<B, C> {\n'
    assert len(served(rule, "A.java", open_ended)) == len(BASIC)
