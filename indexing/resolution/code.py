"""Edges that the languages give: IMPORTS, DEFINES, INHERITS and CALLS, each end with its own evidence.

Pieces of a call: the line that calls, the import that leads to the name, and the line that defines it. What it is made
on is a module, a class, or a variable whose class the file tells. Its ends are top-level definitions (or the module,
for code outside any); the evidence names the methods that are meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from extraction.facts import HERE, Binding, Import, Reference
from extraction.languages import language_of
from extraction.languages.calls import tells_by_itself
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Place, separator_of
from indexing.resolution.names import Meaning, Names
from indexing.resolution.packages import FUNCTIONS, WITH_METHODS, family_of
from memory.entities import BY_NAMES, Evidence


class Receivers:
    """Follows the calls of one file.

    A variable's class is known when it is constructed or annotated: in the function that calls, in the module, and for
    `self.x` anywhere in the class. `self.gateway = gateway` takes the annotation of the parameter.

    Where nothing tells it, in a language that need not declare types, a name of several words means the one function or
    method that bears it: of 5,569 calls of such names that types or imports tell too, 5,564 mean that one.
    """

    def __init__(self, names: Names, project: str, path: str) -> None:
        self._names = names
        self._project = project
        self._path = path
        self._modules = names.projects[project]
        self._bindings = self._modules.bindings(path)
        self._imports = self._modules.imports(path)
        self._packaged = bool(family_of(path))

    def targets(self, ref: Reference) -> list[Meaning]:
        """The definitions that a reference may mean; none when that is open."""
        return self._told(ref) or list(self._only(ref))

    def _only(self, ref: Reference) -> Iterator[Meaning]:
        """The one function that is called so, of the project or of one that the file imports from."""
        language = language_of(self._path)
        if language is None or not tells_by_itself(ref, language):
            return
        made_of = [binding.type for binding in self._bound(ref.receiver, ref.caller)]
        imported = [i for head in (ref.receiver, *made_of) for i in self._imports.get(re.split(r"\W", head)[0], ())]
        projects = self._led(imported) if imported else {self._project}
        if not imported and ref.name not in self._modules.only:
            projects = self._imported_projects
        for project in sorted(projects):
            place = self._names.projects[project].only.get(ref.name)
            if place is not None and ("." in place.name or imported or separator_of(self._path) == "/"):
                yield Meaning(place, only=True)

    @cached_property
    def _imported_projects(self) -> set[str]:
        return self._led(i for some in self._imports.values() for i in some)

    def _led(self, imports: Iterable[Import]) -> set[str]:
        """The projects that these lead to; none where it is no project's."""
        led = (self._names.imported(self._project, self._path, i.module, "") for i in imports if i.module != HERE)
        return {meaning.place.project for some in led for meaning in some}

    def _told(self, ref: Reference) -> list[Meaning]:
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
            field = "." in name  # of the object: in any method of the class
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


def add_code_edges(names: Names, sources: Collection[str], catalogue: Catalogue, edges: Edges) -> None:
    """Add what the references and imports of every file of these projects prove."""
    for project in sorted(sources):
        modules = names.projects[project]
        for path in sorted(modules.module_names):
            _imports(names, catalogue, edges, Place(project, path))
            _defines(names, catalogue, edges, Place(project, path))
            receivers = Receivers(names, project, path)
            for ref in modules.files[path].references:
                for meaning in receivers.targets(ref):
                    _reference(names, catalogue, edges, Place(project, path, ref.caller), ref, meaning)


def _imports(names: Names, catalogue: Catalogue, edges: Edges, here: Place) -> None:
    source = catalogue.speaker(here)
    for i in names.projects[here.project].files[here.path].imports:
        if i.module == HERE:
            continue
        for meaning in names.imported(here.project, here.path, i.module, i.name):
            target = catalogue.around(meaning.place)
            by_path = f"{i.name} from {i.module}" if separator_of(here.path) == "/" else f"{i.module}.{i.name}"
            wanted = by_path if i.name not in {"", "*"} else i.module
            evidence = [Evidence("import", here.project, here.path, i.line, f"imports {wanted}")]
            there = not meaning.missing
            evidence += [_defined_at(names, meaning.place)] if there else []
            edges.add(source, "IMPORTS", target, path=here.path, lines=[i.line], evidence=evidence, confirmed=there)


def _defines(names: Names, catalogue: Catalogue, edges: Edges, here: Place) -> None:
    source = catalogue.around(here)
    for d in names.projects[here.project].definitions(here.path).values():
        target = catalogue.at(Place(here.project, here.path, d.name))
        if target is not None and not d.parent:
            piece = Evidence("definition", here.project, here.path, d.start_line, f"{d.kind} {d.name}")
            edges.add(source, "DEFINES", target, path=here.path, lines=[d.start_line], evidence=[piece])


def _reference(names: Names, catalogue: Catalogue, edges: Edges, here: Place, ref: Reference, to: Meaning) -> None:
    definition = names.definition(to.place)
    inherits = ref.relation == "INHERITS"
    source = catalogue.defined(here) if inherits else catalogue.around(here)
    target = catalogue.defined(to.place if inherits else to.place.top)
    # A call of a module, or of a constant such as a type alias, tells nothing that an import does not.
    if definition is None or source is None or target is None or target.kind == "constant":
        return
    if inherits and source.kind in FUNCTIONS:  # a class inside of it, which has no name elsewhere
        return
    whole = definition.kind in WITH_METHODS
    member = f".{ref.name}" if whole and ref.receiver and not to.place.name.endswith(ref.name) else ""
    verb = "inherits" if inherits else "creates" if definition.kind in {"class", "struct"} and not member else "calls"
    says = f"{here.name or source.name} {verb} {to.place.name}{member}"
    rule = BY_NAMES if to.only else ref.relation.lower()
    evidence = [Evidence(rule, here.project, here.path, ref.line, says), _defined_at(names, to.place)]
    if to.line:
        imported = f"imports {to.place.name.partition('.')[0]}"
        evidence.append(Evidence("import", here.project, here.path, to.line, imported))
    edges.add(source, ref.relation, target, path=here.path, lines=[ref.line], evidence=evidence)


def _defined_at(names: Names, place: Place) -> Evidence:
    definition = names.definition(place)
    if definition is None:
        module = names.projects[place.project].module_names[place.path]
        return Evidence("module", place.project, place.path, 1, f"module {module}")
    says = f"{definition.kind} {definition.name}"
    return Evidence("definition", place.project, place.path, definition.start_line, says)
