"""The model as torch trains it: a BERT of twelve layers, read from its ONNX file and written back into it.

Paper: Devlin, Chang, Lee and Toutanova, BERT (NAACL 2019). The vector of a text is the state of its first token.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import Tensor, nn

_SIZE, _INNER, _HEADS, _LAYERS, _WORDS = 384, 1536, 12, 12, 30_522
_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "grow": "intermediate.dense",
    "shrink": "output.dense",
}
_NORMS = {"first_norm": "attention.output.LayerNorm", "second_norm": "output.LayerNorm"}


class Layer(nn.Module):
    """Attention over the tokens, then two dense layers, each added to what came in and normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(_SIZE, _SIZE) for _ in range(4))
        self.grow, self.shrink = nn.Linear(_SIZE, _INNER), nn.Linear(_INNER, _SIZE)
        self.first_norm, self.second_norm = nn.LayerNorm(_SIZE, eps=1e-12), nn.LayerNorm(_SIZE, eps=1e-12)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """states: (texts, tokens, 384); mask: (texts, 1, 1, tokens), True where there is a token."""
        texts, tokens, _ = states.shape

        def heads(of: Tensor) -> Tensor:
            return of.view(texts, tokens, _HEADS, _SIZE // _HEADS).transpose(1, 2)

        mixed = F.scaled_dot_product_attention(
            heads(self.query(states)), heads(self.key(states)), heads(self.value(states)), attn_mask=mask
        )
        states = self.first_norm(states + self.output(mixed.transpose(1, 2).reshape(texts, tokens, _SIZE)))
        return self.second_norm(states + self.shrink(F.gelu(self.grow(states))))


class Encoder(nn.Module):
    """Texts as unit vectors. `frozen`: how many layers, with the embeddings below them, are not trained."""

    def __init__(self, frozen: int) -> None:
        super().__init__()
        self.frozen = frozen
        self.words, self.places = nn.Embedding(_WORDS, _SIZE), nn.Embedding(512, _SIZE)
        self.kinds, self.norm = nn.Embedding(2, _SIZE), nn.LayerNorm(_SIZE, eps=1e-12)
        self.layers = nn.ModuleList([Layer() for _ in range(_LAYERS)])

    def trained(self) -> list[nn.Parameter]:
        return [parameter for layer in self.layers[self.frozen :] for parameter in layer.parameters()]

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """ids: token ids, 0 where a text has ended; mask: 1 where there is a token; both (texts, tokens)."""
        attended = mask[:, None, None, :].bool()
        with torch.no_grad():
            states = self.norm(self.words(ids) + self.places.weight[: ids.shape[1]][None] + self.kinds.weight[0])
            for layer in self.layers[: self.frozen]:
                states = layer(states, attended)
        for layer in self.layers[self.frozen :]:
            states = layer(states, attended)
        return F.normalize(states[:, 0], dim=-1)


def read(file: Path, frozen: int) -> Encoder:
    """The encoder with the weights of the authors' `model.onnx`."""
    model = onnx.load(str(file))
    encoder = Encoder(frozen)
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    state = {}
    for name, tensor, turned in _names(model):
        array = numpy_helper.to_array(tensors[tensor])
        state[name] = torch.tensor(np.ascontiguousarray(array.T if turned else array))
    encoder.load_state_dict(state)
    return encoder


def write(encoder: Encoder, source: Path, file: Path) -> None:
    """`source` with the encoder's weights in place of its own, as `file`."""
    model = onnx.load(str(source))
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    state = encoder.state_dict()
    for name, tensor, turned in _names(model):
        array = state[name].numpy().T if turned else state[name].numpy()
        tensors[tensor].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(array, dtype=np.float32), tensor))
    onnx.save(model, str(file))


def _names(model: onnx.ModelProto) -> Iterator[tuple[str, str, bool]]:
    """The encoder's name of each weight, that in the file, and whether the file has rows and columns the other way."""
    for name, part in (("words", "word"), ("places", "position"), ("kinds", "token_type")):
        yield f"{name}.weight", f"embeddings.{part}_embeddings.weight", False
    for end in ("weight", "bias"):
        yield f"norm.{end}", f"embeddings.LayerNorm.{end}", False
    products = _products(model)
    for layer in range(_LAYERS):
        for name, part in _PARTS.items():
            bias = f"encoder.layer.{layer}.{part}.bias"
            yield f"layers.{layer}.{name}.bias", bias, False
            yield f"layers.{layer}.{name}.weight", products[bias], True
        for name, part in _NORMS.items():
            for end in ("weight", "bias"):
                yield f"layers.{layer}.{name}.{end}", f"encoder.layer.{layer}.{part}.{end}", False


def _products(model: onnx.ModelProto) -> dict[str, str]:
    """The matrix, which has no telling name in the file, before each bias that is added to its product."""
    tensors = {tensor.name for tensor in model.graph.initializer}
    made_by = {output: node for node in model.graph.node for output in node.output}
    found = {}
    for node in model.graph.node:
        for bias, product in (node.input[:2], node.input[1::-1]) if node.op_type == "Add" else ():
            if bias in tensors and product in made_by and made_by[product].op_type == "MatMul":
                found.update((bias, matrix) for matrix in made_by[product].input if matrix in tensors)
    return found
