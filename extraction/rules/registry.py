"""Every extraction rule: one row each. Who reads files pays a quarter of a second to import them all."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.rules.address_rules import CodeAddresses, SettingsFiles
from extraction.rules.applications import ApplicationNames, Dockerfile, RunnableModules, RustServers, WorkspaceApps
from extraction.rules.compose import Compose
from extraction.rules.dotnet_hosts import Aspire, Tye
from extraction.rules.events import Eventuate, NamedEvents
from extraction.rules.families import shipped_families
from extraction.rules.images import Images
from extraction.rules.interfaces import OpenApi, Proto
from extraction.rules.kubernetes import Kubernetes
from extraction.rules.messages import TypedMessages
from extraction.rules.migrations import DroppedTables, Migrations
from extraction.rules.packages_json import Composer, PackageJson
from extraction.rules.packages_managed import DotnetProject, Gradle, GradleCatalogue, Maven
from extraction.rules.packages_native import Cargo, GoMod, RubyGems
from extraction.rules.packages_python import DistributionMetadata, Pyproject, Requirements, SetupCfg
from extraction.rules.port import Rule
from extraction.rules.routes import DataRestRoutes, FileRoutes, RailsRoutes, SymfonyRouteFiles, SymfonyVariables
from extraction.rules.services import ReadmeTitle
from extraction.rules.sql import SqlQueries, SqlTables, SqlTexts
from extraction.rules.table_documents import HibernateCollections, Liquibase, MappedDocuments
from extraction.rules.topic_calls import TopicCalls, TopicWrappers
from extraction.rules.topic_names import TopicNames, TopicSettings

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
    DroppedTables(),
    Liquibase(),
    HibernateCollections(),
    MappedDocuments(),
    SqlTexts(),
    SqlQueries(),
    Compose(),
    Tye(),
    Kubernetes(),
    Images(),
    Aspire(),
    Dockerfile(),
    WorkspaceApps(),
    RustServers(),
    RunnableModules(),
    ApplicationNames(),
    SettingsFiles(),
    CodeAddresses(),
    TopicWrappers(),
    TypedMessages(),
    Eventuate(),
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
