"""Extraction rules: one file a format or framework, and one row here (design §5b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.rules.compose import Compose
from indexing.rules.distribution import DistributionMetadata
from indexing.rules.orm import OrmTables
from indexing.rules.package_json import PackageJson
from indexing.rules.packages import normal_name
from indexing.rules.port import Findings, Rule, Source
from indexing.rules.pyproject import Pyproject
from indexing.rules.requirements import Requirements
from indexing.rules.setup_cfg import SetupCfg
from indexing.rules.sql_tables import SqlTables
from indexing.rules.sql_texts import SqlTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["RULES", "Findings", "Rule", "Source", "normal_name"]

RULES: Sequence[Rule] = (
    Pyproject(),
    Requirements(),
    SetupCfg(),
    DistributionMetadata(),
    PackageJson(),
    SqlTables(),
    OrmTables(),
    SqlTexts(),
    Compose(),
)
