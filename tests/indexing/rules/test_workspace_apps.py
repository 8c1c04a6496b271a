"""Applications of JavaScript monorepos."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.applications import WorkspaceApps

NEST = """\
{
  "monorepo": true,
  "projects": {
    "till": {"type": "application", "root": "apps/till"},
    "desk": {
      "type": "application",
      "sourceRoot": "apps/desk"
    },
    "till-e2e": {"type": "application", "root": "apps/till-e2e"},
    "money": {"type": "library", "root": "libs/money"},
    "here": {"type": "application"},
    "far": {"type": "application", "root": "../../far"}
  }
}
"""


def test_the_applications_of_nest():
    found = WorkspaceApps().find(Source("web/nest-cli.json", NEST, "shop"))
    assert [(d.name, d.kind, d.start_line, d.end_line) for d in found.definitions] == [
        ("till", "service", 4, 4),
        ("desk", "service", 5, 8),
    ]
    assert [(c.kind, c.key, c.value) for c in found.clues if c.entity == "till"] == [
        ("service", "till", "folder"),
        ("service folder", "web/apps/till", ""),
    ]


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("apps/till/project.json", '{"name": "shop-till",\n "projectType": "application"}\n', [("shop-till", 1, 2)]),
        ("apps/till/project.json", '{"projectType": "application"}', [("till", 1, 1)]),
        ("apps/till/project.json", '{"projectType": "application", "targets": {"serve": {}}}', [("till", 1, 1)]),
        ("deploy/chart/project.json", '{"projectType": "application", "targets": {"helm": {}}}', []),
        ("libs/money/project.json", '{"name": "money", "projectType": "library"}', []),
        ("apps/till-e2e/project.json", '{"projectType": "application"}', []),
        ("project.json", '{"name": "shop", "projectType": "application"}', []),
        ("nest-cli.json", '{"sourceRoot": "src"}', []),
        ("nest-cli.json", "{", []),
    ],
)
def test_one_file_an_application(path, text, names):
    found = WorkspaceApps().find(Source(path, text, "shop"))
    assert [(d.name, d.start_line, d.end_line) for d in (found.definitions if found else ())] == names


def test_which_files_it_reads():
    assert not any(map(WorkspaceApps().reads, ("a/project.jsonc", "myproject.json", "package.json")))
