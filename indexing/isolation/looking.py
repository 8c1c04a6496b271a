"""A file looked at: the one place that catches whatever a parser, a chunker or a rule raises.

A process of its own runs `main`: the settings on standard input, then looks; answers on standard output, all of them
JSON. The system itself ends it where a file takes too long or too much memory, be it in the midst of a native library:
the signals are left to their default. What a rule of the user's own prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from traceback import walk_tb
from typing import Any, BinaryIO, Final, Self

from configs.settings import IndexingSettings
from extraction.reading import extract_facts
from extraction.rules import RULES, Rule
from extraction.rules.custom import load_rules
from extraction.rules.structure.reading import KEY
from indexing.chunks import chunks_of
from indexing.images import read_picture, shown_pictures
from indexing.isolation.port import Found, Look
from indexing.reading import Skipped, read_source
from indexing.secret_addresses import secret_facts
from memory.errors import ConfigError
from memory.processes import read_frame, write_frame

WAITING = 6
"""A file may wait, for a disk or the processor, so many times the processor's time that it may take."""
_MOST_BYTES: Final = 2**62
_LONGEST_S: Final = 1e8
"""Above these the system takes no limit; nothing needs as much."""


class Looking:
    """Looks at one file after the other. Raises ConfigError for rules of the user's own that can't be loaded."""

    def __init__(self, settings: IndexingSettings) -> None:
        self._settings = settings
        self._rules: Sequence[Rule] = (*RULES, *_own_rules(settings.rules))

    def answer(self, request: Any) -> bytes:
        """What a look brought, as JSON in UTF-8; both are as `Look` and `Found` write them. Never raises."""
        try:
            found = self._found(Look.from_dict(request)).to_dict()
            return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()  # no text that can't be stored
        except ConfigError as error:
            return mistake(error)
        except BaseException as error:  # noqa: BLE001 - a native parser's panic is no Exception; no file may end the run
            deep = isinstance(error, RecursionError)
            because = "it is nested too deeply" if deep else f"its reader raised {_named(error)}"
            return json.dumps(Found("unreadable", because).to_dict()).encode()

    def _found(self, look: Look) -> Found:
        file, most = Path(look.root) / look.path, self._settings.max_file_bytes
        if look.purpose == "secret":
            return Found(facts=secret_facts(Path(look.root), [look.path]).get(look.path))
        if look.purpose == "picture":
            state = read_picture(file, max_file_bytes=most)
            return Found(state.reason) if isinstance(state, Skipped) else Found(state=state)
        read = read_source(file, relative=look.path, max_file_bytes=most)
        if isinstance(read, Skipped):
            return Found(read.reason)
        if look.purpose == "shown":
            return Found(shown=tuple(shown_pictures(look.path, read.text)))
        facts = extract_facts(look.path, read.text, look.provenance.project, self._rules)
        chunks = chunks_of(look.provenance, look.path, read.text, facts, max_chars=self._settings.chunk_chars)
        return Found(state=read.record, facts=facts, chunks=tuple(chunks))


def _own_rules(files: Sequence[str]) -> Iterator[Rule]:
    """The rules of the user's own, one file after the other. Raises ConfigError, whatever a file raises that is run."""
    for file in files:
        try:
            yield from load_rules([file])
        except (ConfigError, KeyboardInterrupt):
            raise
        except BaseException as error:  # it may exit too, and a rule of it may have a name that fails
            raise ConfigError(KEY, file, f"can't be run: {_named(error)}.") from error


def mistake(error: ConfigError) -> bytes:
    """A mistake in the user's own rules, as an answer."""
    return json.dumps({"mistake": [error.key, error.where, error.problem, error.hint]}).encode()


def _named(error: BaseException) -> str:
    """The error and where it was raised; not its message, in which the file's content may be."""
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    file, line = frames[-1]
    return f"{type(error).__name__} ({PurePath(file).name}:{line})"


class InProcess:
    """Looks at files where it is called, as a process of `ReadingProcesses` would, with the same answers."""

    at_once = 1

    def __init__(self, settings: IndexingSettings) -> None:
        self._settings = settings
        self._looking: Looking | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._looking = None

    async def look(self, looks: Sequence[Look]) -> list[Found]:
        """What each brought, in their order. Raises ConfigError."""
        self._looking = self._looking or Looking(self._settings)
        answers = [json.loads(self._looking.answer(look.to_dict())) for look in looks]
        for answer in answers:
            if "mistake" in answer:
                raise ConfigError(*answer["mistake"])
        return [Found.from_dict(answer) for answer in answers]


def main() -> None:
    """Serve the parent on the standard streams."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a descriptor is asked for
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    with suppress(BrokenPipeError):  # the parent is gone
        serve(requests, answers)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Take the settings, which come first, then answer each look."""
    frame = read_frame(requests)
    if frame is None:
        return
    settings = IndexingSettings(**json.loads(frame))
    _limit_time(settings.file_timeout_ms / 1000)  # a rule of the user's own may never end
    try:
        looking = Looking(settings)
    except ConfigError as error:
        write_frame(answers, mistake(error))
        return
    _limit_time(0)
    write_frame(answers, b"{}")
    size = min(settings.file_memory_mb << 20, _MOST_BYTES)
    with suppress(ValueError, OSError):  # a system that knows no such limit, or a lower one that holds already
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    while (frame := read_frame(requests)) is not None:
        _limit_time(settings.file_timeout_ms / 1000)
        answer = looking.answer(json.loads(frame))
        _limit_time(0)
        write_frame(answers, answer)


def _limit_time(seconds: float) -> None:
    """From now on; 0: none."""
    seconds = min(seconds, _LONGEST_S)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of the processor, so that a busy machine changes nothing
    signal.setitimer(signal.ITIMER_REAL, seconds * WAITING)
