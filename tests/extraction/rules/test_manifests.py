"""The manifests, one after the other, on lines as people write them."""

from __future__ import annotations

from extraction.rules import Source
from extraction.rules.packages_json import PackageJson
from extraction.rules.packages_python import DistributionMetadata, Pyproject, Requirements, SetupCfg


def clues(rule, text, path="x"):
    found = rule.find(Source(path, text))
    return [(c.side, c.key, c.line, c.says) for c in sorted(found.clues, key=lambda c: (c.line, c.key))]


def test_pyproject_with_extras_groups_and_inline_lists():
    text = (
        "[build-system]\n"
        'requires = ["hatchling"]\n'
        "[project]\n"
        'name = "Order_Service"\n'
        'description = "Takes orders."\n'
        'dependencies = ["httpx>=0.27", "payments-client"]\n'
        "[project.optional-dependencies]\n"
        "fast = [\n"
        '  "httpx>=0.27",\n'
        "]\n"
        "[dependency-groups]\n"
        'dev = ["pytest", {include-group = "fast"}, 7]\n'
    )
    assert clues(Pyproject(), text) == [
        ("provides", "order-service", 4, "Takes orders."),
        ("needs", "httpx", 6, "dependency httpx"),
        ("needs", "payments-client", 6, "dependency payments-client"),
        ("needs", "httpx", 9, "dependency httpx (extra fast)"),
        ("needs", "pytest", 12, "dependency pytest (group dev)"),
    ]


def test_pyproject_of_poetry():
    text = (
        "[tool.poetry]\n"
        'name = "crm"\n'
        "[tool.poetry.dependencies]\n"
        'python = "^3.11"\n'
        'httpx = "^0.27"\n'
        "[tool.poetry.group.test.dependencies]\n"
        'pytest = {version = "*"}\n'
    )
    assert clues(Pyproject(), text) == [
        ("provides", "crm", 2, "package crm"),
        ("needs", "httpx", 5, "dependency httpx"),
        ("needs", "pytest", 7, "dependency pytest (group test)"),
    ]


def test_pyproject_that_is_none_or_has_other_shapes():
    assert Pyproject().find(Source("pyproject.toml", "= no toml")) is None
    assert Pyproject().find(Source("pyproject.toml", f'[project]\nname = "a"\nx = {"9" * 4301}\n')) is None
    assert clues(Pyproject(), 'project = 3\n[tool]\npoetry = "x"\n') == []
    assert clues(Pyproject(), '[project]\nname = """n"""\ndependencies = ["""a"""]\n') == [
        ("provides", "n", 2, "package n"),
        ("needs", "a", 3, "dependency a"),
    ]


def test_requirements_leave_options_and_comments_out():
    rule = Requirements()
    assert all(rule.reads(p) for p in ("requirements.txt", "a/requirements-dev.in", "requirements/base.txt"))
    assert not rule.reads("docs/notes.txt")
    text = "# pinned\n-r base.txt\nhttpx==0.28.1 \\\n    --hash=sha256:abc\nanyio  # for trio\ngit+https://x.org/y.git#egg=y_pkg\n"
    assert [(key, line) for _, key, line, _ in clues(rule, text)] == [("httpx", 3), ("anyio", 5), ("y-pkg", 6)]


def test_setup_cfg():
    text = "[metadata]\nname = old\ndescription = An old one.\n[options]\ninstall_requires =\n    httpx>=1\n[options.extras_require]\nx = rich\n"
    assert SetupCfg().reads("a/setup.cfg")
    assert clues(SetupCfg(), text) == [
        ("provides", "old", 2, "An old one."),
        ("needs", "httpx", 6, "dependency httpx"),
        ("needs", "rich", 8, "dependency rich (extra x)"),
    ]
    assert clues(SetupCfg(), "[flake8]\nx = 1\n") == []
    assert SetupCfg().find(Source("setup.cfg", "no section")) is None


def test_an_installed_distribution_ends_where_its_readme_begins():
    text = "Metadata-Version: 2.4\nName: httpx\nSummary: A client.\nRequires-Dist: anyio\nRequires-Dist: h2<5; extra == 'http2'\n\nName: other\n"
    assert DistributionMetadata().reads("httpx-0.28.1.dist-info/METADATA")
    assert clues(DistributionMetadata(), text) == [
        ("provides", "httpx", 2, "A client."),
        ("needs", "anyio", 4, "dependency anyio"),
        ("needs", "h2", 5, "dependency h2 (extra http2)"),
    ]
    assert DistributionMetadata().find(Source("PKG-INFO", "nothing")) is None


def test_package_json_is_its_own_kind_of_package():
    text = '{\n  "name": "web",\n  "dependencies": {\n    "react": "^19"\n  },\n  "devDependencies": {\n    "vite": "*"\n  },\n  "peerDependencies": []\n}\n'
    assert clues(PackageJson(), text) == [
        ("provides", "web", 2, "package web"),
        ("needs", "react", 4, "dependency react"),
        ("needs", "vite", 7, "dependency vite (development)"),
    ]
    assert {c.kind for c in PackageJson().find(Source("package.json", text)).clues} == {"npm package"}
    assert clues(PackageJson(), '{"private": true}') == []
    assert PackageJson().find(Source("package.json", "[1]")) is None
    assert PackageJson().find(Source("package.json", "{")) is None


def test_half_a_surrogate_pair_becomes_a_question_mark():
    text = '{"name": "a\\ud800b",\n"description": "\\uDFFF \\ud83d\\ude00",\n"dependencies": {"left\\udc00": "1"}}'
    assert clues(PackageJson(), text) == [
        ("provides", "a?b", 1, "? \N{GRINNING FACE}"),
        ("needs", "left?", 3, "dependency left?"),
    ]


def test_package_json_says_where_it_is_entered():
    def entries(text):
        return [c.key for c in PackageJson().find(Source("package.json", text)).clues if c.kind == "npm entry"]

    assert entries('{"name": "a", "main": "./lib/a.js", "types": 3}') == ["./lib/a.js"]
    assert entries('{"name": "a", "exports": "./a.js"}') == ["./a.js"]
    nested = '{"name": "a", "exports": {".": {"import": {"types": "./a.d.ts", "default": "./a.mjs"}}, "./b": "./b.js"}}'
    assert entries(nested) == ["./a.d.ts", "./a.mjs"]
    assert entries('{"name": "a", "exports": {"./b": "./b.js", "import": "./a.mjs"}}') == ["./a.mjs"]
    assert entries('{"name": "a", "exports": ' + '{"x":' * 20 + '"./a.js"' + "}" * 21) == []
    assert entries('{"main": "./a.js"}') == []


def test_names_of_npm_are_exact():
    text = '{"name": "@shop/pay_client", "dependencies": {"lodash.debounce": "*"}}'
    assert {c.key for c in PackageJson().find(Source("package.json", text)).clues} == {
        "@shop/pay_client",
        "lodash.debounce",
    }
