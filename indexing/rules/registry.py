"""Every extraction rule: one row each. To import them all takes a quarter of a second, which only who reads files
pays.
"""

from __future__ import annotations

from collections.abc import Sequence

from indexing.rules.address_rules import CodeAddresses, SettingsFiles
from indexing.rules.aliases import ReadmeTitle
from indexing.rules.applications import ApplicationNames, Dockerfile, RunnableModules, RustServers, WorkspaceApps
from indexing.rules.compose import Compose
from indexing.rules.dotnet_hosts import Aspire, Tye
from indexing.rules.dotnet_project import DotnetProject
from indexing.rules.event_classes import EventClasses, Eventuate
from indexing.rules.event_types import EventTypes, NamedEvents
from indexing.rules.families import shipped_families
from indexing.rules.interfaces import OpenApi, Proto
from indexing.rules.kubernetes import Kubernetes
from indexing.rules.migrations import Migrations
from indexing.rules.packages_json import Composer, PackageJson
from indexing.rules.packages_jvm import Gradle, GradleCatalogue, Maven
from indexing.rules.packages_native import Cargo, GoMod, RubyGems
from indexing.rules.packages_python import DistributionMetadata, Pyproject, Requirements, SetupCfg
from indexing.rules.port import Rule
from indexing.rules.routes import DataRestRoutes, FileRoutes, RailsRoutes, SymfonyRouteFiles, SymfonyVariables
from indexing.rules.sql_tables import SqlTables
from indexing.rules.sql_texts import SqlQueries, SqlTexts
from indexing.rules.table_documents import HibernateCollections, Liquibase, MappedDocuments
from indexing.rules.topic_calls import TopicCalls, TopicWrappers
from indexing.rules.topic_names import TopicNames, TopicSettings

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
    RunnableModules(),
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
