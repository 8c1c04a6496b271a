"""Kubernetes manifests and Helm templates.

Templates made readable.
"""

from __future__ import annotations

import pytest

from extraction.rules import Source
from extraction.rules.kubernetes import Kubernetes, without_templates

CART = """\
# cart
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cartservice
spec:
  template:
    spec:
      initContainers:
      - name: wait
        command: ["sh", "-c", "nc frontend:80"]
      containers:
      - name: server
        image: shop/cart:1
        args:
        - --tracing=http://zipkin:9411
        ports:
        - containerPort: 7070
        env:
        - name: REDIS_ADDR
          value: "redis-cart:6379"
        - name: MODE
          value: fast
        - name: LEDGER_ADDR
          valueFrom:
            configMapKeyRef:
              name: addresses
              key: LEDGER
        envFrom:
        - configMapRef:
            name: common
---
apiVersion: v1
kind: Service
metadata:
  name: cartservice
spec:
  selector: {app: cartservice}
  ports: [{port: 7070}]
---
apiVersion: v1
kind: Service
metadata:
  name: cart-external
spec:
  selector: {app: cartservice}
  ports: [{port: 80}]
---
broken: [
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: addresses
data:
  LEDGER: ledger:8080
  DB_URI: postgresql://me:word@ledger-db/x
  SCRIPT: |
    echo http://nowhere:80
    exit
"""


def find(text, path="k8s/cart.yaml"):
    return Kubernetes().find(Source(path, text, "shop"))


def test_workloads_and_the_services_that_lead_to_them():
    found = find(CART)
    assert [(d.name, d.start_line, d.end_line, d.summary) for d in found.definitions] == [
        ("cartservice", 2, 31, "Deployment; image shop/cart:1; ports 7070"),
        ("cart-external", 41, 47, "Service; ports 80"),
    ]
    assert [
        (c.kind, c.key, c.entity, c.value) for c in found.clues if c.side == "provides" and "service" in c.kind
    ] == [
        ("service", "cartservice", "cartservice", "workload"),
        ("service", "cartservice", "cartservice", "address"),
        ("service", "cart-external", "cart-external", "address"),
        ("service alias", "cart-external", "", "cartservice"),
    ]
    assert found.recognised == "kubernetes"


def test_what_a_workload_is_given():
    found = find(CART)
    assert [(c.kind, c.key, c.value, c.line) for c in found.clues if c.side == "needs"] == [
        ("image", "shop/cart", "cart", 14),
        ("service", "redis-cart", "", 21),
        ("settings", "addresses/LEDGER", "LEDGER_ADDR", 27),
        ("settings", "common/", "", 31),
        ("service", "zipkin", "", 16),
        ("service", "frontend", "", 11),
    ]
    assert [(c.key, c.value, c.relation) for c in found.clues if c.kind == "settings" and c.side == "provides"] == [
        ("addresses/LEDGER", "ledger", "CALLS"),
        ("addresses/DB_URI", "ledger-db", "STORES_IN"),
    ]
    assert "word" not in repr(found)


def test_a_patch_and_a_service_without_ports_define_nothing():
    patch = "apiVersion: v1\nkind: Service\nmetadata: {name: ignored}\nspec: {type: ClusterIP}\n"
    gone = "apiVersion: apps/v1\nkind: Deployment\n$patch: delete\nmetadata: {name: cart}\n"
    assert not list(find(patch).definitions)
    assert not list(find(gone).definitions)


def test_a_list_and_a_cron_job():
    text = (
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: batch/v1\n  kind: CronJob\n  metadata: {name: nightly}\n"
        "  spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: postgres:16}]}}}}}\n"
    )
    found = find(text)
    assert [d.name for d in found.definitions] == ["nightly"]
    assert [c.relation for c in found.clues] == ["STORES_IN"]


def test_a_template_is_read_and_said_to_be_one():
    text = (
        "{{- if .Values.cart.create }}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n"
        "  name: {{ .Values.cart.name }}\nspec:\n  template:\n    spec:\n      containers:\n"
        "      - image: {{ .Values.images.repository }}/{{ .Values.cart.name }}:{{ .Values.tag }}\n        env:\n"
        '        - name: PAY_ADDR\n          value: "{{ .Values.payService.name }}:50051"\n{{- end }}\n'
    )
    found = find(text, "chart/templates/cart.yaml")
    assert [(d.name, d.summary) for d in found.definitions] == [("cart", "Deployment; image cart")]
    assert [(c.key, c.line) for c in found.clues if (c.kind, c.side) == ("service", "needs")] == [("payservice", 13)]
    assert found.recognised == "helm"


def test_what_is_none():
    assert Kubernetes().reads("a/b.YAML")
    assert find("a: 1\n") is None
    assert find("apiVersion: [\nkind: x\n") is None
    assert find("kind: Deployment\napiVersion: v1\n").clues == []


def deployed(name, metadata):
    head = f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\n"
    return f"{head}spec: {{template: {{metadata: {metadata}, spec: {{containers: [{{name: a, image: a}}]}}}}}}\n"


def test_a_version_of_a_service_is_the_service():
    rows = {
        "reviews-v2": "{labels: {app: reviews, version: v2}}",
        "reviews-db": "{labels: {app: reviews}}",
        "stars": "{labels: {app: reviews, version: v2}}",
    }
    found = {name: Kubernetes().find(Source("k.yaml", deployed(name, said))) for name, said in rows.items()}
    assert {name: [d.name for d in one.definitions] for name, one in found.items()} == {
        "reviews-v2": ["reviews"],
        "reviews-db": ["reviews-db"],
        "stars": ["stars"],
    }
    hosts = [(c.key, c.entity) for c in found["reviews-v2"].clues if c.kind == "service"]
    assert hosts == [("reviews", "reviews"), ("reviews-v2", "reviews")]


def test_an_app_id_is_another_name():
    found = Kubernetes().find(Source("k.yaml", deployed("shop-till", '{annotations: {dapr.io/app-id: "till"}}')))
    assert [(c.key, c.entity) for c in found.clues if c.kind == "service"] == [
        ("shop-till", "shop-till"),
        ("till", "shop-till"),
    ]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("name: {{ .Values.cartService.name }}", "name: cartService"),
        ("name: {{ .Release.Name }}-cart", "name: cart"),
        ('name: {{ include "shop.fullname" . }}-cart', "name: shop-cart"),
        ('host: {{ .Values.host | default "till" }}', "host: till"),
        ("image: {{ .Values.image }}:{{ .Values.tag }}", "image: _:_"),
        ("{{- if .Values.a }}", ""),
        ("  - {{ toYaml .Values.a | nindent 2 }}", ""),
        ("{{/* a\nb */}}x", "\nx"),
    ],
)
def test_what_names_something_stays_and_what_steers_goes(line, plain):
    assert without_templates(line) == plain
