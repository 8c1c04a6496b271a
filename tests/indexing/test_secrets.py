from __future__ import annotations

import pytest

from indexing.secrets import is_secret_folder, is_secret_name, says_secret

BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
BEGIN, END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"


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


def test_an_environment_file_of_a_name_of_its_own():
    text = "# for the demo\nDB=booking\n\nexport DB_PASS='it is secret'\n"
    assert says_secret("booking-settings", text)
    assert not says_secret("booking.md", text)
    assert not says_secret("Makefile", f"{text}all:\n\techo $DB\n")
    assert not says_secret("VERSION", "VERSION=1.2\n")


def test_folders_of_keys():
    assert is_secret_folder(".ssh")
    assert not is_secret_folder("ssh")


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n{BODY}\n{END}\n",
        f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17\n\n{BODY}\n-----END RSA PRIVATE KEY-----",
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{BODY}\n-----END PGP PRIVATE KEY BLOCK-----",
        f"key: |\n  {BEGIN}\n  {BODY}\n  {END}\n",
        f'{{"private_key": "{BEGIN}\\n{BODY}\\n{END}\\n"}}',
        f"# {BEGIN}\n# {BODY}\n# {END}\n",
        f"{BEGIN}\n{BODY}\n",
    ],
    ids=["plain", "encrypted", "pgp", "in yaml", "in json", "commented out", "end cut off"],
)
def test_a_private_key_in_any_text(text):
    assert says_secret("notes.md", f"before\n{text}after\n")


@pytest.mark.parametrize(
    "text",
    [
        f'MARKS = ("{BEGIN}", "{END}")\n',
        f'start = text.index("{BEGIN}")\nend = text.index("{END}", start)\n',
        f'START = b"{BEGIN}"\nTHE_END = b"{END}"\n',
        f"{BEGIN}\n...\n{END}\n",
        f"A file that starts with {BEGIN} is a key.\n",
        f"-----BEGIN CERTIFICATE-----\n{BODY}\n-----END CERTIFICATE-----\n",
        f"-----BEGIN PUBLIC KEY-----\n{BODY}\n-----END PUBLIC KEY-----\n",
    ],
    ids=["marks alone", "a parser", "two names", "left out", "prose", "certificate", "public key"],
)
def test_the_mention_of_a_private_key_is_none(text):
    assert not says_secret("notes.md", text)


SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: aHVudGVyMg==\n"
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template: {}\n"


def test_a_kubernetes_secret():
    assert says_secret("db.yaml", SECRET)
    assert says_secret("db.yml", SECRET.replace("data:", "stringData:").replace("Secret", '"Secret"'))
    assert says_secret("all.yaml", f"{DEPLOYMENT}---\n{SECRET}")
    assert says_secret("list.yaml", "kind: List\nitems:\n- kind: Secret\n  data: {a: Yg==}\n")
    assert says_secret("db.json", '{\n  "kind": "Secret",\n  "data": {"a": "Yg=="}\n}')


def test_what_only_refers_to_a_kubernetes_secret():
    assert not says_secret("role.yaml", "kind: Role\nsubjects:\n- kind: Secret\n  name: db\n")
    assert not says_secret("two.yaml", "kind: ConfigMap\ndata:\n  a: b\n---\nkind: Secret\nmetadata: {}\n")
    assert not says_secret("sealed.yaml", SECRET.replace("Secret", "SealedSecret"))
    assert not says_secret("guide.md", SECRET)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("//registry.example/:_authToken=npm_abc\n", True),
        ("//registry.example/:_authToken=${NPM_TOKEN}\n", False),
        ("registry=https://me:hunter2@registry.example\n", True),
        ("save-exact=true\n", False),
    ],
)
def test_a_registrys_settings_are_secret_when_they_hold_a_token(text, secret):
    assert says_secret(".npmrc", text) is secret
    assert not says_secret("readme.md", text)
