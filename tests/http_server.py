"""A small HTTP server of this machine in a thread: what the tests' stand-ins of services have in common."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Request:
    """A request as it came; `body` is its JSON, None where it has none."""

    method: str
    path: str
    body: Any
    headers: dict[str, str]

    @property
    def key(self) -> str:
        return self.headers.get("Authorization", "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Reply:
    """What is answered; a body that is shorter than its Content-Length says ends with the connection."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


class HttpServer:
    """`with` it open, each request is given to `reply`, in a thread of its own; `url` says where."""

    def __enter__(self) -> Self:
        self.lock = threading.Lock()
        self.connections = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                with server.lock:
                    server.connections += 1

            def handle_any(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                body = json.loads(raw) if raw else None
                reply = server.reply(Request(self.command, self.path, body, dict(self.headers.items())))
                if reply is None:
                    self.close_connection = True
                    return
                length = str(len(reply.body))
                headers = {"Content-Type": "application/json", "Content-Length": length} | reply.headers
                self.send_response(reply.status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)
                self.close_connection = self.close_connection or headers["Content-Length"] != length

            do_GET = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815 - the base class asks for these names

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def reply(self, request: Request) -> Reply | None:
        """The answer; None breaks the connection."""
        raise NotImplementedError
