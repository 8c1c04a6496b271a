"""What goes wrong while a model is read is one error with its hint; a longer text is cut only where the model reads more."""

from __future__ import annotations

import threading

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from memory.embedders.fastembed_loading import Once, cut_at, loading
from memory.errors import ModelError


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
