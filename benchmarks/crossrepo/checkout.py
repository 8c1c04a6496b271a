"""Write the trees of a set from clones of its repositories.

    .venv/bin/python benchmarks/crossrepo/checkout.py SET CLONES OUT

SET is a folder of `sets/`. CLONES holds a clone of each repository in a folder named after it (`name`, `owner/name` or
`owner+name`, bare or not) that has the set's commit. OUT/SHORT NAME/… is written. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.crossrepo.sets import Repository, read_repositories


def write_tree(clone: Path, repository: Repository, out: Path) -> int:
    """Write the files of a repository's commit; returns how many.

    One file at a time, since a partial clone may lack large ones, on which `git archive` stops.
    """
    written = 0
    listed = git(clone, "ls-tree", "-rz", "--name-only", repository.commit)
    for path in listed.stdout.decode("utf-8").split("\0") if listed.returncode == 0 else ():
        inside = path.removeprefix(repository.folder)
        if not path.startswith(repository.folder) or not inside or inside.startswith(repository.leave_out):
            continue
        content = git(clone, "cat-file", "blob", f"{repository.commit}:{path}")
        if content.returncode == 0:
            (out / inside).parent.mkdir(parents=True, exist_ok=True)
            (out / inside).write_bytes(content.stdout)
            written += 1
    return written


def git(clone: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A command of git on a git directory; what went wrong is in its exit code."""
    return subprocess.run(["git", f"--git-dir={clone}", *arguments], capture_output=True, check=False)  # noqa: S603,S607 - what the set names


def git_directories(clones: Path, repository: str) -> Iterator[Path]:
    """The git directories of a repository's clone, wherever it lies in the folder of clones."""
    owner, name = repository.split("/")
    for folder in (clones / name, clones / owner / name, clones / f"{owner}+{name}"):
        yield from (head.parent for pattern in ("HEAD", ".git/HEAD", "*/HEAD") for head in folder.glob(pattern))


def main(arguments: list[str]) -> int:
    """The command; 1 where a repository is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("set", "clones", "out"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args(arguments)
    missing = 0
    for name, repository in read_repositories(options.set).items():
        clone = next(git_directories(options.clones, repository.repository), None)
        if clone is None:
            missing += 1
            print(f"{name}: no clone of {repository.repository} in {options.clones}", file=sys.stderr)
            continue
        written = write_tree(clone, repository, options.out / name)
        missing += not written
        print(f"{name}: {written} files" if written else f"{name}: {clone} lacks commit {repository.commit}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
