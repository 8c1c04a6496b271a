"""Object-relational mappings that name their table: SQLAlchemy and SQLModel (`__tablename__`), Django (`db_table`)."""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Clue
from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source

__all__ = ["OrmTables"]

TABLE: Final = re.compile(r"""^[ \t]+(?:__tablename__|db_table)\s*(?::[^=\n]+)?=\s*["']([\w.]+)["']""", re.MULTILINE)


class OrmTables:
    """The class both stores in its table and uses it; either edge needs the table to be defined somewhere."""

    name = "orm"

    def reads(self, path: str) -> bool:
        return path.endswith(".py")

    def find(self, source: Source) -> Findings | None:
        clues = []
        for found in TABLE.finditer(source.text):
            line = line_at(source.text, found.start(1))
            table, owner = found[1].rsplit(".", 1)[-1], source.around(line)
            for relation in ("STORES_IN", "USES_TABLE") if owner else ():
                says = f"{owner} is stored in {table}" if relation == "STORES_IN" else f"{owner} uses {table}"
                clues.append(Clue(self.name, "table", table.casefold(), "needs", relation, line, owner, says))
        return Findings(clues=clues) if clues else None
