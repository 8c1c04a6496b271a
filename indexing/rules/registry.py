"""Every extraction rule: one row each. To import them all takes a quarter of a second, which only who reads files pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.rules.application_names import ApplicationNames
from indexing.rules.aspire import Aspire
from indexing.rules.cargo import Cargo
from indexing.rules.code_addresses import CodeAddresses
from indexing.rules.compose import Compose
from indexing.rules.composer import Composer
from indexing.rules.distribution import DistributionMetadata
from indexing.rules.dockerfile import Dockerfile
from indexing.rules.dotnet_project import DotnetProject
from indexing.rules.event_classes import EventClasses, Eventuate
from indexing.rules.event_types import EventTypes
from indexing.rules.families import shipped_families
from indexing.rules.go_mod import GoMod
from indexing.rules.gradle import Gradle, GradleCatalogue
from indexing.rules.hibernate_collections import HibernateCollections
from indexing.rules.kubernetes import Kubernetes
from indexing.rules.liquibase import Liquibase
from indexing.rules.mapped_documents import MappedDocuments
from indexing.rules.maven import Maven
from indexing.rules.migrations import Migrations
from indexing.rules.named_events import NamedEvents
from indexing.rules.openapi import OpenApi
from indexing.rules.package_json import PackageJson
from indexing.rules.proto import Proto
from indexing.rules.pyproject import Pyproject
from indexing.rules.readme_title import ReadmeTitle
from indexing.rules.requirements import Requirements
from indexing.rules.routes_data_rest import DataRestRoutes
from indexing.rules.routes_files import FileRoutes
from indexing.rules.routes_ruby import RailsRoutes
from indexing.rules.routes_symfony import SymfonyRouteFiles, SymfonyVariables
from indexing.rules.ruby_gems import RubyGems
from indexing.rules.rust_servers import RustServers
from indexing.rules.settings_files import SettingsFiles
from indexing.rules.setup_cfg import SetupCfg
from indexing.rules.sql_tables import SqlTables
from indexing.rules.sql_texts import SqlQueries, SqlTexts
from indexing.rules.topic_calls import TopicCalls
from indexing.rules.topic_names import TopicNames, TopicSettings
from indexing.rules.topic_wrappers import TopicWrappers
from indexing.rules.tye import Tye
from indexing.rules.workspace_apps import WorkspaceApps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from indexing.rules.port import Rule

__all__ = ["RULES"]

RULES: Sequence[Rule] = (
    ReadmeTitle(),
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
    Migrations(),
    Liquibase(),
    HibernateCollections(),
    MappedDocuments(),
    SqlTexts(),
    SqlQueries(),
    Compose(),
    Tye(),
    Kubernetes(),
    Aspire(),
    Dockerfile(),
    WorkspaceApps(),
    RustServers(),
    ApplicationNames(),
    SettingsFiles(),
    CodeAddresses(),
    TopicWrappers(),
    EventClasses(),
    Eventuate(),
    EventTypes(),
    NamedEvents(),
    TopicNames(),
    TopicSettings(),
    Proto(),
    OpenApi(),
    DataRestRoutes(),
    FileRoutes(),
    SymfonyRouteFiles(),
    SymfonyVariables(),
    RailsRoutes(),
    *shipped_families(),
    TopicCalls(),  # what a family has not spoken for
)
