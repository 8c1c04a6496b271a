"""What the model is trained on: questions with the chunks that answer them, and other texts that belong together.

    python -m weights.training.examples TREES CLONES OUT

TREES/NUMBER is what `benchmarks/crossrepo/checkout.py` wrote for the set of that number, CLONES its clones. Written are
OUT/questions.jsonl (`set`, `query`, `answers`: the chunks around the places that answer, `others`: chunks of other
files that BM25 ranks high for it) and OUT/pairs.jsonl (`query`, `text`): what a commit says and what it changed, what a
comment says and what it stands before, what a docstring says and the function below it.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bm25s

from benchmarks.crossrepo.checkout import git, git_directories
from benchmarks.crossrepo.sets import SETS, read_questions, read_repositories
from configs.settings import IndexingSettings
from extraction.reading import extract_facts
from extraction.rules import RULES
from indexing.chunks import Provenance, chunks_of, embedded_text, header
from indexing.discovery import discover
from indexing.reading import Skipped, read_source
from memory.vector.port import Chunk

_QUESTIONS = Path(__file__).parent / "questions.jsonl"
_OTHERS, _DEPTH = 6, 20
_COMMITS, _COMMITS_READ, _FILES_OF_COMMIT, _LONGEST_COMMIT = 150, 700, 5, 120_000
_COMMENTS, _DOCSTRINGS = 700, 900
_TEXT = 1_400
_COMMENT = re.compile(r'^\s*(///?!?|#+|--|;+|\*|/\*\*?|""")\s?(?P<says>.*?)(\*/)?\s*$')
_TICKET = re.compile(r"\(?#\d+\)?|\[?[A-Z]{2,}-\d+\]?:?|^[a-z]+(\([^)]*\))?!?: ")

Row = dict[str, Any]


class Tree:
    """The chunks of a set's projects, as the product cuts them; `texts` are what is embedded of each."""

    def __init__(self, folder: Path) -> None:
        settings, self.chunks = IndexingSettings(), list[Chunk]()
        for root in sorted(path for path in folder.iterdir() if path.is_dir()):
            provenance = Provenance(root.name, root.name, "")
            for path in discover(root, name=root.name, max_file_bytes=settings.max_file_bytes).files:
                read = read_source(root / path, relative=path, max_file_bytes=settings.max_file_bytes)
                if not isinstance(read, Skipped):
                    facts = extract_facts(path, read.text, root.name, RULES)
                    self.chunks += chunks_of(provenance, path, read.text, facts, max_chars=settings.chunk_chars)
        self.texts = [embedded_text(chunk) for chunk in self.chunks]
        self._of_file = defaultdict[str, list[int]](list)
        for number in range(len(self.chunks)):
            self._of_file[self.file(number)].append(number)
        self._index = bm25s.BM25()
        self._index.index(bm25s.tokenize(self.texts, show_progress=False), show_progress=False)

    def file(self, number: int) -> str:
        """The file of a chunk, as `PROJECT/PATH`."""
        return f"{self.chunks[number].project}/{self.chunks[number].path}"

    def at(self, file: str, line: int) -> int | None:
        """The chunk that holds a line."""
        chunks = self.chunks
        return next((n for n in self._of_file[file] if chunks[n].start_line <= line <= chunks[n].end_line), None)

    def likely(self, query: str, most: int) -> list[int]:
        """The chunks that BM25 ranks first."""
        asked = bm25s.tokenize(query, show_progress=False)
        return [int(n) for n in self._index.retrieve(asked, k=min(most, len(self.texts)), show_progress=False)[0][0]]


def questions(number: str, tree: Tree, rng: random.Random) -> Iterator[Row]:
    """A set's questions: those of first contact that can be answered, and those that were written for training."""
    asked = [(q.query, [(p.file, p.line) for p in q.proofs]) for q in read_questions(SETS / number)]
    for line in _QUESTIONS.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["set"] == number:
            asked.append((row["query"], [(place["file"], place["line"]) for place in row["places"]]))
    for query, places in asked:
        answers = dict.fromkeys(n for place in places if (n := tree.at(*place)) is not None)
        own = {tree.file(n) for n in answers}
        others = [n for n in tree.likely(query, 2 * _DEPTH) if tree.file(n) not in own][:_DEPTH]
        chosen = rng.sample(others, min(_OTHERS, len(others)))
        if answers:
            yield {
                "set": number,
                "query": query,
                "answers": [tree.texts[n] for n in answers],
                "others": [tree.texts[n] for n in chosen],
            }


def commits(clone: Path, commit: str, project: str) -> Iterator[Row]:
    """What the last commits up to this one say that touch few files, each with the longest hunk of a file."""
    options = ["--no-merges", f"-n{_COMMITS_READ}", "-U8", "--no-renames", "--diff-filter=AM", "--no-color"]
    safe = ["--no-ext-diff", "--no-textconv", "-p", "--format=%x01%s%x03"]
    log = git(clone, "log", *options, *safe, commit)
    for found in log.stdout.decode("utf-8", "replace").split("\x01")[1:]:
        subject, _, diff = found.partition("\x03")
        says = _TICKET.sub("", subject).strip()
        files = re.split(r"^diff --git ", diff, flags=re.MULTILINE)[1:]
        if len(found) > _LONGEST_COMMIT or len(says.split()) < 5 or len(files) > _FILES_OF_COMMIT:
            continue
        for file in files[:3]:
            path = re.search(r"^\+\+\+ b/(.*)$", file, re.MULTILINE)
            hunks = re.split(r"^@@.*?@@.*$", file, flags=re.MULTILINE)[1:]
            texts = ["\n".join(line[1:] for line in hunk.splitlines() if line[:1] in {" ", "+"}) for hunk in hunks]
            if path and texts and len(longest := max(texts, key=len)) >= 80:
                yield {"query": says, "text": f"{header(project, path[1], ())}\n{longest[:_TEXT]}"}


def comments(tree: Tree) -> Iterator[Row]:
    """What comments of six to sixty words say, each with the lines behind it."""
    for text in tree.texts:
        place, *lines = text.split("\n")
        at = 0
        while at < len(lines):
            end = at
            while end < len(lines) and _COMMENT.match(lines[end]):
                end += 1
            found = " ".join(m["says"].strip() for line in lines[at:end] if (m := _COMMENT.match(line)))
            says = re.sub(r"<[^>]+>|[*`]", "", re.split(r"@param|@return|Args:|:param|@author", found)[0]).strip()
            behind = "\n".join([*lines[max(0, at - 3) : at], *lines[end : end + 25]])
            letters = sum(c.isalpha() or c == " " for c in says)
            worded = 6 <= len(says.split()) <= 60 and letters > 0.85 * len(says)
            if worded and len(behind) > 100 and not re.search("licen|copyright", says, re.IGNORECASE):
                yield {"query": says, "text": f"{place}\n{behind[:_TEXT]}"}
            at = end + 1


def docstrings(package: Path) -> Iterator[Row]:
    """The first paragraphs of a package's docstrings, each with its function without it."""
    for file in sorted(package.rglob("*.py")):
        try:
            source = file.read_text("utf-8")
            nodes = list(ast.walk(ast.parse(source)))
        except (ValueError, SyntaxError, RecursionError):
            continue
        lines = source.split("\n")
        for node in nodes:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or len(node.body) < 2:
                continue
            says = (ast.get_docstring(node) or "").split("\n\n")[0].replace("\n", " ").strip()
            first = node.body[0]
            code = "\n".join(
                [*lines[node.lineno - 1 : first.lineno - 1], *lines[first.end_lineno or 0 : node.end_lineno]]
            )
            if 4 <= len(says.split()) <= 30 and len(code) > 150:
                place = header(package.name, str(file.relative_to(package)), (node.name,))
                yield {"query": re.sub(r"[`*]|:\w+:", "", says), "text": f"{place}\n{code[:_TEXT]}"}


def _some(rows: Iterator[Row], most: int, rng: random.Random) -> list[Row]:
    found = list(rows)
    rng.shuffle(found)
    return found[:most]


def main(trees: Path, clones: Path, out: Path) -> None:
    """Write both files; sets without a tree are left out."""
    rng = random.Random(7)
    asked, pairs = list[Row](), defaultdict[str, Row]()
    for folder in sorted(path for path in trees.iterdir() if (SETS / path.name).is_dir()):
        tree = Tree(folder)
        asked += questions(folder.name, tree, rng)
        rows = _some(comments(tree), _COMMENTS, rng)
        for project, repository in read_repositories(SETS / folder.name).items():
            for clone in list(git_directories(clones, repository.repository))[:1]:
                rows += _some(commits(clone, repository.commit, project), _COMMITS, rng)
        pairs |= {row["query"]: row for row in rows}
    for package in sorted(Path(json.__file__).parent.parent.glob("site-packages/*/__init__.py")):
        pairs |= {row["query"]: row for row in _some(docstrings(package.parent), _DOCSTRINGS, rng)}
    for name, found in (("questions", asked), ("pairs", list(pairs.values()))):
        rng.shuffle(found)
        (out / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in found), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
