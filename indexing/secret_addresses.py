"""Where services are, as secrets say it: read in memory, and nothing kept but hosts and topics.

See docs/design.md#secrets.

An environment file or a Kubernetes `Secret` is never stored, embedded or shown. Of its keys that end in `_ADDR _HOST
_PORT _URL _URI _ENDPOINT _TOPIC` those are read whose value is nothing but a host, a topic, or a URL without
credentials; a port alone leads nowhere. What they say is at line 0, which no edge shows: its place is the line that
refers to it.
"""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from extraction.facts import Clue, FileFacts
from extraction.rules.addresses import addresses_in
from extraction.rules.services import env_map, secret_map
from extraction.rules.topics import names_topic, topic_in
from extraction.rules.yaml_nodes import at, documents, scalar, settings
from indexing.reading import Skipped, read_bytes

RULE: Final = "secret"
MOST_BYTES: Final = 100_000
KEY: Final = re.compile(r"[_.\-](?:ADDR|HOST|URL|URI|ENDPOINT|TOPIC)$", re.IGNORECASE)
TOPIC: Final = re.compile(r"[_.\-]TOPIC$", re.IGNORECASE)
PLAIN: Final = re.compile(
    r"(?:[a-z][a-z0-9+.\-]*:(?:[a-z0-9]+:)?//)?[A-Za-z][\w.\-]*(?::\d{1,5})?(?:/[^\s@?#;=&,]*)?(?:,|$)"
)
KEY_TEXT: Final = re.compile(r"(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{16,}")
"""A run of letters and digits so long is a key, whatever the variable is called."""
ENTRY: Final = re.compile(r"\s*(?:export\s+)?([A-Za-z_][\w.\-]*)\s*=\s*(.*?)\s*$")
QUOTED: Final = re.compile(r"([\"'])(.*?)\1(?:\s+#.*)?$")


def secret_facts(root: Path, paths: Iterable[str]) -> dict[str, FileFacts]:
    """What the secrets among these files, relative to root, say of addresses; those that say nothing are left out."""
    found = {path: _clues(root, path) for path in sorted(paths)}
    return {path: FileFacts(path, "", clues=clues) for path, clues in found.items() if clues}


def addresses_digest(facts: Mapping[str, FileFacts]) -> str:
    """Tells whether the addresses are the same as before; '' for none. Made from what is kept, never from a secret."""
    rows = [f"{path}\n{clue.key}\n{clue.value}" for path, one in sorted(facts.items()) for clue in one.clues]
    return hashlib.sha256("\n\n".join(rows).encode()).hexdigest() if rows else ""


def holds_addresses(path: str) -> bool:
    """Whether a secret is of a kind that may say addresses, by its name."""
    return _is_environment(path) or path.lower().endswith((".yaml", ".yml"))


def _is_environment(path: str) -> bool:
    name = posixpath.basename(path).lower()
    return name.startswith(".env") or name.endswith(".env")


def _clues(root: Path, path: str) -> tuple[Clue, ...]:
    if not holds_addresses(path):
        return ()
    read = read_bytes(root / path, MOST_BYTES)
    if isinstance(read, Skipped):
        return ()
    text = read[0].decode("utf-8-sig", "replace")
    settings = _of_environment(path, text) if _is_environment(path) else _of_manifest(text)
    found = {clue for name, key, value in settings for clue in _clues_of(name, key, value)}
    return tuple(sorted(found, key=lambda clue: (clue.kind, clue.key, clue.value)))


def _of_environment(path: str, text: str) -> Iterator[tuple[str, str, str]]:
    for line in text.splitlines():
        if entry := ENTRY.match(line):
            quoted = QUOTED.match(entry[2])
            yield env_map(path), entry[1], quoted[2] if quoted else re.sub(r"(?<!\s)\s+#.*", "", entry[2])


def _of_manifest(text: str) -> Iterator[tuple[str, str, str]]:
    for root in documents(text):
        if scalar(at(root, "kind")) == "Secret" and (name := scalar(at(root, "metadata", "name"))):
            for key, value, _line in settings(at(root, "stringData")):
                yield secret_map(name), key, value.strip()
            for key, value, _line in settings(at(root, "data")):
                yield secret_map(name), key, _decoded(value)


def _decoded(value: str) -> str:
    try:
        return base64.b64decode(value, validate=True).decode().strip()
    except ValueError:  # no base64, not even ASCII, or no text
        return ""


def _clues_of(name: str, key: str, value: str) -> Iterator[Clue]:
    is_plain = all(PLAIN.fullmatch(part.strip()) for part in value.split(","))  # hosts, topics or URLs, nothing besides
    if KEY.search(key) is None or KEY_TEXT.search(value) or not is_plain:
        return
    if TOPIC.search(key):
        if topic := topic_in(value):
            yield names_topic(RULE, key, topic, 0)
        return
    for address in addresses_in(key, value):
        if address.host:
            host, says = address.host, f"{key} → {address.host}"
            yield Clue(RULE, "settings", f"{name}/{key}", "provides", address.relation, 0, says=says, value=host)
