"""What changes on the disk is indexed by the next run, one run at a time; no change is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import pytest
from watchfiles import Change

from indexing import IndexRequest
from indexing.watching import changed_paths, folder_filter, follow, request_for, watched_folders
from memory.clock import VirtualClock
from memory.errors import IndexLockedError, InvalidInputError, NoFolderError, UnknownProjectError
from memory.generation import ProjectRecord


def project(name, root=None, **fields):
    return ProjectRecord(name=name, root=root or f"/org/{name}", **fields)


PROJECTS = (project("billing"), project("crm"))


async def test_a_file_that_is_written_is_reported_and_the_data_folder_is_not(tmp_path):
    data, page = tmp_path / "data", tmp_path / "billing/page.md"
    for folder in (data, page.parent):
        folder.mkdir()
    found: set[Path] = set()

    async def write() -> None:
        number = 0
        while not found:  # from when on it is listened to is not known
            number += 1
            for file in (data / "x", page):
                await anyio.to_thread.run_sync(partial(file.write_text, str(number)))

    with anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(write)
            async for paths in changed_paths([tmp_path], but=data):
                found |= paths
                break
    assert found == {page}


class Runs:
    """Records what is indexed; the first `locked` runs meet another one's lock, of which `waits` is told."""

    def __init__(self, locked=0):
        self.requests = []
        self.locked = locked
        self.told = []

    async def __call__(self, request):
        if self.locked:
            self.locked -= 1
            raise IndexLockedError("index, since noon")
        self.requests.append(request)
        return PROJECTS

    def waits(self, locked):
        self.told.append(str(locked))


async def batches(*paths):
    for batch in paths:
        yield frozenset(map(Path, batch))
        await anyio.lowlevel.checkpoint()


async def test_what_changes_is_indexed_after_the_first_run():
    runs, first = Runs(), IndexRequest([Path("/org")], each=True)
    await follow(batches(["/org/crm/a.py", "/org/crm/b.py"], ["/org/billing/c.py"]), runs, first, waits=runs.waits)
    assert runs.requests[0] is first
    asked = runs.requests[1:]
    assert {name for request in asked for name in request.known} == {"billing", "crm"}
    assert not any(request.folders for request in asked)


async def test_while_another_run_has_the_data_folder_it_waits():
    runs, clock = Runs(locked=2), VirtualClock()
    await follow(batches(["/org/crm/a.py"]), runs, IndexRequest(), waits=runs.waits, clock=clock)
    assert [request.known for request in runs.requests] == [None, ["crm"]]
    assert clock.monotonic() == pytest.approx(2.0)
    assert len(runs.told) == 1
    assert runs.told[0].startswith("Another run is indexing into this data folder: index, since noon.")


async def test_a_folder_that_is_not_there_is_refused_as_where_it_is_indexed(tmp_path):
    runs = Runs(locked=1)
    changes = changed_paths([tmp_path / "gone"], but=tmp_path / "data")
    with pytest.raises(InvalidInputError, match="There is no folder"):
        await follow(changes, runs, IndexRequest(), waits=runs.waits, clock=VirtualClock())


async def test_what_another_run_removed_is_no_reason_to_end():
    class Gone(Runs):
        async def __call__(self, request):
            if request.known == ["crm"]:
                raise UnknownProjectError("crm", ["billing"])
            return await super().__call__(request)

    runs, first = Gone(), IndexRequest([Path("/org")], each=True)
    await follow(batches(["/org/crm/a.py"]), runs, first, waits=runs.waits)
    assert runs.requests == [first, IndexRequest()]


async def test_a_folder_that_is_away_is_no_reason_to_end():
    class Away(Runs):
        async def __call__(self, request):
            projects = await super().__call__(request)
            if request.known == ["crm"]:
                raise NoFolderError("No folder of what is indexed is there.")
            return projects

    runs, first = Away(), IndexRequest([Path("/org")], each=True)

    async def changes():
        yield frozenset([Path("/org/crm/a.py")])
        while len(runs.requests) < 2:
            await anyio.lowlevel.checkpoint()
        yield frozenset([Path("/org/billing/a.py")])

    with anyio.fail_after(300):
        await follow(changes(), runs, first, waits=runs.waits)
    assert [request.known for request in runs.requests[1:]] == [["crm"], ["billing"]]


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("/srv/.venv/shop/a.py", True),
        ("/srv/.venv/shop/index-tools/a.py", True),
        ("/srv/.venv/shop/index", False),
        ("/srv/.venv/shop/index/generations/1", False),
        ("/srv/.venv/shop/node_modules/a.js", False),
        ("/srv/.venv/shop/.git/HEAD", False),
        ("/srv/.venv/shop/.git/logs/HEAD", True),
    ],
)
def test_what_counts_is_told_below_the_folder_that_is_watched(path, counts):
    shop = Path("/srv/.venv/shop")
    assert folder_filter([shop], shop / "index")(Change.modified, path) is counts
    assert folder_filter([shop], Path(os.path.relpath(shop / "index")))(Change.modified, path) is counts


async def test_a_folder_that_was_replaced_is_watched_anew(tmp_path):
    shop, other = tmp_path / "shop", tmp_path / "other"
    for folder in (shop, other):
        folder.mkdir()
    found: list[Path] = []
    replaced = anyio.Event()

    async def work() -> None:
        number = 0
        while Path(shop / "b.md") not in found:
            number += 1
            await anyio.to_thread.run_sync(partial((shop / "a.md").write_text, str(number)))
            if found and not replaced.is_set():
                await anyio.to_thread.run_sync(partial(shop.rename, tmp_path / "away"))
                await anyio.to_thread.run_sync(partial(other.rename, shop))
                replaced.set()
            if replaced.is_set():
                await anyio.to_thread.run_sync(partial((shop / "b.md").write_text, str(number)))

    with anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            async for paths in changed_paths([shop], but=tmp_path / "data"):
                found += paths
                if replaced.is_set() and shop / "b.md" in paths:
                    break


async def test_a_folder_that_is_away_costs_the_others_nothing(tmp_path):
    shop, desk = tmp_path / "shop", tmp_path / "desk"
    for folder in (shop, desk):
        folder.mkdir()
    found: list[Path] = []

    async def until(path: Path, act: Callable[[int], object]) -> None:
        number = 0
        while path not in found:
            number += 1
            await anyio.to_thread.run_sync(partial(act, number))
            await anyio.lowlevel.checkpoint()

    async def work() -> None:
        await until(desk / "a.md", lambda number: (desk / "a.md").write_text(str(number)))
        await anyio.to_thread.run_sync(partial(shop.rename, tmp_path / "away"))
        found.clear()
        await until(desk / "b.md", lambda number: (desk / "b.md").write_text(str(number)))
        await anyio.to_thread.run_sync(partial((tmp_path / "away").rename, shop))
        await until(shop, lambda _: None)
        await until(shop / "c.md", lambda number: (shop / "c.md").write_text(str(number)))
        group.cancel_scope.cancel()

    with anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            async for paths in changed_paths([shop, desk], but=tmp_path / "data"):
                found += paths


def test_a_path_is_of_every_project_that_it_is_in():
    nested = (project("repo", "/org/repo"), project("sub", "/org/repo/sub"))
    assert request_for([Path("/org/repo/sub/a.py")], nested).known == ["repo", "sub"]
    assert request_for([Path("/org/repo/a.py")], nested).known == ["repo"]


def test_a_path_of_no_project_may_be_a_new_ones():
    assert request_for([Path("/org/crm/a.py"), Path("/org/billing/b.py")], PROJECTS).known == ["billing", "crm"]
    assert request_for([Path("/org/crm/a.py"), Path("/org/fresh/b.py")], PROJECTS) == IndexRequest()


def test_a_parent_is_watched_where_its_folders_are_projects(tmp_path):
    shared = [project(name, str(tmp_path / name), group=str(tmp_path)) for name in ("a", "b")]
    gone, package = project("gone", str(tmp_path / "gone")), project("httpx", "/lib", distribution=True)
    assert watched_folders([*shared, gone, package]) == [tmp_path]
