from __future__ import annotations

import pytest

from configs.settings import IndexingSettings
from indexing.chunks import Provenance
from indexing.isolation import Look

HOSTILE = """
import os, signal, sys, time

class Panic(BaseException):
    pass

class Hostile:
    name = "hostile"

    def reads(self, path):
        return path.endswith(".trap")

    def find(self, source):
        print("said by a rule")
        what = source.text.strip()
        if what == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if what == "leave":
            os._exit(3)
        if what == "spin":
            while True:
                pass
        if what == "hang":
            while True:
                signal.pause()
        if what == "memory":
            bytearray(1 << 42)
        if what == "panic":
            raise Panic("the text: my secret")
        if what == "exit":
            sys.exit(4)
        if what == "deep":
            self.find(source)
        if what == "mistake":
            return source.nothing

RULES = [Hostile()]
"""


@pytest.fixture
def settings(tmp_path):
    """Settings with a rule that does to its reader what a `.trap` file says."""
    rules = tmp_path / "hostile.py"
    rules.write_text(HOSTILE)
    return IndexingSettings(rules=[str(rules)], file_timeout_ms=500)


@pytest.fixture
def look(tmp_path):
    """Makes a file and a look at it."""

    def made(name, text, purpose="text"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return Look(purpose, str(tmp_path), name, Provenance("dock", "dock", ""))

    return made
