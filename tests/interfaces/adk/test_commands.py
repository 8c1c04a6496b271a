"""`adk run` and `adk api_server` on both apps, offline, in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
APPS = ["hybrid_retrieval_app", "hybrid_retrieval_agents"]
ADK = [str(Path(sys.executable).with_name("adk"))]
QUESTION = "How does OrderService connect to PaymentGateway?"
ANSWER = "[graph:orders/OrderService→orders/PaymentAdapter→payments/PaymentGateway]"
LONGEST = 120.0


def environment(data):
    """Without keys, and with no way out: what asked a hosted model would fail."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    nowhere = {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
    return {**kept, **nowhere, "PYTHONPATH": str(ROOT), "HYBRID_RETRIEVAL_DATA_DIR": str(data), "PYTHONUTF8": "1"}


@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_adk_run(shop, app, tmp_path):
    done = subprocess.run(  # noqa: S603 - the installed command on our own folder
        [*ADK, "run", "--in_memory", str(ROOT / "apps" / app), QUESTION],
        cwd=tmp_path,
        env=environment(shop),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=True,
    )
    assert ANSWER in done.stdout
    assert "Traceback" not in done.stderr


@contextmanager
def server(data, folder):
    """The address of `adk api_server` on both apps, which ends with the block."""
    command = [
        *ADK,
        "api_server",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--session_service_uri",
        "memory://",
        str(ROOT / "apps"),
    ]
    log = folder / "log"
    with log.open("w") as out:
        running = subprocess.Popen(command, cwd=folder, env=environment(data), stdout=out, stderr=out)  # noqa: S603 - as above
        try:
            yield _address(running, log)
        finally:
            running.terminate()
            running.wait(30)


def _address(running, log):
    """Read off what the server says when it listens."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until and running.poll() is None:
        said = log.read_text()
        if "Uvicorn running on " in said:
            return said.split("Uvicorn running on ", 1)[1].split()[0]
        os.sched_yield()
    pytest.fail(f"the server did not start: {log.read_text()}")


def posted(url, document):
    request = urllib.request.Request(url, json.dumps(document).encode(), {"Content-Type": "application/json"})  # noqa: S310 - our own server
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=LONGEST) as answer:
        return json.load(answer)


@pytest.mark.enable_socket
@pytest.mark.slow
def test_adk_api_server(shop, tmp_path):
    with server(shop, tmp_path) as address:
        for app in APPS:
            posted(f"{address}/apps/{app}/users/u/sessions/s", {})
            for text, said in ((QUESTION, ANSWER), ("", "The question is empty.")):
                message = {"role": "user", "parts": [{"text": text}]}
                events = posted(
                    f"{address}/run", {"appName": app, "userId": "u", "sessionId": "s", "newMessage": message}
                )
                texts = [
                    part.get("text", "") for event in events for part in (event.get("content") or {}).get("parts", ())
                ]
                assert any(said in one for one in texts), texts
