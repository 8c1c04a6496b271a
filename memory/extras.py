"""The parts that come with an extra of the distribution: who asks for one that is not installed hears the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Literal

from memory.errors import HybridRetrievalError, NotInstalledError

Extra = Literal["adk", "cohere", "fastembed", "mcp", "neo4j", "offline", "openai", "qdrant", "ray", "voyage", "watch"]


def install(extra: Extra) -> str:
    """What to do where it is lacking, for people."""
    return f"Install it: pip install 'hybrid-retrieval[{extra}]'."


@contextmanager
def brought_by(extra: Extra, what: str, error: type[HybridRetrievalError] = NotInstalledError) -> Iterator[None]:
    """Around the import of what an extra installs; without it, `error` says how to get it.

    Args:
        extra: the name of the extra.
        what: what needs it, as the subject of a sentence.
        error: the class to raise, where callers expect another.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        raise error(f"{what} needs a package that is not installed.", install(extra)) from missing


def require(extra: Extra, package: str, what: str) -> None:
    """Raises NotInstalledError where this package, which the extra installs, is lacking. It is not imported."""
    if find_spec(package) is None:
        raise NotInstalledError(f"{what} needs a package that is not installed.", install(extra))
