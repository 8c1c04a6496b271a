"""Not a model: a small HTTP server that speaks the documented JSON of Voyage's, Cohere's and OpenAI's APIs, for tests of what goes
over the wire and of what happens when it goes wrong.

    pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

    with ModelApi() as api:
        # Voyage:  base_url = api.voyage_url  (ends in /v1)     POST embeddings, contextualizedembeddings, rerank
        # Cohere:  base_url = api.cohere_url  (without /v2)     POST v2/embed, v2/rerank
        # OpenAI:  base_url = api.openai_url  (ends in /v1)     POST embeddings
        api.plan(status(429, retry_after="2"), TRUNCATED)
        ...
        assert [call.path for call in api.seen] == ["/v1/embeddings", ...]

Vectors are a bag of words (`FakeSource`) of unit length, the same on every machine, so that texts sharing words are near
each other; a chunk in the context of its document leans towards that by a tenth. A query and a document of one text have
one vector. The length is what the request asks for, else `dimensions[model]`, else 1024. A rerank score is the share of the
question's words that a document has. Keys are not looked at but with `key`. The limits of the documentation are kept
(Voyage 1,000 texts, 1,000 documents, 16,000 chunks; Cohere 96 texts, an input_type, one of its own dimensions; OpenAI 2,048 texts).

Planned answers come first, one a request, in the order they were planned: `status(code, retry_after=..., body=...)`,
`SLOW` (answers only when the block ends), `BROKEN` (closes the connection without an answer), `TRUNCATED` (half of the
right answer), `dimension(n)` (the right answer with vectors of n numbers), `short()` (one vector or score too few),
`ANSWER` (the right answer, to say which of several goes wrong). Every request is kept in `seen`, also those;
`connections` counts how often somebody connected.
For a connection that is refused: `refused_url()`.
"""

from __future__ import annotations

import base64
import json
import re
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from memory.embedders import FakeSource
from memory.text import expand
from tests.http_server import HttpServer, Reply, Request


@dataclass(frozen=True)
class Planned:
    """What is done with one request in place of answering it; see the functions and names below."""

    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    slow: bool = False
    broken: bool = False
    truncated: bool = False
    dimension: int | None = None
    fewer: int = 0


ANSWER = Planned()
SLOW = Planned(slow=True)
BROKEN = Planned(broken=True)
TRUNCATED = Planned(truncated=True)


def status(code: int, *, retry_after: str | None = None, body: bytes | None = None) -> Planned:
    """That status, with the JSON of an error unless a body is given."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Planned(code, headers, _error(f"planned {code}") if body is None else body)


def dimension(numbers: int) -> Planned:
    """The right answer, but with vectors of that many numbers."""
    return Planned(dimension=numbers)


def short() -> Planned:
    """The right answer without its last vector or score."""
    return Planned(fewer=1)


def refused_url() -> str:
    """An address of this machine at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}"


class Refusal(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """A request that the API would refuse, and its reason."""


@dataclass
class ModelApi(HttpServer):
    """`with ModelApi() as api:` - the addresses are `api.voyage_url`, `api.cohere_url` and `api.openai_url`."""

    key: str | None = None
    dimensions: dict[str, int] = field(default_factory=lambda: {"embed-multilingual-v2.0": 768})
    planned: list[Planned] = field(default_factory=list)
    seen: list[Request] = field(default_factory=list)

    def plan(self, *answers: Planned) -> None:
        """What the next requests are answered with, before the right answers come again."""
        self.planned.extend(answers)

    def paths(self) -> list[str]:
        """The requests' last path segments, in order."""
        return [call.path.rpartition("/")[2] for call in self.seen]

    def texts(self) -> list[str]:
        """Every text that was to be embedded, in the order they came."""
        return [text for call in self.seen for document in _documents(call.body) for text in document]

    def __enter__(self) -> Self:
        self._ended = threading.Event()
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        super().__exit__()

    @property
    def cohere_url(self) -> str:
        return self.url

    @property
    def voyage_url(self) -> str:
        return f"{self.url}/v1"

    @property
    def openai_url(self) -> str:
        return f"{self.url}/openai/v1"

    def reply(self, request: Request) -> Reply | None:
        with self.lock:
            self.seen.append(request)
            planned = self.planned.pop(0) if self.planned else ANSWER
        if planned.slow:
            self._ended.wait(30)
        if planned.slow or planned.broken:
            return None
        if planned.status is not None:
            return Reply(planned.status, planned.body, planned.headers)
        code, body = self.answer(request, planned)
        if planned.truncated:
            return Reply(code, body[: len(body) // 2], {"Content-Length": str(len(body))})
        return Reply(code, body)

    def answer(self, request: Request, planned: Planned) -> tuple[int, bytes]:
        """The status and the body that the API answers with."""
        if self.key is not None and request.key != self.key:
            return 401, _error("Provided API key is invalid.")
        routes: dict[str, Callable[[dict[str, Any], Planned], Any]] = {
            "/v1/embeddings": self._voyage_embeddings,
            "/v1/contextualizedembeddings": self._voyage_contextualized,
            "/v1/rerank": self._voyage_rerank,
            "/openai/v1/embeddings": self._openai_embeddings,
            "/v2/embed": self._cohere_embed,
            "/v2/rerank": self._cohere_rerank,
        }
        if request.path not in routes:
            return 404, _error("Not Found")
        try:
            return 200, json.dumps(routes[request.path](request.body, planned)).encode()
        except Refusal as refusal:
            return 400, _error(str(refusal))

    def _voyage_embeddings(self, body: dict[str, Any], planned: Planned) -> Any:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        _refuse(not texts or len(texts) > 1000, "The batch size limit is 1000.")
        _refuse(body.get("input_type") not in {None, "query", "document"}, "input_type is not valid.")
        vectors = self._vectors(texts, body, planned)
        return _voyage_list(_voyage_vectors(vectors, body, planned), body, texts)

    def _voyage_contextualized(self, body: dict[str, Any], planned: Planned) -> Any:
        documents = body["inputs"]
        _refuse(not documents or len(documents) > 1000, "The limit is 1000 inputs.")
        _refuse(sum(map(len, documents)) > 16_000, "The limit is 16000 chunks.")
        _refuse(body.get("input_type") == "query" and any(len(one) > 1 for one in documents), "A query is one text.")
        data = []
        for index, chunks in enumerate(documents):
            own = self._vectors(chunks, body, planned)
            leaning = own + 0.1 * own.mean(axis=0) if len(chunks) > 1 else own
            vectors = leaning / np.linalg.norm(leaning, axis=1, keepdims=True)
            last = planned if index == len(documents) - 1 else ANSWER
            data.append({"object": "list", "data": _voyage_vectors(vectors, body, last), "index": index})
        return _voyage_list(data, body, [text for chunks in documents for text in chunks])

    def _voyage_rerank(self, body: dict[str, Any], planned: Planned) -> Any:
        documents = body["documents"]
        _refuse(not documents or len(documents) > 1000, "The number of documents cannot exceed 1000.")
        scores = _ranked(body["query"], documents)[: len(documents) - planned.fewer]
        return _voyage_list([{"relevance_score": score, "index": index} for index, score in scores], body, documents)

    def _cohere_embed(self, body: dict[str, Any], planned: Planned) -> Any:
        texts = body.get("texts") or []
        _refuse(not texts or len(texts) > 96, "invalid request: total number of texts must be at most 96")
        _refuse("input_type" not in body, "invalid request: input_type is required")
        _refuse(body.get("embedding_types") != ["float"], "only float is spoken here")
        vectors = self._vectors(texts, body, planned).tolist()
        return {
            "id": "0",
            "embeddings": {"float": vectors[: len(vectors) - planned.fewer]},
            "texts": texts,
            "meta": {"api_version": {"version": "2"}, "billed_units": {"input_tokens": _tokens(texts)}},
            "response_type": "embeddings_by_type",
        }

    def _cohere_rerank(self, body: dict[str, Any], planned: Planned) -> Any:
        scores = _ranked(body["query"], body["documents"])[: len(body["documents"]) - planned.fewer]
        results = [{"index": index, "relevance_score": score} for index, score in scores]
        return {"id": "0", "results": results, "meta": {"api_version": {"version": "2"}}}

    def _openai_embeddings(self, body: dict[str, Any], planned: Planned) -> Any:
        texts = body["input"]
        _refuse(not texts or len(texts) > 2048, "input array must be 2048 dimensions or less")
        _refuse(body.get("encoding_format") != "float", "only float is spoken here")
        vectors = self._vectors(texts, body | {"output_dimension": body.get("dimensions")}, planned).tolist()
        data = [{"object": "embedding", "embedding": one, "index": index} for index, one in enumerate(vectors)]
        kept = data[: len(data) - planned.fewer][::-1]  # the order is that of `index`
        tokens = _tokens(texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return {"object": "list", "data": kept, "model": body["model"], "usage": usage}

    def _vectors(self, texts: Sequence[str], body: dict[str, Any], planned: Planned) -> Any:
        asked = body.get("output_dimension") or self.dimensions.get(body["model"], 1024)
        return FakeSource(planned.dimension or asked).load()(texts)


def _voyage_vectors(vectors: Any, body: dict[str, Any], planned: Planned) -> list[dict[str, Any]]:
    def written(vector: Any) -> Any:
        if body.get("encoding_format") == "base64":
            return base64.b64encode(vector.astype("<f4").tobytes()).decode()
        return vector.tolist()

    kept = vectors[: len(vectors) - planned.fewer]
    return [{"object": "embedding", "embedding": written(one), "index": index} for index, one in enumerate(kept)]


def _voyage_list(data: list[dict[str, Any]], body: dict[str, Any], texts: Sequence[str]) -> Any:
    return {"object": "list", "data": data, "model": body["model"], "usage": {"total_tokens": _tokens(texts)}}


def _ranked(query: str, documents: Sequence[str]) -> list[tuple[int, float]]:
    asked = _words(query)
    scores = [len(asked & _words(text)) / max(1, len(asked)) for text in documents]
    return sorted(enumerate(scores), key=lambda one: -one[1])


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", expand(text).casefold()))


def _documents(body: dict[str, Any]) -> list[list[str]]:
    if "inputs" in body:
        return list(body["inputs"])
    texts = body.get("input") or body.get("texts") or []
    return [[texts] if isinstance(texts, str) else texts]


def _tokens(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)


def _error(said: str) -> bytes:
    return json.dumps({"detail": said, "message": said}).encode()  # Voyage says it in the one, Cohere in the other


def _refuse(wrong: object, why: str) -> None:
    if wrong:
        raise Refusal(why)
