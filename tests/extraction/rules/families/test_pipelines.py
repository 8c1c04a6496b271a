"""Data pipelines: which tables a model or a job reads and writes."""

from __future__ import annotations

import pytest

CASES = [
    ("dbt", "models/marts/daily_orders.sql", "select *\nfrom {{ ref('stg_orders') }} o\njoin {{ source('shop', 'payments') }} p using (id)\n",
     ["OWNS_TABLE daily_orders @1", "USES_TABLE stg_orders @2", "USES_TABLE payments @3"]),
    ("dbt's sources", "models/sources.yml", "sources:\n  - name: shop\n    tables:\n      - name: payments\n", ["OWNS_TABLE payments @4"]),
    ("spark", "a.py", "from pyspark.sql import SparkSession\ndf = spark.read.table('shop.orders')\ndf.write.mode('append').saveAsTable('shop.totals')\n",
     ["USES_TABLE orders @2", "USES_TABLE totals @3"]),
    ("spark's streams", "A.scala", 'import org.apache.spark.sql.SparkSession\nobject A { val d = spark.readStream.format("kafka").option("subscribe", "order-events").load() }\n',
     ["SUBSCRIBES order-events @2"]),
    ("beam", "a.py", "import apache_beam as beam\np | beam.io.ReadFromPubSub(topic='projects/x/topics/orders') | beam.io.WriteToBigQuery('shop.totals')\n",
     ["SUBSCRIBES projects/x/topics/orders @2", "USES_TABLE totals @2"]),
    ("asyncapi", "asyncapi.yaml", "asyncapi: 2.6.0\nchannels:\n  order/placed:\n    subscribe:\n      operationId: on\n", ["PUBLISHES order/placed @3"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_pipelines(stated, path, text, rows):
    assert stated("pipelines", path, text) == sorted(rows)
