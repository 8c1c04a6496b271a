"""What other processes do at the same time: real ones, and short."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory.errors import IndexLockedError
from memory.generation import DataFolder, Disk, Manifest

HOLD = """
import sys
from memory.generation import DataFolder
with DataFolder.open(sys.argv[1]).indexing("hybrid-retrieval index shop") as session:
    stage = session.stage()
    stage.graph_path.mkdir(exist_ok=True)
    (stage.graph_path / "1.kgl").write_text("half")
    print("indexing", flush=True)
    sys.stdin.read()
"""

READ = """
import sys
from memory.generation import DataFolder
folder = DataFolder.open(sys.argv[1])
print("reading", flush=True)
seen = []
while not seen or seen[-1] < 30:
    with folder.reading() as generation:
        texts = {(generation.graph_path / "0.kgl").read_text(), (generation.vectors_path / "segment").read_text()}
        assert texts == {str(generation.number)}, texts
        assert generation.manifest.profile == str(generation.number)
        seen.append(generation.number)
assert seen == sorted(seen)
print(len(set(seen)))
"""

MAKE = """
import sys
from memory.generation import DataFolder
sys.stdin.read()
print(DataFolder.open_or_create(sys.argv[1]).namespace)
"""

FULL = """
import resource, sys
from memory.errors import StorageFullError
from memory.generation import DataFolder, Manifest, ProjectFacts
facts = {"billing": ProjectFacts({f"src/{n}.py": {"lang": "python"} for n in range(1000)}, {})}
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))  # not even the holder's name
try:
    DataFolder.open(sys.argv[1]).indexing("index .")
except StorageFullError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, most))  # the lock was given back; no room for the facts
try:
    with DataFolder.open(sys.argv[1]).indexing("index .") as session:
        stage = session.stage()
        session.remember(stage, "billing", facts["billing"])
except StorageFullError as error:
    print(error)
"""


def start(program, path):
    return subprocess.Popen(  # noqa: S603 - this interpreter and our own text
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def publish(folder):
    with folder.indexing("index .") as session:
        number = str(session.number + 1)
        stage = session.stage()
        stage.vectors_path.mkdir(exist_ok=True)
        (stage.vectors_path / "segment").write_text(number)
        stage.graph_path.mkdir(exist_ok=True)
        Disk().write(stage.graph_path / "0.kgl", [number])
        session.publish(stage, Manifest("n", number, "mini", 384))


@pytest.fixture
def folder(tmp_path):
    folder = DataFolder.open_or_create(tmp_path / "data")
    publish(folder)
    return folder


def test_another_process_indexes_is_killed_and_leaves_nothing_in_the_way(folder):
    with start(HOLD, folder.root) as other:
        assert other.stdout.readline() == "indexing\n"
        with pytest.raises(IndexLockedError, match=rf"process {other.pid} of .*`hybrid-retrieval index shop`"):
            folder.indexing("index .")
        with folder.reading() as generation:  # readers do not wait for it
            assert generation.number == 1
        other.kill()
    assert [p.name for p in (folder.root / "generations").glob(".stage-*")] == [f".stage-{other.pid}"]
    publish(folder)
    assert [p.name for p in (folder.root / "generations").iterdir()] == ["2"]


def test_readers_see_one_generation_or_the_next_and_never_an_error(folder):
    with start(READ, folder.root) as one, start(READ, folder.root) as two:
        assert (one.stdout.readline(), two.stdout.readline()) == ("reading\n", "reading\n")
        for _ in range(29):
            publish(folder)
        seen = [int(one.communicate()[0]), int(two.communicate()[0])]
    assert (one.returncode, two.returncode) == (0, 0)
    assert min(seen) > 1
    publish(folder)
    assert [p.name for p in (folder.root / "generations").iterdir()] == ["31"]


def test_two_processes_that_make_the_folder_at_once_agree_on_its_namespace(tmp_path):
    with start(MAKE, tmp_path / "new") as one, start(MAKE, tmp_path / "new") as two:
        one.stdin.close()
        two.stdin.close()
        assert one.stdout.read() == two.stdout.read() != ""


def test_a_file_that_may_not_grow_is_a_full_disk(folder):
    with start(FULL, folder.root) as other:
        said, _ = other.communicate()
    assert other.returncode == 0
    assert [line[:27] for line in said.splitlines()] == ["No room is left on the disk"] * 2
    with folder.reading() as generation:
        assert (generation.number, generation.manifest.profile) == (1, "1")
    assert [p.name for p in (folder.root / "generations").iterdir()] == ["1"]
