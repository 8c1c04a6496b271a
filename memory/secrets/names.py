"""Which files are secret by their name, and how a file writes its settings down, by its name too."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from enum import Enum
from typing import Final

_NAMES: Final = (
    ".env*", "*.env", "env", "env.list", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key",
    "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.kdbx", "*.tfstate", "*.tfstate.*", ".netrc*", "_netrc",
    "netrc", ".authinfo", ".pypirc", ".pgpass*", "pgpass.conf", ".git-credentials", ".htpasswd", ".dockercfg",
    ".vault-token", "credentials", "credentials.json", "client_secret*.json", "service[-_]account*.json",
    "*[-_]service[-_]account.json", "secret.y*ml", "secrets.y*ml", "secrets.json", "secrets.toml", "secrets.ini",
    "secrets.properties",
)  # fmt: skip
_SECRET_NAME: Final = re.compile("|".join(fnmatch.translate(name) for name in _NAMES))
_FOLDERS: Final = {".ssh", ".gnupg", ".aws", ".kube"}


class Writing(Enum):
    """How a file writes a setting: that decides what is taken for a value, and what tells that one is secret."""

    ENVIRONMENT = "variables and nothing else: every value is one of the machine's"
    SETTINGS = "values to the end of the line, quoted or not: YAML, properties, INI, JSON, XML"
    SCRIPT = "words of a shell: a value ends at a space"
    QUOTED = "settings whose literals are quoted: TOML, HCL, Gradle"
    PROSE = "text for people, with examples in it, and what no suffix tells of"
    CODE = "literals are quoted, and most of what a password's name is given is no password"


_SETTINGS: Final = {
    "yaml", "yml", "json", "json5", "jsonc", "properties", "props", "ini", "inf", "cfg", "conf", "cnf", "config",
    "xml", "plist", "targets", "csproj", "pubxml", "cscfg", "service", "npmrc", "yarnrc", "pnpmrc", "s3cfg", "boto",
    "ovpn", "resx", "settings", "credentials", "list", "hosts", "inventory",
}  # fmt: skip
_SCRIPTS: Final = {
    "sh", "bash", "zsh", "fish", "ksh", "csh", "tcsh", "bat", "cmd", "mk", "mak", "dockerfile", "containerfile",
}  # fmt: skip
_QUOTED: Final = {"toml", "tf", "tfvars", "hcl", "nomad", "gradle"}
_PROSE: Final = {"md", "mdx", "markdown", "rst", "txt", "adoc", "asciidoc", "org", "html", "htm", "log", "ipynb"}
_SCRIPT_NAMES: Final = re.compile(
    r"(?:docker|container)file(?:\..*)?|makefile(?:\..*)?|gnumakefile|justfile|procfile|jenkinsfile"
    r"|\.?(?:bash|zsh|k?sh|fish|csh)?_?(?:profile|aliases|login|logout)|\.?(?:bash|zsh|k|fish|csh)rc"
)
_SETTINGS_NAMES: Final = re.compile(
    r"pip\.conf|pip\.ini|hosts|inventory|\.?(?:my|pg_service|wget|curl|mutt|msmtp)(?:\.cnf|\.conf|rc)"
)
_COPY: Final = re.compile(
    r"\.(?:example|sample|template|tmpl|tpl|dist|default|bak|backup|old|orig|save|in|j2|erb|ejs|swp)$|~$"
)
_VARIABLES: Final = re.compile(r"(?:^|dot|[._-])env(?:$|[._-])")
_LANGUAGES: Final = re.compile(r"(?:^|/)(?:locales?|i18n|l10n|lang|langs|languages|translations?|messages)(?:/|[._-])")


def is_secret_name(name: str) -> bool:
    """Whether a file of this name is a secret without a look inside: `.env*`, keys, key stores, credentials."""
    lowered = name.lower()
    return _SECRET_NAME.match(lowered) is not None and not lowered.endswith(".pub")


def is_secret_folder(name: str) -> bool:
    """Whether a folder of this name is where tools keep their keys."""
    return name in _FOLDERS


def writing_of(path: str) -> Writing:
    """How a file writes its settings: `config.yaml.example` as `config.yaml` does. A file of translations is code,
    since its `password` is a label.
    """
    path = path.lower()
    if _LANGUAGES.search(path):
        return Writing.CODE
    name = posixpath.basename(path)
    while (shorter := _COPY.sub("", name)) and shorter != name:
        name = shorter
    ending = name.rpartition(".")[2]
    is_of_a_home_folder = name.startswith(".") and name.count(".") == 1  # a tool's own settings: `.esmtprc`, `.tugboat`
    if ending in _SCRIPTS or _SCRIPT_NAMES.fullmatch(name):
        return Writing.SCRIPT
    if ending in _SETTINGS or _SETTINGS_NAMES.fullmatch(name) or is_of_a_home_folder:
        return Writing.SETTINGS
    if ending in _QUOTED or name.endswith(".gradle.kts"):
        return Writing.QUOTED
    if "." in name and ending in _PROGRAMS:
        return Writing.CODE
    return Writing.ENVIRONMENT if _VARIABLES.search(name) and ending not in _PROSE else Writing.PROSE


_PROGRAMS: Final = {
    "py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "java", "kt", "kts", "go", "rs", "rb", "php",
    "cs", "c", "h", "cc", "cpp", "hpp", "scala", "swift", "sql", "lua", "pl", "pm", "ps1", "psm1", "ex", "exs",
    "erl", "hs", "ml", "clj", "dart", "vue", "svelte", "proto", "graphql", "gql", "prisma", "css", "scss", "less",
    "csv", "r", "jl", "zig", "nim", "groovy", "pug", "cxx", "hh", "hxx", "rake", "gemspec", "sol", "sc", "m", "mm",
    "vb", "fs", "fsx", "sass", "styl", "coffee", "elm", "cr", "nix", "pp", "f90", "v", "sv", "vhd", "pas", "tcl", "svg",
}  # fmt: skip
