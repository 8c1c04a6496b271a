"""Rules of one's own: the example of docs/rules.md, and what is said about mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from extraction.reading import extract_facts
from extraction.rules import RULES
from extraction.rules.custom import load_rules, rules_hash
from indexing.resolution import resolve
from memory.errors import ConfigError

PAGE = (Path(__file__).parents[3] / "docs" / "rules.md").read_text("utf-8")


def block(language, start):
    found = re.search(rf"```{language}\n((?:(?!```)[\s\S])*{re.escape(start)}[\s\S]*?)```", PAGE)
    return found[1]


@pytest.fixture
def written(tmp_path):
    def write(text, name="acme.yaml"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write


@pytest.mark.parametrize(
    ("start", "name", "verb"),
    [("rules:\n  - name", "acme rpc client", "registers"), ("name: acme rpc\nuses", "acme rpc", "provides")],
)
def test_the_worked_example_of_the_page(written, start, name, verb):
    rules = (*RULES, *load_rules([written(block("yaml", start))]))
    files = {
        "payments": ("server.py", block("python", "# payments/server.py")),
        "orders": ("checkout.py", block("python", "# orders/checkout.py")),
    }
    facts = {project: {path: extract_facts(path, text, project, rules)} for project, (path, text) in files.items()}
    edges = [r for r in resolve(facts).relationships if r.type == "INVOKES"]
    assert [(r.source.name, r.target.project, r.target.name, r.status) for r in edges] == [
        ("orders", "payments", "payments.charge", "confirmed")
    ]
    assert [(e.path, e.line, e.says) for e in edges[0].evidence] == [
        ("checkout.py", 2, "calls payments.charge"),
        ("server.py", 4, f"{verb} payments.charge"),
    ]
    assert name in facts["orders"]["checkout.py"].recognised


def test_the_structural_example_of_the_page(written):
    rules = load_rules([written(block("yaml", "name: acme rpc\nuses"))])
    callee = extract_facts(
        "server.py", "import acme\nregistry.register(  # the name\n  'payments.charge', charge)\n", "p", rules
    )
    caller = extract_facts(
        "a.ts", 'import acme;\nacme.call<Receipt>(\n  "payments.charge");\n// acme.call("x")\n', "o", rules
    )
    edges = [
        r for r in resolve({"p": {"server.py": callee}, "o": {"a.ts": caller}}).relationships if r.type == "INVOKES"
    ]
    assert [(r.target.name, r.status, [(e.path, e.line) for e in r.evidence]) for r in edges] == [
        ("payments.charge", "confirmed", [("a.ts", 2), ("server.py", 2)])
    ]
    assert callee.recognised == ("python", "acme rpc")


def test_the_routes_of_the_page(written):
    (rule,) = load_rules([written(block("yaml", "name: acme web"))])
    text = 'import acme_web\ndesk = acme_web.Router\ndesk = Router(prefix="/desk")\n@desk.get("/{id}")\ndef show(id): ...\n'
    assert [d.name for d in extract_facts("a.py", text, "p", (rule,)).definitions if d.kind == "endpoint"] == [
        "GET /desk/{id}"
    ]
    assert not rule.reads("a.go")


def test_the_python_example_of_the_page(written):
    (rule,) = load_rules([written(block("python", "RULES = [Jobs()]"), "acme.py")])
    facts = extract_facts("a/nightly.job", "# x\nruns shopbus\n", "jobs", (rule,))
    assert [(c.key, c.line, c.relation) for c in facts.clues] == [("shopbus", 2, "DEPENDS_ON")]
    assert facts.recognised == ("acme jobs",)
    assert not rule.reads("a.py")


def test_a_rule_for_a_bus_of_ones_own(written):
    text = (
        "rules:\n- name: bus\n  files: '*.py'\n  pattern: 'shout\\((?P<t>\\w+)\\)'\n  kind: topic\n  key: '{t}'\n"
        "  side: provides\n  relation: PUBLISHES\n"
    )
    facts = extract_facts("deep/a.py", "def f():\n    shout(hello)\n    shout()\n", "a", load_rules([written(text)]))
    edges = resolve({"a": {"deep/a.py": facts}}).relationships
    assert [(r.source.name, r.type, r.target.name) for r in edges if r.type == "PUBLISHES"] == [
        ("f", "PUBLISHES", "hello")
    ]


@pytest.mark.parametrize("said", ["grüße", 'a "quoted" one', r"c:\\names\$x", "a `tick` and ${hole}", "x = 'y'"])
@pytest.mark.parametrize(
    ("field", "facts"),
    [
        (
            "states: {kind: topic, key: '{A}', side: provides, relation: PUBLISHES}",
            lambda one: [c.key for c in one.clues],
        ),
        ("kind: topic\n  key: '{A}'\n  side: provides\n  relation: PUBLISHES", lambda one: [c.key for c in one.clues]),
        ("requires: $A", lambda one: [c.key for c in one.clues]),
    ],
)
def test_what_an_expression_finds_is_taken_as_it_is(written, said, field, facts):
    text = f"rules:\n- name: bus\n  files: '*.txt'\n  pattern: '^q=(?P<A>.+)$'\n  {field}\n"
    assert facts(extract_facts("a.txt", f"# a\nq={said}\n", "a", load_rules([written(text)]))) == [said]


def test_a_table_of_another_script(written):
    text = "rules:\n- name: a\n  files: '*.txt'\n  pattern: 'q=(?P<A>\\S+)'\n  table: $A\n"
    found = extract_facts("a.txt", "q=grüße\n", "a", load_rules([written(text)]))
    assert [(d.name, d.kind) for d in found.definitions] == [("grüße", "table")]


def test_a_rule_of_ones_own_reads_tests_too_and_spans_the_lines_of_its_match(written):
    text = (
        "rules:\n- name: a\n  files: '*.py'\n  pattern: 'begin(?P<n>\\w+)\\n[^e]*end\\n*'\n  kind: k\n  key: '{n}'\n"
        "  side: provides\n  relation: USES\n  entity: {kind: thing, name: 'the {n}'}\n"
    )
    rules = load_rules([written(text)])
    found = extract_facts("tests/test_a.py", "# x\nbeginA\n\nend\n\n", "a", rules)
    assert [(c.key, c.line, c.entity, c.says) for c in found.clues] == [("A", 2, "the A", "provides A")]
    assert [(d.name, d.start_line, d.end_line) for d in found.definitions if d.kind == "thing"] == [("the A", 2, 4)]


def test_the_hash_changes_with_the_text_and_is_empty_without_files(written):
    first = rules_hash([written("a: 1")])
    assert len(first) == 12
    assert first != rules_hash([written("a: 2")])
    assert rules_hash([]) == ""


QUOTED = "'(?P<x>y)'"
GOOD = f"name: a, files: '*.py', pattern: {QUOTED}, kind: k, key: '{{x}}', side: needs, relation: USES"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules: [", "is not YAML: line 2: did not find expected node content"),
        ("a: 1", "has no list `rules`"),
        ("rules: [7]", "rule 1: indexing.rules: is no mapping"),
        ("rules: [{name: a}]", "rule 1 (a): indexing.rules: it has no `rule`, `at` or `pattern`"),
        ("rules: [{name: a, pattern: x}]", "rule 1 (a): indexing.rules: `files` is missing"),
        (f"rules: [{{{GOOD.replace('(?P<x>y)', ' ')}}}]", "`pattern` is missing"),
        (f"rules: [{{{GOOD.replace(QUOTED, '7')}}}]", "`pattern` is no text"),
        ("rules: [{name: a, files: '*.py', pattern: x}]", "it states nothing"),
        (f"rules: [{{{GOOD.replace('kind: k, ', '')}}}]", "`kind` is missing or no text"),
        (f"rules: [{{{GOOD}, extra: b}}]", "`extra` is unknown"),
        (f"rules: [{{{GOOD}, says: 7}}]", "`says` is no text"),
        (f"rules: [{{{GOOD.replace('needs', 'both')}}}]", "`side` is 'both', not needs or provides"),
        (f"rules: [{{{GOOD.replace('USES', 'uses it')}}}]", "`relation` is 'uses it'"),
        (f"rules: [{{{GOOD}, entity: {{kind: topic}}}}]", "`entity` needs `kind` and `name`"),
        (f"rules: [{{{GOOD}, entity: {{kind: topic, name: 7}}}}]", "`entity` needs texts"),
        (f"rules: [{{{GOOD.replace('(?P<x>y)', '(')}}}]", "`pattern` is no regular expression"),
        (
            f"rules: [{{{GOOD.replace('{x}', '{z}')}}}]",
            "'{z}' needs the group z. The pattern's: FILE, x; write (?P<z>…)",
        ),
        (f"rules: [{{{GOOD.replace('{x}', '{0}')}}}]", "'{0}' needs the group 0."),
        (f"rules: [{{{GOOD}, says: '{{AROUND}}'}}]", "'{AROUND}' needs the group AROUND."),
        (f"rules: [{{{GOOD}, within: A}}]", "`within` is of a rule with `rule`"),
        (f"rules: [{{{GOOD}, when: 7}}]", "`when` is no text"),
    ],
)
def test_mistakes_in_yaml_are_named(written, text, said):
    with pytest.raises(ConfigError, match=r"acme\.yaml") as error:
        load_rules([written(text)])
    assert said in str(error.value)


CODE = "name: a, language: python, rule: f($X)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"rules: [{{{CODE}}}]", "rule 1 (a): indexing.rules: it states nothing"),
        (
            f"rules: [{{{CODE.replace('python', 'klingon')}, publishes: $X}}]",
            "`language` is 'klingon', not one of python",
        ),
        (f"rules: [{{{CODE}, publishes: $Y}}]", "publishes.name needs the metavariable Y. The pattern's: "),
        (f"rules: [{{{CODE}, serves: {{path: $X, on: $X}}}}]", "It may have path, verb, handler, of"),
        (f"rules: [{{{CODE}, publishes: $X, on: a}}]", "`True` is unknown; YAML reads `on`"),
        (f"rules: [{{{CODE}, publishes: $X, constraints: {{X: '('}}}}]", "`rule` is no pattern of python: "),
        (
            "rules: [{name: a, language: python, rule: {kind: nonsense}, publishes: $FILE}]",
            "Kind `nonsense` is invalid",
        ),
        ("rules: [{name: a, language: python, rule: {has: 3}, publishes: $FILE}]", "`rule` is no pattern of python"),
        (f"rules: [{{{CODE}, states: {{kind: k, key: '{{X}}', side: both, relation: USES}}}}]", "`side` is 'both'"),
        (f"rules: [{{{CODE}, states: {{kind: k, side: needs, relation: USES}}}}]", "`key` is missing"),
        (f"rules: [{{{CODE}, states: {{kind: k, side: needs, relation: USES}}}}]", "may have entity, says, value"),
        (f"rules: [{{{CODE}, states: $X}}]", "`states` is '$X', no mapping"),
        (f"rules: [{{{CODE}, kind: k}}]", "`key` is missing"),
        (f"rules: [{{{CODE}, key: '{{X}}'}}]", "`kind` is missing"),
        (f"rules: [{{{CODE}, publishes: $X, where: {{a: b}}}}]", "`where` is of a rule with `at`"),
        (f"rules: [{{{CODE}, stored: {{class: $X, convention: odd}}}}]", "`convention` is 'odd'"),
        (f"rules: [{{{CODE}, publishes: $X, within: '('}}]", "`within` is no regular expression"),
        ("rules: [{name: a, files: '*.yaml', at: a.$B, where: [], publishes: $B}]", "`where` is no mapping"),
        (f"uses: [7]\nrules: [{{{CODE}, publishes: $X}}]", "`uses` is no text"),
    ],
)
def test_mistakes_in_structural_rules_are_named(written, text, said):
    with pytest.raises(ConfigError, match=r"acme\.yaml") as error:
        load_rules([written(text)])
    assert said in f"{error.value} {error.value.hint}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(:", "can't be run: SyntaxError"),
        ("import nothing_of_that_name", "can't be run: ModuleNotFoundError"),
        ("RULES = 7", "has no list `RULES`"),
        ("RULES = [7]", "rule 1: indexing.rules: lacks name, reads, find"),
        ("class A:\n    name = 'a'\n    reads = find = None\nRULES = [A]", "is a class"),
        (
            "class A:\n    name = 3\n    reads = find = None\nRULES = [A()]",
            "rule 1: indexing.rules: `name` is 3, no text",
        ),
    ],
)
def test_mistakes_in_python_are_named(written, text, said):
    with pytest.raises(ConfigError, match=r"acme\.py") as error:
        load_rules([written(text, "acme.py")])
    assert said in str(error.value)


RULE = "class A:\n    name = 'a'\n    def reads(self, path):\n        return {}\n    def find(self, source):\n        return {}\nRULES = [A()]\n"


@pytest.mark.parametrize(
    ("reads", "find"),
    [("1 / 0", "None"), ("True", "source.nothing"), ("True", "__import__('extraction.rules').rules.Findings([7])")],
)
def test_a_rule_that_fails_is_named_with_the_file_it_stumbled_over(written, reads, find):
    rules = load_rules([written(RULE.format(reads, find), "acme.py")])
    with pytest.raises(ConfigError, match=r"rule a: .*failed on b\.py"):
        extract_facts("b.py", "x = 1\n", "p", rules)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("[], [facts.Clue(1, 2, 3, 4, 5, 6, 7, 8, 9)]", "Clue.rule is 1, not a text"),
        ("[], [facts.Clue('a', 'k', 'x', 'both', 'USES', 1)]", "Clue.side is 'both', not one of needs, provides"),
        ("[facts.Definition('A', 'class', 1, None)], []", "Definition.end_line is None, not a whole number"),
        ("[facts.Clue('a', 'k', 'x', 'needs', 'USES', 1)], []", "is no Definition"),
        ("[], [], 7", "recognised is 7, not a text"),
    ],
)
def test_what_is_no_fact_is_named(written, found, said):
    text = f"from extraction import facts\nfrom extraction.rules import Findings\n{RULE.format('True', f'Findings({found})')}"
    with pytest.raises(ConfigError, match=r"rule a: .*failed on b\.py: TypeError") as told:
        extract_facts("b.py", "x = 1\n", "p", load_rules([written(text, "acme.py")]))
    assert said in told.value.message


def test_a_rule_may_find_nothing(written):
    assert extract_facts("b.txt", "x", "p", load_rules([written(RULE.format("True", "None"), "acme.py")])).clues == ()


def test_files_that_are_missing_or_of_another_kind(written, tmp_path):
    with pytest.raises(ConfigError, match=r"cannot be read \(FileNotFoundError\)"):
        load_rules([str(tmp_path / "none.yaml")])
    with pytest.raises(ConfigError, match="neither YAML nor Python"):
        load_rules([written("", "a.txt")])
