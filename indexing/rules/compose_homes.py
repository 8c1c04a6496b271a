"""The folders that are a compose service's source: what it is built from, the code mounted into it, what it is started
with.

A path that starts with `$PWD` is one below the folder that compose is run in, the project's or the file's own.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from indexing.rules.yaml_nodes import at, first_line, names, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import yaml

__all__ = ["Fields", "build_folders", "mounted_folders", "shared_folders", "started_in", "words"]

Fields = dict[str, "yaml.Node"]

RUN_IN: Final = re.compile(r"\$(?:PWD|\{PWD\})(?:/|$)")
ELSEWHERE: Final = re.compile(r"://|[$@]")
LANGUAGE: Final = re.compile(
    r"(?:[\w.-]+/)*(?:python|node|php|ruby|golang|rust|openjdk|eclipse-temurin|amazoncorretto|maven|gradle|sdk|elixir|bun|deno)(?::[^/]*)?$"
)
"""An image that runs whatever code is mounted into it."""
MOUNT: Final = re.compile(r"(?P<host>[^:]+):(?:/(?:\w+/)*(?:app|code|src|workspace|html|www))/?(?::\w+)?")
PATH: Final = re.compile(r"(?:^|[=\"'])(?:\./)?(?P<path>[\w.-]+(?:/[\w.-]+)+)/?[\"']?$")
COMMANDS: Final = re.compile(r"\n|;|&&|\|\|")
WAIT: Final = re.compile(r"(?:.*/)?(?:wait[\w.-]*|-+wait\b.*|nc|until)$")
INSIDE: Final = frozenset(
    {"public", "src", "bin", "dist", "build", "cmd", "lib", "out", "target", "script", "scripts", "config", "docker"}
    | {"node_modules", ".bin", "vendor", "wwwroot"}
)
"""Folders in a service's own: what is started lies in them."""


def words(node: yaml.Node | None) -> Iterator[tuple[str, int, bool]]:
    """The words of a command, a text or a list,
    with their lines and whether one before them waits for what they name.
    """
    texts = names(node) if not scalar(node) else [(scalar(node), first_line(node))] if node is not None else []
    waits = False
    for text, line in texts:
        for command in COMMANDS.split(text):
            waits = waits and " " not in text  # a list has a word an item
            for word in command.split():
                waits = (waits or WAIT.match(word) is not None) and word != "--"
                yield word, line, waits


def build_folders(path: str, fields: Fields) -> list[str]:
    """The build context, or the folder of the Dockerfile where that lies deeper; '' is the project's own."""
    build = fields.get("build")
    if build is None:
        return []
    dockerfile = posixpath.dirname(scalar(at(build, "dockerfile")))
    return _folders(
        path, scalar(build) or scalar(at(build, "context")), "" if ELSEWHERE.search(dockerfile) else dockerfile
    )


def mounted_folders(path: str, fields: Fields) -> Iterator[tuple[str, int]]:
    """The code that a language's own image is given, and the line that mounts it."""
    if "build" in fields or LANGUAGE.fullmatch(scalar(fields.get("image"))) is None:
        return
    for text, line in names(fields.get("volumes")):
        found = MOUNT.fullmatch(text)
        if found and found["host"].startswith((".", "$")):
            yield from ((folder, line) for folder in _folders(path, found["host"]) if folder)


def shared_folders(path: str, services: Mapping[str, Fields]) -> frozenset[str]:
    """What several services of the file are built from."""
    homes = Counter(folder for fields in services.values() for folder in set(build_folders(path, fields)))
    return frozenset(folder for folder, times in homes.items() if times > 1)


def started_in(context: str, fields: Fields) -> tuple[str, int] | None:
    """The one folder below its build context that a service is started in, or whose program it runs, and the line."""
    given = [*words(fields.get("working_dir")), *words(fields.get("entrypoint")), *words(fields.get("command"))]
    found = {_holding(match["path"]): line for word, line, _ in given if (match := PATH.search(word))}
    found.pop("", None)
    folder, line = next(iter(found.items()), ("", 0))
    return (posixpath.normpath(posixpath.join(context, folder)), line) if len(found) == 1 else None


def _holding(path: str) -> str:
    """A program's own folder: `services/till/src/index.js` is `services/till`."""
    parts = path.split("/")
    parts = parts[:-1] if "." in parts[-1] else parts
    while parts and parts[-1].lower() in INSIDE:
        parts.pop()
    return "/".join(parts)


def _folders(path: str, written: str, deeper: str = "") -> list[str]:
    """A folder as a compose file writes it, below the project's; none for one elsewhere."""
    own = posixpath.dirname(path)
    run_in = RUN_IN.match(written)
    rest = written[run_in.end() :] if run_in else written
    if ELSEWHERE.search(rest):
        return []
    found = [
        posixpath.normpath(posixpath.join(base, rest, deeper)) for base in dict.fromkeys(["", own] if run_in else [own])
    ]
    return ["" if folder == "." else folder for folder in found if not folder.startswith(("..", "/"))]
