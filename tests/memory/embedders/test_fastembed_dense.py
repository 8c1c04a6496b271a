from __future__ import annotations

import threading

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from memory.embedders import FastEmbedSource, LocalDense
from memory.embedders.fastembed_dense import Once, cut_at, loading
from memory.errors import ModelError
from tests.memory.tiny_onnx import tiny_text_model

BGE_SMALL = "BAAI/bge-small-en-v1.5"
"""How fastembed reads it, whatever its weights are."""


async def test_it_cuts_at_max_tokens(as_fastembed_names_it):
    short = LocalDense(FastEmbedSource(BGE_SMALL, 384, folder=str(as_fastembed_names_it), max_tokens=8))
    first, second = await short.embed_documents(
        ["one two three four five six seven", "one two three four five six eight"]
    )
    assert (first == second).all()
    assert short.model == BGE_SMALL


async def test_an_unknown_model_is_a_model_error_that_says_what_to_do(tmp_path):
    with pytest.raises(ModelError, match="nobody/nothing") as caught:
        await LocalDense(FastEmbedSource("nobody/nothing", 3, cache=str(tmp_path))).warm_up()
    assert "dense_model_path" in caught.value.hint


def test_the_cache_key_tells_lengths_apart():
    assert FastEmbedSource("m", 3).cache_key != FastEmbedSource("m", 3, max_tokens=5).cache_key


@pytest.mark.specification("003 REQ-0042 dense", "003 §8 models")
async def test_bge_large_is_loaded_from_a_folder_and_reads_the_first_token(tmp_path):
    """BGE's vector is the first token's state: here the sum of the words', made unit length."""
    folder = tiny_text_model(tmp_path, {"red": [3.0, 0.0], "blue": [0.0, 4.0]})
    dense = LocalDense(FastEmbedSource("BAAI/bge-large-en-v1.5", 2, folder=str(folder)))
    assert (await dense.embed_queries(["red blue", "blue"])).tolist() == [pytest.approx([0.6, 0.8]), [0.0, 1.0]]


@pytest.mark.specification("003 REQ-0044 images", "003 §8 models")
async def test_the_text_half_of_clip_is_loaded_from_a_folder(tmp_path):
    folder = tiny_text_model(tmp_path, {"red": [3.0, 0.0], "blue": [0.0, 4.0]}, pooled=True)
    texts = LocalDense(FastEmbedSource("Qdrant/clip-ViT-B-32-text", 2, folder=str(folder)))
    assert (await texts.embed_queries(["red blue", "blue"])).tolist() == [pytest.approx([0.6, 0.8]), [0.0, 1.0]]


async def test_a_model_of_another_size_than_the_settings_say(tmp_path):
    folder = tiny_text_model(tmp_path, {"red": [3.0, 0.0]})
    with pytest.raises(ModelError, match=r"vectors of 2 numbers; the settings say 1024"):
        await LocalDense(FastEmbedSource("BAAI/bge-large-en-v1.5", 1024, folder=str(folder))).warm_up()


def test_whatever_goes_wrong_names_the_model_and_what_to_do():
    with (
        pytest.raises(ModelError, match=r"The model 'x' can't be loaded: no such file\.") as raised,
        loading("model 'x'", "Do it."),
    ):
        raise ZeroDivisionError("no such file")
    assert raised.value.hint == "Do it."


def test_a_folder_is_held_against_its_sums_first(tmp_path):
    (tmp_path / "SHA256SUMS").write_text("0  model.onnx\n")
    with pytest.raises(ModelError, match="damaged"), loading("model", "hint", str(tmp_path)):
        pytest.fail("it was read")


def test_nothing_happens_where_nothing_goes_wrong():
    with loading("model", "hint"):
        pass


@pytest.mark.parametrize(("reads", "kept"), [(5, 3), (2, 2)])
def test_a_text_is_cut_at_the_smaller_of_the_two(reads, kept):
    tokenizer = Tokenizer(models.WordLevel({"a": 0}, unk_token="a"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.enable_truncation(reads)
    cut_at(tokenizer, 3)
    assert len(tokenizer.encode("a a a a a a").ids) == kept


def test_many_threads_load_one_time():
    calls = []
    begin = threading.Barrier(8)
    once = Once(lambda: calls.append("load") or "model")
    found = []

    def ask():
        begin.wait()
        found.append(once())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (calls, found) == (["load"], ["model"] * 8)


def test_what_failed_is_tried_again():
    answers = iter([OSError("not yet"), "model"])

    def load():
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    once = Once(load)
    with pytest.raises(OSError, match="not yet"):
        once()
    assert once() == once() == "model"
