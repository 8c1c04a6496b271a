"""Finds modules of the package that lie elsewhere: by former names, and in a checkout as folders at the top."""

from __future__ import annotations

from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType, ModuleType

_PACKAGE = __name__.rpartition(".")[0]
_FORMER = {
    "indexing.facts": "extraction.facts",
    "indexing.rules": "extraction.rules",
    "orchestrator.adk": "interfaces.adk",
    "orchestrator.cli": "interfaces.cli",
    "orchestrator.contracts": "facades",
}
"""Public names of former versions, and where these modules are now (docs/decisions/0055-rooms-by-purpose.md)."""


def renamed(name: str) -> str | None:
    """The present name of a module that is called by a former one, both within the package; None for any other."""
    for former, present in _FORMER.items():
        if name == former or name.startswith(f"{former}."):
            return present + name[len(former) :]
    return None


class _Alias(Loader):
    """Gives the module that another name leads to. It keeps its own name and place."""

    def __init__(self, name: str, spec: ModuleSpec) -> None:
        self._name = name
        self._spec = spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: ARG002 - the protocol's
        return import_module(self._name)

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has just written the alias's there

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002 - as runpy asks
        """For `python -m`."""
        code: CodeType | None = self._spec.loader.get_code(self._name)  # type: ignore[union-attr]  # a source file's has it
        return code


class Aliases(MetaPathFinder):
    """Finds what `target` knows another name of: it is given the name within the package."""

    def __init__(self, target: Callable[[str], str | None]) -> None:
        self._target = target

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the protocol's
        target: ModuleType | None = None,  # noqa: ARG002 - as above
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        found = self._target(name) if package == _PACKAGE else None
        spec = find_spec(found) if found else None
        if found is None or spec is None:
            return None
        return spec_from_loader(
            fullname, _Alias(found, spec), origin=spec.origin, is_package=spec.submodule_search_locations is not None
        )
