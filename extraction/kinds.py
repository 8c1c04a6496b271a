"""What a file is, by its path: language, corpus and kind of chunk."""

from __future__ import annotations

import re

from memory.text import is_test
from memory.vector.port import ChunkKind, Corpus

_BY_END = {
    "py": "python", "pyi": "python", "java": "java", "go": "go", "js": "javascript", "mjs": "javascript", "cjs": "javascript",  # noqa: E501 - a table
    "jsx": "javascript", "ts": "typescript", "tsx": "typescript", "mts": "typescript", "cts": "typescript", "rb": "ruby", "rake": "ruby", "gemspec": "ruby", "php": "php", "rs": "rust",  # noqa: E501 - a table
    "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp", "cs": "csharp", "kt": "kotlin",  # noqa: E501 - a table
    "kts": "kotlin", "scala": "scala", "swift": "swift", "lua": "lua", "ex": "elixir", "exs": "elixir", "erl": "erlang",
    "sh": "shell", "bash": "shell", "sql": "sql", "ddl": "sql", "cql": "sql", "proto": "protobuf", "graphql": "graphql", "gql": "graphql",  # noqa: E501 - a table
    "html": "html", "css": "css", "scss": "css", "vue": "vue", "r": "r", "jl": "julia", "dart": "dart", "clj": "clojure",  # noqa: E501 - a table
    "md": "markdown", "markdown": "markdown", "mdx": "markdown", "rst": "rst", "adoc": "asciidoc", "asciidoc": "asciidoc",  # noqa: E501 - a table
    "txt": "text", "yaml": "yaml", "yml": "yaml", "toml": "toml", "json": "json", "jsonl": "json", "ini": "ini", "cfg": "ini",  # noqa: E501 - a table
    "conf": "ini", "properties": "ini", "xml": "xml", "tf": "hcl", "hcl": "hcl", "gradle": "groovy", "mod": "gomod",
    "dockerfile": "dockerfile", "mk": "make",
    "png": "image", "jpg": "image", "jpeg": "image", "webp": "image",
}  # fmt: skip
_BY_NAME = {
    "dockerfile": "dockerfile", "containerfile": "dockerfile", "makefile": "make", "gemfile": "ruby", "rakefile": "ruby",  # noqa: E501 - a table
    "jenkinsfile": "groovy", "procfile": "ini", "metadata": "markdown", "pkg-info": "markdown", "readme": "text",
    "license": "text", "licence": "text", "notice": "text", "copying": "text", "authors": "text", "changelog": "text",
    "claude.md": "markdown", "agents.md": "markdown", ".cursorrules": "markdown", "codeowners": "ini", ".gitignore": "ini",  # noqa: E501 - a table
    ".dockerignore": "ini", ".editorconfig": "ini", ".npmrc": "ini", "py.typed": "text", "cmakelists.txt": "make",
}  # fmt: skip
_REQUIREMENTS = re.compile(r"(?:requirements|constraints)[^/]*\.(?:txt|in)")
_DOCS = {"markdown", "rst", "asciidoc", "text", "image"}
_CONFIG = {"yaml", "toml", "json", "ini", "xml", "hcl", "dockerfile", "make", "gomod", "requirements"}
_INSTRUCTIONS = {"claude.md", "claude.local.md", "agents.md", "gemini.md", "copilot-instructions.md", ".cursorrules"}

_EXAMPLE = re.compile(r"(?:^|/)(?:examples?|samples?|demos?|tutorials?)/|(?:^|/)(?:example|sample|demo)[_-][^/]*$")


def language_of(path: str) -> str:
    """The language of a file by its name or its end; `text` without an end, else `other`."""
    name = path.rsplit("/", 1)[-1].lower()
    if _REQUIREMENTS.fullmatch(name):
        return "requirements"
    _, dot, end = name.rpartition(".")
    return _BY_NAME.get(name) or (_BY_END.get(end, "other") if dot else "text")


def corpus_of(lang: str) -> Corpus:
    """Documents are read by one model, all the rest by another."""
    return "docs" if lang in _DOCS else "code"


def kind_of(path: str, lang: str) -> ChunkKind:
    """Documents are `doc` anywhere, pictures `image`; `test` and `example` by path, `config`, `code` by language."""
    if lang == "image":
        return "image"
    if lang in _DOCS:
        return "doc"
    if is_test(path):
        return "test"
    if _EXAMPLE.search(path):
        return "example"
    return "config" if lang in _CONFIG else "code"


def is_instruction_file(path: str) -> bool:
    """Whether a file tells people and agents how to work in the project."""
    return path.rsplit("/", 1)[-1].lower() in _INSTRUCTIONS
