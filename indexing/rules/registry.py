"""Every extraction rule: one row each. Who reads files pays a quarter of a second to import them all."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.rules.address_rules import CodeAddresses, SettingsFiles
from indexing.rules.applications import ApplicationNames, Dockerfile, RunnableModules, RustServers, WorkspaceApps
from indexing.rules.compose import Compose
from indexing.rules.dotnet_hosts import Aspire, Tye
from indexing.rules.events import EventClasses, EventTypes, Eventuate, NamedEvents
from indexing.rules.families import shipped_families
from indexing.rules.interfaces import OpenApi, Proto
from indexing.rules.kubernetes import Kubernetes
from indexing.rules.migrations import Migrations
from indexing.rules.packages_json import Composer, PackageJson
from indexing.rules.packages_managed import DotnetProject, Gradle, GradleCatalogue, Maven
from indexing.rules.packages_native import Cargo, GoMod, RubyGems
from indexing.rules.packages_python import DistributionMetadata, Pyproject, Requirements, SetupCfg
from indexing.rules.port import Rule
from indexing.rules.routes import DataRestRoutes, FileRoutes, RailsRoutes, SymfonyRouteFiles, SymfonyVariables
from indexing.rules.services import ReadmeTitle
from indexing.rules.sql import SqlQueries, SqlTables, SqlTexts
from indexing.rules.table_documents import HibernateCollections, Liquibase, MappedDocuments
from indexing.rules.topic_calls import TopicCalls, TopicWrappers
from indexing.rules.topic_names import TopicNames, TopicSettings

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
