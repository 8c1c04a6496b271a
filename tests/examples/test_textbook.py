"""What the example textbook's README shows runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from facades.book.command import run

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_program_of_the_readme():
    [program] = re.findall(r"```python\n(.*?)```", (ROOT / "examples/textbook/README.md").read_text("utf-8"), re.DOTALL)
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "module-02-simulation/digital-twin.md" in done.stdout
    assert "'total_results': 3" in done.stdout


ELSEWHERE = (
    "How do I bake sourdough bread?",
    "What is the capital of France?",
    "How are customer tables keyed?",
    "Explain quantum computing applications",
    "How does photosynthesis work?",
)


@pytest.mark.specification("004 §4 thresholds")
def test_a_threshold_parts_what_the_pages_answer_from_what_they_do_not(capsys):
    pages = ROOT / "examples/textbook"
    listed = yaml.safe_load((pages / "checklist.yaml").read_text("utf-8"))["questions"]

    def results(question):
        assert run([question, "--book", str(pages / "pages"), "--threshold", "0.7", "--format", "json"]) in {
            0,
            4,
        }  # 4: nothing found
        return [one["source_file"] for one in json.loads(capsys.readouterr().out)["results"]]

    for one in listed:
        assert any(file.startswith(one.get("source", "")) for file in results(one["ask"]))
    assert [results(question) for question in ELSEWHERE] == [[]] * len(ELSEWHERE)
