"""The document of `index --json` (docs/design.md#output)."""

from __future__ import annotations

from dataclasses import replace

from indexing.project import Difference
from indexing.report import IndexReport, ProjectReport
from memory.generation import FileRecord, ProjectRecord, SkippedFile

AUTH = ProjectRecord(
    "auth",
    "/org/auth",
    commit="c1",
    entities=4,
    relations=2,
    files=(FileRecord("a.py", "h", 1, 1, chunks=2), FileRecord("b.py", "h", 1, 1, chunks=3)),
    skipped=(SkippedFile(".env", "secret"),),
    recognised={"python": 2},
    not_recognised={".xyz": 3},
)
CRM = ProjectRecord("crm", "/org/crm", files=(FileRecord("c.py", "h", 1, 1, chunks=1),))


def test_the_document():
    difference = Difference(added=("a.py",), changed=("b.py",), removed=("x.py", "y.py"))
    report = IndexReport(3, False, (ProjectReport(AUTH, difference), ProjectReport(CRM, None)), ("old",), 180, 310)  # noqa: FBT003 - it reads as the document does
    document = report.to_dict(1.98765)
    assert list(document) == [
        *("schema_version", "generation", "unchanged", "seconds", "files", "chunks", "entities", "relations"),
        *("embedded", "projects", "removed", "absent", "unreached", "lost", "skipped"),
    ]
    assert (document["schema_version"], document["generation"], document["seconds"]) == ("1", 3, 1.988)
    assert (document["files"], document["chunks"]) == (2 + 1, 2 + 3 + 1)
    assert (document["entities"], document["relations"], document["embedded"]) == (180, 310, 1.0)
    assert document["removed"] == ["old"]
    assert document["skipped"] == [{"project": "auth", "path": ".env", "reason": "secret"}]
    because = {("auth", ".env"): "its reader crashed", ("crm", ".env"): "another one's"}
    assert replace(report, because=because).to_dict(1)["skipped"] == [
        {"project": "auth", "path": ".env", "reason": "secret", "because": "its reader crashed"}
    ]
    row = {
        "project": "\ufffdd",
        "path": "",
        "reason": "undecodable",
        "because": "its name is not UTF-8 or has control characters; rename the folder",
    }
    assert replace(report, unnamed=("\ufffdd",)).to_dict(1)["skipped"] == [row, *document["skipped"]]
    auth, crm = document["projects"]
    assert auth == {
        "name": "auth",
        "root": "/org/auth",
        "commit": "c1",
        "files": 2,
        "chunks": 5,
        "entities": 4,
        "relations": 2,
        "by_names": 0,
        "added": 1,
        "changed": 1,
        "removed": 2,
        "recognised": {"python": 2},
        "not_recognised": {".xyz": 3},
    }
    assert (crm["added"], crm["changed"], crm["removed"], crm["not_recognised"]) == (0, 0, 0, {})
