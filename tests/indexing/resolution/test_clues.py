"""Edges from two agreeing clues.

Who reads which key: the code and the service it is of, and each key once a project.
Dependencies between projects and inside one.
"""

from __future__ import annotations

import pytest

SCHEMA = "CREATE TABLE customers (\n  id UUID PRIMARY KEY\n);\n"
READER = "import pymongo\n\n\ndef load(db):\n    return db.customers.find_one({})\n"
MODEL = 'class Customer:\n    __tablename__ = "customers"\n'
LOAD = 'import os\ndef load():\n    return os.environ["DB_URL"]\n'
CONFIG_KEYS_COMPOSE = "services:\n  billing:\n    build: billing\n  auth:\n    build: auth\n"
BUS = '[project]\nname = "shopbus"\ndescription = "Publish and subscribe"\n'
NEEDS = '[project]\nname = "billing"\ndependencies = ["shopbus>=2"]\n'


def test_a_dependency_is_proven_by_the_line_that_asks_and_the_line_that_names(graph):
    edge = graph(
        {
            "shop": {"pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n  "Pay.Client>=1",\n]\n'},
            "pay": {"pyproject.toml": '[project]\nname = "pay_client"\n'},
        }
    ).edge("shop", "pay", "DEPENDS_ON")
    assert (edge.path, edge.lines, edge.status) == ("pyproject.toml", (4,), "confirmed")
    assert [(e.project, e.line, e.says) for e in edge.evidence] == [
        ("shop", 4, "dependency Pay.Client"),
        ("pay", 2, "package pay_client"),
    ]


def test_a_project_that_asks_for_its_own_extra_does_not_depend_on_itself(graph):
    text = '[project]\nname = "shop"\n[project.optional-dependencies]\nall = ["shop[x]"]\n'
    assert not graph({"shop": {"pyproject.toml": text}}).rows()


def test_tables_are_owned_by_their_project_and_used_by_classes(graph):
    found = graph({"crm": {"db/schema.sql": SCHEMA, "models.py": MODEL}})
    assert found.rows("OWNS_TABLE", "STORES_IN", "USES_TABLE") == [
        ("crm/Customer", "STORES_IN", "crm/customers", "models.py", [2]),
        ("crm/Customer", "USES_TABLE", "crm/customers", "models.py", [2]),
        ("crm/crm", "OWNS_TABLE", "crm/customers", "db/schema.sql", [1]),
        ("crm/crm", "USES_TABLE", "crm/customers", "models.py", [2]),
    ]
    assert found.entity("customers", "table").summary == "columns: id UUID (primary key)"


def test_a_table_that_nobody_defines_gives_no_edge(graph):
    assert not graph({"crm": {"read.py": READER}}).rows("STORES_IN", "USES_TABLE")


def test_the_own_table_is_meant_and_else_each_that_has_the_name(graph):
    owners = {name: {"schema.sql": SCHEMA} for name in ("auth", "billing")}
    reader = {"read.py": 'def load():\n    return run("SELECT 1 FROM customers")\n\nrun("DELETE FROM customers")\n'}
    found = graph({**owners, "report": reader})
    assert [(r[0], r[2], r[4]) for r in found.rows("USES_TABLE")] == [
        ("report/load", "auth/customers", [2]),
        ("report/load", "billing/customers", [2]),
        ("report/load", "report/customers", [2]),
        ("report/read", "auth/customers", [4]),
        ("report/read", "billing/customers", [4]),
        ("report/read", "report/customers", [4]),
        ("report/report", "auth/customers", [2, 4]),
        ("report/report", "billing/customers", [2, 4]),
        ("report/report", "report/customers", [2, 4]),
    ], "and the table it says itself, as long as nothing tells whose that is"
    own = graph({**owners, "report": {**reader, "schema.sql": SCHEMA}})
    assert {r[2] for r in own.rows("USES_TABLE")} == {"report/customers"}


def test_an_alteration_is_said_by_the_project(graph):
    found = graph({"crm": {"1.sql": SCHEMA, "2.sql": "ALTER TABLE customers ADD vip BOOLEAN;\n"}})
    assert found.rows("USES_TABLE") == [("crm/crm", "USES_TABLE", "crm/customers", "2.sql", [1])]


def test_a_common_word_is_no_evidence_between_projects(graph):
    reader = 'def load():\n    return run("SELECT 1 FROM users")\n'
    schema = "CREATE TABLE users (id INT);\n"
    apart = graph({"auth": {"schema.sql": schema}, "report": {"read.py": reader}})
    assert [(r[0], r[2]) for r in apart.rows("USES_TABLE", status="candidate")] == [
        ("report/load", "auth/users"),
        ("report/report", "auth/users"),
    ]
    own = graph({"auth": {"schema.sql": schema, "read.py": reader}})
    assert [(r[0], r[2]) for r in own.rows("USES_TABLE", status="confirmed")] == [
        ("auth/load", "auth/users"),
        ("auth/auth", "auth/users"),
    ]


COMPOSE = """\
services:
  catalogue:
    build: catalogue
  catalogue-db:
    build: {context: ., dockerfile: docker/catalogue-db/Dockerfile}
"""


def test_tables_are_owned_and_used_by_the_service_whose_folder_it_is(graph):
    found = graph(
        {
            "shop": {
                "compose.yml": COMPOSE,
                "docker/catalogue-db/dump.sql": "CREATE TABLE sock (id INT);\n",
                "catalogue/read.py": 'def load():\n    return run("SELECT 1 FROM sock")\n',
                "catalogue/more.sql": "ALTER TABLE sock ADD size INT;\n",
            }
        }
    )
    assert [(r[0], r[1], r[2], r[3]) for r in found.rows("OWNS_TABLE", "USES_TABLE")] == [
        ("shop/load", "USES_TABLE", "shop/sock", "catalogue/read.py"),
        ("shop/catalogue", "OWNS_TABLE", "shop/sock", "docker/catalogue-db/dump.sql"),
        ("shop/catalogue", "USES_TABLE", "shop/sock", "catalogue/more.sql"),
        ("shop/catalogue", "USES_TABLE", "shop/sock", "catalogue/read.py"),
        ("shop/catalogue-db", "OWNS_TABLE", "shop/sock", "docker/catalogue-db/dump.sql"),
    ]


def test_of_tables_of_one_name_that_of_the_same_service_is_meant(graph):
    compose = "services:\n  crm: {build: crm}\n  till: {build: till}\n"
    files = {
        "compose.yml": compose,
        "crm/schema.sql": SCHEMA,
        "till/schema.sql": SCHEMA,
        "till/models.py": MODEL,
        "desk/models.py": MODEL,
    }
    found = graph({"shop": files})
    used = [r for r in found.batch.relationships if r.type == "STORES_IN"]
    assert {(r.path, r.target.path) for r in used} == {
        ("till/models.py", "till/schema.sql"),
        ("desk/models.py", "crm/schema.sql"),
        ("desk/models.py", "till/schema.sql"),
    }


def test_a_table_of_one_word_is_no_evidence_between_projects(graph):
    found = graph({"crm": {"schema.sql": SCHEMA}, "report": {"read.py": READER}})
    assert {r.status for r in found.batch.relationships if r.type == "USES_TABLE"} == {"candidate"}
    named = graph(
        {
            "crm": {"schema.sql": SCHEMA.replace("customers", "crm_customers")},
            "report": {"read.py": READER.replace("customers", "crm_customers")},
        }
    )
    assert {r.status for r in named.batch.relationships if r.type == "USES_TABLE"} == {"confirmed"}


def test_the_code_and_its_service_read_a_key(graph):
    found = graph({"shop": {"docker-compose.yml": CONFIG_KEYS_COMPOSE, "billing/a.py": LOAD, "auth/b.py": LOAD}})
    assert {row[:4] for row in found.rows("READS", status="confirmed")} == {
        ("shop/load", "READS", "shop/DB_URL", "billing/a.py"),
        ("shop/billing", "READS", "shop/DB_URL", "billing/a.py"),
        ("shop/load", "READS", "shop/DB_URL", "auth/b.py"),
        ("shop/auth", "READS", "shop/DB_URL", "auth/b.py"),
    }
    [key] = [e for e in found.batch.entities if e.kind == "config_key"]
    assert (key.name, key.path, key.start_line) == ("DB_URL", "auth/b.py", 3)


def test_a_key_of_one_project_is_not_another_s(graph):
    found = graph({"a": {"a.py": LOAD}, "b": {"b.py": LOAD}})
    assert {(row[0], row[2]) for row in found.rows("READS")} == {("a/load", "a/DB_URL"), ("b/load", "b/DB_URL")}


def test_a_constant_of_the_same_name_is_a_thing_of_its_own(graph):
    found = graph({"a": {"a.py": 'import os\nDB_URL = os.environ["DB_URL"]\n'}})
    assert {(e.kind, e.name) for e in found.batch.entities} >= {("constant", "DB_URL"), ("config_key", "DB_URL")}


def test_a_package_of_another_name_than_its_project_is_an_entity_that_others_depend_on(graph):
    found = graph({"platform": {"pyproject.toml": BUS}, "billing": {"pyproject.toml": NEEDS}})
    package = found.entity("shopbus", "package")
    assert (package.project, package.path, package.start_line, package.summary) == (
        "platform",
        "pyproject.toml",
        2,
        "Publish and subscribe",
    )
    assert {row[2] for row in found.rows("DEPENDS_ON")} == {"platform/shopbus", "platform/platform"}
    assert {(row[0], row[4][0]) for row in found.rows("DEPENDS_ON")} == {("billing/billing", 3)}


def test_modules_of_one_build_depend_on_each_other(graph):
    found = graph(
        {
            "shop": {
                "common/build.gradle": "",
                "orders/build.gradle": 'dependencies {\n  compile project(":common")\n}\n',
                "crates/money/Cargo.toml": '[package]\nname = "money"\n',
                "crates/api/Cargo.toml": '[package]\nname = "api-x"\n[dependencies]\nmoney = { path = "../money" }\n',
            },
            "other": {"common/build.gradle": ""},
        }
    )
    assert {row[:3] for row in found.rows("DEPENDS_ON")} == {
        ("shop/orders", "DEPENDS_ON", "shop/common"),
        ("shop/api-x", "DEPENDS_ON", "shop/money"),
    }


def test_a_service_is_its_package(graph):
    compose = "services:\n  cart:\n    build: src/cart\n"
    found = graph(
        {
            "shop": {
                "compose.yaml": compose,
                "src/cart/cart.csproj": '<Project><ItemGroup><ProjectReference Include="../lib/lib.csproj"/></ItemGroup></Project>',
                "src/lib/lib.csproj": "<Project/>",
            }
        }
    )
    edge = found.edge("cart", "lib", "DEPENDS_ON")
    assert (edge.source.kind, edge.target.kind) == ("service", "package")


KEEPS = "def keep(redis, id):\n    redis.sadd(f'rain:open:{id}', 1)\n"


def test_keys_of_a_store_are_each_other_s_who_share_it(graph):
    found = graph({"gauge": {"a.py": KEEPS}, "alarm": {"b.py": KEEPS.replace("keep", "look")}})
    assert sorted(row[:3] for row in found.rows("USES_TABLE")) == [
        ("alarm/alarm", "USES_TABLE", "alarm/rain:open"),
        ("alarm/alarm", "USES_TABLE", "gauge/rain:open"),
        ("alarm/look", "USES_TABLE", "alarm/rain:open"),
        ("alarm/look", "USES_TABLE", "gauge/rain:open"),
        ("gauge/gauge", "USES_TABLE", "alarm/rain:open"),
        ("gauge/gauge", "USES_TABLE", "gauge/rain:open"),
        ("gauge/keep", "USES_TABLE", "alarm/rain:open"),
        ("gauge/keep", "USES_TABLE", "gauge/rain:open"),
    ]
    text = "def keep(db):\n    db.execute('SELECT a FROM open_orders')\n"
    apart = graph({"gauge": {"a.py": text}, "alarm": {"b.py": text}})
    assert {(row[0].partition("/")[0], row[2].partition("/")[0]) for row in apart.rows("USES_TABLE")} == {
        ("alarm", "alarm"),
        ("gauge", "gauge"),
    }


def test_a_table_that_sql_names_in_capitals_is_used_where_it_is_written_small_too(graph):
    text = "def keep(db):\n    db.execute('SELECT a FROM open_orders')\ndef look(db):\n    db.execute('select a from open_orders')\n"
    found = graph({"gauge": {"a.py": text}})
    assert {row[0] for row in found.rows("USES_TABLE")} == {"gauge/gauge", "gauge/keep", "gauge/look"}


UP = "CREATE TABLE customers (id INT);\n"
DROPPED = [
    ("db/migrate/2_drop.rb", "class D < M\n  def up\n    drop_table :customers\n  end\n  def down\n    create_table :customers do |t|\n    end\n  end\nend\n"),
    ("db/migrate/10_drop.rb", "class D < M\n  def change\n    drop_table :customers\n  end\nend\n"),
    ("db/migrate/3.php", "<?php\nclass D extends M {\n  public function up() {\n    Schema::dropIfExists('customers');\n  }\n}\n"),
    ("db/migrate/V3__x.sql", "DROP TABLE IF EXISTS shop.customers;\n"),
    ("db/migrate/3.js", "exports.up = (knex) => knex.schema.dropTableIfExists('customers')\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text"), DROPPED)
def test_a_table_that_a_later_migration_drops_is_nobodys(graph, path, text):
    found = graph({"crm": {"db/migrate/1.sql": UP.replace("customers", "orders") + UP, path: text}})
    assert [row[2] for row in found.rows("OWNS_TABLE")] == ["crm/orders"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("db/migrate/0.sql", "DROP TABLE customers;\n"),  # before it was made
        ("db/migrate/2_more.rb", "class D < M\n  def up\n  end\n  def down\n    drop_table :customers\n  end\nend\n"),
        ("db/migrate/2.down.sql", "DROP TABLE customers;\n"),
        ("db/migrate/2.sql", "ALTER TABLE customers ADD COLUMN x INT;\n-- +goose Down\nDROP TABLE customers;\n"),
        ("db/migrate/2.sql", "DROP TABLE customers;\nCREATE TABLE customers (id BIGINT);\n"),
        ("tools/migrations/9.sql", "DROP TABLE customers;\n"),  # another series
    ],
)
def test_a_table_that_is_there_after_all_is_owned(graph, path, text):
    found = graph({"crm": {"db/migrate/1.sql": UP, path: text}})
    assert "crm/customers" in {row[2] for row in found.rows("OWNS_TABLE")}


def test_a_mapped_class_owns_the_table_that_nothing_creates(graph):
    found = graph(
        {
            "crm": {
                "models.py": MODEL
                + "    owner = ForeignKey('sales.owners.id')\n\n\nclass Owner:\n    __tablename__ = 'owners'\n"
            }
        }
    )
    assert [row[:3] for row in found.rows("OWNS_TABLE", "REFERENCES")] == [
        ("crm/Customer", "REFERENCES", "crm/owners"),
        ("crm/crm", "OWNS_TABLE", "crm/customers"),
        ("crm/crm", "OWNS_TABLE", "crm/owners"),
    ]


def test_what_a_service_runs_is_not_its_own_project(graph):
    build = "jobs:\n  b:\n    steps:\n    - run: docker push ghcr.io/acme/shop/till:1\n"
    run = "services:\n  till:\n    image: ghcr.io/acme/shop/till:1\n"
    assert not graph({"shop": {".github/workflows/b.yml": build, "compose.yml": run}}).rows("DEPLOYS")
    apart = graph({"shop": {".github/workflows/b.yml": build}, "ops": {"compose.yml": run}})
    assert [row[:3] for row in apart.rows("DEPLOYS")] == [("ops/till", "DEPLOYS", "shop/shop")]
