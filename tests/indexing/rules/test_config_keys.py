"""How the languages read a variable or setting by its name."""

from __future__ import annotations

import pytest

from indexing.facts import Clue, Definition
from indexing.rules import Source
from indexing.rules.config_keys import ConfigKeys


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("url = os.environ['DATABASE_URL']", ["DATABASE_URL"]),
        ('from os import environ\na = environ.get("MODE", "x") or os.getenv("OLD_MODE")', ["MODE", "OLD_MODE"]),
        ('a = environ["PATH_INFO"]; b = request.environ.get("REMOTE_ADDR")', []),  # WSGI's
        ('os.environ["SET"] = "1"; os.environ["READ"] == "1"', ["READ"]),
        ("DEBUG = env('DEBUG')", ["DEBUG"]),
        ("const { port } = process.env.PORT || process.env['OTHER_PORT']", ["PORT", "OTHER_PORT"]),
        ("const api = import.meta.env.VITE_API_URL", ["VITE_API_URL"]),
        ('Deno.env.get("HOME")', ["HOME"]),
        ('addr := os.Getenv("ADDR")', ["ADDR"]),
        ('if v, ok := os.LookupEnv("ADDR"); ok {', ["ADDR"]),
        ('    Port int `yaml:"port" env:"APP_PORT,required"`', ["APP_PORT"]),
        ('String url = System.getenv("JDBC_URL");', ["JDBC_URL"]),
        ('@Value("${app.mail.host:localhost}")', ["app.mail.host"]),
        ('@ConfigProperty(name = "fights.limit")', ["fights.limit"]),
        ('Environment.GetEnvironmentVariable("ASPNETCORE_URLS")', ["ASPNETCORE_URLS"]),
        ('var key = _configuration["Jwt:Key"]; builder.Configuration["Seed"]', ["Jwt:Key", "Seed"]),
        ('builder.Configuration.GetConnectionString("CatalogDb")', ["CatalogDb"]),
        ("ENV['RAILS_ENV'] || ENV.fetch(\"RACK_ENV\")", ["RAILS_ENV", "RACK_ENV"]),
        ("$dsn = getenv('PDO_URL') ?: $_ENV['DSN'];", ["PDO_URL", "DSN"]),
        ("'driver' => env('MAIL_DRIVER', 'smtp'),", ["MAIL_DRIVER"]),
        (
            'let url = env::var("DATABASE_URL")?; let v = env!("CARGO_PKG_VERSION");',
            ["DATABASE_URL", "CARGO_PKG_VERSION"],
        ),
        ("this.configService.get<string>('MONGODB_URI')", ["MONGODB_URI"]),
        ('viper.BindEnv("db.url", "DB_URL")', ["DB_URL"]),
        ('@click.option("--port", envvar="APP_PORT", default=80)', ["APP_PORT"]),
        ("    envvar=['APP_KEY', 'OLD_KEY'],", ["APP_KEY"]),
        ('    #[arg(long, env = "API_TOKEN")]', ["API_TOKEN"]),
        ('    url: str = Field(..., env="SERVICE_URL")', ["SERVICE_URL"]),
        ('env="production"', []),
        ('# url = os.environ["OLD"]', []),
        ('environment = "production"', []),
        ("config.get('x')", []),
        ("store.env('lower')", []),
    ],
)
def test_what_a_line_reads(line, keys):
    findings = ConfigKeys().find(Source("a.py", line))
    assert [clue.key for clue in (findings.clues if findings else ())] == keys


def test_a_key_belongs_to_the_code_around_it():
    text = "import os\ndef load():\n    return os.environ['A_KEY']\n"
    findings = ConfigKeys().find(Source("a.py", text, definitions=(Definition("load", "function", 2, 3),)))
    assert findings.clues == [Clue("config keys", "config key", "A_KEY", "needs", "READS", 3, "load", "reads A_KEY")]


@pytest.mark.parametrize(("path", "wanted"), [("src/a.ts", True), ("tests/test_a.py", False), ("README.md", False)])
def test_programs_are_read_and_tests_are_not(path, wanted):
    assert ConfigKeys().reads(path) is wanted
