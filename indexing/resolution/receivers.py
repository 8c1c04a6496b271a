"""What a call is made on: a module, a class, or a variable whose class the file tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexing.resolution.names import Meaning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from indexing.facts import Binding, Reference
    from indexing.resolution.names import Names

__all__ = ["Receivers"]

WITH_METHODS: Final = frozenset({"class", "interface", "object"})


class Receivers:
    """Follows the calls of one file.

    A variable's class is known when it is constructed or annotated: in the function that calls, in the module, and for
    `self.x` anywhere in the class. `self.gateway = gateway` takes the annotation of the parameter.
    """

    def __init__(self, names: Names, project: str, path: str) -> None:
        self._names = names
        self._project = project
        self._path = path
        self._bindings: dict[str, list[Binding]] = {}
        for binding in names.projects[project].files[path].bindings:
            self._bindings.setdefault(binding.name, []).append(binding)

    def targets(self, ref: Reference) -> list[Meaning]:
        """The definitions that a reference may mean; none when nobody can tell."""
        if not ref.receiver:
            return list(self._names.meanings(self._project, self._path, ref.name))
        if ref.receiver.endswith("()"):
            return self._members(self._classes(ref.receiver.removesuffix("()")), ref.name)
        if bound := list(self._bound(ref.receiver, ref.caller)):
            return self._members((found for b in bound for found in self._types(b)), ref.name)
        return list(self._names.meanings(self._project, self._path, f"{ref.receiver}.{ref.name}"))

    def _bound(self, name: str, caller: str) -> Iterator[Binding]:
        for binding in self._bindings.get(name, ()):
            field = "." in name  # of the object: said in any method of the class
            if binding.scope in {"", caller} or (field and _class_of(binding.scope) == _class_of(caller)):
                yield binding

    def _types(self, binding: Binding) -> list[Meaning]:
        parameters = [b for b in self._bindings.get(binding.type, ()) if b.scope == binding.scope and b is not binding]
        return [found for b in parameters or [binding] for found in self._classes(b.type)]

    def _classes(self, dotted: str) -> list[Meaning]:
        found = self._names.meanings(self._project, self._path, dotted)
        return [m for m in found if (d := self._names.definition(m.place)) is not None and d.kind in WITH_METHODS]

    def _members(self, classes: Iterable[Meaning], name: str) -> list[Meaning]:
        found = {
            Meaning(place, outer.line)
            for outer in classes
            for place in self._names.members(outer.place, name, stay=outer.place.project != self._project)
        }
        return sorted(found)


def _class_of(scope: str) -> str:
    return scope.partition(".")[0]
