"""Files are looked at in processes: what ends one, or outlasts its limits, costs that file alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indexing.isolation import InProcess, ReadingProcesses
from memory.errors import ConfigError, UnavailableError

pytestmark = pytest.mark.slow

ENDS = {
    "crash": "its reader crashed (SIGSEGV)",
    "leave": "its reader left with code 3",
    "spin": "reading it took longer than 0.5 s",
    "hang": "reading it took longer than 0.5 s",
    "memory": "its reader raised MemoryError (hostile.py:27)",
}


@pytest.mark.parametrize("what", ENDS)
async def test_a_file_that_ends_its_reader_is_left_out_by_name_and_the_others_are_read(settings, look, what):
    looks = [look("a.md", "# A\n"), look("b.trap", what), look("c.md", "# C\n")]
    async with ReadingProcesses(replace(settings, workers=1)) as readers:
        found = await readers.look(looks)
        again = await readers.look(looks[2:3])
    assert [(one.skipped, one.because) for one in found] == [("", ""), ("unreadable", ENDS[what]), ("", "")]
    assert [one.chunks[0].text for one in (found[0], found[2], *again)] == ["# A", "# C", "# C"]


async def test_several_processes_answer_what_one_does_in_its_place(settings, look):
    looks = [look(f"{n}.py", f"class A{n}:\n    pass\n") for n in range(120)] + [look("z.trap", "crash")]
    async with ReadingProcesses(replace(settings, workers=3)) as several, InProcess(settings) as here:
        assert await several.look([]) == []
        found = await several.look(looks)
        expected = await here.look(looks[:-1])
    assert [(one.facts, one.chunks) for one in found[:-1]] == [(one.facts, one.chunks) for one in expected]
    assert [one.facts.definitions[0].name for one in found[:-1]] == [f"A{n}" for n in range(120)]
    assert found[-1].because == ENDS["crash"]


async def test_what_is_wrong_with_a_rule_ends_the_run(settings, look):
    async with ReadingProcesses(settings) as readers:
        with pytest.raises(ConfigError, match=r"rule hostile: indexing\.rules: failed on x\.trap: AttributeError"):
            await readers.look([look("x.trap", "mistake")])
    missing = replace(settings, rules=["nowhere.yaml"])
    async with ReadingProcesses(missing) as readers:
        with pytest.raises(ConfigError, match=r"nowhere\.yaml: indexing\.rules: cannot be read"):
            await readers.look([look("a.md", "# A\n")])


async def test_a_rule_file_that_never_ends_ends_the_run_by_name(tmp_path, settings, look):
    (tmp_path / "spins.py").write_text("while True:\n    pass\n")
    async with ReadingProcesses(replace(settings, rules=[str(tmp_path / "spins.py")])) as readers:
        with pytest.raises(ConfigError, match=r"spins\.py: indexing\.rules: loading them took longer than 0\.5 s"):
            await readers.look([look("a.md", "# A\n")])


async def test_a_process_that_cannot_begin_is_no_fault_of_the_files(tmp_path, settings, look):
    (tmp_path / "quits.py").write_text("import os\nos._exit(7)\n")
    async with ReadingProcesses(replace(settings, rules=[str(tmp_path / "quits.py")])) as readers:
        with pytest.raises(UnavailableError, match="could not be started"):
            await readers.look([look("a.md", "# A\n")])
