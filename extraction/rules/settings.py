"""Configuration as one flat list, whatever it is written in: resources with their types, and settings with the keys
above them.

YAML and JSON are read as nodes; HCL, HOCON, TOML, properties and environment files a line at a time, since all that is
needed of them are blocks, sections and `key = value`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import yaml

from extraction.rules.yaml_nodes import REFERENCES, documents, first_line

MOST: Final = 3_000
DEEPEST: Final = 32
LARGEST: Final = 120_000
"""Characters; a larger file is data."""
BLOCK: Final = re.compile(r"^\s*+([\w.-]++)\s*+((?:\"[^\"]*+\"\s*+|[\w.-]++\s*+){0,3}?)[=:]?\s*+\{\s*$")
LABEL: Final = re.compile(r"\"([^\"]*)\"|([\w.-]+)")
SECTION: Final = re.compile(r"^\s*\[{1,2}([^\]]+)\]{1,2}\s*$")
ENTRY: Final = re.compile(r"^\s*(?:export\s+|ENV\s+)?\"?([\w.:-]+)\"?\s*[=:]\s*(.*?),?\s*$")
REFERS: Final = re.compile(r"\[?\s*[a-z]\w*\.[\w*]")
FILLED_BY: Final = re.compile(r"\$\{(?!var\.|local\.|each\.)")
LONGEST: Final = 1_000
COMMENT: Final = re.compile(r"^\s*(?:#|//|;|--|\*|/\*)")
COMPOSED: Final = frozenset({"image", "build", "command", "environment", "env_file", "depends_on"})
"""What a service of a compose file has."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A thing that infrastructure makes: its type as written, its name there and the line that begins it."""

    type: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Setting:
    """A value, the keys that lead to it, the resource or the service of a compose file around it, and whether it refers
    to another by name.
    """

    keys: tuple[str, ...]
    value: str
    line: int
    resource: str = ""
    refers: bool = False


def settings_in(lang: str, text: str) -> Iterator[Resource | Setting]:
    """What a file of configuration has, from top to bottom."""
    if len(text) > LARGEST:
        return
    if lang in {"yaml", "json"}:
        for root in documents(text):
            yield from _Walk().root(root)
    else:
        yield from _by_line(text)


class _Walk:
    """Through the nodes of a document, at most so many and so deep: an alias may lead back to where it is."""

    def __init__(self) -> None:
        self._left = MOST

    def root(self, root: yaml.Node) -> Iterator[Resource | Setting]:
        made = _scalars(root)
        name = next((_scalars(value).get("name") for key, value in _pairs(root) if key == "metadata"), None)
        if "kind" in made and name:
            yield Resource(made["kind"][0], name[0], name[1])
            yield from self.below(root, (), name[0])
        else:
            yield from self.below(root, (), "")

    def below(self, node: yaml.Node, keys: tuple[str, ...], resource: str) -> Iterator[Resource | Setting]:
        self._left -= 1
        if self._left < 0 or len(keys) > DEEPEST:
            return
        if isinstance(node, yaml.MappingNode):
            for key, value in _pairs(node):
                if key in REFERENCES:  # the setting is the one above
                    yield from self._referring(value, keys, resource)
                    continue
                kind = _type_of(value, keys)
                if kind:
                    yield Resource(kind, key, first_line(value) - 1)
                runs = keys == ("services",) and not COMPOSED.isdisjoint(name for name, _ in _pairs(value))
                yield from self.below(value, (*keys, key), key if kind or runs else resource)
        elif isinstance(node, yaml.SequenceNode):
            yield from self._listed(node, keys, resource)
        elif isinstance(node, yaml.ScalarNode) and node.value:
            tag = str(node.tag)
            named, _, given = str(node.value).partition("=") if keys and keys[-1] == "environment" else ("", "", "")
            at = (*keys, named) if named and given else keys
            refers = tag.startswith("!") and not tag.startswith("!!")
            yield Setting(at, given or str(node.value), first_line(node), resource, refers)

    def _listed(self, node: yaml.SequenceNode, keys: tuple[str, ...], resource: str) -> Iterator[Resource | Setting]:
        for item in node.value:
            entry = _scalars(item)
            if {"name", "value"} <= entry.keys():  # a container's variable
                yield Setting((*keys, entry["name"][0]), entry["value"][0], entry["value"][1], resource)
            yield from self.below(item, (*keys, "") if isinstance(item, yaml.SequenceNode) else keys, resource)

    def _referring(self, value: yaml.Node, keys: tuple[str, ...], resource: str) -> Iterator[Setting]:
        """`{"Ref": name}` and `{"Fn::GetAtt": [name, attribute]}`."""
        first = value.value[0] if isinstance(value, yaml.SequenceNode) and value.value else value
        if isinstance(first, yaml.ScalarNode):
            yield Setting(keys, str(first.value), first_line(first), resource, refers=True)


def _type_of(node: yaml.Node, keys: tuple[str, ...]) -> str:
    """The type of a resource, where a mapping is one."""
    found = _scalars(node)
    typed = (found.get("Type") or found.get("type") or ("", 0))[0]
    return typed if "::" in typed or (keys and keys[-1].lower() == "resources") else ""


def _pairs(node: yaml.Node) -> Iterator[tuple[str, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        yield from ((str(key.value), value) for key, value in node.value if isinstance(key, yaml.ScalarNode))


def _scalars(node: yaml.Node) -> dict[str, tuple[str, int]]:
    return {
        key: (str(value.value), first_line(value)) for key, value in _pairs(node) if isinstance(value, yaml.ScalarNode)
    }


def _resource(block: str, labels: list[str], line: int) -> Resource | None:
    """What a block of Terraform makes; a module is of the type that its name says."""
    if block == "resource" and len(labels) == 2:
        return Resource(labels[0], ".".join(labels), line)
    return Resource(labels[0], f"module.{labels[0]}", line) if block == "module" and len(labels) == 1 else None


def _by_line(text: str) -> Iterator[Resource | Setting]:
    open_at: list[tuple[tuple[str, ...], str]] = []
    section: tuple[str, ...] = ()
    listed = ""
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip() and len(line) <= LONGEST)
    for number, line in ((number, line) for number, line in lines if not COMMENT.match(line)):
        keys, resource = open_at[-1] if open_at else (section, "")
        if begun := BLOCK.match(line):
            labels = [quoted or bare for quoted, bare in LABEL.findall(begun[2])]
            if made := _resource(begun[1], labels, number):
                yield made
            inside = labels[-1:] if made else [*begun[1].split("."), *labels]
            open_at.append(((*keys, *inside), made.name if made else resource))
        elif found := SECTION.match(line):
            section = tuple(found[1].strip().split("."))
        elif listed and REFERS.match(line.strip()):
            yield Setting((*keys, listed), line.strip().rstrip(","), number, resource, refers=True)
        elif line.strip()[0] in "}])":
            if open_at and line.strip()[0] == "}":
                open_at.pop()
        elif found := ENTRY.match(line):
            written = found[2].strip()
            value = written.strip("\"'")
            refers = REFERS.match(written) is not None or FILLED_BY.search(written) is not None
            listed = found[1] if written.endswith(("[", "(")) else ""
            yield Setting((*keys, *found[1].split(".")), value, number, resource, refers)
            if written.endswith("{") and not written.startswith('"'):
                open_at.append(((*keys, *found[1].split(".")), resource))
