"""How the languages read a variable or setting by its name."""

from __future__ import annotations

import pytest

from extraction.facts import Clue
from extraction.reading import extract_facts
from extraction.rules.families import shipped_families


@pytest.mark.parametrize(
    ("path", "line", "keys"),
    [
        ("a.py", "url = os.environ['DATABASE_URL']", ["DATABASE_URL"]),
        ("a.py", 'from os import environ\na = environ.get("MODE", "x") or os.getenv("OLD_MODE")', ["MODE", "OLD_MODE"]),
        ("a.py", 'a = environ["PATH_INFO"]; b = request.environ.get("REMOTE_ADDR")', []),
        ("a.py", 'os.environ["SET"] = "1"; os.environ["READ"] == "1"', ["READ"]),
        ("a.py", "import environ\nDEBUG = env('DEBUG')", ["DEBUG"]),
        ("a.ts", "const { port } = process.env.PORT || process.env['OTHER_PORT']", ["PORT", "OTHER_PORT"]),
        ("a.ts", "const api = import.meta.env.VITE_API_URL", ["VITE_API_URL"]),
        ("a.ts", 'Deno.env.get("HOME")', ["HOME"]),
        ("a.go", 'package a\nfunc f() {\naddr := os.Getenv("ADDR")\n}', ["ADDR"]),
        ("a.go", 'package a\nfunc f() {\nif v, ok := os.LookupEnv("ADDR"); ok { }\n}', ["ADDR"]),
        ("a.go", 'package a\ntype C struct {\n    Port int `yaml:"port" env:"APP_PORT,required"`\n}', ["APP_PORT"]),
        ("A.java", 'class A { void f() { String url = System.getenv("JDBC_URL"); } }', ["JDBC_URL"]),
        ("A.java", 'class A { @Value("${app.mail.host:localhost}") String x; }', ["app.mail.host"]),
        ("A.java", 'class A { @ConfigProperty(name = "fights.limit") String x; }', ["fights.limit"]),
        ("A.cs", 'class A { void F() { Environment.GetEnvironmentVariable("ASPNETCORE_URLS"); } }', ["ASPNETCORE_URLS"]),
        ("A.cs", 'class A { void F() { var key = _configuration["Jwt:Key"]; builder.Configuration["Seed"]; } }', ["Jwt:Key", "Seed"]),
        ("A.cs", 'class A { void F() { builder.Configuration.GetConnectionString("CatalogDb"); } }', ["CatalogDb"]),
        ("a.rb", 'ENV[\'RAILS_ENV\'] || ENV.fetch("RACK_ENV")', ["RAILS_ENV", "RACK_ENV"]),
        ("a.php", "<?php\n$dsn = getenv('PDO_URL') ?: $_ENV['DSN'];", ["PDO_URL", "DSN"]),
        ("a.php", "<?php\nreturn ['driver' => env('MAIL_DRIVER', 'smtp'),];", ["MAIL_DRIVER"]),
        ("a.rs", 'fn f() { let url = env::var("DATABASE_URL")?; let v = env!("CARGO_PKG_VERSION"); }', ["DATABASE_URL", "CARGO_PKG_VERSION"]),
        ("a.ts", "this.configService.get<string>('MONGODB_URI')", ["MONGODB_URI"]),
        ("a.go", 'package a\nfunc f() {\nviper.BindEnv("db.url", "DB_URL")\n}', ["DB_URL"]),
        ("a.py", '@click.option("--port", envvar="APP_PORT", default=80)', ["APP_PORT"]),
        ("a.py", "click.option(envvar=['APP_KEY', 'OLD_KEY'],)", ["APP_KEY", "OLD_KEY"]),
        ("a.rs", 'struct A {\n    #[arg(long, env = "API_TOKEN")]\n    x: String,\n}', ["API_TOKEN"]),
        ("a.py", '    url: str = Field(..., env="SERVICE_URL")', ["SERVICE_URL"]),
        ("a.py", 'env="production"', []),
        ("a.py", '# url = os.environ["OLD"]', []),
        ("a.py", 'environment = "production"', []),
        ("a.py", "config.get('x')", []),
        ("a.py", "store.env('lower')", []),
    ],
)  # fmt: skip
def test_what_a_line_reads(keys_of, path, line, keys):
    assert sorted(clue.key for clue in keys_of(path, line)) == sorted(keys)


def test_a_key_belongs_to_the_code_around_it(keys_of):
    text = "import os\ndef load():\n    return os.environ['A_KEY']\n"
    assert keys_of("a.py", text) == (
        Clue("config keys", "config key", "A_KEY", "needs", "READS", 3, "load", "reads A_KEY"),
    )


@pytest.mark.parametrize(("path", "wanted"), [("src/a.ts", 1), ("tests/test_a.ts", 0), ("README.md", 0)])
def test_programs_are_read_and_tests_are_not(keys_of, path, wanted):
    assert len(keys_of(path, "const a = process.env.A_KEY\n")) == wanted


@pytest.fixture
def keys_of():
    return lambda path, text: extract_facts(path, text, "shop", shipped_families("configuration")).clues
