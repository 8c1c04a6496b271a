"""Rails and Sinatra."""

from __future__ import annotations

from indexing.rules.routes import RailsRoutes

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


def test_sinatra_blocks(routes):
    text = 'require "sinatra"\npost "/send_order_confirmation" do\n  get "x"\nend\nget("/a/:b") { 1 }\n'
    assert routes("a.rb", text) == [(2, "POST /send_order_confirmation", ""), (5, "GET /a/{b}", "")]
