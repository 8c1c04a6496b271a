"""Rules for files that are trees of keys and values: YAML and JSON. A path binds keys, and a statement names what is below.

`at: Resources.$NAME` with `where: {Type: "AWS::SQS::Queue"}` and `$IT.Properties.QueueName`. What such a file refers to is
what it means: `!Ref Orders` and `!GetAtt Orders.Arn` are the name that the resource `Orders` has.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from indexing.rules.structure.matches import Part
from indexing.rules.yaml_nodes import REFERENCES, documents, entries, first_line, items, pairs, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import yaml

    from indexing.rules.port import Source
    from indexing.rules.structure.matches import Selector

__all__ = ["TreeMatch", "TreePath", "in_trees"]

NAMES: Final = ("FunctionName", "QueueName", "TopicName", "TableName", "StreamName", "BucketName", "StateMachineName", "Name")  # fmt: skip
"""The properties that name a resource of CloudFormation."""
PUT_IN: Final = re.compile(r"\$\{(?P<own>self:)?(?P<name>[\w.:\-/]+)[^}]*\}")
EDGES: Final = re.compile(r"^[-_./:]+|[-_./:]+$")


Bound: TypeAlias = "tuple[str, int, yaml.Node]"
"""A key, its line, and what stands there."""


@dataclass(frozen=True, slots=True)
class TreePath:
    """Where a rule looks: keys, `$NAME` for any key, `*` for any key or item; and what must be said below that."""

    steps: tuple[str, ...]
    where: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class TreeMatch:
    """A place of a document, with the keys on the way there."""

    source: Source
    root: yaml.Node
    node: Any
    bound: Mapping[str, Bound]
    offset: int = 0
    end: int = 0

    @property
    def text(self) -> str:
        """What constants a value may refer to: none."""
        return ""

    def line(self, part: Part | None = None) -> int:
        """The line of a part, else of the place."""
        return part.line if part and part.line else first_line(self.node)

    def parts(self, chosen: Selector | None) -> list[Part]:
        """What a selector names; none when none of its ways is there."""
        return chosen.parts(lambda text: Part(json.dumps(text), 0), self._stepped) if chosen else []

    def part(self, chosen: Selector | None) -> Part | None:
        """The first of these."""
        return next(iter(self.parts(chosen)), None)

    def _stepped(self, name: str, steps: tuple[str, ...]) -> Iterator[Part]:
        if name in self.bound:
            key, line, node = self.bound[name]
            yield Part(json.dumps(_resource(node) or key), 0, line=line)
            return
        for node in _below(self.root if name == "ROOT" else self.node, steps):
            for value in items(node) or [node]:
                if text := _meaning(value, self.root):
                    yield Part(json.dumps(text), 0, line=first_line(value))


def in_trees(path: TreePath, source: Source) -> Iterator[TreeMatch]:
    """The places of a file's documents that a path leads to."""
    for root in documents(source.text):
        for node, bound in _places(root, path.steps, {}):
            if all(any(pattern.fullmatch(scalar(one)) for one in _below(node, steps)) for steps, pattern in path.where):
                yield TreeMatch(source, root, node, bound)


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
    """Without the stage and the account that are put into a name; `${self:custom.queue}` is what stands there."""
    for found in PUT_IN.finditer(text):
        if found["own"] and depth < 3:
            for node in _below(root, tuple(found["name"].split("."))):
                text = text.replace(found[0], _meaning(node, root, depth + 1) if found["name"] != "service" else "")
        elif text.endswith(found[0]) and "." in text.replace(found[0], found["name"]) and "::" not in found["name"]:
            return _referred(found["name"].partition(".")[0], root)
    return EDGES.sub("", PUT_IN.sub("", text)) if "${" in text else text
