"""Train the model further on questions with the chunks that answer them.

    python -m weights.training.train SOURCE.onnx TOKENIZER.json EXAMPLES OUT.onnx [--minutes 48]

SOURCE is the authors' file, EXAMPLES what `examples.py` wrote. A batch is of one set: an answer has to be told from the
answers to its other questions and from chunks that BM25 ranks high. One batch in five is of pairs.

Paper: van den Oord, Li and Vinyals, Representation learning with contrastive predictive coding (2018), for the loss;
Wang et al., GPL (NAACL 2022), for training on questions that were written for a domain.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from weights.training.encoder import Encoder, read, write

_FROZEN = 6
_QUESTIONS, _OTHERS, _PAIRS = 32, 16, 48
_PAIRS_IN_ALL = 2_400
_WEIGHT_OF_PAIRS = 0.5
_TEMPERATURE = 0.02
_RATES = 4e-5, 4e-6
_WARMING = 20
_TOGETHER = 16
_TOKENS = {"query": 96, "answer": 176, "says": 40, "text": 96}

Row = dict[str, Any]


class Texts:
    """Texts as vectors, those of like length together so that padding costs little."""

    def __init__(self, encoder: Encoder, tokenizer: Tokenizer) -> None:
        self._encoder = encoder
        self._tokenizer = tokenizer

    def vectors(self, texts: Sequence[str], kind: str) -> torch.Tensor:
        """Unit vectors, (texts, 384)."""
        self._tokenizer.enable_truncation(max_length=_TOKENS[kind])
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
        found: dict[int, torch.Tensor] = {}
        for start in range(0, len(order), _TOGETHER):
            some = order[start : start + _TOGETHER]
            longest = max(len(ids[n]) for n in some)
            padded = torch.tensor([ids[n] + [0] * (longest - len(ids[n])) for n in some])
            mask = torch.tensor([[1] * len(ids[n]) + [0] * (longest - len(ids[n])) for n in some])
            found |= dict(zip(some, self._encoder(padded, mask), strict=True))
        return torch.stack([found[n] for n in range(len(ids))])


def batches(asked: Sequence[Row], pairs: Sequence[Row], rng: random.Random) -> Iterator[tuple[str, list[Any]]]:
    """Once all questions with each of their answers, and all pairs, in an order of chance."""
    by_set = defaultdict[str, list[tuple[Row, str]]](list)
    for row in asked:
        by_set[row["set"]] += [(row, answer) for answer in row["answers"]]
    found: list[tuple[str, list[Any]]] = []
    for some in by_set.values():
        rng.shuffle(some)
        found += [("questions", some[n : n + _QUESTIONS]) for n in range(0, len(some), _QUESTIONS)]
    found += [("pairs", list(pairs[n : n + _PAIRS])) for n in range(0, len(pairs), _PAIRS)]
    rng.shuffle(found)
    yield from found


def loss_of_questions(texts: Texts, batch: Sequence[tuple[Row, str]], rng: random.Random) -> torch.Tensor:
    """How badly each question's answer is told from the others; another answer to the same question is not compared."""
    others = [rng.choice(row["others"]) for row, _ in rng.sample(batch, min(_OTHERS, len(batch))) if row["others"]]
    chunks = [answer for _, answer in batch] + others
    also = torch.tensor(
        [[n != own and text in row["answers"] for n, text in enumerate(chunks)] for own, (row, _) in enumerate(batch)]
    )
    return _loss(texts.vectors([row["query"] for row, _ in batch], "query"), texts.vectors(chunks, "answer"), also)


def loss_of_pairs(texts: Texts, batch: Sequence[Row]) -> torch.Tensor:
    """The same for texts that belong together."""
    also = torch.tensor(
        [[a is not b and (a["query"] == b["query"] or a["text"] == b["text"]) for b in batch] for a in batch]
    )
    said = texts.vectors([row["query"] for row in batch], "says")
    return _WEIGHT_OF_PAIRS * _loss(said, texts.vectors([row["text"] for row in batch], "text"), also)


def _loss(asked: torch.Tensor, chunks: torch.Tensor, also: torch.Tensor) -> torch.Tensor:
    scores = (asked @ chunks.T / _TEMPERATURE).masked_fill(also, -1e4)
    return F.cross_entropy(scores, torch.arange(len(asked)))


def train(encoder: Encoder, texts: Texts, asked: Sequence[Row], pairs: Sequence[Row], minutes: float) -> None:
    """So many minutes of AdamW, with a rate that falls from the first to the second of `_RATES`."""
    rng = random.Random(2)
    optimizer = torch.optim.AdamW(encoder.trained(), lr=_RATES[0], weight_decay=0.01)
    began, step = time.monotonic(), 0
    while True:
        for kind, batch in batches(asked, pairs, rng):
            passed = (time.monotonic() - began) / 60 / minutes
            if passed >= 1:
                return
            step += 1
            rate = (_RATES[0] + (_RATES[1] - _RATES[0]) * passed) * min(1.0, step / _WARMING)
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = loss_of_questions(texts, batch, rng) if kind == "questions" else loss_of_pairs(texts, batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.trained(), 1.0)
            optimizer.step()
            print(f"{step:5} {kind:9} {loss.item():.3f}", flush=True)


def main() -> None:
    """Read the command line, train, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "tokenizer", "examples", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--minutes", type=float, default=48.0)
    given = parser.parse_args()
    torch.manual_seed(2)
    encoder = read(given.source, _FROZEN)
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    tokenizer.no_padding()
    asked, pairs = (
        [json.loads(line) for line in (given.examples / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in ("questions", "pairs")
    )
    train(encoder, Texts(encoder, tokenizer), asked, pairs[:_PAIRS_IN_ALL], given.minutes)
    write(encoder, given.source, given.out)


if __name__ == "__main__":
    main()
