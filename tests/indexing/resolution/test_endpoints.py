"""Who serves what and who asks for it."""

from __future__ import annotations

COMPOSE = "services:\n  web:\n    build: web\n    environment:\n      CARTS_URL: http://carts:80\n  carts: {build: carts}\n  desk: {build: desk}\n"
CARTS = (
    "from fastapi import FastAPI\n@app.get('/carts/{id}')\ndef show(id): ...\n@app.get('/users')\ndef users(): ...\n"
)
DESK = CARTS.replace("show", "look")


def test_a_service_exposes_what_its_code_serves(graph):
    found = graph({"shop": {"compose.yml": COMPOSE, "carts/main.py": CARTS}})
    assert found.rows("EXPOSES") == [
        ("shop/carts", "EXPOSES", "shop/GET /carts/{id}", "carts/main.py", [2]),
        ("shop/carts", "EXPOSES", "shop/GET /users", "carts/main.py", [4]),
    ]
    assert found.entity("GET /carts/{id}", "endpoint").summary == "handled by show"
    assert graph({"shop": {"carts/main.py": CARTS}}).rows("EXPOSES")[0][0] == "shop/shop"


def test_the_address_tells_which_of_two_services_is_meant(graph):
    web = "import os, requests\nBASE = os.environ['CARTS_URL']\ndef buy(id):\n    requests.get(f'{BASE}/carts/{id}')\n    requests.get(BASE + '/users')\n"
    found = graph({"shop": {"compose.yml": COMPOSE, "carts/main.py": CARTS, "desk/main.py": DESK, "web/a.py": web}})
    rows = [(r[0], r[2], r[4]) for r in found.rows("INVOKES", status="confirmed")]
    assert rows == [
        ("shop/buy", "shop/GET /carts/{id}", [4]),
        ("shop/buy", "shop/GET /users", [5]),
        ("shop/web", "shop/GET /carts/{id}", [4]),
        ("shop/web", "shop/GET /users", [5]),
    ]
    assert {r.target.path for r in found.batch.relationships if r.type == "INVOKES"} == {"carts/main.py"}
    assert [(e.rule, e.line) for e in found.edge("web", "GET /users", "INVOKES").evidence] == [
        ("http client of python", 5),
        ("fastapi", 4),
    ]


def test_without_an_address_only_one_of_its_kind_is_sure(graph):
    web = "fetch('/carts/' + id);\nfetch('/users');\n"
    alone = graph({"shop": {"compose.yml": COMPOSE, "carts/main.py": CARTS, "web/a.js": web}})
    assert [(r[2], r[4]) for r in alone.rows("INVOKES", status="confirmed") if r[0] == "shop/web"] == [
        ("shop/GET /carts/{id}", [1])
    ]
    both = graph({"shop": {"compose.yml": COMPOSE, "carts/main.py": CARTS, "desk/main.py": DESK, "web/a.js": web}})
    assert not both.rows("INVOKES", status="confirmed")
    assert {r[2] for r in both.rows("INVOKES", status="candidate")} == {"shop/GET /carts/{id}", "shop/GET /users"}
    named = "class CartsClient {\n  get(id) { return fetch(`${this.url}/carts/${id}`); }\n}\n"
    told = graph({"shop": {"compose.yml": COMPOSE, "carts/main.py": CARTS, "desk/main.py": DESK, "web/a.js": named}})
    assert [r.target.path for r in told.batch.relationships if r.type == "INVOKES"] == ["carts/main.py"] * 2


def test_a_service_that_asks_itself_and_one_that_passes_on(graph):
    files = {
        "compose.yml": COMPOSE,
        "carts/main.py": CARTS,
        "carts/page.js": "fetch('/users');\n",
        "desk/a.js": "fetch('http://web/carts/' + id);\n",
    }
    found = graph({"shop": files})
    assert [(r[0], r[3]) for r in found.rows("INVOKES", status="confirmed", kind="endpoint")] == [
        ("shop/carts/page", "carts/page.js"),
        ("shop/desk/a", "desk/a.js"),
        ("shop/desk", "desk/a.js"),
    ]
    elsewhere = {
        **files,
        "desk/a.js": "fetch('http://desk/carts/' + id);\nfetch('http://nobody/carts/' + id);\n",
        "desk/main.py": DESK.replace("carts", "bills"),
    }
    assert [r[3] for r in graph({"shop": elsewhere}).rows("INVOKES", kind="endpoint")] == ["carts/page.js"]


def test_between_projects_a_path_is_not_enough(graph):
    asks = "requests.get(f'http://carts/carts/{id}')\nrequests.get('/carts/' + id)\nrequests.get('/users')\n"
    found = graph({"carts": {"main.py": CARTS}, "web": {"a.py": asks}})
    assert found.rows("INVOKES", kind="endpoint") == [("web/a", "INVOKES", "carts/GET /carts/{id}", "a.py", [1, 2])]
    assert found.edge("a", "GET /carts/{id}", "INVOKES").status == "confirmed"
    unsaid = graph({"carts": {"main.py": CARTS}, "web": {"a.py": "client.get('/carts/' + id)\nclient.get('/users')\n"}})
    assert [(r[2], r[4]) for r in unsaid.rows("INVOKES", status="candidate", kind="endpoint")] == [
        ("carts/GET /carts/{id}", [1])
    ]
    assert not unsaid.rows("INVOKES", status="confirmed", kind="endpoint")
    named = "class Carts:\n    def get(self):\n        self.client.get('/carts/' + id)\n"
    only_named = graph({"carts": {"main.py": CARTS}, "web": {"a.py": named}})
    assert only_named.rows("INVOKES", status="candidate", kind="endpoint")
    known = graph(
        {"carts": {"main.py": CARTS}, "web": {"a.py": named, "compose.yml": "services:\n  carts: {image: c}\n"}}
    )
    assert known.rows("INVOKES", status="confirmed", kind="endpoint")


def test_a_project_that_runs_both_is_meant(graph):
    mono = {"compose.yml": COMPOSE, "carts/main.py": CARTS}
    web = {"a.py": "requests.get('http://carts/users')\n", "Dockerfile": "FROM x\n"}
    assert [r[2] for r in graph({"shop": mono, "web": web}).rows("INVOKES", status="confirmed", kind="endpoint")] == [
        "shop/GET /users"
    ] * 2
    assert not graph({"shop": mono, "other": web}).rows("INVOKES", status="confirmed", kind="endpoint")


def test_what_a_project_asks_for_and_does_not_serve_stands_where_it_is_asked_first(graph):
    asks = "import requests\ndef pay(id):\n    requests.post(f'{BANK}/charges/{id}')\ndef show(id):\n    requests.get(f'{BANK}/carts/{id}')\n"
    web = {"a.py": asks, "b.py": asks, "test_a.py": asks.replace("charges", "refunds"), "carts.py": CARTS}
    found = graph({"web": web})
    assert found.rows("INVOKES", kind="remote_endpoint") == [
        ("web/pay", "INVOKES", "web/POST /charges/{}", "a.py", [3]),
        ("web/pay", "INVOKES", "web/POST /charges/{}", "b.py", [3]),
    ]
    remote = found.entity("POST /charges/{}", "remote_endpoint")
    assert (remote.path, remote.start_line) == ("a.py", 3)
    # Who else is indexed changes nothing of it: a caller who may not see them is shown the same.
    bank = graph({"web": web, "bank": {"main.py": CARTS.replace("carts", "charges").replace("get", "post")}})
    assert bank.rows("INVOKES", kind="remote_endpoint") == found.rows("INVOKES", kind="remote_endpoint")


def test_a_description_and_its_code_are_one_endpoint(graph):
    api = "openapi: 3.0.0\npaths:\n  /carts/{cart}:\n    get: {}\n"
    found = graph(
        {
            "shop": {
                "compose.yml": COMPOSE,
                "carts/main.py": CARTS,
                "carts/api.yaml": api,
                "web/a.js": "fetch('/carts/' + id);\n",
            }
        }
    )
    assert {r.target.path for r in found.batch.relationships if r.type == "INVOKES"} == {"carts/main.py"}
    assert len(found.rows("EXPOSES")) == 3


def test_who_asks_for_an_endpoint_calls_its_service(graph):
    named = "class CartsClient {\n  get(id) { return fetch(`${this.url}/carts/${id}`); }\n}\n"
    bare = COMPOSE.replace("    environment:\n      CARTS_URL: http://carts:80\n", "")
    found = graph({"shop": {"compose.yml": bare, "carts/main.py": CARTS, "web/a.js": named}})
    edge = found.edge("web", "carts")
    assert (edge.path, edge.lines, edge.status) == ("web/a.js", (2,), "confirmed")
    assert [(e.rule, e.path, e.line) for e in edge.evidence] == [
        ("http client of javascript", "web/a.js", 2),
        ("fastapi", "carts/main.py", 2),
    ]
    through = named.replace("CartsClient", "CartsGateway")
    assert not graph({"shop": {"compose.yml": bare, "carts/main.py": CARTS, "web/a.js": through}}).rows("CALLS")
    unsure = graph({"shop": {"compose.yml": bare, "carts/main.py": CARTS, "web/a.js": "fetch('/users');\n"}})
    assert not unsure.rows("CALLS")
    nobody = graph({"shop": {"compose.yml": bare, "carts/main.py": CARTS, "lib/a.js": named}})
    assert not nobody.rows("CALLS")


def test_who_serves_and_who_declares_an_interface_are_joined(graph):
    compose = "services:\n  garage: {build: garage}\n  vehicles: {build: vehicles}\n"
    serves = "from fastapi import FastAPI\n@app.get('/fleet/vehicles/{id}')\ndef one(id): ...\n"
    client = 'public interface IVehiclesAPI\n{\n  [Get("/fleet/vehicles/{id}")]\n  Task<Vehicle> One(string id);\n}\n'
    found = graph({"shop": {"compose.yml": compose, "vehicles/a.py": serves, "garage/A.cs": client}})
    assert found.edge("garage", "GET /fleet/vehicles/{id}", "INVOKES").lines == (3,)
    assert found.edge("garage", "vehicles").status == "confirmed"


def test_several_words_of_a_service_s_name_in_the_code_are_enough(graph):
    serves = "from fastapi import FastAPI\n@app.put('/meters/{id}/readings')\ndef keep(id): ...\n"
    asks = "import requests\ndef send(id):\n    requests.put(f'{settings.data_service_url}/meters/{id}/readings')\n"
    found = graph({"rain-data-service": {"a.py": serves}, "rain-worker": {"b.py": asks}})
    assert found.edge("send", "PUT /meters/{id}/readings", "INVOKES").status == "confirmed"
    other = graph({"rain-data": {"a.py": serves}, "rain-worker": {"b.py": asks}})
    assert [row for row in other.rows("INVOKES", status="confirmed") if row[2].startswith("rain-data/")] == []


def test_what_the_code_names_serves_before_the_project_that_asks(graph):
    serves = "from fastapi import FastAPI\n@app.post('/revisions/{id}/publish')\ndef publish(id): ...\n"
    asks = "class ApiDepotService {\n  publish(id) { return this.httpService.post(`/revisions/${id}/publish`) }\n}\n"
    both = {"api-depot": {"a.py": serves}, "harvester": {"a.py": serves, "b.js": asks}}
    found = graph(both).rows("INVOKES", status="confirmed")
    assert ("harvester/ApiDepotService", "api-depot/POST /revisions/{id}/publish") in {(r[0], r[2]) for r in found}
    assert not [r for r in found if r[2] == "harvester/POST /revisions/{id}/publish"]
    alone = graph({"harvester": both["harvester"]}).rows("INVOKES", status="confirmed")
    assert {r[2] for r in alone} == {"harvester/POST /revisions/{id}/publish"}


def test_a_variable_of_another_project_s_name_leads_to_no_other(graph):
    serves = "from fastapi import FastAPI\n@app.get('/late/{id}/parcels')\ndef late(id): ...\n"
    asks = "import os, requests\ndef f(id):\n    requests.get(os.environ['API_URL'] + f'/late/{id}/parcels')\n"
    compose = "services:\n  api:\n    build: .\n  web:\n    environment:\n      API_URL: http://api:80\n"
    found = graph({"shop": {"a.py": serves, "b.py": asks}, "bank": {"a.py": serves, "compose.yml": compose}})
    assert {r[2] for r in found.rows("INVOKES", status="confirmed")} == {"shop/GET /late/{id}/parcels"}


def test_a_name_that_many_bear_is_meant_where_address_and_path_agree(graph):
    serves = (
        "from fastapi import FastAPI\n@app.post('/bookings')\ndef book(): ...\n@app.get('/users')\ndef users(): ...\n"
    )
    asks = "fetch('http://gateway/bookings', {method: 'POST'});\nfetch('http://gateway/users');\n"
    found = graph({"gateway": {"main.py": serves}, "webapp": {"a.js": asks}})
    assert [(r[2], r[4]) for r in found.rows("INVOKES", status="confirmed") if r[2].startswith("gateway/")] == [
        ("gateway/POST /bookings", [1])
    ]
    named = "class GatewayClient { book() { return fetch(`${this.gateway}/bookings`, {method: 'POST'}); } }\n"
    assert not [
        r
        for r in graph({"gateway": {"main.py": serves}, "webapp": {"a.js": named}}).rows("INVOKES", status="confirmed")
        if r[2].startswith("gateway/")
    ]
