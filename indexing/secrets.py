"""What must never be stored, embedded or shown: known by its name, or by what stands in it (design §8, secrets)."""

from __future__ import annotations

import fnmatch
import re

__all__ = ["is_secret_folder", "is_secret_name", "says_secret"]

_NAMES = (
    ".env*", "*.env", "env", "env.list", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
    "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.kdbx", "*.tfstate", "*.tfstate.*",
    ".netrc", "_netrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd", ".dockercfg", ".vault-token",
    "credentials", "credentials.json", "client_secret*.json", "service[-_]account*.json", "*[-_]service[-_]account.json",
    "secret.y*ml", "secrets.y*ml", "secrets.json", "secrets.toml", "secrets.ini", "secrets.properties",
)  # fmt: skip
_SECRET_NAME = re.compile("|".join(fnmatch.translate(name) for name in _NAMES))
_FOLDERS = {".ssh", ".gnupg", ".aws", ".kube"}

# A block, not its mere mention: after the mark stand what base64, its headers and a string literal hold up to the other
# mark, or one long run of base64 where the end was cut off.
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?P<body>[\w+/=\s\\\"'#*>|,:.-]{1,20000}?)-----END (?:[A-Z0-9]+ )*PRIVATE KEY|(?:\\[nr]|\s)*(?P<run>[A-Za-z0-9+/=]{40}))",
)
_KEY_TEXT = re.compile(r"[A-Za-z0-9+/=_-]{6}")
_ASSIGNMENT = re.compile(r"\s=\s")

_TOKEN_FILES = {".npmrc", ".yarnrc", ".yarnrc.yml", "pip.conf"}
_TOKEN = re.compile(
    r"(?:_auth(?:token)?|_password|npmauthtoken)\s*[=:]\s*[\"']?(?![\"'\s$])|://[^\s/:@]+:[^\s/@$]+@", re.IGNORECASE
)

_SET = re.compile(r"\s*(?:export\s+)?[A-Z][A-Z0-9_]*=")

_MANIFESTS = (".yaml", ".yml", ".json")
_KIND_SECRET = re.compile(r"""^[\s{,-]*["']?kind["']?\s*:\s*["']?Secret["']?\s*(?:#.*|[,}].*)?$""", re.MULTILINE)
_SECRET_DATA = re.compile(r"""["']?\b(?:data|stringData)["']?\s*:""")
_DOCUMENT = re.compile(r"^---", re.MULTILINE)


def is_secret_name(name: str) -> bool:
    """Whether a file of this name is a secret without a look inside: `.env*`, keys, key stores, credentials."""
    lowered = name.lower()
    return _SECRET_NAME.match(lowered) is not None and not lowered.endswith(".pub")


def is_secret_folder(name: str) -> bool:
    """Whether a folder of this name is where tools keep their keys."""
    return name in _FOLDERS


def says_secret(name: str, text: str) -> bool:
    """Whether the text holds a private key, a registry's token or a Kubernetes `Secret` with its data, or is an
    environment file by its form where its name has no suffix.
    """
    if any(_is_key(block["body"] or block["run"]) for block in _PRIVATE_KEY.finditer(text)):
        return True
    if name in _TOKEN_FILES:
        return _TOKEN.search(text) is not None
    if "." not in name and _is_environment(text):
        return True
    return name.lower().endswith(_MANIFESTS) and any(map(_is_kubernetes_secret, _DOCUMENT.split(text)))


def _is_environment(text: str) -> bool:
    """Assignments of variables, two at least, and nothing else."""
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return len(lines) > 1 and all(map(_SET.match, lines))


def _is_key(body: str) -> bool:
    return _KEY_TEXT.search(body) is not None and _ASSIGNMENT.search(body) is None


def _is_kubernetes_secret(document: str) -> bool:
    return _KIND_SECRET.search(document) is not None and _SECRET_DATA.search(document) is not None
