"""SPLADE on a model of a few words, built here: what the formula gives, and that fastembed gives the same."""

from __future__ import annotations

import math

import pytest
from fastembed import SparseTextEmbedding

from memory.embedders import SpladeSparse
from memory.errors import ModelError
from memory.vector.port import SparseVector
from tests.memory.tiny_onnx import tiny_splade

MODEL = "prithivida/Splade_PP_en_v1"
WORDS = {
    "quantum": {"quantum": 3.0, "physics": 1.0},
    "computing": {"computing": 2.0, "quantum": 0.5},
    "order": {"order": 1.0},
    "service": {"service": 1.5},
}
QUANTUM, COMPUTING, ORDER, SERVICE, PHYSICS = range(4, 9)  # ids, behind the four special tokens


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_splade(tmp_path_factory.mktemp("splade"), WORDS)


@pytest.fixture(scope="module")
def splade(folder):
    return SpladeSparse(MODEL, folder=folder)


@pytest.mark.specification("003 REQ-0043 sparse", "003 §8 models", "000 §4.3 sparse")
def test_a_terms_weight_is_the_logarithm_of_its_greatest_logit(splade):
    vector = splade.embed_document("Quantum computing")
    assert dict(zip(vector.indices, vector.values, strict=True)) == pytest.approx(
        {
            QUANTUM: math.log1p(3.0),  # the greater of 3 at its own place and 0.5 at the next
            COMPUTING: math.log1p(2.0),
            PHYSICS: math.log1p(1.0),  # a word that does not stand there
        }
    )


@pytest.mark.parametrize("text", ["quantum", "computing quantum order", "quantum unknown words computing"])
def test_its_vectors_are_fastembed_s(splade, folder, text):
    [oracle] = SparseTextEmbedding(MODEL, specific_model_path=str(folder)).embed([text])
    vector = splade.embed_document(text)
    assert vector.indices == tuple(oracle.indices.tolist())
    assert vector.values == pytest.approx(oracle.values.tolist())


@pytest.mark.specification("003 REQ-0043 sparse", "000 §4.3 sparse")
def test_an_identifier_is_its_words_and_one_term_of_its_own(splade):
    vector = splade.embed_document("OrderService computing")
    (name,) = [index for index in vector.indices if index > 1 << 20]
    assert set(vector.indices) == {ORDER, SERVICE, COMPUTING, QUANTUM, name}
    weights = dict(zip(vector.indices, vector.values, strict=True))
    assert weights[name] == max(weights.values())
    assert splade.terms("where is OrderService") == {"orderservice": name, "order": ORDER, "service": SERVICE}
    assert name in splade.embed_query("order-service and OrderService").indices
    assert splade.terms("OtherService")["otherservice"] != name


def test_words_without_weight_are_no_terms(splade):
    assert splade.terms("the quantum of it") == {"quantum": QUANTUM}
    assert splade.terms("") == {}


def test_nothing_has_no_terms(splade):
    assert splade.embed_query(" \n") == SparseVector((), ())


def test_what_stands_behind_max_tokens_does_not_count(folder):
    short = SpladeSparse(MODEL, folder=folder, max_tokens=3)  # the word and the two tokens around it
    assert short.embed_document("order computing") == short.embed_document("order")


def test_queries_are_remembered_and_the_oldest_forgotten(folder):
    splade = SpladeSparse(MODEL, folder=folder)
    first = splade.embed_query("quantum")
    assert splade.embed_query("quantum") is first
    for number in range(1024):
        splade.embed_query(f"order {number}")
    assert splade.embed_query("quantum") is not first


def test_a_model_that_cannot_be_loaded_says_what_to_do(tmp_path):
    with pytest.raises(ModelError, match=r"nobody/nothing.*sparse_model_path"):
        SpladeSparse("nobody/nothing", cache=tmp_path).load()
    (tmp_path / "model.onnx").write_text("nonsense")
    with pytest.raises(ModelError, match=r"can't be loaded"):
        SpladeSparse(MODEL, folder=tmp_path).load()
