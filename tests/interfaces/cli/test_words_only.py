"""Where nothing runs a model, `index`, `ask` and `evidence` do without one, and say so; `doctor` says what to install."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.organisation import write

pytestmark = pytest.mark.slow

RUN = """
import sys
sys.modules["onnxruntime"] = None  # as where it is not installed
from interfaces.cli.main import main
main(sys.argv[1:])
"""
INSTALL = "pip install 'hybrid-retrieval[offline]'"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("words")

    def command(*arguments):
        return subprocess.run(  # noqa: S603 - our own interpreter and text
            [sys.executable, "-c", RUN, *arguments, "--data-dir", place / "data"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    indexed = command("index", write(place / "org"), "--each")
    assert (indexed.returncode, indexed.stderr) == (0, "")
    assert (
        f"No model is at hand: questions are answered by words and relations alone. Install it: {INSTALL}."
        in indexed.stdout
    )
    return command


def test_a_question_is_answered_and_the_answer_says_what_it_lacks(run):
    done = run("ask", "How does MooringDesk connect to Beacon?")
    assert (done.returncode, done.stderr) == (0, "")
    assert "MooringDesk of harbour calls Beacon of lighthouse" in done.stdout
    assert "searched by words and relations alone" in done.stdout


def test_evidence_is_found(run):
    done = run("evidence", "MooringDesk")
    assert (done.returncode, done.stderr) == (0, "")
    assert "harbour/mooring.py" in done.stdout


@pytest.mark.specification("000 §10 step 2")
@pytest.mark.parametrize("option", [(), ("--set", "evidence.search=fused"), ("--commit", "c0ffee")])
def test_evidence_that_words_do_not_find_is_an_empty_pack_with_a_note(run, option):
    done = run("evidence", "zzzyqq flurbl", "--json", *option)
    assert (done.returncode, done.stderr) == (4, "")  # nothing was found
    pack = json.loads(done.stdout)
    assert pack["evidence"] == []
    assert pack["stats"]["notes"].count("meaning was not searched: there is no model") == 1


def test_doctor_says_what_to_install(run):
    done = run("doctor")
    assert done.returncode == 3
    assert INSTALL in done.stdout


def test_a_model_in_a_folder_of_ones_own_is_asked_for_and_not_done_without(run, tmp_path):
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "tokenizer_config.json").write_text('{"model_max_length": 512}')
    done = run("ask", "How does MooringDesk connect to Beacon?", "--set", f"vector.dense_model_path={tmp_path}")
    assert done.returncode == 3
    assert INSTALL in done.stderr


def test_a_model_that_cannot_be_downloaded_ends_with_one_short_message(tmp_path):
    """No hub listens at this address."""
    environ = {**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9", "FASTEMBED_CACHE_PATH": str(tmp_path / "cache")}
    program = RUN.replace('sys.modules["onnxruntime"] = None', "")
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", program, "index", write(tmp_path / "org"), "--each", "--profile", "fastembed",
         "--data-dir", tmp_path / "data"],
        capture_output=True, text=True, timeout=60, check=False, env=environ,
    )  # fmt: skip
    assert done.returncode == 3
    assert " is not on this machine, and the model hub can't be reached." in done.stderr
    assert len(done.stderr.splitlines()) == 1
