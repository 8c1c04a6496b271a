"""Who talks to whom."""

from __future__ import annotations


def workload(name, env="", image="a"):
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec:\n  template:\n    spec:\n"
        f"      containers:\n      - image: {image}\n{env}---\n"
    )


LINES = "        env:\n        - {name: CART_ADDR, value: 'cart:80'}\n        - {name: DATA_URI, value: 'postgres://u:p@ledger/x'}\n"
SETTINGS = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: addresses}\n"
    "data:\n  PAY_API_ADDR: tills:80\n  CART_API_ADDR: cart:80\n---\n"
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ledger-config}\ndata:\n  DATA_URL: jdbc:postgresql://ledger:5432/x\n"
)
ALL_OF = "        envFrom:\n        - configMapRef: {name: addresses}\n        - configMapRef: {name: ledger-config}\n"


def test_an_address_and_a_service_of_that_name(graph):
    found = graph(
        {"shop": {"k8s.yaml": workload("web", LINES) + workload("cart") + workload("ledger", image="postgres")}}
    )
    assert found.rows("CALLS", "STORES_IN") == [
        ("shop/web", "CALLS", "shop/cart", "k8s.yaml", [10]),
        ("shop/web", "STORES_IN", "shop/ledger", "k8s.yaml", [11]),
    ]
    assert [(e.line, e.says) for e in found.edge("web", "cart").evidence] == [
        (10, "web is given CART_ADDR → cart"),
        (15, "service cart"),
    ]
    assert not graph({"shop": {"k8s.yaml": workload("web", LINES)}}).rows("CALLS", "STORES_IN")


def test_a_store_that_waits_for_another_keeps_nothing_in_it(graph):
    compose = (
        "services:\n  web:\n    build: web\n    depends_on: [ledger1]\n  ledger1:\n    image: cockroachdb/cockroach\n"
        "  ledger2:\n    image: cockroachdb/cockroach\n    depends_on: [ledger1]\n"
    )
    assert graph({"shop": {"docker-compose.yml": compose}}).rows("STORES_IN", "DEPENDS_ON") == [
        ("shop/ledger2", "DEPENDS_ON", "shop/ledger1", "docker-compose.yml", [9]),
        ("shop/web", "DEPENDS_ON", "shop/ledger1", "docker-compose.yml", [4]),
        ("shop/web", "STORES_IN", "shop/ledger1", "docker-compose.yml", [4]),
    ]


def test_a_map_of_settings_is_meant_for_whoever_reads_it(graph):
    files = {
        "web.yaml": workload("web", ALL_OF),
        "rest.yaml": workload("cart") + workload("tills") + workload("ledger") + SETTINGS,
        "src/web/main.py": "def pay():\n    return get(os.environ['PAY_API_ADDR'])\n",
        "src/cart/main.py": "pay = os.environ['PAY_API_ADDR']\n",  # which nobody gives it
    }
    found = graph({"shop": files})
    assert found.rows("CALLS", "STORES_IN") == [
        ("shop/web", "CALLS", "shop/tills", "src/web/main.py", [2]),
        ("shop/web", "STORES_IN", "shop/ledger", "web.yaml", [11]),
    ]
    assert [(e.path, e.says) for e in found.edge("web", "tills").evidence] == [
        ("src/web/main.py", "reads PAY_API_ADDR"),
        ("rest.yaml", "service tills"),
        ("rest.yaml", "addresses: PAY_API_ADDR → tills"),
        ("web.yaml", "web is given addresses"),
    ]


def test_one_entry_of_a_map_under_another_name(graph):
    env = (
        "        env:\n        - name: PAY\n          valueFrom:\n            configMapKeyRef:\n"
        "              name: addresses\n              key: PAY_API_ADDR\n"
    )
    found = graph({"shop": {"a.yaml": workload("web", env) + workload("tills") + workload("cart") + SETTINGS}})
    assert [(r[0], r[2], r[4]) for r in found.rows("CALLS")] == [("shop/web", "shop/tills", [13])]


def test_a_variable_is_what_all_who_are_given_it_agree_on_or_what_it_is_named_after(graph):
    compose = "services:\n  web: {image: a}\n  cart: {image: a}\n  desk:\n    image: a\n    environment:\n      CART_ADDR: cart:80\n"
    code = {
        "services/web/a.js": "get(process.env.CART_ADDR);\nget(process.env.DESK_URL);\nget(process.env.OTHER_URL);\n"
    }
    found = graph({"shop": {"compose.yml": compose, **code}})
    calls = [(r[0], r[2], r[4]) for r in found.rows("CALLS") if r[3] != "compose.yml"]
    assert [row for row in calls if row[2] != [3]] == [("shop/web", "shop/cart", [1]), ("shop/web", "shop/desk", [2])]
    assert ("shop/web", "shop/OTHER_URL", [3]) in calls  # of which nothing says where it leads


def test_code_of_no_service_calls_none_of_its_own_project(graph):
    files = {
        "compose.yml": "services:\n  cart: {image: a}\n  tills: {image: a}\n",
        "tools/a.py": "get('http://cart:80')\n",
    }
    assert not graph({"shop": files}).rows("CALLS")


ORDERS = {
    "compose.yml": "services:\n  orders: {image: a}\n",
    "a.java": 'class A { String a = get(new Hostname("payment")); }\n',
}


def test_between_projects_the_target_is_the_projects_own_or_runs_beside_the_source(graph):
    def status(project, *services):
        text = "services:\n" + "".join(f"  {name}: {{image: a}}\n" for name in services)
        return [
            r[2] for r in graph({"orders": ORDERS, project: {"compose.yml": text}}).rows("CALLS", status="confirmed")
        ]

    assert status("payment", "payment") == ["payment/payment"]
    assert status("payment-service", "payment") == ["payment-service/payment"]
    assert status("deploy", "payment", "orders") == ["deploy/payment"]
    assert status("elsewhere", "payment", "cart") == []


def test_a_common_word_is_no_evidence_between_projects(graph):
    files = {"compose.yml": "services:\n  web:\n    image: a\n    environment: [API_URL=http://api:80]\n"}
    other = {"compose.yml": "services:\n  api: {image: a}\n  web: {image: a}\n"}
    found = graph({"one": files, "api": other})
    assert [r[2] for r in found.rows("CALLS", status="candidate")] == ["api/api"]
    assert not found.rows("CALLS", status="confirmed")


def test_a_project_without_services_may_call_anothers(graph):
    found = graph(
        {"site": {"a.py": "get('http://tills/pay')\n"}, "tills": {"compose.yml": "services:\n  tills: {image: a}\n"}}
    )
    assert found.rows("CALLS") == [("site/site", "CALLS", "tills/tills", "a.py", [1])]


def test_of_manifests_that_say_the_same_the_one_that_lies_least_deep_counts(graph):
    settings = SETTINGS.partition("---\n")[0]
    files = {
        "extras/cloud/settings.yaml": settings,
        "k8s/settings.yaml": settings,
        "k8s/web.yaml": workload("web", "        envFrom:\n        - configMapRef: {name: addresses}\n"),
        "k8s/rest.yaml": workload("cart") + workload("tills"),
        "web/app.py": "import os\nCART = os.environ['CART_API_ADDR']\n",
        "web/Dockerfile": "FROM python\n",
    }
    paths = [piece.path for piece in graph({"shop": files}).edge("web", "cart").evidence]
    assert "k8s/settings.yaml" in paths
    assert "extras/cloud/settings.yaml" not in paths


PUBLISHED = (
    "services:\n  web:\n    build: web\n  orders:\n    image: a\n    ports: ['8081:80']\n"
    "  db:\n    image: postgres\n    ports: ['5432:5432']\n  panel:\n    image: b\n    ports: ['9000:9000']\n"
)
SETTING = "url: http://localhost:8081\ndata: postgres://localhost:5432/x\nOrdersUrl: http://localhost:9000\n"


def test_a_port_of_the_machine_and_the_one_service_that_is_published_there(graph):
    files = {"compose.yml": PUBLISHED, "web/application.yml": SETTING}
    found = graph({"shop": files})
    assert found.rows("CALLS", "STORES_IN") == [
        ("shop/web", "CALLS", "shop/orders", "web/application.yml", [1]),
        ("shop/web", "STORES_IN", "shop/db", "web/application.yml", [2]),
    ]  # the third line names another service than the one with that port
    twice = files | {"deploy/compose.yml": "services:\n  till:\n    image: c\n    ports: ['8081:80']\n"}
    assert {row[2] for row in graph({"shop": twice}).rows("CALLS", "STORES_IN")} == {"shop/db"}


def test_another_projects_port_is_not_meant(graph):
    web = {"compose.yml": "services:\n  web:\n    build: web\n", "web/application.yml": SETTING}
    assert not graph({"shop": web, "other": {"compose.yml": PUBLISHED}}).rows("CALLS", "STORES_IN")


def test_a_class_asks_the_one_address_that_it_has(graph):
    client = (
        "export class DeskClient {\n  client = axios.create({ baseURL: 'http://desk:80' });\n"
        "  async one(id: string) {\n    return await this.client.get<Seat>(`/seats/${id}`);\n  }\n}\n"
    )
    shop = {"compose.yml": "services:\n  web: {build: web}\n  desk: {build: desk}\n  till: {build: till}\n"}
    found = graph({"shop": {**shop, "web/desk.ts": client}})
    assert found.rows("CALLS") == [("shop/web", "CALLS", "shop/desk", "web/desk.ts", [2, 4])]
    two = client.replace("  async", "  other = axios.create({ baseURL: 'http://till:80' });\n  async")
    assert {tuple(row[4]) for row in graph({"shop": {**shop, "web/desk.ts": two}}).rows("CALLS")} == {(2,), (3,)}
