"""What is fuzzed: each target takes draws and gives an input to a part of the product, which may refuse it with an error of ours."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, TypeAlias

import yaml
from anyio.from_thread import start_blocking_portal

from configs import load_config
from evaluation import read_questions
from extraction.facts import FileFacts
from extraction.reading import extract_facts
from extraction.rules.custom import load_rules
from indexing import IndexRequest
from indexing.chunks import Provenance, chunks_of
from indexing.discovery import discover
from indexing.ignores import GitIgnores
from indexing.images import shown_pictures
from indexing.reading import read_source
from indexing.resolution import resolve
from indexing.secret_addresses import holds_addresses, secret_facts
from inspector import follow, page
from interfaces.adk import AskTool, EvidenceTool
from interfaces.cli.ask import answer_page
from interfaces.cli.why import why
from interfaces.mcp.index import Opened
from interfaces.mcp.server import build_server
from interfaces.mcp.tools import Tools
from memory.embedders import FakeDenseEmbedder
from memory.errors import ConfigError
from memory.generation import DataFolder
from memory.secrets import without_secrets
from memory.text.output import printable
from memory.vector.payload import FieldMapping
from orchestrator import HybridRetrievalOrchestrator
from replay import read_scenario, replay, result_of
from tests.fuzz.http_requests import STATUSES, answered, application_on, drawn_request
from tests.fuzz.inputs import ROOT, TOKENS, honest, mutated, replaced, stored, text_of, value
from tests.organisation import CONFIG, FILES, FiledGraph, FiledStores, FiledVectors, indexer, write
from wiring.catalogue import ManifestCatalogue
from wiring.evidence import evidence_retriever
from wiring.opening import Parts

_PROVENANCE = Provenance("shop", "org/shop", "c0ffee")
_SCENARIOS = ROOT / "examples/scenarios"
LIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Fuzzing:
    """What the targets work with, made when the first of them needs it. folder: for the files that they write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._opened: Any = None

    def file(self, name: str, content: str | bytes) -> Path:
        """A file with this content, in place of the last one."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
        return path

    @property
    def opened(self) -> Any:
        """A tiny index, open, behind all doors of Python."""
        if self._opened is None:
            self._context = _opened(self.folder / "index")
            self._opened = self._context.__enter__()
        return self._opened

    def close(self) -> None:
        """Let go of the index."""
        if self._opened is not None:
            self._context.__exit__(None, None, None)


@contextmanager
def _opened(root: Path) -> Iterator[Any]:
    data, request = root / "data", IndexRequest([write(root / "org", FILES)], each=True)
    with start_blocking_portal() as portal:
        portal.call(lambda: indexer(data, stores=FiledStores()).run(request, holder="a test"))
        with DataFolder.open(data).reading() as generation:
            graph, dense = FiledGraph(generation.graph_path), FakeDenseEmbedder()
            vectors = FiledVectors(generation.vectors_path)
            orchestrator = HybridRetrievalOrchestrator.of(
                Parts.of(generation, vectors, graph, dense), CONFIG, wait_for_mays=True
            )
            retriever = evidence_retriever(generation.manifest, "one", vectors, dense, CONFIG)
            index = _index(Opened(orchestrator, graph), retriever, ManifestCatalogue(generation.manifest))
            with (
                portal.wrap_async_context_manager(orchestrator),
                portal.wrap_async_context_manager(application_on(index)) as application,
            ):
                yield SimpleNamespace(
                    portal=portal,
                    orchestrator=orchestrator,
                    server=build_server(Tools(index, most_chars=16_000)),
                    application=application,
                    ask=AskTool(_always(orchestrator)),
                    evidence=EvidenceTool(_always(retriever)),
                )


def _always(one: Any) -> Any:
    from contextlib import asynccontextmanager  # noqa: PLC0415

    @asynccontextmanager
    async def use() -> Any:
        yield one

    return use


def _index(opened: Opened, retriever: Any, catalogue: Any) -> Any:
    use = SimpleNamespace(use=_always(opened))
    return SimpleNamespace(questions=use, evidence=SimpleNamespace(use=_always(retriever)), catalogue=lambda: catalogue)


def source_file(fuzzing: Fuzzing, draw: Random) -> None:
    """A file as a reading process reads it, and its facts as they are kept."""
    path, text = text_of(draw)
    read = without_secrets(path, text)
    if read is None:
        return
    facts = extract_facts(path, read, "shop")
    chunks_of(_PROVENANCE, path, read, facts, max_chars=1_500)
    shown_pictures(path, read)
    kept = json.dumps(facts.to_dict(), ensure_ascii=False).encode()
    assert FileFacts.from_dict(json.loads(kept)).to_dict() == json.loads(kept)


def file_of_bytes(fuzzing: Fuzzing, draw: Random) -> None:
    """Any bytes under any name."""
    path, text = text_of(draw)
    content = bytearray(text.encode())
    for _ in range(draw.randrange(6)):
        content[draw.randrange(len(content) + 1) :][:1] = bytes([draw.randrange(256)])
        at = draw.randrange(len(content) + 1)
        content[at:at] = draw.choice(
            (b"\xff\xfe", b"\xef\xbb\xbf", b"\x00", b"\xc3\x28", b"\xed\xa0\x80", bytes([draw.randrange(256)]))
        )
    name = Path(path).name if len(Path(path).name) > 1 else "a"
    read_source(fuzzing.file(f"file-{name}", bytes(content)), relative=path)


def organisation(fuzzing: Fuzzing, draw: Random) -> None:
    """The graph of two projects of such files."""
    projects: dict[str, dict[str, FileFacts]] = {}
    for name in ("shop", draw.choice(("bus", "@org/bus", "a b", "..", "İ"))):
        files = dict(text_of(draw, shapes=False) for _ in range(draw.randrange(1, 7)))
        projects[name] = {path: extract_facts(path, text, name) for path, text in files.items()}
    resolve(projects)


def secret_file(fuzzing: Fuzzing, draw: Random) -> None:
    """A secret, of which addresses alone are read."""
    name = draw.choice((".env", "prod.env", "secret.yaml", "k8s-secret.yml"))
    lines = "A_URL=http://a:80\nB=postgres://u:p@db/x\n"
    manifest = "apiVersion: v1\nkind: Secret\ndata:\n  A_URL: aHR0cDovL2E6ODA=\nstringData:\n  B: http://b:1\n"
    fuzzing.file(name, stored(mutated(draw, lines if "env" in name else manifest)))
    if holds_addresses(name):
        secret_facts(fuzzing.folder, [name])


def ignore_file(fuzzing: Fuzzing, draw: Random) -> None:
    """A .gitignore, and paths held against it."""
    folder = fuzzing.folder / "ignored"
    folder.mkdir(exist_ok=True)
    text = "".join(
        draw.choice(("*", "**", "/", "!", "[", "]", "a", "b", "?", "\\", ".", "-", "{", "\n", " ", "#", *TOKENS))
        for _ in range(draw.randrange(60))
    )
    (folder / ".gitignore").write_bytes(text.encode("utf-8", "replace"))
    ignores = GitIgnores().within(folder, draw.choice(("", "a", "a/b")))
    for path in ("a", "a/b", "a/b/c.py", "x" * 300, "a/" * 50 + "b", "[a]", "a\nb", "!a", " "):
        ignores.ignores(path, folder=draw.random() < 0.5)


_NAMES = ("a\nb.py", "a\x1b[31m.md", "a\u2028b.md", "-rf", "--help", " ", "'", '"', "$(id)", "a;b", "%s", "{}", "a\\b", "...", "é", "é", "\udcff.py", "x" * 250, "con", ".git", ".gitignore", ".env", "CLAUDE.md", "a.py")  # fmt: skip


def folder(fuzzing: Fuzzing, draw: Random) -> None:
    """A project's folder of odd names, links, pipes and a repository of somebody's making."""
    root = fuzzing.folder / f"project-{draw.randrange(10**9)}"
    root.mkdir()
    for _ in range(draw.randrange(1, 8)):
        at = root.joinpath(*(draw.choice(_NAMES) for _ in range(draw.choice((1, 1, 2)))))
        try:
            at.parent.mkdir(exist_ok=True)
            if at.parent.is_symlink():
                continue  # what is written stays in the folder
            kind = draw.randrange(6)
            if kind == 0:
                at.symlink_to(draw.choice(("/proc/version", "..", ".", str(at), "a.py", "/dev/zero", "\n")))
            elif kind == 1:
                os.mkfifo(at)
            else:
                with at.open("xb") as new:
                    new.write(text_of(draw)[1].encode())
        except OSError:
            continue
    _repository(draw, root / ".git")
    found = discover(root, max_file_bytes=100_000)
    for path in found.files[:3]:
        read_source(root / path, relative=path, max_file_bytes=100_000)
    json.dumps([found.repo, found.commit, found.files, [str(one) for one in found.skipped]]).encode()


_GIT = ("ref: refs/heads/main\n", "0" * 40, "ref: ../../../etc/hostname", '[remote "origin"]\n\turl = https://u:p@h/o/n.git\n', "gitdir: /etc\n", "[include]\n\tpath = /etc/hostname\n")  # fmt: skip


def _repository(draw: Random, git: Path) -> None:
    if draw.random() < 0.5 or os.path.lexists(git):
        return
    if draw.random() < 0.2:
        git.write_text(draw.choice(_GIT))
        return
    git.mkdir()
    for name in ("HEAD", "config", "packed-refs"):
        (git / name).write_bytes(mutated(draw, draw.choice(_GIT)).encode("utf-8", "replace"))


@cache
def _questions() -> tuple[str, ...]:
    lines = (ROOT / "examples/shop/questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = tuple(json.loads(line)["query"] for line in lines)
    return (*asked, "How does MooringDesk connect to Beacon?", "What does our CLAUDE.md say about moorings?")


def question(fuzzing: Fuzzing, draw: Random) -> None:
    """A question from the door to the pages, which hold nothing live."""
    asked = draw.choice(_questions())
    if draw.random() < 0.3:
        asked += "\n" + draw.choice(honest())[1][: draw.choice((100, 3_000, 9_000))]
    asked = mutated(draw, asked)
    context = {"project": draw.choice(("harbour", "lighthouse", "nowhere", "\x1b[31m"))} if draw.random() < 0.3 else {}
    opened = fuzzing.opened
    result, inspection = opened.portal.call(follow, opened.orchestrator, asked, context)
    document = result.to_dict()
    json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    assert not LIVE.search(printable(answer_page(document, explain=True)))
    drawn = page(inspection)
    drawn.encode()
    assert drawn.count("<script") == 1
    assert not LIVE.search(drawn)


class _Heedless:
    """A request's context whose client asked for no progress."""

    async def report_progress(self, *_: object) -> None:
        pass


_TOOLS: Mapping[str, Mapping[str, Any]] = {
    "ask_projects": {"question": "What is a Beacon?", "current_project": "harbour", "only_projects": ["harbour"]},
    "retrieve_evidence": {"query": "Beacon", "intent": "API_LOOKUP", "top_k": 8, "only_projects": ["harbour"], "paths": ["README.md"], "include_tests": True},
    "find_entities": {"name": "Beacon", "kind": "class", "only_projects": ["lighthouse"], "limit": 3},
    "explain_path": {"source": "MooringDesk", "target": "Beacon", "max_hops": 2, "only_projects": None},
    "list_projects": {"name_contains": "h"},
}  # fmt: skip


def mcp_arguments(fuzzing: Fuzzing, draw: Random) -> None:
    """The arguments of a tool of the MCP server; what breaks inside must not be hidden behind its refusal."""
    name = draw.choice(sorted(_TOOLS))
    arguments = replaced(draw, dict(_TOOLS[name]))
    if not isinstance(arguments, dict):
        arguments = {"question": arguments}
    opened = fuzzing.opened
    done = opened.portal.call(opened.server.call_tool, name, arguments, _Heedless())
    text = done.content[0].text
    json.dumps(text).encode()
    broke = re.search(r"failed \((\w+)\)", text) if done.is_error else None
    assert broke is None, text


def http_request(fuzzing: Fuzzing, draw: Random) -> None:
    """A request to the server over HTTP: nothing is raised, nobody without the token is let in, and nothing is the server's fault."""
    opened, request = fuzzing.opened, drawn_request(draw, _TOOLS)
    status, body = opened.portal.call(answered, opened.application, request)
    assert status in STATUSES, (request, status, body[:500])
    assert status in {401, 404, 405} or request.has_token or request.path != "/mcp", (request, status)
    body.decode()
    assert b"failed (" not in body, (request, body[:500])


def adk_arguments(fuzzing: Fuzzing, draw: Random) -> None:
    """The arguments of a tool of ADK, which nobody checks before."""
    opened = fuzzing.opened
    if draw.random() < 0.5:
        given = replaced(draw, dict(_TOOLS["ask_projects"]))
        call = opened.ask.ask_projects
        names = ("question", "current_project", "only_projects")
    else:
        given = {"query": "Beacon", "intent": "API_LOOKUP", "top_k": 8, "repo_scope": ["harbour"], "path_scope": ["README.md"], "commit": None, "include_tests": None, "min_rank_fusion": 3}  # fmt: skip
        names = tuple(given)
        given = replaced(draw, given)
        call = opened.evidence.retrieve_adk_evidence
    if not isinstance(given, dict):
        return

    async def called() -> Any:
        return await call(*(given.get(name) for name in names))

    done = opened.portal.call(called)
    assert done.get("error", {}).get("code") != "error", done
    json.dumps(done, allow_nan=False).encode()


def scenario(fuzzing: Fuzzing, draw: Random) -> None:
    """A scenario file."""
    file = draw.choice(sorted(_SCENARIOS.glob("*.yaml")))
    text = file.read_text(encoding="utf-8")
    if draw.random() < 0.5:
        text = yaml.safe_dump(replaced(draw, yaml.safe_load(text)), allow_unicode=True)
    else:
        text = mutated(draw, text)
    read_scenario(fuzzing.file("scenario.yaml", stored(text)))


@cache
def _cassette(name: str) -> Any:
    return json.loads(gzip.decompress((_SCENARIOS / f"{name}.cassette.json.gz").read_bytes()))


def cassette(fuzzing: Fuzzing, draw: Random) -> None:
    """A recording, replayed."""
    name = draw.choice(("nothing-found", "local-late", "graph-fails"))
    scenario = read_scenario(_SCENARIOS / f"{name}.yaml")
    packed = gzip.compress(json.dumps(_bent(draw, _cassette(name))).encode(), 1, mtime=0)
    if draw.random() < 0.2:
        at = draw.randrange(len(packed))
        packed = packed[:at] + bytes([draw.randrange(256)]) + packed[at + draw.randrange(2) :]
    fuzzing.file(f"{name}.cassette.json.gz", packed)
    copied = fuzzing.file(f"{name}.yaml", scenario.file.read_bytes())
    replay(read_scenario(copied))


def _bent(draw: Random, document: Any) -> Any:
    for _ in range(draw.choice((1, 1, 3))):
        key = draw.choice(("calls", "pool", "answers", "result", "result", "schema_version", "id"))
        document = {**document, key: replaced(draw, document[key])}
    return document


def result_file(fuzzing: Fuzzing, draw: Random) -> None:
    """What `why` and `replay --diff` read."""
    document = _cassette("local-late")["result"]
    for _ in range(draw.choice((1, 2, 4))):
        document = replaced(draw, document)
    text = json.dumps(document)
    file = fuzzing.file("result.json", stored(text if draw.random() < 0.8 else mutated(draw, text)))
    from replay import reading  # noqa: PLC0415

    read = result_of(file)
    with reading(file):
        known = [one["id"] for one in read["observations"]]
        for one in known[:2]:
            why(read, str(one)).lines()


def settings_file(fuzzing: Fuzzing, draw: Random) -> None:
    """A file of settings, an environment and a command line."""
    files = sorted((ROOT / "configs/profiles").glob("*.yaml"))
    text = draw.choice(files).read_text(encoding="utf-8")
    document = yaml.safe_load(text)
    text = yaml.safe_dump(replaced(draw, document), allow_unicode=True) if draw.random() < 0.6 else mutated(draw, text)
    env = {
        f"HYBRID_RETRIEVAL_{draw.choice(('VECTOR__STORE', 'MAX_QUERY_CHARS', 'A', 'SCOPE__MODE'))}": str(value(draw, 0))
    }
    override = f"{draw.choice(('vector.rrf_k', 'scope.mode', 'graph', 'a.b.c', '', 'fallback_order'))}={value(draw, 1)}"
    file = fuzzing.file("settings.yaml", stored(text))
    overrides = [override] if draw.random() < 0.5 else []
    load_config("embedded", file, env if draw.random() < 0.5 else {}, overrides, error=ConfigError, warn=lambda _: None)


_RULE = {"rules": [{"name": "a", "files": "**/*.py", "pattern": r"call\(\"(?P<p>[\w.]+)\"", "kind": "k", "key": "{p}", "side": "needs", "relation": "INVOKES", "says": "calls {p}", "entity": {"kind": "endpoint", "name": "{p}"}}]}  # fmt: skip


def rule_file(fuzzing: Fuzzing, draw: Random) -> None:
    """Rules of the user's own, and a file that they read."""
    text = yaml.safe_dump(replaced(draw, _RULE), allow_unicode=True)
    file = fuzzing.file("rules.yaml", stored(text if draw.random() < 0.7 else mutated(draw, text)))
    rules = load_rules([str(file)])
    extract_facts("a.py", 'call("x.y")\n', "shop", rules)


def question_file(fuzzing: Fuzzing, draw: Random) -> None:
    """Questions with their answers."""
    lines = (ROOT / "examples/shop/questions.jsonl").read_text(encoding="utf-8").splitlines()[:5]
    at = draw.randrange(len(lines))
    line = json.dumps(replaced(draw, json.loads(lines[at])))
    lines[at] = line if draw.random() < 0.7 else mutated(draw, line)
    read_questions(fuzzing.file("questions.jsonl", stored("\n".join(lines))))


def foreign_payload(fuzzing: Fuzzing, draw: Random) -> None:
    """A point of somebody else's collection: its chunk is whole and can be stored, told and ranked."""
    payload: Any = {"text": "a", "project": "shop", "path": "a.md", "start_line": 1, "end_line": 3, "corpus": "docs", "chunk_kind": "doc", "symbol": "a", "source_url": "http://a/b", "heading": "A"}  # fmt: skip
    payload = replaced(draw, payload)
    if not isinstance(payload, dict):
        return
    mapping = FieldMapping(constants={"project": "theirs"} if draw.random() < 0.5 else {})
    chunk = mapping.chunk(draw.choice((1, "a-b", 10**20)), payload)
    json.dumps(mapping.rest(payload))
    assert all(isinstance(line, int) for line in (chunk.start_line, chunk.end_line)), payload
    assert chunk.start_line <= chunk.end_line, payload
    texts = [chunk.text, chunk.project, chunk.path, chunk.symbol, chunk.text_hash, chunk.chunk_kind]
    "".join(texts).encode()
    assert chunk.corpus in {"docs", "code"}, payload


Target: TypeAlias = Callable[[Fuzzing, Random], None]
TARGETS: Mapping[str, Target] = {
    one.__name__: one
    for one in (
        source_file,
        file_of_bytes,
        organisation,
        secret_file,
        ignore_file,
        folder,
        question,
        mcp_arguments,
        http_request,
        adk_arguments,
        scenario,
        cassette,
        result_file,
        settings_file,
        rule_file,
        question_file,
        foreign_payload,
    )
}
