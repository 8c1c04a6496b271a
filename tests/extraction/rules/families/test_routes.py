"""Routes that are calls, one framework after another, on lines as they are written."""

from __future__ import annotations

import pytest

FLASK = """from flask import Blueprint
desk = Blueprint("desk", __name__, url_prefix="/desk")
@desk.route("/contacts/<username>", methods=["POST", "HEAD"])
@login
def add_contact(username):
    pass
# @app.route("/old")
@app.route(NAME)
def other(): ...
"""
STARLETTE = """from starlette.routing import Mount, Route
routes = [
    Route("/health", health),
    Mount("/api", routes=[Route("/orders/{id:int}", endpoint=order, methods=["PUT", "DELETE"])]),
    Mount("/static", app=StaticFiles()),
]
app.add_route("/live", live)
"""
FASTAPI = """from fastapi import APIRouter, FastAPI
router = APIRouter(prefix="/orders")
@router.get(
    "/{order_id}",
)
async def show(order_id: str): ...
app.include_router(router, prefix="/api")
"""
DJANGO = """urlpatterns = [
    path("admin/", include("x.urls")),
    path("articles/<int:year>/", views.year_archive, name="archive"),
]
"""
HAPI = """module.exports = options => ({
    method: 'POST',
    path: '/queue/message',
    config: { handler: async (request, h) => h.response() }
});
client.send({ method: 'PUT', path: '/no/route', body });
"""
AIOHTTP = """from aiohttp import web
app.router.add_get("/quotes", quotes)
app.add_routes([web.post("/quotes/{id}", keep)])
routes = web.RouteTableDef()


@routes.get(r"/quotes/{id}/", name="quote")
async def show(request): ...
"""
GORILLA = """import ("net/http"; "github.com/gorilla/mux")
api := r.PathPrefix("/api").Subrouter()
api.HandleFunc(base + "/cart", svc.addToCart).Methods(http.MethodPost, http.MethodHead)
r.Methods("GET").Path("/catalogue/{id}").Handler(httptransport.NewServer(
))
"""
NET_HTTP = """import "net/http"
mux.HandleFunc("GET /tasks/{id}/", show)
http.Handle("/metrics", promhttp.Handler())
"""
CHI = """import "github.com/go-chi/chi/v5"
r.Route("/articles", func(r chi.Router) {
    r.Get("/{slug}", getArticle)
})
r.Post("/login", login)
r.With(Trace("x"), Monitor(cfg.Name, "POST /x")).
    With(auth).
    Put("/drafts", putDraft)
rw.Header().Get("Content-Length", 1)
"""
GIN = """import "github.com/gin-gonic/gin"
v1 := r.Group("/v1")
pets := v1.Group("/pets")
pets.GET("/:id", Show)
r.Any("/x", func(c *gin.Context) {})
"""
FIBER = """import "github.com/gofiber/fiber/v2"
app.Get("/books/:id?", book)
"""
EXPRESS = """const express = require('express');
router.get('/:id', auth, orders.show);
app.use('/orders', router);
app.post('/graphql', parse(), makeHandler());
app.get('env');
app.all('/any', (req, res) => { res.send(1) });
app.route('/carts').get(list).post(add);
"""
HANDED = """'use strict';
module.exports = function (app, { bus }) {
  app.route('/orders')
    .get(function (req, resp) { return orders.list(req, resp) })
    .post(function (req, resp) { return orders.add(req, resp) });
  app.delete('/orders/:id', remove);
};
"""
KOA = """const Router = require('@koa/router');
function api() {
  const router = new Router({ prefix: '/api' });
  router.get('/orders/:id', show);
}
function health() {
  const router = new Router({ sensitive: true, prefix: '/healthz' });
  router.get('/live', live);
}
"""
LARAVEL = """<?php
Route::get('/users/{user}', [UserController::class, 'show']);
Route::prefix('admin')->group(function () {
    Route::post('/bans', 'BanController@store');
});
"""
SLIM = """<?php
use Slim\\App;
$app->group('/quotes', function ($group) {
    $group->post('/{id}', Quote::class);
});
"""
AXUM = """use axum::Router;
let app = Router::new().route("/users/:id", get(show).delete(remove)).route("/users",
    post(add));
"""
ACTIX = """use actix_web::web;
#[post("/get-quote")]
pub async fn get_quote() -> impl Responder {}
web::scope("/v1").service(web::resource("/carts/{id}").route(web::get().to(cart)));
"""
KTOR = """import io.ktor.server.routing.*
route("/customers") {
    get("{id}") { call.respond(1) }
    post { call.respond(2) }
}
client.get("/elsewhere") { }
"""
ASPNET = """var api = app.MapGroup("api/orders").HasApiVersion(1.0);
api.MapGet("{orderId:int}", GetOrderAsync);
api.MapPost("/", async (x) => { await Save(x); });
"""


@pytest.mark.parametrize(
    ("path", "text", "rows"),
    [
        ("a.py", FLASK, [(3, "POST /desk/contacts/{username}", "add_contact")]),
        ("a.py", STARLETTE, [
            (3, "GET /health", "health"), (4, "DELETE /api/orders/{id}", ""), (4, "PUT /api/orders/{id}", ""), (7, "GET /live", "live"),
        ]),
        ("a.py", FASTAPI, [(3, "GET /api/orders/{order_id}", "show")]),
        ("urls.py", DJANGO, [(3, "ANY /articles/{year}", "year_archive")]),
        ("a.js", HAPI, [(3, "POST /queue/message", "")]),
        ("a.py", AIOHTTP, [(2, "GET /quotes", "quotes"), (3, "POST /quotes/{id}", "keep"), (7, "GET /quotes/{id}", "show")]),
        ("a.go", GORILLA, [(3, "POST /api/cart", "addToCart"), (4, "GET /catalogue/{id}", "")]),
        ("a.go", NET_HTTP, [(2, "GET /tasks/{id}", "show"), (3, "ANY /metrics", "Handler")]),
        ("a.go", CHI, [(3, "GET /articles/{slug}", "getArticle"), (5, "POST /login", "login"), (8, "PUT /drafts", "putDraft")]),
        ("a.go", GIN, [(4, "GET /v1/pets/{id}", "Show"), (5, "ANY /x", "")]),
        ("a.go", FIBER, [(2, "GET /books/{id}", "book")]),
        ("a.js", EXPRESS, [
            (2, "GET /orders/{id}", "show"), (4, "POST /graphql", "makeHandler"), (6, "ANY /any", ""),
            (7, "GET /carts", ""), (7, "POST /carts", ""),
        ]),
        ("a.js", HANDED, [
            (3, "GET /orders", ""), (3, "POST /orders", ""), (6, "DELETE /orders/{id}", "remove"),
        ]),
        ("a.js", KOA, [(4, "GET /api/orders/{id}", "show"), (8, "GET /healthz/live", "live")]),
        ("a.php", LARAVEL, [(2, "GET /users/{user}", "show"), (4, "POST /admin/bans", "store")]),
        ("a.php", SLIM, [(4, "POST /quotes/{id}", "Quote")]),
        ("a.rs", AXUM, [(2, "DELETE /users/{id}", ""), (2, "GET /users/{id}", ""), (2, "POST /users", "add")]),
        ("a.rs", ACTIX, [(2, "POST /get-quote", "get_quote"), (4, "GET /v1/carts/{id}", "")]),
        ("a.kt", KTOR, [(3, "GET /customers/{id}", ""), (4, "POST /customers", "")]),
        ("a.cs", ASPNET, [(2, "GET /api/orders/{orderId}", "GetOrderAsync"), (3, "POST /api/orders", "")]),
        ("a.py", "from pyramid.config import Configurator\nconfig.add_route('check', '/api/check/{id}')\n", [(2, "ANY /api/check/{id}", "")]),
    ],
)  # fmt: skip
def test_routes_of_a_framework(routes, path, text, rows):
    assert routes(path, text) == rows


def test_what_is_no_route(routes):
    assert routes("a.js", "app.get('/x', f);\n") == []  # nothing says that this is Express
    assert routes("a.py", "import flask\n@app.route(f'http://x/{a}')\ndef f(): ...\n") == []
    assert routes("tests/test_a.py", FLASK) == []
