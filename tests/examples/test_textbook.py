"""What the example textbook's README shows runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
import yaml

from facades.book.command import _offline

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
def test_a_threshold_parts_what_the_pages_answer_from_what_they_do_not():
    pages = ROOT / "examples/textbook"
    listed = yaml.safe_load((pages / "checklist.yaml").read_text("utf-8"))["questions"]

    async def found():
        pipeline = await _offline(pages / "pages", None)
        asked = [*(one["ask"] for one in listed), *ELSEWHERE]
        responses = [await pipeline.aquery(question, similarity_threshold=0.7) for question in asked]
        await pipeline.aclose()
        return [[one.source_file for one in response.results] for response in responses]

    files = anyio.run(found)
    for one, mine in zip(listed, files, strict=False):
        assert any(file.startswith(one.get("source", "")) for file in mine)
    assert files[len(listed) :] == [[]] * len(ELSEWHERE)
