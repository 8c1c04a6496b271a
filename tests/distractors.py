"""Six services that speak of what the shop speaks of - keys, audit columns, gateways, retries, errors - and answer nothing."""

from __future__ import annotations

import random
from pathlib import Path
from textwrap import dedent

from tests.renaming import Made, Names

HOW_MANY = 6

_KEYS = (
    ("code TEXT PRIMARY KEY", "the printed code is the natural key"),
    ("id UUID PRIMARY KEY DEFAULT gen_random_uuid()", "the key is a random UUID that means nothing"),
    ("id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "the key is a running number"),
)
_FILES = {
    "pyproject.toml": """
        [project]
        name = "{service}"
        version = "1.{minor}.0"
        description = "Keeps {thing}s"
        dependencies = ["{bus}>=2", "httpx>=0.27"]
        """,
    "CLAUDE.md": """
        # Working on {service}

        ## Migrations

        A migration of `{thing}s` is tried on a copy first. {reviewers} reviewers are enough.

        ## Errors

        Translate what the caller can act on, and count the rest. We do not log on the way up.
        """,
    "docs/schema.md": """
        # What {service} stores

        ## {Thing}

        One row of `{thing}s` for each {thing}: {why}. Two audit columns, `noted_on` and `seen_at`, are kept by hand.
        The {customer} it belongs to is quoted by address and stored elsewhere.
        """,
    "db/schema.sql": """
        -- One row a {thing}.
        CREATE TABLE {thing}s (
            {key},
            label           TEXT NOT NULL,
            noted_on        DATE NOT NULL,
            seen_at         TIMESTAMPTZ
        );
        """,
    "{service}/{thing}_gateway.py": '''
        """The way to the {thing} office, and the adapter in front of it."""

        import httpx
        from {bus}.bus import {EventBus}

        {THING}_TIMEOUT = {timeout}


        class {Thing}Gateway:
            """Asks the office for a {thing}. One attempt."""

            def fetch(self, code: str) -> dict:
                """The {thing} of this code."""
                return httpx.get(f"/{thing}s/{{code}}", timeout={THING}_TIMEOUT).json()


        class {Thing}Adapter:
            """Speaks to `{Thing}Gateway` for the rest of {service}."""

            def __init__(self) -> None:
                self.office = {Thing}Gateway()

            def process_{thing}(self, code: str) -> dict | None:
                """The {thing}, or nothing when the office is closed."""
                try:
                    return self.office.fetch(code)
                except httpx.HTTPError:
                    return None


        class {Thing}Service:
            """Answers for {thing}s."""

            def __init__(self, bus: {EventBus}) -> None:
                self.bus = bus
                self.adapter = {Thing}Adapter()

            def look_up(self, code: str) -> dict | None:
                """Ask, then publish `{thing}.seen`."""
                found = self.adapter.process_{thing}(code)
                self.bus.publish("{thing}.seen", {{"code": code}})
                return found
        ''',
}


def write_distractors(root: Path, names: Names, seed: int) -> list[str]:
    """The services below `root`; returns what they are called."""
    chance = random.Random(f"{seed} more")  # noqa: S311 - numbers, not secrets
    made = Made(seed + 1_000_000)
    services = []
    for number in range(HOW_MANY):
        service, thing = made.word(), made.word()
        key, why = _KEYS[number % len(_KEYS)]
        said = {
            "service": service,
            "thing": thing,
            "Thing": thing.title(),
            "THING": thing.upper(),
            "key": key,
            "why": why,
            "customer": names("customer"),
            "bus": names("shopbus"),
            "EventBus": names("EventBus"),
            "minor": chance.randrange(20),
            "timeout": chance.randrange(2, 30),
            "reviewers": chance.choice(["Two", "Three"]),
        }
        for path, text in _FILES.items():
            target = root / service / path.format(**said)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(dedent(text).lstrip("\n").format(**said), encoding="utf-8")
        services.append(service)
    return services
