"""One project read anew: which files changed, their chunks and facts, and the record that the manifest keeps.

A file is taken to be as it was without a look inside only when that is certain. Size and both times must be equal: an
edit that puts the old modification time back (`touch -r`, `tar`, `rsync -t`) still moves the change time. And both
times must lie well before the moment it was read: a write in the same tick of the file system's clock, right after
reading, leaves all three equal (git's "racily clean" entries, gitformat-index and racy-git.txt). Else its bytes decide.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath

import anyio.to_thread

from extraction.facts import FileFacts
from indexing.chunks import Provenance, corpus_of, language_of
from indexing.images import is_picture, picture_chunks
from indexing.isolation import Found, Look, Purpose, Readers
from indexing.reading import Skipped, read_bytes
from indexing.secret_addresses import addresses_digest, holds_addresses
from indexing.sources import Source
from indexing.statements import Sentences
from memory.generation import FileRecord, ProjectRecord, SkippedFile
from memory.vector.port import Chunk


@dataclass(frozen=True, slots=True)
class Difference:
    """Paths, each in one of four, sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changed or self.removed)


def compare(root: Path, files: Iterable[str], recorded: Mapping[str, FileRecord]) -> Difference:
    """What became of the recorded files, `files` being the paths that discovery found just now. A recorded file that
    can't be read any more counts as changed; reading it then says why.
    """
    found = sorted(set(files))
    same = {path for path in found if path in recorded and _is_same(root / path, recorded[path])}
    return Difference(
        added=tuple(path for path in found if path not in recorded),
        changed=tuple(path for path in found if path in recorded and path not in same),
        removed=tuple(sorted(set(recorded) - set(found))),
        unchanged=tuple(path for path in found if path in same),
    )


def _is_same(file: Path, record: FileRecord) -> bool:
    try:
        state = os.lstat(file)
    except OSError:
        return False
    if state.st_size != record.size:
        return False
    if record.is_settled and (state.st_mtime_ns, state.st_ctime_ns) == (record.mtime_ns, record.ctime_ns):
        return True
    read = read_bytes(file, record.size)
    return not isinstance(read, Skipped) and read[1].hash == record.hash


@dataclass(frozen=True, slots=True)
class ProjectUpdate:
    """What one project's files became. `stale` are the paths whose chunks leave the store; facts hold every file's.

    pictures: all of the project's, since other files describe them; sentences: what the relations inside
    the project say; restated: the unchanged files whose lines prove other relations than before; says_the_same: whether
    all its facts are as they were.
    """

    record: ProjectRecord
    difference: Difference
    chunks: tuple[Chunk, ...]
    facts: Mapping[str, FileFacts]
    stale: tuple[str, ...]
    pictures: tuple[Chunk, ...] = ()
    sentences: Sentences = field(default_factory=dict)
    restated: tuple[str, ...] = ()
    says_the_same: bool = False


@dataclass
class _Reading:
    records: list[FileRecord] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    facts: dict[str, FileFacts] = field(default_factory=dict)

    def take(self, path: str, found: Found) -> None:
        if found.state is None:
            self.skipped.append(SkippedFile(path, found.skipped))
            return
        lines, chunks = (found.facts.lines, len(found.chunks)) if found.facts else (0, 1)
        self.records.append(FileRecord(path, **asdict(found.state), lines=lines, chunks=chunks))
        self.chunks += found.chunks
        if found.facts:
            self.facts[path] = found.facts


async def unchanged(source: Source, record: ProjectRecord | None, readers: Readers) -> bool:
    """Whether the disk is as the manifest says, as far as can be seen without opening files that look the same."""
    if record is None or not _same_provenance(source, record):
        return False
    if source.url:
        return True  # a commit is what it is
    known = {file.path: file for file in record.files}
    skipped: set[tuple[str, str]] = {(row.path, row.reason) for row in source.project.skipped}
    left_out = {(row.path, row.reason) for row in record.skipped}
    if not skipped <= left_out:
        return False
    opened = [path for path in source.project.files if path not in known]
    if not {path for path, _ in left_out}.issuperset(opened):
        return False
    found = await readers.look([_look(source, path) for path in opened])  # they would have to be refused again
    skipped |= {(path, one.skipped) for path, one in zip(opened, found, strict=True)}
    if skipped != left_out or not compare(source.project.root, set(source.project.files) & set(known), known).is_empty:
        return False
    return addresses_digest(await _secrets(source, record.skipped, readers)) == record.addresses


def _look(source: Source, path: str, purpose: Purpose | None = None) -> Look:
    purpose = purpose or ("picture" if is_picture(path) else "text")
    return Look(purpose, str(source.project.root), path, _provenance(source), source.url)


def _provenance(source: Source) -> Provenance:
    return Provenance(source.project.name, source.project.repo, source.project.commit)


async def _secrets(source: Source, skipped: Iterable[SkippedFile], readers: Readers) -> dict[str, FileFacts]:
    paths = sorted(row.path for row in skipped if row.reason == "secret" and holds_addresses(row.path))
    found = await readers.look([_look(source, path, "secret") for path in paths])
    return {path: one.facts for path, one in zip(paths, found, strict=True) if one.facts}


def _same_provenance(source: Source, record: ProjectRecord) -> bool:
    project = source.project
    now = (project.repo, project.commit, str(project.root), source.group)
    return now == (record.repo, record.commit, record.root, record.group)


async def read_project(
    source: Source,
    record: ProjectRecord | None,
    facts: Mapping[str, FileFacts],
    readers: Readers,
    *,
    anew: bool = False,
) -> ProjectUpdate:
    """Read what changed since `record`; `facts` are those of the files as they were.

    When the commit or the repository changed every file is read, since every chunk carries both; also if it is to be
    read `anew`.
    """
    as_it_was = record is not None and not anew and _same_provenance(source, record)
    known = {file.path: file for file in record.files} if record and as_it_was else {}
    difference = await anyio.to_thread.run_sync(
        compare, source.project.root, source.project.files, known, abandon_on_cancel=True
    )
    reading = _Reading([known[path] for path in difference.unchanged], [*source.project.skipped])
    reading.facts = {path: facts[path] for path in difference.unchanged if path in facts}
    new = (*difference.added, *difference.changed)
    for path, found in zip(new, await readers.look([_look(source, path) for path in new]), strict=True):
        reading.take(path, found)
    before = {file.path for file in record.files} if record else set()
    secrets = await _secrets(source, reading.skipped, readers)
    stale = before - {path for path in difference.unchanged if not is_picture(path)}
    return ProjectUpdate(
        record=ProjectRecord(
            name=source.project.name,
            root=str(source.project.root),
            repo=source.project.repo,
            commit=source.project.commit,
            group=source.group,
            distribution=source.distribution,
            files=tuple(sorted(reading.records, key=lambda file: file.path)),
            skipped=tuple(sorted(reading.skipped, key=lambda row: (row.path, row.reason))),
            not_recognised=_not_recognised(reading.facts),
            recognised=_recognised(reading.facts),
            addresses=addresses_digest(secrets),
        ),
        difference=_against(before, reading, difference),
        chunks=tuple(reading.chunks),
        facts=reading.facts | secrets,
        stale=tuple(sorted(stale)),
        pictures=tuple(await _pictures(source, reading, readers)),
    )


async def _pictures(source: Source, reading: _Reading, readers: Readers) -> list[Chunk]:
    """Every picture of the project, with what its documents say of it now."""
    found = [(record.path, record.hash) for record in reading.records if is_picture(record.path)]
    documents = [record.path for record in reading.records if language_of(record.path) == "markdown"] if found else []
    looks = [_look(source, path, "shown") for path in documents]
    shown = [place for one in await readers.look(looks) for place in one.shown]
    return picture_chunks(_provenance(source), found, shown)


def _against(before: set[str], reading: _Reading, difference: Difference) -> Difference:
    """The difference in what is indexed, which is what a report counts: a file that is skipped now is gone."""
    now = {file.path for file in reading.records}
    return Difference(
        added=tuple(sorted(now - before)),
        changed=tuple(sorted((now & before) - set(difference.unchanged))),
        removed=tuple(sorted(before - now)),
        unchanged=difference.unchanged,
    )


def _recognised(facts: Mapping[str, FileFacts]) -> dict[str, int]:
    """Files by each language and rule that saw something in them."""
    return dict(sorted(Counter(name for one in facts.values() for name in one.recognised).items()))


def _not_recognised(facts: Mapping[str, FileFacts]) -> dict[str, int]:
    """Files of code in which no language and no rule saw anything, by suffix."""
    unseen = (path for path, one in facts.items() if not one.recognised and corpus_of(language_of(path)) == "code")
    return dict(sorted(Counter(PurePosixPath(path).suffix or PurePosixPath(path).name for path in unseen).items()))
