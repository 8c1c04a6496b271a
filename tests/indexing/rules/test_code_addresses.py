"""Addresses in code."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.address_rules import CodeAddresses


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("url = f'http://{}/x'.format(os.environ.get('LEDGER_ADDR'))", [("variable", "LEDGER_ADDR")]),
        ('mustMapEnv(&svc.addr, "CART_SERVICE_ADDR")', [("variable", "CART_SERVICE_ADDR")]),
        ("const {X} = process.env.CART_ADDR;", [("variable", "CART_ADDR")]),
        ('@Value("http://${BALANCES_API_ADDR}/balances")', [("variable", "BALANCES_API_ADDR")] * 2),
        ('.uri("http://customers-service/owners/{id}", id)', [("service", "customers-service")]),
        ('discovery.getInstances("customers-service").get(0)', [("service", "customers-service")]),
        ('@FeignClient(name = "accounts")', [("service", "accounts")]),
        ('@Client(id = "pricing")', [("service", "pricing")]),
        ('@Client("/pricing")', []),
        ('addr = config_json["text-service"]["addr"];', [("service", "text-service")]),
        ('port = config_json["text-service"]["port"];', []),
        ('new Uri(new Hostname("payment"), x)', [("service", "payment")]),
        ("host = os.getenv('CART_HOST', 'cart')", [("variable", "CART_HOST"), ("service", "cart")]),
        ("const h = process.env.USER_HOST || 'user'", [("variable", "USER_HOST"), ("service", "user")]),
        ('conn, err := grpc.Dial("till:5000")', [("service", "till")]),
        ('log("host is payment now")', []),
        ('schema = "http://www.w3.org/2001/XMLSchema"', []),
        ('setName("payment") // host', []),
        ("# http://customers-service", []),
        ("KEY = os.environ['API_SERVER_KEY']", []),
        ("x = process.env.SERVER_PORT", []),
        ('y = "${HOST_PORT_NUMBER}"', []),
        ('new Uri(configuration["SERVICE_URI_CART_ITEMS"])', [("service", "cart-items")]),
        ('x = configuration["URI_CART_ITEMS"]', []),
    ],
)
def test_what_a_line_points_to(line, found):
    findings = CodeAddresses().find(Source("a.py", line))
    assert [(c.kind, c.key) for c in (findings.clues if findings else ())] == list(dict.fromkeys(found))


def test_tests_and_other_files_are_left_out():
    rule = CodeAddresses()
    assert rule.reads("src/main.go")
    assert not any(map(rule.reads, ("tests/client.py", "client_test.go", "a.md")))


def test_a_template_that_speaks_of_the_files_own_constant_reads_no_variable():
    text = "const CART_URL = `${API_URL}/carts`\nexport const f = () => fetch(`${CART_URL}/1`)\n"
    found = CodeAddresses().find(Source("a.ts", text))
    assert [(c.kind, c.key, c.line) for c in found.clues] == [("variable", "API_URL", 1)]


def test_what_a_developers_machine_has_at_a_port():
    text = (
        'const ordersUrl = "http://localhost:8081/v1"\nurl = os.getenv("STOCK_URL", "http://127.0.0.1:8082")\n'
        'allowedOriginUrl = "http://localhost:3000"\nprint("http://localhost:3000")\n'
    )
    found = CodeAddresses().find(Source("a.py", text))
    assert [(c.key, c.relation, c.line) for c in found.clues if c.kind == "service"] == [
        ("localhost:8081", "CALLS", 1),
        ("localhost:8082", "CALLS", 2),
    ]
