"""docs/settings.md says what the settings' code says."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path

from configs import load_config

SCRIPT = Path(__file__).parents[2] / "scripts/settings_page.py"


def script():
    spec = importlib.util.spec_from_file_location("settings_page", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_code_says():
    module = script()
    assert module.PAGE.read_text("utf-8") == module.page(), "run scripts/settings_page.py"


def test_what_is_called_in_python_takes_what_a_setting_comes_from():
    sources = list(inspect.signature(load_config).parameters)[:4]
    assert sources == ["profile", "file", "env", "overrides"]
    assert f"`load_config({', '.join(sources)})`" in script().page()


def test_a_row_has_type_default_and_range():
    page = script().page()
    assert "| `total_timeout_ms` | whole number | `10000` | 1 and above |" in page
    assert "| `vector.store` | text | `edge` | `edge`, `qdrant` |" in page
    assert "| `vector.min_score` | number or nothing | `null` | -1 to 1 |" in page
