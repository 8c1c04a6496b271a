"""Names that many things bear: common words and folders, which alone are no evidence, and the engines of stores and
brokers.

Who uses a database stores in it. Brokers are no stores: they pass on what they are given.
"""

from __future__ import annotations

import re
from typing import Final

_COMMON_WORDS: Final = """
    health status user users id db database api web app application service services main server client frontend backend
    gateway proxy worker cache redis postgres postgresql mysql mongo mongodb mariadb kafka rabbitmq
    zookeeper nginx test tests demo example data store admin ui site www host node master db1 queue broker elasticsearch
    type types name value item items event events message messages log logs config settings role roles session sessions
    migrations schema_version t
"""
COMMON_WORDS: Final = frozenset(_COMMON_WORDS.split())
"""Casefolded."""
_COMMON_FOLDERS: Final = """
    src main java kotlin resources docker dockerfiles container containers build ci deploy deployment deployments k8s
    kubernetes manifests base overlays config configs scripts tools db sql mysql postgres postgresql mongo redis
    initdb init migrations migration schema data app apps api web server client service services packages lib libs
    test tests example examples sample samples dev prod production development staging local image images infra helm
    charts templates cmd internal pkg bin common shared core utils docs github rust go golang dotnet csharp python
    nodejs bak old backup archive
"""
COMMON_FOLDERS: Final = frozenset(_COMMON_FOLDERS.split())
"""Folders that name no service by themselves."""
_ENGINES: Final = """
    postgres postgresql postgis pgvector timescaledb mysql mariadb percona mongo mongodb redis valkey keydb memcached
    memcache cassandra scylla elasticsearch opensearch dynamodb dynamodblocal couchdb couchbase cockroachdb cockroach
    mssql sqlserver oracle neo4j influxdb minio clickhouse qdrant weaviate milvus etcd rethinkdb arangodb alloydb
    cosmosdb
"""
ENGINES: Final = frozenset(_ENGINES.split())
BROKERS: Final = frozenset({"rabbitmq", "kafka", "nats", "activemq", "zookeeper", "pulsar", "mosquitto"})
WORDS: Final = frozenset({"db", "database", "store", "cache", "pgpool"})
_BESIDE: Final = """
    exporter ui express admin commander migration migrations migrator migrate init initializer operator proxy client
    backup seed seeder dashboard manager insight viewer setup job test populate loader connector
"""
BESIDE: Final = frozenset(_BESIDE.split())


def is_engine(name: str) -> bool:
    """Whether it is called as a database or broker itself, as a folder of code that speaks to one often is."""
    return name.lower() in ENGINES | BROKERS


def is_store(name: str, image: str = "") -> bool:
    """By its image, else its name: `accounts-db`, `redis-cart`; not what is beside one (`redis-exporter`)."""
    parts = re.split(r"[-_.]", name.lower())
    if BESIDE & set(parts):
        return False
    base = re.split(r"[:@]", image.rsplit("/", 1)[-1])[0].lower()
    first = re.split(r"[-_.]", base)
    if ENGINES & set(first) and not BESIDE & set(first):
        return True
    return bool(ENGINES & {parts[0], parts[-1]}) or parts[-1] in WORDS or parts[-1].endswith(("db", "-database"))
