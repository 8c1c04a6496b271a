"""One project read anew: which files changed, their chunks and facts, and the record that the manifest keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from configs.settings import IndexingSettings
from indexing.chunks import corpus_of, language_of
from indexing.difference import Difference, compare
from indexing.extraction import extract_facts
from indexing.facts import FileFacts
from indexing.images import Shown, is_picture, picture_chunks, read_picture, shown_pictures
from indexing.points import Provenance, chunks_of
from indexing.reading import FileState, Skipped, read_source
from indexing.rules import RULES, Rule
from indexing.secret_addresses import addresses_digest, secret_facts
from indexing.sources import Source
from indexing.statements import Sentences
from memory.generation import FileRecord, ProjectRecord, SkippedFile
from memory.vector.port import Chunk

__all__ = ["ProjectUpdate", "read_project", "unchanged"]


@dataclass(frozen=True, slots=True)
class ProjectUpdate:
    """What one project's files became. `stale` are the paths whose chunks leave the store; facts hold every file's.

    pictures: all of the project's, since what is said of one stands in other files; sentences: what the relations inside
    the project say; restated: the unchanged files whose lines prove other relations than before.
    """

    record: ProjectRecord
    difference: Difference
    chunks: tuple[Chunk, ...]
    facts: Mapping[str, FileFacts]
    stale: tuple[str, ...]
    pictures: tuple[Chunk, ...] = ()
    sentences: Sentences = field(default_factory=dict)
    restated: tuple[str, ...] = ()


@dataclass
class _Reading:
    records: list[FileRecord] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    facts: dict[str, FileFacts] = field(default_factory=dict)


def unchanged(source: Source, record: ProjectRecord | None) -> bool:
    """Whether the disk is as the manifest says, as far as can be told without opening files that look the same."""
    if record is None or not _same_provenance(source, record):
        return False
    known = {file.path: file for file in record.files}
    skipped = {(row.path, row.reason) for row in source.project.skipped}
    left_out = {(row.path, row.reason) for row in record.skipped}
    if not skipped <= left_out:
        return False
    for path in source.project.files:
        if path not in known:  # new, or opened before and refused: it would have to be refused again
            read = read_picture if is_picture(path) else read_source
            found = read(source.project.root / path)
            if not isinstance(found, Skipped):
                return False
            skipped.add((path, found.reason))
    same = compare(source.project.root, set(source.project.files) & set(known), known).is_empty
    return same and skipped == left_out and addresses_digest(_secrets(source, record.skipped)) == record.addresses


def _secrets(source: Source, skipped: Iterable[SkippedFile]) -> dict[str, FileFacts]:
    return secret_facts(source.project.root, [row.path for row in skipped if row.reason == "secret"])


def _same_provenance(source: Source, record: ProjectRecord) -> bool:
    project = source.project
    now = (project.repo, project.commit, str(project.root), source.group)
    return now == (record.repo, record.commit, record.root, record.group)


def read_project(
    source: Source,
    record: ProjectRecord | None,
    facts: Mapping[str, FileFacts],
    settings: IndexingSettings,
    rules: Sequence[Rule] = RULES,
    *,
    anew: bool = False,
) -> ProjectUpdate:
    """Read what changed since `record`; `facts` are those of the files as they were.

    When the commit or the repository changed every file is read, since every chunk carries both; also if it is to be
    read `anew`.
    """
    as_it_was = record is not None and not anew and _same_provenance(source, record)
    known = {file.path: file for file in record.files} if record and as_it_was else {}
    difference = compare(source.project.root, source.project.files, known)
    provenance = Provenance(source.project.name, source.project.repo, source.project.commit)
    reading = _Reading(
        [known[path] for path in difference.unchanged], [SkippedFile(s.path, s.reason) for s in source.project.skipped]
    )
    reading.facts = {path: facts[path] for path in difference.unchanged if path in facts}
    for path in (*difference.added, *difference.changed):
        _read_file(source, path, provenance, reading, settings, rules)
    before = {file.path for file in record.files} if record else set()
    secrets = _secrets(source, reading.skipped)
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
        pictures=tuple(_pictures(source, provenance, reading, settings.max_file_bytes)),
    )


def _read_file(
    source: Source,
    path: str,
    provenance: Provenance,
    reading: _Reading,
    settings: IndexingSettings,
    rules: Sequence[Rule],
) -> None:
    if is_picture(path):
        _look_at(source, path, reading, settings.max_file_bytes)
        return
    found = read_source(source.project.root / path, relative=path, max_file_bytes=settings.max_file_bytes)
    if isinstance(found, Skipped):
        reading.skipped.append(SkippedFile(path, found.reason))
        return
    facts = extract_facts(path, found.text, provenance.project, rules)
    chunks = chunks_of(provenance, path, found.text, facts, max_chars=settings.chunk_chars)
    reading.records.append(_record(path, found.record, lines=facts.lines, chunks=len(chunks)))
    reading.facts[path] = facts
    reading.chunks += chunks


def _look_at(source: Source, path: str, reading: _Reading, max_file_bytes: int) -> None:
    found = read_picture(source.project.root / path, max_file_bytes=max_file_bytes)
    if isinstance(found, Skipped):
        reading.skipped.append(SkippedFile(path, found.reason))
    else:
        reading.records.append(_record(path, found, lines=0, chunks=1))


def _record(path: str, state: FileState, *, lines: int, chunks: int) -> FileRecord:
    return FileRecord(
        path=path,
        hash=state.hash,
        size=state.size,
        mtime_ns=state.mtime_ns,
        ctime_ns=state.ctime_ns,
        read_ns=state.read_ns,
        lines=lines,
        chunks=chunks,
    )


def _pictures(source: Source, provenance: Provenance, reading: _Reading, max_file_bytes: int) -> list[Chunk]:
    """Every picture of the project, with what its documents say of it now."""
    found = [(record.path, record.hash) for record in reading.records if is_picture(record.path)]
    shown: list[Shown] = []
    documents = (record.path for record in reading.records if language_of(record.path) == "markdown")
    for path in documents if found else ():
        read = read_source(source.project.root / path, relative=path, max_file_bytes=max_file_bytes)
        if not isinstance(read, Skipped):
            shown += shown_pictures(path, read.text)
    return picture_chunks(provenance, found, shown)


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
