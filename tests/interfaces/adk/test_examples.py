"""The example agent and the evalset, as they stand in the repository."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.adk.conftest import Talk, last_text

ROOT = Path(__file__).parents[3]
APP = ROOT / "apps/hybrid_retrieval_app"
pytestmark = pytest.mark.filterwarnings("ignore")  # of what ADK imports and calls experimental


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def test_an_agent_of_ones_own(shop, monkeypatch):
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("HYBRID_RETRIEVAL_DATA_DIR", str(shop))
    spec = importlib.util.spec_from_file_location("own_agent", ROOT / "examples/adk_own_agent/agent.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    talk = Talk(module.app)
    events = await talk.say("How does OrderService connect to PaymentGateway?")
    assert [call.name for event in events for call in event.get_function_calls()] == ["ask_projects"]
    assert "[graph:orders/OrderService→orders/PaymentAdapter→payments/PaymentGateway]" in last_text(events)
    await talk.runner.close()


def test_the_evalset_is_one_that_adk_reads():
    from google.adk.evaluation.eval_set import EvalSet  # noqa: PLC0415 - takes a second

    found = EvalSet.model_validate(json.loads((APP / "answers.evalset.json").read_text()))
    assert [case.eval_id for case in found.eval_cases] == ["connect", "tables", "lookup"]


@pytest.mark.slow
@pytest.mark.parametrize("app", ["hybrid_retrieval_app", "hybrid_retrieval_agents"])
def test_adk_eval(shop, tmp_path, app):
    pytest.importorskip(
        "rouge_score", reason="the extra google-adk[eval] is 600 MB, so `make test` does not install it"
    )
    shutil.copytree(APP.with_name(app), tmp_path / app)  # it writes its results beside the app
    done = subprocess.run(  # noqa: S603 - the installed command on our own folder
        [
            str(Path(sys.executable).with_name("adk")),
            "eval",
            str(tmp_path / app),
            str(APP / "answers.evalset.json"),
            "--config_file_path",
            str(APP / "test_config.json"),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HYBRID_RETRIEVAL_DATA_DIR": str(shop)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "Tests passed: 3" in done.stdout
