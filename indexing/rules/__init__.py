"""Extraction rules: one file a format or framework, and one row here (design §5b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.rules.aspire import Aspire
from indexing.rules.cargo import Cargo
from indexing.rules.code_addresses import CodeAddresses
from indexing.rules.compose import Compose
from indexing.rules.composer import Composer
from indexing.rules.distribution import DistributionMetadata
from indexing.rules.dockerfile import Dockerfile
from indexing.rules.dotnet_project import DotnetProject
from indexing.rules.go_mod import GoMod
from indexing.rules.gradle import Gradle, GradleCatalogue
from indexing.rules.kubernetes import Kubernetes
from indexing.rules.maven import Maven
from indexing.rules.orm import OrmTables
from indexing.rules.package_json import PackageJson
from indexing.rules.packages import normal_name
from indexing.rules.port import Findings, Rule, Source
from indexing.rules.pyproject import Pyproject
from indexing.rules.requirements import Requirements
from indexing.rules.ruby_gems import RubyGems
from indexing.rules.settings_files import SettingsFiles
from indexing.rules.setup_cfg import SetupCfg
from indexing.rules.spring import SpringName
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
    GoMod(),
    Cargo(),
    Maven(),
    Gradle(),
    GradleCatalogue(),
    DotnetProject(),
    RubyGems(),
    Composer(),
    SqlTables(),
    OrmTables(),
    SqlTexts(),
    Compose(),
    Kubernetes(),
    Aspire(),
    Dockerfile(),
    SpringName(),
    SettingsFiles(),
    CodeAddresses(),
)
