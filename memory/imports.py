"""What is imported late: a package's names when they are first used, and what an extra of the distribution installs.

Who asks for an extra that is not installed hears the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from memory.errors import HybridRetrievalError, NotInstalledError

Extra = Literal["adk", "cohere", "fastembed", "mcp", "neo4j", "offline", "openai", "qdrant", "ray", "voyage", "watch"]


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's `__getattr__` (PEP 562).

    Args:
        package: its name.
        homes: by each name the module in the package that has it.
    """

    def named(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return named


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
