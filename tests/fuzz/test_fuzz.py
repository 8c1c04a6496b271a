"""Each target takes the same few inputs in every run; `make fuzz MINUTES=60` draws others for as long as one likes."""

from __future__ import annotations

import os
import sys

import pytest

from memory.errors import HybridRetrievalError
from tests.fuzz.__main__ import HUNG, watched
from tests.fuzz.inputs import honest
from tests.fuzz.running import TALLY, try_seed
from tests.fuzz.targets import TARGETS, Fuzzing

INPUTS = int(os.environ.get("HYBRID_RETRIEVAL_TEST_FUZZ", "25"))


@pytest.fixture(scope="module")
def fuzzing(tmp_path_factory):
    made = Fuzzing(tmp_path_factory.mktemp("fuzz"))
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_what_nobody_wrote_with_care_breaks_nothing(fuzzing, target):
    broke = {seed: found for seed in range(INPUTS) if (found := try_seed(fuzzing, target, seed)[1]) is not None}
    assert broke == {}


def test_an_exception_that_is_not_ours_is_a_finding_and_one_that_is_is_not(fuzzing):
    def fails(_, draw):
        raise ValueError(draw.random())

    def refuses(_, draw):
        raise HybridRetrievalError(str(draw.random()))

    ours = {"fails": fails, "refuses": refuses}
    refused, broke = try_seed(fuzzing, "fails", 1, ours)
    assert (refused, broke[0].partition(" at ")[0]) == (False, "ValueError")
    assert try_seed(fuzzing, "fails", 1, ours) == (refused, broke)
    assert try_seed(fuzzing, "refuses", 1, ours) == (True, None)


def test_a_child_that_stays_at_one_input_says_where_and_its_tally_is_there(tmp_path):
    hangs = [sys.executable, "-X", "faulthandler", "-c", "import signal; signal.pause()"]
    code, wrote = watched(hangs, tmp_path, patience=3.0)  # a busy machine may need one to start it
    assert (code, "most recent call first" in wrote) == (HUNG, True)
    assert '"failures": {}' in (tmp_path / TALLY).read_text()
    assert watched([sys.executable, "-c", "print(1); exit(3)"], tmp_path) == (3, "1\n")


def test_every_kind_of_file_is_there():
    kinds = {path.rpartition(".")[2] for path, _ in honest()}
    assert {
        "py",
        "md",
        "sql",
        "yaml",
        "xml",
        "toml",
        "json",
        "proto",
        "ipynb",
        "tf",
        "properties",
        "gitignore",
    } <= kinds
    assert {"go", "rs", "rb", "php", "kt", "cs", "java", "ts", "cpp", "c"} <= kinds
