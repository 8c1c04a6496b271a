"""Edges that the languages give: IMPORTS, DEFINES, INHERITS and CALLS, each end with its own evidence.

Pieces of a call: the line that calls, the import that leads to the name, and the line that defines it. Its ends are
top-level definitions (or the module, for code outside any); which methods are meant is said in the evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.facts import HERE
from indexing.resolution.modules import separator_of
from indexing.resolution.names import Meaning, Place
from indexing.resolution.packages import WITH_METHODS
from indexing.resolution.receivers import Receivers
from memory.entities import Evidence

if TYPE_CHECKING:
    from collections.abc import Collection

    from indexing.facts import Reference
    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.edges import Edges
    from indexing.resolution.names import Names

__all__ = ["add_code_edges"]


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
            if not meaning.missing:
                evidence.append(_defined_at(names, meaning.place))
            edges.add(
                source,
                "IMPORTS",
                target,
                path=here.path,
                lines=[i.line],
                evidence=evidence,
                confirmed=not meaning.missing,
            )


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
    if inherits and source.kind in {"function", "method"}:  # a class inside of it, which nobody else can name
        return
    whole = definition.kind in WITH_METHODS
    member = f".{ref.name}" if whole and ref.receiver and not to.place.name.endswith(ref.name) else ""
    verb = "inherits" if inherits else "creates" if definition.kind in {"class", "struct"} and not member else "calls"
    says = f"{here.name or source.name} {verb} {to.place.name}{member}"
    evidence = [Evidence(ref.relation.lower(), here.project, here.path, ref.line, says), _defined_at(names, to.place)]
    if to.line:
        evidence.append(
            Evidence("import", here.project, here.path, to.line, f"imports {to.place.name.partition('.')[0]}")
        )
    edges.add(source, ref.relation, target, path=here.path, lines=[ref.line], evidence=evidence)


def _defined_at(names: Names, place: Place) -> Evidence:
    definition = names.definition(place)
    if definition is None:
        return Evidence(
            "module", place.project, place.path, 1, f"module {names.projects[place.project].module_names[place.path]}"
        )
    return Evidence(
        "definition", place.project, place.path, definition.start_line, f"{definition.kind} {definition.name}"
    )
