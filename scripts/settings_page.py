"""Writes docs/settings.md, one table of all settings, from the settings' own code.

.venv/bin/python scripts/settings_page.py
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import yaml

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from configs import HybridRetrievalConfig  # noqa: E402 - the checkout's own
from configs.checks import range_of  # noqa: E402 - as above

PAGE = ROOT / "docs/settings.md"

_HEAD = """\
# Settings

Every setting with its type, its default and what it may be. This page is written by `scripts/settings_page.py` from
`configs/settings.py`, and a test holds it to that.

A setting comes from, the later the stronger: the profile (`--profile NAME`, one of {profiles}), a YAML file
(`--config FILE`), the environment (`HYBRID_RETRIEVAL_VECTOR__DIMENSION=384`: capitals, two underscores for each point), and
the command line (`--set vector.dimension=384`). In Python `load_config(profile, file, env, overrides)` takes these four, the
environment only where it is given (`os.environ`), and `HybridRetrievalOrchestrator.open` takes its result as `config`. A name
that is none of these is an error that names the nearest; in the environment, where other programs' names are, it is warned of.
"""  # noqa: E501 - its lines are what is sent or printed


def page() -> str:
    """The page's Markdown."""
    profiles = sorted(file.stem for file in (ROOT / "configs/profiles").glob("*.yaml"))
    parts = [_HEAD.format(profiles=", ".join(f"`{name}`" for name in profiles))]
    for prefix, section in _sections(HybridRetrievalConfig):
        rows = [_row(prefix, one, hint) for one, hint in _settings(section)]
        title = f"`{prefix.removesuffix('.')}`" if prefix else "At the top"
        table = "\n".join(["| setting | type | default | may be |", "|---|---|---|---|", *rows])
        parts.append(f"## {title}\n\n{inspect.getdoc(section)}\n\n{table}\n")
    return "\n".join(parts)


def _sections(section: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    yield prefix, section
    for name, hint in get_type_hints(section).items():
        if is_dataclass(hint):
            yield from _sections(hint, f"{prefix}{name}.")


def _settings(section: Any) -> Iterator[tuple[Field[Any], Any]]:
    hints = get_type_hints(section)
    return ((one, hints[one.name]) for one in fields(section) if not is_dataclass(hints[one.name]))


def _row(prefix: str, setting: Field[Any], hint: Any) -> str:
    key = f"{prefix}{setting.name}"
    default = setting.default if setting.default is not MISSING else setting.default_factory()  # type: ignore[misc]
    shown = yaml.safe_dump(default, default_flow_style=True, width=1000).removesuffix("\n").removesuffix("\n...")
    return f"| `{key}` | {_type(hint)} | `{shown}` | {_values(key, hint)} |"


def _type(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "text"
    if isinstance(hint, UnionType):
        return " or ".join(_type(one) for one in get_args(hint))
    names = {str: "text", int: "whole number", float: "number", bool: "yes or no", NoneType: "nothing"}
    origins = {list: "list", dict: "mapping"}
    return names.get(hint) or origins[get_origin(hint)]


def _values(key: str, hint: Any) -> str:
    if get_origin(hint) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(hint))
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if not {int, float} & set(kinds):
        return ""
    least, most = range_of(key)
    return f"{least:g} and above" if math.isinf(most) else f"{least:g} to {most:g}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
