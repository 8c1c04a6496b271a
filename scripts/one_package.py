"""Builds the wheel: the folders at the top become one package, as pip does with what it vendors.

A build hook of hatchling. It copies the folders below `hybrid_retrieval` and puts that name before the folders' own in
every import, by the places that the syntax tree gives. Nothing else changes: a line keeps its number, a text its words.
What it can't rewrite it refuses, so that no wheel looks for `memory` or `agents` outside itself. An editable install is
left as it is: there `hybrid_retrieval/__init__.py` of the checkout does it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "hybrid_retrieval"
_LEFT_OUT = re.compile(r"__pycache__|py\.typed|\..*|.*\.pyc")
_BY_NAME = {"__import__", "files", "find_spec", "import_module"}


class OnePackage(BuildHookInterface):  # type: ignore[type-arg]  # any target's settings
    """Puts the rewritten folders into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them to a folder of this build's own."""
        if version == "editable":
            return
        self._made = TemporaryDirectory()
        package = Path(self._made.name) / PACKAGE
        package.mkdir()
        (package / "__init__.py").write_text(f'"""{self.metadata.core.description}"""\n', encoding="utf-8")
        (package / "py.typed").touch()
        for folder in self.config["folders"]:
            for file in _files(Path(self.root) / folder):
                target = package / file.relative_to(self.root)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read_bytes())
                if file.suffix == ".py":
                    rewrite(target, self.config["folders"], file)
        build_data["force_include"][str(package)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's
        """Take that folder away."""
        if version != "editable":
            self._made.cleanup()


def rewrite(file: Path, folders: Collection[str], where: Path) -> None:
    """Put the package's name before the folders' in every import of a file. where: what to call it in an error."""
    try:
        file.write_text(prefixed(file.read_text(encoding="utf-8"), folders), encoding="utf-8")
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def prefixed(text: str, folders: Collection[str], package: str = PACKAGE) -> str:
    """A module's text with the package's name before the folders' in every import.

    Raises ValueError for an import that would give another name then (`import memory.errors`), and for code in a text
    that names a folder (`import_module("memory.errors")`, `"from memory import …"`): `__package__` and `__name__` say
    the same.
    """
    lines = text.encode().splitlines(keepends=True)  # the tree counts bytes
    for line, column in sorted(_places(ast.parse(text), lines, folders), reverse=True):
        lines[line] = lines[line][:column] + f"{package}.".encode() + lines[line][column:]
    return b"".join(lines).decode()


def _places(tree: ast.Module, lines: Sequence[bytes], folders: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where folders are imported from: line and column, from 0."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _folder(alias.name) in folders:
                    if alias.asname is None:
                        raise ValueError(f"line {alias.lineno}: write `from … import …` or `import {alias.name} as …`")
                    yield alias.lineno - 1, alias.col_offset
        elif isinstance(node, ast.ImportFrom) and not node.level and _folder(node.module or "") in folders:
            start = re.compile(rb"from +(?=\w)").match(lines[node.lineno - 1], node.col_offset)
            if start is None:
                raise ValueError(f"line {node.lineno}: write `from` and the module on one line")
            yield node.lineno - 1, start.end()
        elif named := _named(node, folders):
            raise ValueError(f"line {node.lineno}: {named!r} names a folder; say it by `__package__` or `__name__`")


def _named(node: ast.AST, folders: Collection[str]) -> str:
    """The text of this piece of code that names a folder for an import, '' where there is none.
    Prose of several lines may.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
        return node.value if re.match(rf"\s*(from|import) ({'|'.join(folders)})\b", node.value) else ""
    if isinstance(node, ast.Call) and node.args and _called(node) in _BY_NAME:
        first = node.args[0]
        first = first.values[0] if isinstance(first, ast.JoinedStr) and first.values else first
        named = str(first.value) if isinstance(first, ast.Constant) else ""
        return named if _folder(named) in folders else ""
    return ""


def _folder(module: str) -> str:
    return module.partition(".")[0]


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if _LEFT_OUT.fullmatch(path.name):
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path
