from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.secrets import REDACTED, redact, says_secret, without_secrets
from tests.linear import grows_with_its_length
from tests.memory.secrets.harmless import NOT_SECRET
from tests.memory.secrets.shapes import SHAPES, drawn

BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
BEGIN, END = "-----BEGIN PRIVATE" + " KEY-----", "-----END PRIVATE" + " KEY-----"


def lines(text: str) -> int:
    return text.count("\n")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_secret_goes_and_what_stands_around_it_stays(shape):
    assert all(one in shape.text for one in (*shape.hidden, *shape.kept))
    shown = redact(shape.path, shape.text)
    assert [secret for secret in shape.hidden if secret in shown] == []
    assert [text for text in shape.kept if text not in shown] == []
    assert REDACTED in shown
    assert lines(shown) == lines(shape.text)
    assert redact(shape.path, shown) == shown, "what is redacted stays as it is"


def test_there_are_as_many_shapes_as_the_documentation_says():
    assert len(SHAPES) == 334
    assert len({shape.name for shape in SHAPES}) == 334


@pytest.mark.parametrize(("path", "text"), NOT_SECRET)
def test_what_is_no_secret_stays(path, text):
    assert redact(path, text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n{BODY}\n{END}\n",
        f"{BEGIN.replace('PRIVATE', 'RSA PRIVATE')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17\n\n{BODY}\n{END}",
        f"key: |\n  {BEGIN}\n  {BODY}\n  {END}\n",
        f'{{"private_key": "{BEGIN}\\n{BODY}\\n{END}\\n"}}',
        f"# {BEGIN}\n# {BODY}\n# {END}\n",
        f"{BEGIN}\n{BODY}\n",
        f'KEY = "{BEGIN}\\n" \\\n  "{BODY}\\n" \\\n  "{END}"\n',
    ],
    ids=["plain", "encrypted", "in yaml", "in json", "commented out", "end cut off", "put together"],
)
def test_a_private_key_in_any_text(text):
    shown = redact("notes.md", f"before\n{text}after\n")
    assert BODY not in shown
    assert shown.startswith("before\n")
    assert shown.endswith("after\n")
    assert "-----BEGIN" in shown
    assert lines(shown) == lines(text) + 2


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
    assert redact("notes.md", text) == text
    assert not says_secret("notes.md", text)


def test_a_file_that_is_a_private_key_and_nothing_else_is_secret_as_a_whole():
    assert says_secret("deploy", f"\n{BEGIN}\n{BODY}\n{END}\n")
    assert without_secrets("keys/deploy", f"{BEGIN}\n{BODY}\n{END}\n") is None
    assert not says_secret("deploy", f"# of the shop\n{BEGIN}\n{BODY}\n{END}\n")


def test_an_environment_file_of_a_name_of_its_own():
    text = "# for the demo\nDB=booking\n\nexport DB_PASS='it is secret'\n"
    assert says_secret("booking-settings", text)
    assert not says_secret("booking.md", text)
    assert not says_secret("Makefile", f"{text}all:\n\techo $DB\n")
    assert not says_secret("VERSION", "VERSION=1.2\n")
    assert says_secret("booking-settings", "DB_PASSWORD=" + "Winter" + "2024!\n")
    assert not says_secret("NOTES", "# password=" + "Winter" + "2024!\n")


SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: aHVudGVyMg==\n"
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template: {}\n"


def test_a_kubernetes_secret():
    assert says_secret("db.yaml", SECRET)
    assert says_secret("db.yml", SECRET.replace("data:", "stringData:").replace("Secret", '"Secret"'))
    assert says_secret("all.yaml", f"{DEPLOYMENT}---\n{SECRET}")
    assert says_secret("list.yaml", "kind: List\nitems:\n- kind: Secret\n  data: {a: Yg==}\n")
    assert says_secret("db.json", '{\n  "kind": "Secret",\n  "data": {"a": "Yg=="}\n}')
    assert says_secret("db.json", '{"apiVersion": "v1", "kind": "Secret", "data": {"a": "Yg=="}}')
    assert says_secret("db.yaml", SECRET.replace("Secret", "&kind Secret"))
    assert says_secret("db.yaml", SECRET.replace("Secret", "!!str 'Secret'"))
    assert says_secret("db.json", '{"kind": "S\\u0065cret", "data": {"a": "Yg=="}}')


def test_what_only_refers_to_a_kubernetes_secret():
    assert not says_secret("role.yaml", "kind: Role\nsubjects:\n- kind: Secret\n  name: db\n")
    assert not says_secret("two.yaml", "kind: ConfigMap\ndata:\n  a: b\n---\nkind: Secret\nmetadata: {}\n")
    assert not says_secret("sealed.yaml", SECRET.replace("Secret", "SealedSecret"))
    assert not says_secret("guide.md", SECRET)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("//registry.example/:_authToken=npm_abc\n", f"//registry.example/:_authToken={REDACTED}\n"),
        ("//registry.example/:_authToken=${NPM_TOKEN}\n", "//registry.example/:_authToken=${NPM_TOKEN}\n"),
        ("registry=https://me:hunter2@registry.example\n", f"registry=https://me:{REDACTED}@registry.example\n"),
        ("save-exact=true\n", "save-exact=true\n"),
    ],
)
def test_a_registrys_settings(text, shown):
    assert redact(".npmrc", text) == shown


def test_overlapping_finds_are_one():
    token = "gh" + "p_" + drawn("overlap", 36)
    assert redact("a.yaml", f"token: {token}\nurl: https://x:{token}@git.example.org/\n") == (
        f"token: {REDACTED}\nurl: https://x:{REDACTED}@git.example.org/\n"
    )


def test_a_letter_that_is_two_in_lower_case_moves_nothing():
    text = "İİİ\npassword: " + "Winter" + "2024!\nport: 80\n"
    assert redact("a.yaml", text) == f"İİİ\npassword: {REDACTED}\nport: 80\n"


def test_a_value_longer_than_what_is_looked_at_goes_to_its_end():
    for path, before, after in (
        ("a.yaml", "password: ", "\n"),
        ("a.md", "--password ", " x\n"),
        ("a.json", '{"token": "', '"}\n'),
    ):
        long = drawn("long", 20_000 if path != "a.json" else 4_000)
        assert redact(path, before + long + after) == before + REDACTED + after


@given(
    st.text("pasword=:\"' \n{}$tkeny-<>/@|A1.\\,&!#?[(;u", max_size=80),
    st.sampled_from(["a.yaml", "a.py", "a.md", "env.x", "a.sh"]),
)
def test_whatever_the_text_lines_stay_and_a_second_time_changes_nothing(text, path):
    shown = redact(path, text)
    assert lines(shown) == lines(text)
    assert redact(path, shown) == shown


REPEATED = (
    "a", " ", "\n", "=", "password=", "password: ", "token=", "api_key=", "?sig=", "pwd=a&", "://a:b", "eyJ", "-eyJaaaaaaaaaa.",
    BEGIN, "Bearer ", 'password="', "<password a", "password: |\n  a\n", "kind: Secret\n", "{", "ghp_", "a_", "curl -u a:", "SG.a.",
    "\\", "\\/", "\\u0061", "\\\n", "&#97;", "<![CDATA[", "password: &a ", "password: !!str ", "password: <a>", "password?: a[",
    "password as ", "password = (\n ", "? password\n: ", "password:\n a\n", "# password ", "<name>password</name>",
    "|password|\n|--|\n", "|", "-|", "- |", "mysql -p ", "curl -u ", "echo a | sudo -S ", "echo ",
    "- name: password\n# a\n", "password: #\n", "${password:a", "jdbc:oracle:a:b/c", "mysql\n- a\n", "login, ", "set password a", "<<A\n", "<<A\npw=b\nA\n",
    'x\\n", "', '"password"\n\n', "password:\n\n", "password = <<A\n", "password = [[a", "password != ",
    "password: a\n get()", "password for a", '"password", default', "password = a(default ", "password || ", "password = a ; ", "--password\n- ", "password: a {", 'password=r#"',
    'password=R"(', "password=q{a", "password <<A\n", "{password, ", 'password: ["', "password\n: ", 'type="password" ', "Authorization: a ", "set //a:", "password=%q[",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("path", ["a.yaml", "a.md", "a.ipynb", "a.py", "a.tf", "env.production"])
@pytest.mark.parametrize("part", REPEATED)
def test_the_time_grows_with_the_text_and_not_faster(path, part):
    half, whole = (part * (size // len(part)) for size in (40_000, 80_000))
    assert grows_with_its_length(partial(without_secrets, path), half, whole, short=0.08)


@pytest.mark.slow
def test_a_megabyte_of_code_on_one_line_is_looked_through_in_time():
    draw = random.Random(1)  # noqa: S311 - a text, no secret
    words = [
        "function",
        "return",
        "token",
        "this.key",
        "=",
        "(",
        ")",
        "{",
        "}",
        "password",
        "x1",
        ";",
        '"a b"',
        "://",
        "0.5",
    ]
    text = " ".join(draw.choice(words) for _ in range(250_000))[:1_000_000]
    for path in ("a.js", "a.json", "a.md"):
        assert grows_with_its_length(partial(without_secrets, path), text[:500_000], text)
