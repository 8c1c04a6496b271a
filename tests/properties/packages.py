"""Installed distributions as an organisation on the disk, and a seeded story of edits to it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from indexing.discovery import discover_distribution

PACKAGES = (
    "aiolimiter",
    "anyio",
    "certifi",
    "h11",
    "httpcore",
    "httpx",
    "iniconfig",
    "pluggy",
    "structlog",
    "tenacity",
    "voyageai",
)
IN_HAND = "httpx"  # stays, whatever is edited

SNIPPET = (
    "Find code similar to this error handling:\n"
    "    try:\n        yield\n    except Exception as exc:\n        raise mapped_exc(message) from exc\n"
)
QUESTIONS = (
    "What is httpx?",
    "What is AsyncLimiter?",
    "Where is `HTTPTransport` defined?",
    "Where is RetryError defined?",
    "What does `wait_exponential` do?",
    "How does httpx connect to httpcore?",
    "How does AsyncConnectionPool connect to ConnectionState?",
    "What calls `map_httpcore_exceptions`?",
    "What uses CapacityLimiter?",
    "Which projects depend on anyio?",
    "What does voyageai depend on?",
    "What is the difference between BaseTransport and AsyncBaseTransport?",
    "Which projects use something that depends on certifi?",
    "Is there a path from AsyncClient to AsyncConnectionPool?",
    "What patterns do other projects use for retries?",
    "How do other projects handle timeouts?",
    "How do teams handle cancellation?",
    "What patterns are there for lazy imports?",
    "Which packages call plugin hooks in order?",
    SNIPPET,
    "Find code that limits how many requests run at a time",
    "What does our README say about HTTP/2?",
    "What are our conventions for redirects?",
    "event loop backends and worker threads",
    "Where is FluxCapacitorQuux configured?",
)

_DEFINED = re.compile(r"^\s*(?:async )?(?:def|class) ([A-Za-z]\w{3,})", re.MULTILINE)


def copy_packages(org: Path) -> None:
    """Each distribution's own files into a folder of its name."""
    for name in PACKAGES:
        found = discover_distribution(name, max_file_bytes=1_000_000)
        for path in found.files:
            target = org / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(found.root / path, target)


@dataclass(frozen=True)
class Story:
    """Edits of the folders below `org`, drawn one after the other; each returns what it did."""

    org: Path
    draw: Random

    def rounds(self) -> Iterator[list[str]]:
        """Two rounds of edits, every kind once or twice; the caller indexes after each."""
        kinds: list[Callable[[], str]] = [
            *(self.rename, self.delete, self.add, self.depend, self.move),
            *(self.rename, self.delete, self.add, self.remove),
        ]
        self.draw.shuffle(kinds)
        for begin in range(0, len(kinds), 5):
            yield [edit() for edit in kinds[begin : begin + 5]]

    def rename(self) -> str:
        """A function or class, in its file or wherever the project says its name."""
        file, old = self._definition()
        new, spread = f"{old}_anew", self.draw.random() < 0.5
        for one in self._sources(file.relative_to(self.org).parts[0]) if spread else [file]:
            text = one.read_text(encoding="utf-8")
            one.write_text(re.sub(rf"\b{old}\b", new, text), encoding="utf-8")
        return f"{old} of {self._short(file)} renamed, everywhere: {spread}"

    def delete(self) -> str:
        """A module."""
        file = self.draw.choice(self._sources())
        file.unlink()
        return f"{self._short(file)} deleted"

    def add(self) -> str:
        """A module that calls another project's definition, and a page that speaks of it."""
        file, name = self._definition()
        module = ".".join(file.relative_to(self.org).with_suffix("").parts[1:])
        project = self.draw.choice(self._projects())
        number = self.draw.randrange(1000)
        (project / f"added_{number}.py").write_text(
            f'from {module} import {name}\n\n\ndef added_{number}():\n    """Calls {name}."""\n    return {name}()\n',
            encoding="utf-8",
        )
        (project / f"ADDED_{number}.md").write_text(f"# Added\n\n`added_{number}` retries {name}.\n", encoding="utf-8")
        return f"added_{number} of {project.name} calls {name} of {self._short(file)}"

    def depend(self) -> str:
        """A distribution's dependency becomes another one."""
        lines = [
            (file, line)
            for file in sorted(self.org.glob("*/*.dist-info/METADATA"))
            for line in file.read_text(encoding="utf-8").split("\n\n", 1)[0].split("\n")
            if line.startswith("Requires-Dist:")
        ]
        file, line = self.draw.choice(lines)
        needed = self.draw.choice(self._projects()).name
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(line, f"Requires-Dist: {needed}>=1", 1), encoding="utf-8")
        return f"{self._short(file)} needs {needed}, not {line}"

    def move(self) -> str:
        """A module into another project."""
        file = self.draw.choice(self._sources())
        target = self.draw.choice(self._projects()) / "moved" / file.name
        target.parent.mkdir(exist_ok=True)
        file.rename(target)
        return f"{self._short(file)} moved to {self._short(target)}"

    def remove(self) -> str:
        """A whole project."""
        project = self.draw.choice([one for one in self._projects() if one.name != IN_HAND])
        shutil.rmtree(project)
        return f"{project.name} removed"

    def _projects(self) -> list[Path]:
        return sorted(one for one in self.org.iterdir() if one.is_dir())

    def _sources(self, project: str = "*") -> list[Path]:
        return sorted(self.org.glob(f"{project}/**/*.py"))

    def _definition(self) -> tuple[Path, str]:
        defined = [(file, _DEFINED.findall(file.read_text(encoding="utf-8"))) for file in self._sources()]
        file, names = self.draw.choice([(file, names) for file, names in defined if names])
        return file, self.draw.choice(names)

    def _short(self, file: Path) -> str:
        return file.relative_to(self.org).as_posix()
