"""Config keys: the environment variables and settings that a program reads by name.

One row a way of reading them, as the languages and libraries document it: os.environ, getenv, process.env, os.Getenv,
System.getenv, ENV, env(), @Value and @ConfigProperty, IConfiguration, struct tags of caarlos0/env and envconfig,
viper's BindEnv, and the options of click, Typer, clap and pydantic that a variable may give.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.facts import Clue
from indexing.rules.code_addresses import COMMENT
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CONFIG_KEY", "READS", "ConfigKeys"]

CONFIG_KEY: Final = "config key"
READS: Final = "READS"

WORTH_READING: Final = re.compile(r"env|config|@Value", re.IGNORECASE)
WAYS: Final = (
    r"""(?<![\w.])(?:os\.)?environ(?:\.(?:get|setdefault|pop)\(|\[)\s*["'](\w+)["'](?!\s*\]\s*=(?!=))""",  # Python
    r"""\b(?:os\.)?[gG]etenv\(\s*["'](\w+)["']""",  # Python, Go, Java, PHP, C
    r"""\bos\.LookupEnv\(\s*"(\w+)\"""",
    r"""\bEnvironment\.GetEnvironmentVariable\(\s*"(\w+)\"""",  # .NET
    r"""\b(?:process|import\.meta)\.env(?:\.([A-Za-z_]\w*)|\[\s*["'](\w+)["'])""",  # JavaScript
    r"""\bDeno\.env\.get\(\s*["'](\w+)["']""",
    r"""\bENV(?:\.fetch\(|\[)\s*["'](\w+)["']""",  # Ruby
    r"""\$_ENV\[\s*["'](\w+)["']""",  # PHP
    r"""(?<![\w.>$])env\(\s*["']([A-Z][A-Z0-9_]*)["']""",  # Laravel, django-environ
    r"""\benv::var(?:_os)?\(\s*"(\w+)\"""",  # Rust
    r"""\b(?:option_)?env!\(\s*"(\w+)\"""",
    r"""@Value\(\s*["']\$\{([\w.\-]+)""",  # Spring, Micronaut
    r"""@ConfigProperty\(\s*name\s*=\s*"([\w.\-]+)\"""",  # MicroProfile
    r"""\b[cC]onfigService\.(?:get|getOrThrow)(?:<[^>()]*>)?\(\s*["']([\w.]+)["']""",  # NestJS
    r"""\b_?[cC]onfiguration\[\s*"([\w:.]+)"\s*\]""",  # .NET
    r"""\.GetConnectionString\(\s*"(\w+)\"""",
    r"""`[^`\n]*\benv(?:config)?:"(\w+)[",]""",  # Go
    r"""\bBindEnv\(\s*"[^"]*",\s*"(\w+)\"""",  # viper
    r"""\benvvar\s*=\s*[\[(]?\s*["'](\w+)["']""",  # click, Typer
    r"""\benv\s*=\s*"([A-Z][A-Z0-9_]*)\"""",  # clap, pydantic
)
READ: Final = re.compile("|".join(WAYS))
ENVIRON: Final = re.compile(r"^[^\S\n]*from os import\b.*\benviron\b", re.MULTILINE)
"""Without it a bare `environ` is a dictionary of a request, as WSGI hands one over."""


class ConfigKeys:
    """Each key that a program reads, where it does; tests are left out."""

    name = "config keys"

    def reads(self, path: str) -> bool:
        return is_code(path)

    def find(self, source: Source) -> Findings | None:
        clues = list(self._read(source))
        return Findings(clues=clues) if clues else None

    def _read(self, source: Source) -> Iterator[Clue]:
        if WORTH_READING.search(source.text) is None:
            return
        bare = ENVIRON.search(source.text) is not None
        for number, line in enumerate(source.text.split("\n"), start=1):
            if WORTH_READING.search(line) and not COMMENT.match(line):
                for found in READ.finditer(line):
                    if found[0].startswith("environ") and not bare:
                        continue
                    key = found[found.lastindex or 0]
                    yield Clue(
                        self.name, CONFIG_KEY, key, "needs", READS, number, source.around(number), f"reads {key}"
                    )
