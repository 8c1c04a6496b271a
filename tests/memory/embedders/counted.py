"""A hosted model that counts its requests; in context a vector is (own length, length of all)."""

from __future__ import annotations

import anyio

from memory.embedders import RequestLimits
from memory.errors import ModelError


class Provider:
    """A `HostedModel`. Its vectors are the numbers they are made of, so divide by the first to read them."""

    dimension = 2
    model = "counted"

    def __init__(self, *, in_context=False, texts=4, tokens=1000, document_tokens=1000, broken=False):
        self.in_context = in_context
        self.limits = RequestLimits(texts, tokens, document_tokens)
        self.requests = []
        self.broken = broken
        self.at_once = self.most = self.closed = 0

    async def embed(self, documents, *, asked):
        assert not asked
        self.requests.append([list(document) for document in documents])
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await anyio.lowlevel.checkpoint()
        self.at_once -= 1
        if self.broken and len(self.requests) > 1:
            raise ModelError("out of reach")
        return [[len(text), sum(map(len, one))] for one in documents for text in one]

    def load_ahead(self):
        raise AssertionError

    async def warm_up(self):
        raise AssertionError

    async def close(self):
        self.closed += 1
