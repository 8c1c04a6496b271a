"""Routes, packages and grants of other stacks."""

from __future__ import annotations

import pytest

PHOENIX = 'defmodule Shop.Router do\n  scope "/api" do\n    get "/orders/:id", OrderController, :show\n  end\nend\n'
PLAY = "GET   /orders      controllers.Orders.all\nPOST  /orders/:id  controllers.Orders.change(id: String)\n"
MIX = "defmodule A do\n  [app: :orders,\n  app: :orders]\n  [\n    {:stock, in_umbrella: true},\n  ]\nend\n"
PUB = "name: shop\ndependencies:\n  stock: ^1.0.0\n"
CDK = (
    "import { Queue } from 'aws-cdk-lib/aws-sqs';\nconst placed = new Queue(this, 'Placed', { queueName: `placed-${stage}` });\n"
    "till.addEventSource(new SqsEventSource(placed, { batchSize: 1 }));\nplaced.grantSendMessages(shop);\n"
)
CASES = [
    ("http", "lib/router.ex", PHOENIX, ["EXPOSES /api/orders/{} @3"]),
    ("http", "conf/routes", PLAY, ["EXPOSES /orders @1", "EXPOSES /orders/{} @2"]),
    ("packages", "apps/orders/mix.exs", MIX, ["DEPENDS_ON orders @3", "DEPENDS_ON stock @5"]),
    ("packages", "pubspec.yaml", PUB, ["DEPENDS_ON shop @1", "DEPENDS_ON stock @3"]),
    ("infrastructure", "lib/a.ts", CDK, ["NAMES placed @2", "PUBLISHES placed @4", "SUBSCRIBES placed @3"]),
    ("stores", "a.py", "class Order:\n    who = db.ForeignKey('people.id')\n", ["REFERENCES people @2"]),
    (
        "clients",
        "a.dart",
        "import 'package:http/http.dart';\nf() => http.get('https://orders/api/open');\n",
        ["INVOKES /api/open @2"],
    ),
    ("clients", "a.ex", 'Finch.build(:get, "https://orders/api/open")\n', ["INVOKES /api/open @1"]),
]


@pytest.mark.parametrize(("kind", "path", "text", "rows"), CASES, ids=[case[1] for case in CASES])
def test_it_states(stated, kind, path, text, rows):
    assert stated(kind, path, text) == rows
