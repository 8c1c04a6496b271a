"""Git repositories for tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.organisation import write


def git(folder: Path, *arguments: str) -> str:
    """What git prints, run there under a name of its own."""
    who = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for role in ("AUTHOR", "COMMITTER"):
        who |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org"}
    done = subprocess.run(  # noqa: S603 - no shell
        ["git", "-C", str(folder), *arguments],  # noqa: S607 - whichever there is
        env=os.environ | who,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def lighthouse(folder: Path) -> Path:
    """A repository of two commits, tagged v1 and v2, in a folder of that name."""
    root = write(folder) / "lighthouse"
    git(root, "init", "-q", "-b", "main")
    for text, tag in (
        ("# Beacon\n\nThe Beacon is dark at night.\n", "v1"),
        ("# Beacon\n\nThe Beacon signals.\n", "v2"),
    ):
        (root / "README.md").write_text(text)
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", tag)
        git(root, "tag", "-a", tag, "-m", tag)
    return root
