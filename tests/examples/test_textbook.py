"""What the example textbook's README shows runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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
