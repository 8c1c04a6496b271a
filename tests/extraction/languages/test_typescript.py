"""What the queries read from TypeScript besides JavaScript."""

from __future__ import annotations

import pytest

from extraction.facts import Binding
from extraction.languages import language_of, read_symbols


def read(text, path="src/shop/till.ts"):
    return read_symbols(language_of(path), text, path)


def test_definitions_of_types_and_signatures():
    found = read(
        "export interface Gateway extends Base, Named<string> {\n"
        "  charge(amount: number): Promise<void>;\n"
        "}\n"
        "export type Money = { units: number };\n"
        "export enum Currency { EUR }\n"
        "export abstract class Till implements Gateway, ns.Shut<Money> {\n"
        "  abstract open(): void;\n"
        "  private close = async () => {};\n"
        "}\n"
        "namespace Tills {\n"
        "  export function all(): Till[] { return []; }\n"
        "}\n"
        "export declare function place(order: string): void;\n"
        "export function pay(a: string): void;\n"
        "export function pay(a: any) {}\n"
    )
    assert [(d.name, d.kind, d.start_line, d.end_line) for d in found.definitions] == [
        ("Gateway", "interface", 1, 3),
        ("Gateway.charge", "method", 2, 2),
        ("Money", "type", 4, 4),
        ("Currency", "enum", 5, 5),
        ("Till", "class", 6, 9),
        ("Till.open", "method", 7, 7),
        ("Till.close", "method", 8, 8),
        ("Tills", "namespace", 10, 12),
        ("Tills.all", "function", 11, 11),
        ("place", "function", 13, 13),
        ("pay", "function", 14, 14),
        ("pay", "function", 15, 15),
    ]


def test_bases_and_what_is_implemented():
    text = (
        "import { Base, Open, ns } from './x';\nclass A extends Base<string> implements Open, ns.Shut<A> {}\n"
        "interface B extends Open, ns.More {}\nclass C extends ns.Base {}\n"
    )
    assert [(r.relation, r.receiver, r.name, r.caller) for r in read(text).references] == [
        ("INHERITS", "", "Base", "A"),
        ("INHERITS", "", "Open", "A"),
        ("INHERITS", "ns", "Shut", "A"),
        ("INHERITS", "", "Open", "B"),
        ("INHERITS", "ns", "More", "B"),
        ("INHERITS", "ns", "Base", "C"),
    ]


def test_bindings_by_annotation_field_and_property_parameter():
    found = read(
        "import { A, B, C, D, E } from './x';\n"
        "export class Desk {\n"
        "  private a: A | null = null;\n"
        "  constructor(private readonly b: B, c: C<string>) {\n"
        "    this.c = c;\n"
        "  }\n"
        "  run(d?: D) {\n"
        "    const e: E = make();\n"
        "    this.a!.go(); this.b.go(); this.c.go(); d?.go(); e.go();\n"
        "  }\n"
        "}\n"
    )
    assert set(found.bindings) == {
        Binding("this.a", "A", 3, "Desk"),
        Binding("this.b", "B", 4, "Desk.constructor"),
        Binding("c", "C", 4, "Desk.constructor"),
        Binding("this.c", "c", 5, "Desk.constructor"),
        Binding("d", "D", 7, "Desk.run"),
        Binding("e", "E", 8, "Desk.run"),
    } | {b for b in found.bindings if (b.name, b.scope) == ("b", "Desk.constructor")}
    assert [r.receiver for r in found.references if r.name == "go"] == ["this.a", "this.b", "this.c", "d", "e"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import type { Order } from './order'", ("./src/shop/order", "Order", "Order")),
        ("import till = require('till')", ("till", "default", "till")),
        ("import { a } from './a.d.ts'", ("./src/shop/a", "a", "a")),
        ("import { a } from './a.mjs'", ("./src/shop/a", "a", "a")),
        ("import { a } from './a.gateway'", ("./src/shop/a.gateway", "a", "a")),
    ],
)
def test_imports_of_its_own(line, expected):
    (found,) = read(line).imports
    assert (found.module, found.name, found.alias) == expected


@pytest.mark.parametrize("path", ["a.ts", "a.mts", "a.cts", "a.tsx"])
def test_every_ending_has_the_grammar_that_reads_it(path):
    text = "const f = <T,>(x: T) => x;\n" + ("const g = <f/>;\n" if path.endswith("x") else "const g = <number>h;\n")
    language = language_of(path)
    assert language is not None
    assert language.name == "typescript"
    assert [d.name for d in read(text + "export class K {}\n", path).definitions] == ["f", "g", "K"]
