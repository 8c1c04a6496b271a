"""Workflows and their activities."""

from __future__ import annotations

import pytest

CASES = [
    ("airflow", "a.py", "from airflow import DAG\nwith DAG('load_orders', schedule=None) as dag:\n    TriggerDagRunOperator(task_id='t', trigger_dag_id='ship_orders')\n",
     ["INVOKES load_orders @2", "INVOKES ship_orders @3"]),
    ("temporal in Go", "a.go", 'package a\nimport "go.temporal.io/sdk/workflow"\nfunc Flow(ctx workflow.Context) {\n workflow.ExecuteActivity(ctx, activities.ChargeCard, x)\n w.RegisterActivity(ChargeCard)\n}\n',
     ["PUBLISHES ChargeCard @4", "SUBSCRIBES ChargeCard @5"]),
    ("temporal in Python", "a.py", "from temporalio import activity, workflow\n@activity.defn\nasync def charge_card(x): ...\nasync def f():\n    await workflow.execute_activity(charge_card, 1)\n",
     ["SUBSCRIBES charge_card @2", "PUBLISHES charge_card @5"]),
    ("dagster", "a.py", "import dagster as dg\n@dg.asset\ndef daily_orders(): ...\n", ["INVOKES daily_orders @2"]),
    ("camunda", "A.java", 'import io.camunda.zeebe.x;\nclass A {\n @JobWorker(type = "charge-card")\n void f() {}\n}\n', ["SUBSCRIBES charge-card @3"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_workflows(stated, path, text, rows):
    assert stated("workflows", path, text) == sorted(rows)
