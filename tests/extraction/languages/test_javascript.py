"""What the queries read from JavaScript."""

from __future__ import annotations

import pytest

from extraction.facts import HERE, Binding, Reference
from extraction.languages import language_of, read_symbols
from tests.linear import grows_with_its_length, seconds


def read(text, path="src/shop/till.js"):
    return read_symbols(language_of(path), text, path)


def defined(text, path="src/shop/till.js"):
    return [(d.name, d.kind, d.start_line, d.end_line) for d in read(text, path).definitions]


def test_definitions_are_what_others_can_name():
    found = read(
        "const LIMIT = 3;\n"
        "var a = 1, b = () => a;\n"
        "export const place = async (order) => {\n"
        "  const inner = () => order;\n"
        "  return inner();\n"
        "};\n"
        "export class Till extends Base {\n"
        "  #open = false;\n"
        "  constructor() { super(); }\n"
        "  close = () => { this.#shut(); };\n"
        "  #shut() {}\n"
        "  static at(place) { return new Till(place); }\n"
        "}\n"
        "function* each() {}\n"
        "const Shelf = class { put() {} };\n"
    ).definitions
    assert [(d.name, d.kind, d.start_line, d.end_line, d.parent) for d in found] == [
        ("LIMIT", "constant", 1, 1, ""),
        ("a", "constant", 2, 2, ""),
        ("b", "function", 2, 2, ""),
        ("place", "function", 3, 6, ""),
        ("Till", "class", 7, 13, ""),
        ("Till.constructor", "method", 9, 9, "Till"),
        ("Till.close", "method", 10, 10, "Till"),
        ("Till.#shut", "method", 11, 11, "Till"),
        ("Till.at", "method", 12, 12, "Till"),
        ("each", "function", 14, 14, ""),
        ("Shelf", "class", 15, 15, ""),
        ("Shelf.put", "method", 15, 15, "Shelf"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const api = { get() {}, put: () => {}, url: 1 };", [("api", "object"), ("api.get", "method"), ("api.put", "method")]),
        ("const api = () => ({ get() {} });", [("api", "object"), ("api.get", "method")]),
        ("module.exports = { get() {}, log: { error() {} }, max: 3 };", [("get", "function"), ("log", "object"), ("log.error", "method"), ("max", "constant")]),
        ("exports.pay = async () => {};", [("pay", "function")]),
        ("exports.pay = function charge() {};", [("pay", "function")]),
        ("function Till() {}\nTill.prototype.pay = function () {};", [("Till", "function"), ("Till.pay", "method")]),
        ("const Card = memo(({ a }) => <b/>);", [("Card", "function")]),
        ("const server = listen(() => {});", [("server", "constant")]),
    ],
)  # fmt: skip
def test_ways_to_define(text, expected):
    assert [name[:2] for name in defined(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "describe('till', () => { const helper = () => 1; function other() {} });",
        "(function () { function inner() {} })(window, function () { function main() {} });",
        "app.use(cors({ origin: () => true, methods() {} }));",
    ],
)
def test_what_a_callback_defines_is_nobodys(text):
    assert set(defined(text)) <= {("inner", "function", 1, 1)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("export default () => {};", "till"),
        ("export default function () {}", "till"),
        ("module.exports = class { pay() {} };", "till"),
        ("module.exports = (a) => a;", "till"),
        ("export default function Till() {}", "Till"),
        ("export default class Till {}", "Till"),
        ("function Till() {}\nexport default Till;", "Till"),
        ("class Till {}\nexport default new Till();", "Till"),
        ("const Till = () => ({ pay() {} });\nexport default Till();", "Till"),
        ("function Till() {}\nexport default connect(state)(Till);", "Till"),
        ("module.exports = function Till() {};", "Till"),
        ("module.exports = class Till {};", "Till"),
        ("class Till {}\nmodule.exports = new Till();", "Till"),
    ],
)
def test_what_a_module_exports_has_a_name_if_only_its_files(text, name):
    found = read(text)
    assert [(i.module, i.name) for i in found.imports if i.alias == "default"] == [(HERE, name)]
    assert name in [d.name for d in found.definitions]


def test_an_index_is_called_after_its_folder():
    assert [d[0] for d in defined("export default () => {}", "src/pay-desk/index.js")] == ["pay_desk"]
    assert [d[0] for d in defined("export default () => {}", "lib/index.js")] == ["default"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import till from './till'", [("./src/shop/till", "default", "till")]),
        ("import { a as b, c } from '../x.js'", [("./src/x", "a", "b"), ("./src/x", "c", "c")]),
        ("import d, * as all from '@shop/pay/client'", [("@shop/pay/client", "", "all"), ("@shop/pay/client", "default", "d")]),
        ("import './side.css'", [("./src/shop/side.css", "", "./src/shop/side.css")]),
        ("export * from '..'", [("./src", "*", "*")]),
        ("export * as ns from '../..'", [("./", "", "ns")]),
        ("export { default as A, b } from './m'", [("./src/shop/m", "b", "b"), ("./src/shop/m", "default", "A")]),
        ("export { a as b, c }", [(HERE, "a", "b")]),
        ("const x = require('x')", [("x", "default", "x")]),
        ("const { a, b: c } = require('x')", [("x", "a", "a"), ("x", "b", "c")]),
        ("const y = require('x').y", [("x", "y", "y")]),
        ("require('dotenv').config()", [("dotenv", "", "dotenv")]),
        ("const x = await import('./x')", [("./src/shop/x", "", "x")]),
        ("const { a } = await import('x')", [("x", "a", "a")]),
        ("lazy(() => import('./page'))", [("./src/shop/page", "", "./src/shop/page")]),
        ("exports.a = require('./a')", [("./src/shop/a", "default", "a")]),
        ("exports.a = b", [(HERE, "b", "a")]),
        ("module.exports = { a: require('./a'), b: c, d }", [(HERE, "c", "b"), ("./src/shop/a", "default", "a")]),
        ("module.exports = require('./lib')", [("./src/shop/lib", "*", "*"), ("./src/shop/lib", "default", "default")]),
        ("load('x')", []),
    ],
)  # fmt: skip
def test_imports_and_exports(line, expected):
    assert sorted((i.module, i.name, i.alias) for i in read(line).imports) == expected


def test_what_is_required_is_no_constant():
    assert defined("const x = require('x'), { a } = require('y'), z = require('z').z;") == []


def test_calls_know_their_caller_and_what_they_are_made_on():
    found = read(
        "const { Gateway } = require('./pay');\n"
        "const grpc = require('grpc');\n"
        "class Desk extends grpc.Base {\n"
        "  spare = new Gateway();\n"
        "  constructor(gateway) {\n"
        "    this.gateway = new Gateway();\n"
        "  }\n"
        "  async pay() {\n"
        "    await this.gateway?.charge(1);\n"
        "    new Gateway().refund();\n"
        "    this.spare.close();\n"
        "    new grpc.Server();\n"
        "  }\n"
        "}\n"
    )
    assert found.references == (
        Reference("INHERITS", "Base", 3, "Desk", "grpc"),
        Reference("CALLS", "Gateway", 4, "Desk"),
        Reference("CALLS", "Gateway", 6, "Desk.constructor"),
        Reference("CALLS", "charge", 9, "Desk.pay", "this.gateway"),
        Reference("CALLS", "Gateway", 10, "Desk.pay"),
        Reference("CALLS", "refund", 10, "Desk.pay", "Gateway()"),
        Reference("CALLS", "close", 11, "Desk.pay", "this.spare"),
        Reference("CALLS", "Server", 12, "Desk.pay", "grpc"),
    )
    assert found.bindings == (
        Binding("this.spare", "Gateway", 4, "Desk"),
        Binding("this.gateway", "Gateway", 6, "Desk.constructor"),
    )


@pytest.mark.parametrize(
    "body",
    [
        "(pay) => pay()",
        "pay => pay()",
        "({ pay }) => pay()",
        "(pay = 1) => pay()",
        "(...pay) => pay.go()",
        "() => { const pay = other(); pay(); }",
        "() => { var pay = () => 1; pay(); }",
    ],
)
def test_a_parameter_or_variable_hides_what_is_imported(body):
    assert read(f"import {{ pay }} from './pay';\nexport const f = {body};\n").references == ()


def test_an_export_of_all_brings_no_names():
    assert read("export * from './m';\nfetch();\n").references == ()


def test_elements_use_components():
    text = "import { A } from './a';\nimport * as S from './s';\nexport const P = () => <S.Box><A x={1}/><div/><a.b/></S.Box>;\n"
    assert [(r.receiver, r.name, r.caller) for r in read(text, "p.jsx").references] == [
        ("S", "Box", "P"),
        ("", "A", "P"),
    ]


def test_texts_in_either_quotes_and_templates():
    found = read("function f() {\n  return q(`SELECT a\n  FROM b`, 'SELECT c FROM d');\n}\n").texts
    assert [(t.text, t.line, t.scope) for t in found] == [("SELECT a\n  FROM b", 2, "f"), ("SELECT c FROM d", 3, "f")]


def test_a_broken_file_gives_what_can_still_be_read():
    found = defined("export class Good { fine() {} }\nexport const x = = 2 ];\n\nfunction later() {}\n")
    assert {"Good", "Good.fine", "later"} <= {d[0] for d in found}


def test_a_minified_file_says_nothing_and_takes_no_time():
    text = (
        "!function(e,t){var n=e.a,r=function(){return n.b(1).c(2)}"
        + ",i=function(e){return t(e)}" * 20_000
        + "}(this);"
    )
    assert read(text) == read("")
    assert seconds(lambda: read(text)) < 2  # takes a tenth


def test_long_chains_of_calls_take_no_time_either():
    def text(calls):
        return "import { app } from './app';\napp\n" + "  .get('/', (req, res) => res.send(1))\n" * calls + ";\n"

    assert [(r.name, r.receiver) for r in read(text(300)).references][:1] == [("get", "app")]
    assert grows_with_its_length(read, text(150), text(300))
