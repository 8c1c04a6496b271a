"""Models of a few numbers, written as files that the real runtime loads: ONNX as protocol buffers, by hand.

https://github.com/onnx/onnx/blob/main/onnx/onnx.proto has the numbers of the fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_FLOAT, _INT64 = 1, 7


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _data(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _node(kind: str, inputs: Sequence[str], output: str, attributes: Mapping[str, int | list[int]]) -> bytes:
    body = b"".join(_data(1, name) for name in inputs) + _data(2, output) + _data(4, kind)
    for name, value in attributes.items():
        held = _number(3, value) if isinstance(value, int) else b"".join(_number(8, one) for one in value)
        body += _data(5, _data(1, name) + held + _number(20, 2 if isinstance(value, int) else 7))
    return body


def _tensor(name: str, array: np.ndarray) -> bytes:
    kind = _INT64 if array.dtype == np.int64 else _FLOAT
    dims = b"".join(_number(1, size) for size in array.shape)
    return dims + _number(2, kind) + _data(8, name) + _data(9, array.tobytes())


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    dims = b"".join(_data(1, _number(1, one) if isinstance(one, int) else _data(2, one)) for one in shape)
    return _data(1, name) + _data(2, _data(1, _number(1, kind) + _data(2, dims)))


def _write(folder: Path, file: str, nodes: Sequence[bytes], weights: Sequence[bytes], values: Sequence[bytes]) -> Path:
    *inputs, output = values
    graph = b"".join(_data(1, node) for node in nodes) + _data(2, "tiny") + b"".join(_data(5, one) for one in weights)
    graph += b"".join(_data(11, one) for one in inputs) + _data(12, output)
    target = folder / file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(_number(1, 8) + _data(7, graph) + _data(8, _data(1, "") + _number(2, 17)))
    return folder


def _tokenizer(folder: Path, words: Sequence[str]) -> list[str]:
    """A tokenizer that knows these words; returns its vocabulary, the special tokens first."""
    vocabulary = [*SPECIAL, *words]
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    special = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", special)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512, "pad_token": "[PAD]"}))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    return vocabulary


def _rows(vocabulary: Sequence[str], given: Mapping[str, Sequence[float]], width: int) -> np.ndarray:
    nothing = [0.0] * width
    return np.array([given.get(word, nothing) for word in vocabulary], dtype=np.float32)


def tiny_text_model(folder: Path, words: Mapping[str, Sequence[float]], *, pooled: bool = False) -> Path:
    """A dense model, whose one hidden state is the sum of the words' rows; `pooled`: the vector itself, as CLIP gives it."""
    vocabulary = _tokenizer(folder, list(words))
    width = len(next(iter(words.values())))
    table = _rows(vocabulary, words, width)
    nodes = [
        _node("Gather", ["table", "input_ids"], "rows", {"axis": 0}),
        _node("ReduceSum", ["rows", "along"], "last_hidden_state", {"keepdims": 0 if pooled else 1}),
    ]
    weights = [_tensor("table", table), _tensor("along", np.array([1], dtype=np.int64))]
    values = [
        _value("input_ids", _INT64, ["batch", "tokens"]),
        _value("last_hidden_state", _FLOAT, ["batch", width] if pooled else ["batch", 1, width]),
    ]
    return _write(folder, "model.onnx", nodes, weights, values)


def tiny_splade(folder: Path, expansions: Mapping[str, Mapping[str, float]]) -> Path:
    """A sparse model: a word's logits are what `expansions` gives it, -1 elsewhere."""
    words = list(dict.fromkeys([*expansions, *(word for row in expansions.values() for word in row)]))
    vocabulary = _tokenizer(folder, words)
    rows = {word: [given.get(other, -1.0) for other in vocabulary] for word, given in expansions.items()}
    table = _rows(vocabulary, rows, len(vocabulary))
    nodes = [_node("Gather", ["table", "input_ids"], "logits", {"axis": 0})]
    values = [
        _value("input_ids", _INT64, ["batch", "tokens"]),
        _value("logits", _FLOAT, ["batch", "tokens", len(vocabulary)]),
    ]
    return _write(folder, "model.onnx", nodes, [_tensor("table", table)], values)


def tiny_cross_encoder(folder: Path, logits: Mapping[str, float]) -> Path:
    """A cross-encoder: the logit of a pair is the sum of its words'."""
    vocabulary = _tokenizer(folder, list(logits))
    table = _rows(vocabulary, {word: [value] for word, value in logits.items()}, 1)
    nodes = [
        _node("Gather", ["table", "input_ids"], "rows", {"axis": 0}),
        _node("ReduceSum", ["rows", "along"], "logits", {"keepdims": 0}),
    ]
    weights = [_tensor("table", table), _tensor("along", np.array([1], dtype=np.int64))]
    values = [_value("input_ids", _INT64, ["batch", "tokens"]), _value("logits", _FLOAT, ["batch", 1])]
    return _write(folder, "onnx/model.onnx", nodes, weights, values)


def tiny_image_model(folder: Path, size: int = 8) -> Path:
    """An image model: the average of red, green and blue, 0..1, as three numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    configuration = {
        "image_processor_type": "CLIPImageProcessor",
        "do_resize": True,
        "size": {"shortest_edge": size},
        "resample": 3,
        "do_center_crop": True,
        "crop_size": {"height": size, "width": size},
        "do_convert_rgb": True,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": False,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(configuration))
    nodes = [_node("ReduceMean", ["pixel_values"], "image_embeds", {"axes": [2, 3], "keepdims": 0})]
    values = [
        _value("pixel_values", _FLOAT, ["batch", 3, "height", "width"]),
        _value("image_embeds", _FLOAT, ["batch", 3]),
    ]
    return _write(folder, "model.onnx", nodes, [], values)
