"""Which services are databases: who uses them stores in them. Brokers are none: they pass on what they are given."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_engine", "is_store"]

_ENGINES: Final = """
    postgres postgresql postgis pgvector timescaledb mysql mariadb percona mongo mongodb redis valkey keydb memcached
    memcache cassandra scylla elasticsearch opensearch dynamodb dynamodblocal couchdb couchbase cockroachdb cockroach mssql
    sqlserver oracle neo4j influxdb minio clickhouse qdrant weaviate milvus etcd rethinkdb arangodb alloydb cosmosdb
"""
ENGINES: Final = frozenset(_ENGINES.split())
BROKERS: Final = frozenset({"rabbitmq", "kafka", "nats", "activemq", "zookeeper", "pulsar", "mosquitto"})
WORDS: Final = frozenset({"db", "database", "store", "cache", "pgpool"})
_BESIDE: Final = """
    exporter ui express admin commander migration migrations migrator migrate init initializer operator proxy client backup
    seed seeder dashboard manager insight viewer setup job test populate loader connector
"""
BESIDE: Final = frozenset(_BESIDE.split())


def is_engine(name: str) -> bool:
    """Whether it is called as a database or broker itself, as a folder of code that speaks to one often is."""
    return name.lower() in ENGINES | BROKERS


def is_store(name: str, image: str = "") -> bool:
    """By its image, else by what it is called: `accounts-db`, `redis-cart`; not what stands beside one (`redis-exporter`)."""
    parts = re.split(r"[-_.]", name.lower())
    if BESIDE & set(parts):
        return False
    base = re.split(r"[:@]", image.rsplit("/", 1)[-1])[0].lower()
    first = re.split(r"[-_.]", base)
    if ENGINES & set(first) and not BESIDE & set(first):
        return True
    return bool(ENGINES & {parts[0], parts[-1]}) or parts[-1] in WORDS or parts[-1].endswith(("db", "-database"))
