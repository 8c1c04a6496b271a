"""The audit where there is no network; with one it is the pipeline's, since no test reaches out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

AUDIT = Path(__file__).parents[2] / "scripts/audit"
NOWHERE = dict.fromkeys(("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"), "http://127.0.0.1:9")


@pytest.mark.parametrize(("asked", "code"), [("", 0), ("required", 1)])
def test_without_the_database_it_says_that_nothing_was_audited(asked, code):
    done = subprocess.run(  # noqa: S603 - our own
        [AUDIT], env=os.environ | NOWHERE | {"AUDIT": asked}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert "can't be reached; nothing was audited" in done.stderr
