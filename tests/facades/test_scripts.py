"""Each face from a fresh script, as its specification's examples show it, over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys

import pytest

from tests.facades.shelves import BOOK, TEXTBOOK, fill_server
from tests.memory.vector.edge_http_front import EdgeHttpFront
from tests.model_api import ModelApi

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.slow]


@pytest.fixture
def api():
    with ModelApi(key="cohere-key", dimensions={"multilingual-22-12": TEXTBOOK}) as api:
        yield api


def script(program, folder, **environ):
    """What it prints, a line of JSON each, run in a folder of its own, whose `.env` holds the keys."""
    return [json.loads(line) for line in printed(["-c", program], folder, **environ).splitlines()]


def printed(arguments, folder, **environ):
    """What an interpreter with these arguments prints there."""
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in environ.items()), encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if name not in {"COHERE_API_KEY", "QDRANT_URL"}}
    inherited["PYTHONPATH"] = os.getcwd()  # noqa: PTH109 - of the interpreter's search path
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, *arguments], capture_output=True, text=True, cwd=folder, env=inherited, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


TEXTBOOK_SCRIPT = """
import json
from facades.textbook import embed_query, format_results, retrieve, search_qdrant, test_retrieval

embedding = embed_query("What is a digital twin?")
print(len(embedding))
results = search_qdrant(embedding, k=3)
print(json.dumps([len(results) <= 3, results[0].score >= results[1].score]))
print(json.dumps(list(format_results(results, "test query", 5))))
response = retrieve("What is a digital twin in robotics?", k=3)
if 'error' not in response:
    print(response['total_results'])
print(json.dumps(response))
print(json.dumps(retrieve("", k=5)))
test_retrieval()
"""


@pytest.mark.specification("002 §1 embed_query", "002 §2 search_qdrant", "002 §3 format_results", "002 §4 retrieve")
@pytest.mark.specification("002 §2 collection", "002 §2 payload", "002 §2 ordered", "002 §5 happy path")
def test_the_examples_of_002(api, tmp_path):
    with EdgeHttpFront(str(tmp_path / "shard"), collection="rag_embeddings") as front:
        asyncio.run(fill_server(front.url, "cohere-textbook", "textbook", TEXTBOOK))
        front.seen.clear()
        dimension, ordered, keys, total, response, empty = script(
            TEXTBOOK_SCRIPT,
            tmp_path,
            COHERE_API_KEY="cohere-key",
            QDRANT_URL=front.url,
            HYBRID_RETRIEVAL_HOSTED__BASE_URL=api.cohere_url,
        )
        searched = {seen.path for seen in front.seen if "query" in seen.path}
    assert (dimension, ordered, total) == (768, [True, True], 3)
    assert keys == ["query", "k", "results", "total_results", "timestamp"]
    assert response["results"][0]["url"] == "module-02-simulation/digital-twin.md"
    assert (empty["error"], empty["code"]) == ("Query cannot be empty", "INVALID_INPUT")
    assert searched == {"/collections/rag_embeddings/points/query/batch"}
    assert {call.body["model"] for call in api.seen} == {"multilingual-22-12"}


BOOK_SCRIPT = """
import json
import os

from dotenv import load_dotenv

from facades.book import RetrievalPipeline

load_dotenv(".env")
pipeline = RetrievalPipeline.from_env()
response = pipeline.query("What is ROS2?", top_k=3, similarity_threshold=0.5)
for result in response.results:
    print(json.dumps([result.rank, result.similarity_score, result.source_file]))
for wrong in ("", "   "):
    try:
        pipeline.query(wrong)
    except ValueError as error:
        print(json.dumps(str(error)))
away = RetrievalPipeline(os.environ["COHERE_API_KEY"], "http://127.0.0.1:1", "", embedder=pipeline._library.embedder)
try:
    away.query("What is ROS2?")
except ConnectionError as error:
    print(json.dumps(type(error).__name__))
"""


@pytest.mark.specification("004 §3 query", "004 §5 configuration", "004 §7 quickstart")
def test_the_examples_of_004(api, tmp_path):
    with EdgeHttpFront(str(tmp_path / "shard"), collection="physicalai") as front:
        asyncio.run(fill_server(front.url, "cohere-book", "book", BOOK))
        environ = {
            "COHERE_API_KEY": "cohere-key",
            "QDRANT_URL": front.url,
            "QDRANT_API_KEY": "",
            "QDRANT_COLLECTION": "physicalai",
            "EMBEDDING_MODEL": "embed-multilingual-v3.0",
            "HYBRID_RETRIEVAL_HOSTED__BASE_URL": api.cohere_url,
        }
        *results, empty, blank, refused = script(BOOK_SCRIPT, tmp_path, **environ)
        command = ["-m", "hybrid_retrieval.facades.book", "What is ROS2?", "--top-k", "3", "--format", "json"]
        document = json.loads(printed(command, tmp_path, **environ))
    assert [rank for rank, _, _ in results] == [1, 2, 3]
    assert results[0][2].startswith("module-01-ros2/")
    assert (empty, blank) == ("The question is empty. Ask something.",) * 2
    assert refused == "QdrantConnectionError"
    told = [[one["rank"], one["similarity_score"], one["source_file"]] for one in document["results"]]
    assert told == results
    assert document["execution_time_ms"] > 0
