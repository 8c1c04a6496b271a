from __future__ import annotations

import pytest

from memory.secrets import is_secret_folder, is_secret_name
from memory.secrets.names import Writing, writing_of


@pytest.mark.parametrize(
    "name",
    [
        ".env", ".env.production", ".env.example", ".envrc", "prod.env", "env", "env.list", "id_rsa", "id_ed25519", "ID_RSA", "server.pem", "tls.key", "store.p12",
        "a.pfx", "trust.jks", "release.keystore", ".netrc", ".pypirc", ".git-credentials", "credentials.json", "service-account.json",
        "billing-service-account.json", "client_secret_1.apps.json", "secrets.yaml", "secret.yml", "terraform.tfstate", "terraform.tfstate.backup",
    ],
)  # fmt: skip
def test_secret_by_its_name(name):
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["id_rsa.pub", "environment.py", "keys.py", "monkey", "secrets.py", "env.md", ".npmrc", "keystore.java"]
)
def test_no_secret_by_its_name(name):
    assert not is_secret_name(name)


def test_folders_of_keys():
    assert is_secret_folder(".ssh")
    assert not is_secret_folder("ssh")


@pytest.mark.parametrize(
    ("path", "writing"),
    [
        ("config/app.yaml", Writing.SETTINGS),
        ("app.yml.example", Writing.SETTINGS),
        ("appsettings.Production.json", Writing.SETTINGS),
        (".npmrc", Writing.SETTINGS),
        (".tugboat", Writing.SETTINGS),
        ("pip.conf", Writing.SETTINGS),
        ("env.production", Writing.ENVIRONMENT),
        ("deploy/config.env.example", Writing.ENVIRONMENT),
        ("app.env.sample~", Writing.ENVIRONMENT),
        ("Dockerfile", Writing.SCRIPT),
        ("Dockerfile.dev", Writing.SCRIPT),
        (".bash_profile", Writing.SCRIPT),
        ("deploy.sh", Writing.SCRIPT),
        ("prod.tfvars", Writing.QUOTED),
        ("README.md", Writing.PROSE),
        ("env.md", Writing.PROSE),
        ("env.ts", Writing.CODE),
        ("login_spec.js", Writing.CODE),
        ("test_env.py", Writing.CODE),
        ("LICENSE", Writing.PROSE),
        ("bin/deploy", Writing.PROSE),
        ("requests.http", Writing.PROSE),
        ("dotenv", Writing.ENVIRONMENT),
        ("src/locales/en.yml", Writing.CODE),
    ],
)
def test_how_a_file_writes_settings(path, writing):
    assert writing_of(path) is writing
