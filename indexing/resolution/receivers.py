"""What a call is made on: a module, a class, or a variable whose class the file tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.resolution.names import Meaning, Place
from indexing.resolution.packages import WITH_METHODS, family_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from indexing.facts import Binding, Reference
    from indexing.resolution.names import Names

__all__ = ["Receivers"]


class Receivers:
    """Follows the calls of one file.

    A variable's class is known when it is constructed or annotated: in the function that calls, in the module, and for
    `self.x` anywhere in the class. `self.gateway = gateway` takes the annotation of the parameter.
    """

    def __init__(self, names: Names, project: str, path: str) -> None:
        self._names = names
        self._project = project
        self._path = path
        self._modules = names.projects[project]
        self._bindings = self._modules.bindings(path)
        self._packaged = bool(family_of(path))

    def targets(self, ref: Reference) -> list[Meaning]:
        """The definitions that a reference may mean; none when nobody can tell."""
        if not ref.receiver:
            return list(self._names.meanings(self._project, self._path, ref.name))
        if ref.receiver.endswith("()"):
            return self._members(self._classes(ref.receiver.removesuffix("()")), ref.name)
        if bound := list(self._bound(ref.receiver, ref.caller)):
            return self._members((found for b in bound for found in self._types(b)), ref.name)
        if self._packaged and (classes := self._along(ref.receiver, ref.caller)):
            return self._members(classes, ref.name)
        found = list(self._names.meanings(self._project, self._path, f"{ref.receiver}.{ref.name}"))
        if found or not self._packaged:
            return found
        return self._classes(ref.receiver)  # a member it has from elsewhere, or that is made by a tool

    def _along(self, dotted: str, caller: str) -> list[Meaning]:
        """The classes of `a.b` by the fields of `a`'s; of `b` alone, by those of the caller's class in another file."""
        head, *fields = dotted.split(".")
        if bound := list(self._bound(head, caller)):
            classes = [found for b in bound for found in self._types(b)]
        else:
            classes, fields = self._own(caller), [head, *fields]
        for part in fields:
            classes = [found for outer in classes for found in self._field(outer, part)]
        return classes

    def _own(self, caller: str) -> list[Meaning]:
        """The class of a method, where it is defined in another file."""
        name = caller.rpartition(".")[0]
        home = self._modules.home(self._path, name) if name else self._path
        return [Meaning(Place(self._project, home, name))] if home != self._path else []

    def _field(self, outer: Meaning, name: str) -> list[Meaning]:
        place = outer.place
        if place.project != self._project:
            return []
        there = Receivers(self._names, self._project, place.path)
        bound = [b for b in self._modules.bindings(place.path).get(name, ()) if b.scope == place.name]
        return [Meaning(found.place, outer.line) for b in bound for found in there._types(b)]

    def _bound(self, name: str, caller: str) -> Iterator[Binding]:
        bindings = self._bindings.get(name, ())
        if self._packaged:  # the innermost: a parameter before a field
            around = [b for b in bindings if f"{caller}.".startswith(f"{b.scope}." if b.scope else "")]
            inner = max((len(b.scope) for b in around), default=0)
            yield from (b for b in around if len(b.scope) == inner)
            return
        for binding in bindings:
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
        classes = list(classes)
        found = {
            Meaning(place, outer.line)
            for outer in classes
            for place in self._names.members(outer.place, name, stay=outer.place.project != self._project)
        }
        return sorted(found) or (sorted(set(classes)) if self._packaged else [])


def _class_of(scope: str) -> str:
    return scope.partition(".")[0]
