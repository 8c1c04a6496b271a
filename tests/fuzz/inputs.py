"""Inputs that nobody wrote with care: honest files with damage, and shapes that were made to break a reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[2]
_FOLDERS = ("examples/shop", "tests/extraction/languages/samples", "docs")
_LARGEST = 20_000

OTHERS = {  # of the kinds that the example has none of, one honest file each
    "package.json": '{"name": "@org/shop", "dependencies": {"@org/bus": "^1.0"}, "scripts": {"build": "tsc"}}\n',
    "composer.json": '{"name": "org/shop", "require": {"org/bus": "^1.0"}, "autoload": {"psr-4": {"Org\\\\": "src/"}}}\n',
    "app.csproj": '<Project Sdk="x"><ItemGroup><PackageReference Include="Bus" Version="1"/></ItemGroup></Project>\n',
    "pom.xml": "<project><groupId>org</groupId><artifactId>shop</artifactId><dependencies><dependency>"
    "<groupId>org</groupId><artifactId>bus</artifactId></dependency></dependencies></project>\n",
    "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\nbus = { path = "../bus" }\n',
    "gradle/libs.versions.toml": '[versions]\nbus = "1"\n[libraries]\nbus = { module = "org:bus", version.ref = "bus" }\n',
    "build.gradle": "dependencies {\n    implementation 'org.bus:bus:1.0'\n    implementation(project(':core'))\n}\n",
    "go.mod": "module example.com/shop\n\nrequire (\n\texample.com/bus v1.0.0\n)\n",
    "shop.proto": 'syntax = "proto3";\npackage shop;\nimport "bus.proto";\nservice Cart {\n  rpc Add(A) returns (B);\n}\n',
    "a.ipynb": '{"cells": [{"cell_type": "code", "source": ["import bus\\n", "bus.send(1)"]}], "nbformat": 4}\n',
    "main.tf": 'resource "aws_sqs_queue" "orders" {\n  name = "orders"\n}\nmodule "bus" {\n  source = "../bus"\n}\n',
    "Dockerfile": 'FROM python:3.11 AS base\nENV ORDERS_URL=http://orders:80\nENTRYPOINT ["python", "-m", "shop"]\n',
    "application.properties": "spring.application.name=shop\norders.url=${ORDERS_URL:http://orders:8080}\n",
    "application.yml": "spring:\n  application:\n    name: shop\n  kafka:\n    topic: ${TOPIC:orders}\n",
    "app.env.example": "ORDERS_URL=http://orders:80\nDEBUG=1\n",
    ".gitignore": "*.pyc\n/build/\n!keep.py\ndocs/**/draft?.md\n[ab]*.txt\n",
    "openapi.yaml": "openapi: 3.0.0\npaths:\n  /orders/{id}:\n    get:\n      operationId: getOrder\n",
    "k8s/deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  template:\n    spec:\n"
    "      containers:\n      - name: shop\n        env:\n        - name: ORDERS_URL\n          value: http://orders:80\n",
    "templates/a.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Values.name }}\n",
    "schema.sql": "CREATE TABLE orders (id UUID PRIMARY KEY, name TEXT DEFAULT 'a;b');\nCREATE INDEX i ON orders (id);\n",
    "changelog.xml": '<databaseChangeLog><changeSet id="1"><createTable tableName="orders"/></changeSet></databaseChangeLog>',
    "requirements.txt": "bus==1.0\n-e ../shared\nother @ https://example.com/x.whl\n",
    "setup.cfg": "[metadata]\nname = shop\n[options]\ninstall_requires =\n    bus>=1\n",
    "nginx.conf": "upstream a { server orders:80; }\nlocation / { proxy_pass http://a; }\n",
    "a.ts": "import { f } from '@org/bus';\nexport class A extends B { m(x: number): string { return f(`a${x}`); } }\n",
    "a.rb": "require 'bus'\nclass A < B\n  def m(x) = Bus.publish('orders', x)\nend\n",
    "a.php": "<?php\nnamespace Org;\nuse Org\\Bus;\n#[Route('/a')]\nclass A extends B { function m() { return new Bus(); } }\n",
    "a.kt": 'package org\nimport org.bus.Bus\nclass A : B() { fun m(x: Int) = Bus.send("orders", x) }\n',
    "a.rs": 'use bus::Bus;\npub struct A;\nimpl A { pub fn m(&self) -> u8 { Bus::send("orders") } }\n',
    "a.go": 'package a\nimport "example.com/bus"\nfunc M(x int) { bus.Publish("orders", x) }\n',
    "a.cs": 'using Bus;\nnamespace A { [Route("a")] public class C : B { void M() { bus.Publish(new E()); } } }\n',
    "a.java": 'package a;\nimport b.C;\n@RestController public class A { @GetMapping("/a") void m(C c) { c.n(); } }\n',
    "a.cpp": '#include "b.h"\nnamespace a { template <class T> struct A : B { void m() { f<T>(1); } }; }\n',
    "a.scala": "object A extends App { println(1) }\n",
    "README.md": "# shop\n\n## Rules\n\n- [a](docs/a.md) ![b](b.png)\n\n| a | b |\n|---|---|\n| `x` | 1 |\n\n```py\nf()\n```\n",
}  # fmt: skip

TOKENS = (
    "\x00", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\ufeff", "\u202e", "\x1b[31m", "\x1b]0;a\x07", "\r", "\r\n", "\n\n\n",
    "\U0001f600", "é", "İ", "ß", "\u0345", "\ud800", "'", '"', "`", "\\", "\\u0000", "\\ud800", "${", "}}", "{{", "{%", "<!--",
    "-->", "<![CDATA[", "]]>", "&a;", "&#0;", "*a", "&a ", "<<: *a", "!!python/object:os.system ", "%YAML 9.9\n", "---\n", "...\n",
    "\t", "  " * 40, "9" * 5000, "1e400", "-0", "0x", "1_0", "nan", "null", "true", "[]", "{}", "()", "[[", "]]", "((((", "))))",
    "/*", "*/", "//", "#", "--", '"""', "'''", "=", "=>", "::", "->", "..", "../..", "/etc/passwd", "C:\\", "http://", "http://[",
    "http://a:99999/", "http://a:b@c", "@", "@a", "%", "%s", "{0}", "{", "}", "<script>alert(1)</script>", "[vector:a/b.py:1-2]",
)  # fmt: skip
DEEP = (
    "[",
    "{",
    "(",
    "<a>",
    "- ",
    "{a: ",
    "[1,",
    "a(",
    "if x:\n ",
    "f(`${",
    "/*",
    "namespace a {",
    "((",
    "*",
    "> ",
    "${A:-",
    "<<",
)


@cache
def honest() -> tuple[tuple[str, str], ...]:
    """Files of every kind that is read, by path."""
    found = dict(OTHERS)
    for folder in _FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and file.stat().st_size < _LARGEST and file.suffix not in {".json", ".svg"}:
                found[file.relative_to(ROOT / folder).as_posix()] = file.read_text(encoding="utf-8", errors="replace")
    return tuple(sorted(found.items()))


def mutated(draw: Random, text: str, others: Sequence[str] = ()) -> str:
    """The text with a few wounds, of characters and of lines."""
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        text = draw.choice(_WOUNDS)(draw, text, others)[: 4 * _LARGEST]
    return text


def shaped(draw: Random) -> str:
    """No file at all: one thing again and again, or very deep."""
    size = draw.choice((100, 2_000, 10_000, 60_000))
    unit = draw.choice((*TOKENS, *DEEP))
    kind = draw.randrange(4)
    if kind == 0:
        return unit * (size // len(unit) + 1)
    if kind == 1:
        closing = {"[": "]", "{": "}", "(": ")"}.get(unit[0], "")
        return unit * (size // len(unit)) + closing * (size // len(unit))
    if kind == 2:
        return "".join(draw.choice((*TOKENS, *DEEP)) for _ in range(draw.randrange(1, 60)))
    return f"{unit}\n" * (size // (len(unit) + 1)) + draw.choice(TOKENS)


def text_of(draw: Random, *, shapes: bool = True) -> tuple[str, str]:
    """A path and what stands there; the text is one that a file can hold. shapes: it may also be none that anybody wrote."""
    path, text = draw.choice(honest())
    if shapes and draw.random() < 0.15:
        return path, stored(shaped(draw) if draw.random() < 0.5 else text + shaped(draw))
    other = draw.choice(honest())[1]
    return path, stored(mutated(draw, text, (other,)))


def stored(text: str) -> str:
    """As it would be read from a file: of a lone surrogate nothing is left, and NUL makes a file binary."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "")


def value(draw: Random, depth: int = 3) -> Any:
    """Anything that JSON or YAML can hold."""
    kind = draw.randrange(11 if depth else 8)
    if kind < 2:
        return draw.choice(TOKENS)
    if kind < 8:
        plain = (
            None,
            True,
            False,
            0,
            -1,
            10**30,
            1.5,
            float("inf"),
            "",
            "a",
            "b" * 9000,
            draw.choice(honest())[1][:300],
        )
        return draw.choice(plain)
    if kind < 10:
        return [value(draw, depth - 1) for _ in range(draw.randrange(4))]
    return {str(value(draw, 0)): value(draw, depth - 1) for _ in range(draw.randrange(4))}


def replaced(draw: Random, document: Any) -> Any:
    """The document with one thing in it another, gone or twice."""
    if isinstance(document, dict) and document and draw.random() < 0.85:
        key = draw.choice(sorted(document, key=str))
        rest = {**document}
        if draw.random() < 0.1:
            del rest[key]
        elif draw.random() < 0.1:
            rest[str(value(draw, 0))] = value(draw)
        else:
            rest[key] = replaced(draw, document[key])
        return rest
    if isinstance(document, list) and document and draw.random() < 0.85:
        place = draw.randrange(len(document))
        return [*document[:place], replaced(draw, document[place]), *document[place + draw.randrange(2) :]]
    return value(draw)


def _cut(draw: Random, text: str, _: Sequence[str]) -> str:
    start = draw.randrange(len(text) + 1)
    return text[:start] + text[start + draw.choice((1, 5, 80)) :]


def _put(draw: Random, text: str, _: Sequence[str]) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice((*TOKENS, *DEEP)) * draw.choice((1, 1, 1, 3, 300)) + text[at:]


def _swapped(draw: Random, text: str, _: Sequence[str]) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + chr(draw.choice((draw.randrange(32, 127), draw.randrange(0xD7FF)))) + text[at + 1 :]


def _lines(draw: Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[other] = lines[other] * draw.choice((1, 2, 50)), lines[one]
    return "\n".join(lines)


def _indented(draw: Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    one = draw.randrange(len(lines))
    lines[one] = draw.choice((" ", "\t", "      ")) + lines[one].lstrip()
    return "\n".join(lines)


def _spliced(draw: Random, text: str, others: Sequence[str]) -> str:
    other = draw.choice((*others, text))
    return text[: draw.randrange(len(text) + 1)] + other[draw.randrange(len(other) + 1) :]


_WOUNDS: tuple[Callable[[Random, str, Sequence[str]], str], ...] = (
    _cut,
    _put,
    _put,
    _swapped,
    _lines,
    _indented,
    _spliced,
)
