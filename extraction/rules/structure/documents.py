"""Rules for files that no grammar reads: paths into trees of keys and values (YAML, JSON), and regular expressions.

A path binds keys, and a statement names what is below: `at: Resources.$NAME` with `where: {Type: "AWS::SQS::Queue"}`
and `$IT.Properties.QueueName`. What such a file refers to is what it means: `!Ref Orders` and `!GetAtt Orders.Arn` are
the name that the resource `Orders` has. An expression has named groups, which a statement names as `$GROUP`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import yaml

from extraction.rules.expressions import line_at
from extraction.rules.port import Source
from extraction.rules.structure.matches import Part, Place
from extraction.rules.yaml_nodes import REFERENCES, documents, entries, first_line, items, pairs, scalar

NAMES: Final = ("FunctionName", "QueueName", "TopicName", "TableName", "StreamName", "BucketName", "StateMachineName", "Name")  # fmt: skip  # noqa: E501 - a table
"""The properties that name a resource of CloudFormation."""
PUT_IN: Final = re.compile(r"\$\{(?P<own>self:)?(?P<name>[\w.:\-/]+)[^}]*\}")
EDGES: Final = re.compile(r"^[-_./:]+|[-_./:]+$")


Bound: TypeAlias = "tuple[str, int, yaml.Node]"
"""A key, its line, and what is there."""


@dataclass(frozen=True, slots=True)
class TreePath:
    """Where a rule looks: keys, `$NAME` for any key, `*` for any key or item; and what must be below that."""

    steps: tuple[str, ...]
    where: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]


@dataclass(frozen=True, slots=True)
class DocumentPlace(Place):
    """A place of a document, and the line that it begins on. Its parts are literals with lines of their own."""

    first: int = 1

    def line(self, part: Part | None = None) -> int:
        """The line of a part, else of the place."""
        return part.line if part and part.line else self.first

    def literal(self, text: str) -> Part:
        return _part(text)


def _part(text: str, line: int = 0) -> Part:
    return Part(json.dumps(text, ensure_ascii=False), 0, line=line, stated=text)


class TextMatch(DocumentPlace):
    """A match of an expression in a file's text."""

    __slots__ = ()

    def stepped(self, name: str, _steps: tuple[str, ...]) -> Iterator[Part]:
        if text := self.node.groupdict().get(name):
            yield _part(text, line_at(self.source.text, self.node.start(name)))
        elif name == "FILE":
            yield _part(self.source.name.partition(".")[0], 1)


@dataclass(frozen=True, slots=True)
class TreeMatch(DocumentPlace):
    """A place of a tree, with its root and the keys on the way there."""

    root: Any = None
    bound: Mapping[str, Bound] = field(default_factory=dict)

    def stepped(self, name: str, steps: tuple[str, ...]) -> Iterator[Part]:
        if name in self.bound:
            key, line, node = self.bound[name]
            yield _part(_resource(node) or key, line)
            return
        for node in _below(self.root if name == "ROOT" else self.node, steps):
            for value in items(node) or [node]:
                if text := _meaning(value, self.root):
                    yield _part(text, first_line(value))


def in_text(pattern: re.Pattern[str], source: Source) -> Iterator[TextMatch]:
    for found in pattern.finditer(source.text):
        line = line_at(source.text, found.start())
        yield TextMatch(source, found, offset=found.start(), end=found.end(), first=line)


def in_trees(path: TreePath, source: Source) -> Iterator[TreeMatch]:
    """The places of a file's documents that a path leads to."""
    for root in documents(source.text):
        for node, bound in _places(root, path.steps, {}):
            if all(any(pattern.fullmatch(scalar(one)) for one in _below(node, steps)) for steps, pattern in path.where):
                yield TreeMatch(source, node, first=first_line(node), root=root, bound=bound)


def _places(
    node: yaml.Node, steps: tuple[str, ...], bound: Mapping[str, Bound]
) -> Iterator[tuple[yaml.Node, Mapping[str, Bound]]]:
    if not steps:
        yield node, bound
        return
    step, rest = steps[0], steps[1:]
    if step == "*":
        for item in items(node):
            yield from _places(item, rest, bound)
    for key, named, value in entries(node):
        if step.startswith("$"):
            yield from _places(value, rest, {**bound, step[1:]: (key, first_line(named), value)})
        elif step in {key, "*"}:
            yield from _places(value, rest, bound)


def _below(node: yaml.Node, steps: tuple[str, ...]) -> list[yaml.Node]:
    return [found for found, _ in _places(node, steps, {})]


def _resource(node: yaml.Node) -> str:
    """The name that a resource of CloudFormation says it has."""
    for name in NAMES:
        found = next((scalar(one) for one in _below(node, ("Properties", name))), "")
        if named := EDGES.sub("", PUT_IN.sub("", found)):
            return named
    return ""


def _meaning(node: yaml.Node, root: yaml.Node, depth: int = 0) -> str:
    """A plain value, or what is referred to; '' for anything else."""
    text, tag = scalar(node), str(node.tag)
    if not text and depth < 3:
        for key, value in pairs(node):
            if key in REFERENCES:
                listed = [one for one in items(value) if scalar(one)] or [value]
                return _referred(scalar(listed[0]), root) if key != "Fn::Join" else ""
        return _referred(scalar(items(node)[0]), root) if tag.endswith("GetAtt") and items(node) else ""
    if tag in {"!Ref", "!GetAtt", "!ImportValue"}:
        return _referred(text.partition(".")[0], root)
    return _filled(text, root, depth)


def _referred(name: str, root: yaml.Node) -> str:
    for steps in (("Resources", name), ("resources", "Resources", name)):
        for node in _below(root, steps):
            return _resource(node) or name
    return _filled(name, root, 0)


def _filled(text: str, root: yaml.Node, depth: int) -> str:
    """Without the stage and the account that are put into a name; `${self:custom.queue}` is what is there."""
    for found in PUT_IN.finditer(text):
        if found["own"] and depth < 3:
            for node in _below(root, tuple(found["name"].split("."))):
                text = text.replace(found[0], _meaning(node, root, depth + 1) if found["name"] != "service" else "")
        elif text.endswith(found[0]) and "." in text.replace(found[0], found["name"]) and "::" not in found["name"]:
            return _referred(found["name"].partition(".")[0], root)
    return EDGES.sub("", PUT_IN.sub("", text)) if "${" in text else text
