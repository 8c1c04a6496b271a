"""Addresses in settings files.

Addresses in code.
"""

from __future__ import annotations

import pytest

from extraction.rules import Source
from extraction.rules.address_rules import CodeAddresses, SettingsFiles


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("            - uri: lb://vets-service", [("service", "vets-service", "CALLS")]),
        ("spring.data.mongodb.uri=mongodb://${db:orders-db}:27017/x", [("service", "orders-db", "STORES_IN")]),
        ('    "OrdersUrl": "http://orders:80/v1",', [("service", "orders", "CALLS")]),
        ('  "Shop": "Server=sql-data;Database=x;Password=word"', [("service", "sql-data", "STORES_IN")]),
        ("        proxy_pass http://catalogue:80/;", [("service", "catalogue", "CALLS")]),
        ("    server front-end:8079 weight=2;", [("service", "front-end", "CALLS")]),
        ("  host: db", [("service", "db", "CALLS")]),
        ("  address: ${CART_HOST}", [("variable", "CART_HOST", "CALLS"), ("config key", "CART_HOST", "READS")]),
        ("import: optional:configserver:${X:http://config:8888}", [("service", "config", "CALLS")]),
        ("        serviceId: orders-service", [("service", "orders-service", "CALLS")]),
        ('      "Address": "http://catalog.api:8080"', [("service", "catalog.api", "CALLS")]),
        ("    server backend1 orders:8080 check", [("service", "orders", "CALLS")]),
        ("# url: http://orders", []),
        ("name: orders", []),
    ],
)
def test_a_line_says_where_it_points(line, found):
    findings = SettingsFiles().find(Source("application.yml", line))
    assert ([(c.kind, c.key, c.relation) for c in findings.clues] if findings else []) == found
    assert findings is None or findings.clues
    assert "word" not in repr(findings)


def test_a_file_of_a_config_repository_is_the_applications_that_it_is_called_after():
    line = "zuul.routes.orders.serviceId=orders"
    found = [
        [(c.entity, c.key) for c in SettingsFiles().find(Source(path, "uri: http://orders")).clues]
        for path in ("config/src/main/resources/shared/till.yml", "config/application.yml", "config-repo/dev/till.yml")
    ]
    assert found == [[("till", "orders")], [("", "orders")], [("till", "orders")]]
    assert SettingsFiles().find(Source("config-repo/till.properties", line)) is None
    assert not SettingsFiles().reads("config-repo/application.yml")  # everybody's


def test_a_file_reads_the_variables_that_it_names():
    lines = "mail: ${MAIL_FROM}\npool: ${POOL_SIZE:-5} of ${POOL_SIZE}\nname: ${app.name}\n# old: ${OLD_URL}\n"
    findings = SettingsFiles().find(Source("config/config.yaml", lines))
    assert [(c.kind, c.key, c.relation, c.line) for c in findings.clues] == [
        ("config key", "MAIL_FROM", "READS", 1),
        ("config key", "POOL_SIZE", "READS", 2),
    ]


def test_which_files_it_reads():
    rule = SettingsFiles()
    yes = (
        "a/application-dev.yml",
        "appsettings.Development.json",
        "config/database.yml",
        "nginx.conf.template",
        "Caddyfile",
        "gateway/ocelot.Development.json",
        "haproxy.cfg",
        "config-repo/orders.yml",
    )
    assert all(map(rule.reads, yes))
    assert not any(map(rule.reads, ("package.json", "src/test/resources/application.yml", "notes.md")))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("  url: postgres://me:word@localhost:5432/shop", [("localhost:5432", "STORES_IN", "URL")]),
        ("spring.kafka.bootstrap-servers=localhost:9092", [("localhost:9092", "CALLS", "BOOTSTRAP-SERVERS")]),
        ('  "OrdersAddress": "http://localhost:8081",', [("localhost:8081", "CALLS", "ORDERS_ADDRESS")]),
        ("uri: ${ZIPKIN:http://localhost:9411}/api", [("localhost:9411", "CALLS", "URI"), ("ZIPKIN", "READS", "")]),
        ("allowed-origins: http://localhost:3000", []),
        ("listen: localhost:3000", []),
        ('  "InternalClientUrl": "http://localhost:5000",', []),
        ("uri: ws://localhost:8080", []),
        ("carts: # http://localhost:8082", []),
        ("- http://localhost:3000", []),
    ],
)
def test_what_a_developers_machine_has_at_a_port(line, found):
    findings = SettingsFiles().find(Source("application.yml", line))
    assert [(c.key, c.relation, c.value) for c in (findings.clues if findings else ())] == found


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


def test_what_a_developers_machine_has_at_a_port_of_code_addresses():
    text = (
        'const ordersUrl = "http://localhost:8081/v1"\nurl = os.getenv("STOCK_URL", "http://127.0.0.1:8082")\n'
        'allowedOriginUrl = "http://localhost:3000"\nprint("http://localhost:3000")\n'
    )
    found = CodeAddresses().find(Source("a.py", text))
    assert [(c.key, c.relation, c.line) for c in found.clues if c.kind == "service"] == [
        ("localhost:8081", "CALLS", 1),
        ("localhost:8082", "CALLS", 2),
    ]
