"""OpenAPI and Swagger."""

from __future__ import annotations

from extraction.rules import Source
from extraction.rules.interfaces import OpenApi

YAML = """openapi: 3.0.3
servers: [{url: "https://pay.example.com/v1"}]
paths:
  /charges/{id}:
    parameters: []
    post:
      operationId: createCharge
      summary: Charge once
      responses:
        "200":
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Receipt"
              examples: [{$ref: "#/x/Receipt"}]
"""
JSON = '{\n  "swagger": "2.0",\n  "basePath": "/api",\n  "paths": {\n    "/orders": {\n      "get": {}\n    }\n  }\n}\n'


def test_an_endpoint_for_each_path_and_method():
    found = OpenApi().find(Source("openapi.yaml", YAML))
    assert [(d.name, d.start_line, d.end_line, d.summary) for d in found.definitions] == [
        ("POST /v1/charges/{id}", 6, 15, "createCharge; Charge once; schemas Receipt")
    ]
    assert [(c.key, c.value, c.line, c.says) for c in found.clues] == [
        ("/v1/charges/{}", "POST", 6, "POST /v1/charges/{id}")
    ]


def test_swagger_in_json():
    assert [d.name for d in OpenApi().find(Source("api.json", JSON)).definitions] == ["GET /api/orders"]


def test_what_is_none():
    rule = OpenApi()
    assert rule.reads("api/openapi.yaml")
    assert not any(map(rule.reads, ("tests/api.yaml", "examples/spec.yaml", "a.py", "node_modules/a.json")))
    assert rule.find(Source("a.yaml", "a: 1\n")) is None
    assert rule.find(Source("a.yaml", "openapi: 3.0.0\npaths: {}\n")) is None
