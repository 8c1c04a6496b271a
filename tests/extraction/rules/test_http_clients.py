"""HTTP calls, one client after another, on lines as they are written."""

from __future__ import annotations

import pytest

FLASK = """class Desk:
    def pay(self):
        requests.post(url=app.config["PAY_URI"], json=x)
app.config["PAY_URI"] = 'http://{}/transactions'.format(
    os.environ.get('PAY_API_ADDR'))
"""
CSHARP = """class OrderingService(HttpClient http) {
    private readonly string root = "/api/orders/";
    Task Get(int id) { var uri = $"{root}{id}?x={id}"; return http.GetFromJsonAsync<Order[]>(uri); }
    Task Add() => new HttpRequestMessage(HttpMethod.Post, root);
}
"""
WEBCLIENT = """class Desk {
  Owner get() { return webClient.post()
      .uri("http://customers-service/owners/{id}/pets", id).retrieve(); }
  void b() { restTemplate.exchange(base() + "/carts", HttpMethod.DELETE, e, X.class); }
}
"""
AXIOS = """const api = axios.create({ baseURL: 'http://carts:80/v1' });
api.get('/items');
axios({ method: 'put', url: `${CARTS_URL}/items/${id}` });
fetch('/api/pay', { method: 'POST' });
request(formatOptions('PUT', `${CARTS_URL}/boxes/${id}`, token));
fetch('https://api.example.com/x');
cache.get('/items');
"""
GO = """func (d *desk) Ship() {
    req, err := http.NewRequestWithContext(ctx, http.MethodPut, d.shippingAddr+"/ship/"+id, body)
    http.Get(fmt.Sprintf("http://%s/quotes", os.Getenv("QUOTE_ADDR")))
}
"""


@pytest.mark.parametrize(
    ("path", "text", "rows"),
    [
        ("a.py", FLASK, [(3, "/transactions", "POST $PAY_API_ADDR", "Desk.pay")]),
        ("a.py", "client = httpx.Client(base_url='http://carts:80')\nclient.request('DELETE', '/items/1')\n",
         [(2, "/items/1", "DELETE //carts", "")]),
        ("A.cs", CSHARP, [
            (3, "/api/orders/{}", "GET http.OrderingService", "OrderingService.Get"),
            (4, "/api/orders", "POST OrderingService", "OrderingService.Add"),
        ]),
        ("A.java", WEBCLIENT, [
            (4, "/carts", "DELETE base.restTemplate.Desk", "Desk.b"),
            (2, "/owners/{}/pets", "POST //customers-service", "Desk.get"),
        ]),
        ("a.js", AXIOS, [
            (4, "/api/pay", "POST", ""), (2, "/v1/items", "GET //carts", ""), (3, "/items/{}", "PUT $CARTS_URL", ""),
                (5, "/boxes/{}", "PUT $CARTS_URL", ""),
        ]),
        ("a.ts", "class DepotService {\n  f(id: string) { return this.httpService\n    .get<Box>(`/boxes/${id}`) }\n}\n",
         [(2, "/boxes/{}", "GET httpService.DepotService", "DepotService.f")]),
        ("a.rs", 'fn f() {\n  reqwest::Client::new()\n    .post(format!("{}/take-item", stock_uri)).send();\n}\n',
         [(2, "/take-item", "POST stock_uri.Client", "f")]),
        ("a.go", GO, [
            (3, "/quotes", "GET $QUOTE_ADDR", "desk.Ship"), (2, "/ship/{}", "PUT shippingAddr.http.desk", "desk.Ship"),
        ]),
        ("a.rb", "Faraday.post(\"#{ENV['CARTS_URL']}/items\")\n", [(1, "/items", "POST $CARTS_URL", "")]),
        ("a.php", "<?php $this->http->request('PATCH', $base . '/items');\n", [(1, "/items", "PATCH base.this.http", "")]),
        ("a.rs", 'client.put(&format!("{}/items", base))', [(1, "/items", "PUT base.client", "")]),
    ],
)  # fmt: skip
def test_calls_of_a_client(requests, path, text, rows):
    found = requests(path, text)
    assert [row[:2] for row in found] == [row[:2] for row in sorted(rows)]
    for row, expected in zip(found, sorted(rows), strict=True):
        assert row[3] == expected[3]
        verb, _, base = expected[2].partition(" ")
        assert row[2] == expected[2] if base[:1] in {"", "/", "$"} else row[2].startswith(f"{verb} ")
        assert set(base.split(".")) <= set(row[2].partition(" ")[2].split("."))


def test_what_is_no_call_of_a_service(requests):
    assert requests("a.py", "x = 1\n") == []
    assert requests("a.py", "requests.get(url)\nrequests.get('https://example.com/x')\nsession.get(User, 1)\n") == []


def test_what_a_test_asks_says_nothing(requests):
    assert len(requests("src/Desk/Client.cs", CSHARP)) == 2
    assert [requests(path, CSHARP) for path in ("src/Desk.Tests/Fixture.cs", "README.md")] == [[], []]
    assert requests("tests/a.py", FLASK) == []
