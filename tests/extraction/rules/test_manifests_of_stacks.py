"""The manifests of Go, Rust, the JVM, .NET, Ruby and PHP, on lines as people write them."""

from __future__ import annotations

import pytest

from extraction.rules import Source
from extraction.rules.packages_json import Composer
from extraction.rules.packages_managed import DotnetProject, Gradle, GradleCatalogue, Maven
from extraction.rules.packages_native import Cargo, GoMod, RubyGems


def clues(rule, text, path="x"):
    found = rule.find(Source(path, text, "shop"))
    return [(c.side, c.kind, c.key, c.line, c.says) for c in sorted(found.clues, key=lambda c: (c.line, c.kind, c.key))]


def test_go_mod_leaves_out_what_others_require():
    text = (
        "module github.com/acme/checkout\n\ngo 1.25.0\n\nrequire (\n"
        "\tgithub.com/IBM/sarama v1.60.1\n\tgolang.org/x/net v0.1.0 // indirect\n)\n\n"
        "require github.com/acme/money v0.0.0 // ours\nreplace github.com/acme/money => ../money\n"
    )
    assert clues(GoMod(), text) == [
        ("provides", "go package", "github.com/acme/checkout", 1, "package github.com/acme/checkout"),
        ("needs", "go package", "github.com/IBM/sarama", 6, "dependency github.com/IBM/sarama"),
        ("needs", "go package", "github.com/acme/money", 10, "dependency github.com/acme/money"),
    ]
    assert GoMod().find(Source("go.mod", "// nothing\n")) is None


def test_cargo_knows_renamed_crates_and_targets():
    text = (
        '[package]\nname = "shipping_api"\ndescription = "Quotes."\n\n[dependencies]\ntonic = "0.14"\n'
        'cash = { package = "acme-money", version = "1" }\n\n[dependencies.uuid]\nversion = "1"\n\n'
        "[target.'cfg(unix)'.dev-dependencies]\nnix = \"0.1\"\n"
    )
    assert clues(Cargo(), text) == [
        ("provides", "rust package", "shipping-api", 2, "Quotes."),
        ("needs", "rust package", "tonic", 6, "dependency tonic"),
        ("needs", "rust package", "acme-money", 7, "dependency acme-money"),
        ("needs", "rust package", "uuid", 9, "dependency uuid"),
        ("needs", "rust package", "nix", 13, "dependency nix (development)"),
    ]
    assert Cargo().find(Source("Cargo.toml", "= no toml")) is None
    assert Cargo().find(Source("Cargo.toml", "[workspace]\n")) is None


POM = """\
<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>works.weave</groupId><artifactId>parent</artifactId></parent>
  <artifactId>orders</artifactId>
  <description>Takes
    orders</description>
  <properties><bus>acme-bus</bus></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>a</groupId><artifactId>managed</artifactId></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>${project.groupId}</groupId>
      <artifactId>${bus}</artifactId>
    </dependency>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <scope>test</scope>
    </dependency>
    <dependency><groupId>half</groupId></dependency>
  </dependencies>
</project>
"""


def test_maven_takes_the_parents_group_and_fills_in_properties():
    assert clues(Maven(), POM) == [
        ("provides", "maven package", "works.weave:orders", 4, "Takes orders"),
        ("needs", "maven package", "works.weave:acme-bus", 14, "dependency works.weave:acme-bus"),
        ("needs", "maven package", "junit:junit", 18, "dependency junit:junit (test)"),
    ]


@pytest.mark.parametrize("text", ["", "<project>", "<other/>", '<!DOCTYPE a [<!ENTITY b "c">]><project/>'])
def test_a_pom_that_is_none(text):
    assert Maven().find(Source("pom.xml", text)) is None


def test_gradle_in_groovy_and_kotlin():
    text = (
        "group 'net.acme'\n"
        "dependencies {\n"
        '    compile project(":common:jpa")\n'
        '    implementation("com.acme:acme-bus:1.2")\n'
        "    testImplementation group: 'junit', name: 'junit', version: '4'\n"
        '    api(platform("org.bom:bom:1"))\n'
        '    classpath "not.a:dependency:1"\n'
        "}\n"
    )
    assert clues(Gradle(), text, "services/orders/build.gradle") == [
        ("provides", "gradle project package", "shop:orders", 1, "project orders"),
        ("provides", "gradle project package", "shop:services:orders", 1, "project orders"),
        ("provides", "maven package", "net.acme:orders", 1, "package net.acme:orders"),
        ("needs", "gradle project package", "shop:common:jpa", 3, "dependency project :common:jpa"),
        ("needs", "maven package", "com.acme:acme-bus", 4, "dependency com.acme:acme-bus"),
        ("needs", "maven package", "junit:junit", 5, "dependency junit:junit (test)"),
        ("needs", "maven package", "org.bom:bom", 6, "dependency org.bom:bom"),
    ]


def test_a_gradle_catalogue_lists_libraries():
    text = (
        '[versions]\nbus = "1"\n[libraries]\nbus = { module = "com.acme:bus", version.ref = "bus" }\n'
        'net = { group = "io.netty", name = "netty", version = "4" }\nshort = "a:b:1"\nodd = 7\n'
    )
    assert [row[2:4] for row in clues(GradleCatalogue(), text)] == [
        ("com.acme:bus", 4),
        ("io.netty:netty", 5),
        ("a:b", 6),
    ]
    assert GradleCatalogue().find(Source("libs.versions.toml", "= no")) is None
    assert GradleCatalogue().find(Source("libs.versions.toml", f"[versions]\nx = {'9' * 4301}\n")) is None
    assert Cargo().find(Source("Cargo.toml", f'[package]\nname = "a"\nx = {"9" * 4301}\n')) is None


def test_msbuild_projects_and_their_references():
    text = (
        '<Project Sdk="Microsoft.NET.Sdk">\n<PropertyGroup>\n<PackageId>Acme.Basket</PackageId>\n</PropertyGroup>\n<ItemGroup>\n'
        '<PackageReference Include="RabbitMQ.Client" />\n<ProjectReference Include="..\\EventBus\\EventBus.csproj" />\n'
        '<ProjectReference Include="$(Other)" />\n</ItemGroup>\n</Project>\n'
    )
    assert clues(DotnetProject(), text, "src/Basket.API/Basket.API.csproj") == [
        ("provides", "dotnet project package", "shop/src/basket.api/basket.api.csproj", 3, "project Basket.API.csproj"),
        ("provides", "nuget package", "acme.basket", 3, "package Acme.Basket"),
        ("needs", "nuget package", "rabbitmq.client", 6, "dependency RabbitMQ.Client"),
        (
            "needs",
            "dotnet project package",
            "shop/src/eventbus/eventbus.csproj",
            7,
            "dependency project EventBus.csproj",
        ),
    ]
    assert DotnetProject().find(Source("a.csproj", "no xml")) is None


def test_central_versions_are_no_dependencies_but_global_references_are():
    text = '<Project><ItemGroup><PackageVersion Include="A"/><PackageReference Include="B"/></ItemGroup></Project>'
    assert [row[2] for row in clues(DotnetProject(), text, "Directory.Packages.props")] == ["b"]


def test_gems():
    spec = (
        "Gem::Specification.new do |s|\n  s.name = 'acme_bus'\n  s.summary = 'A bus'\n"
        "  s.add_dependency 'bunny', '~> 2'\n  s.add_development_dependency('rspec')\nend\n"
    )
    assert clues(RubyGems(), spec, "acme_bus.gemspec") == [
        ("provides", "gem package", "acme_bus", 2, "A bus"),
        ("needs", "gem package", "bunny", 4, "dependency bunny"),
        ("needs", "gem package", "rspec", 5, "dependency rspec (development)"),
    ]
    assert [row[2:4] for row in clues(RubyGems(), "source 'x'\ngem \"acme_bus\", path: '..'\n", "Gemfile")] == [
        ("acme_bus", 2)
    ]
    assert RubyGems().find(Source("Gemfile", "")) is None


def test_composer():
    text = (
        '{\n"name": "acme/quote",\n"description": "Quotes",\n"require": {\n"php": ">=8",\n"acme/bus": "1"},\n'
        '"require-dev": {"phpunit/phpunit": "9"}}\n'
    )
    assert clues(Composer(), text) == [
        ("provides", "composer package", "acme/quote", 2, "Quotes"),
        ("needs", "composer package", "acme/bus", 6, "dependency acme/bus"),
        ("needs", "composer package", "phpunit/phpunit", 7, "dependency phpunit/phpunit (development)"),
    ]
    assert clues(Composer(), '{"name": "acme/\\ud800"}')[0][2] == "acme/?"
    assert Composer().find(Source("composer.json", "{")) is None
    assert Composer().find(Source("composer.json", "[]")) is None


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (GoMod(), "a/go.mod"), (Cargo(), "Cargo.toml"), (Maven(), "a/pom.xml"), (Gradle(), "build.gradle.kts"),
        (GradleCatalogue(), "gradle/libs.versions.toml"), (DotnetProject(), "a.fsproj"), (RubyGems(), "a.gemspec"),
        (Composer(), "composer.json"),
    ],
)  # fmt: skip
def test_each_reads_its_own_files(rule, path):
    assert rule.reads(path)
    assert not rule.reads("readme.md")
