"""Of all calls in a file, those that could be followed: the rest would only fill the manifest.

A call can be followed when its name, or what it is called on, is defined, imported or bound in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.languages.enclosing import WITH_MEMBERS
from indexing.languages.written import class_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from indexing.facts import Binding, Definition, Import, Reference
    from indexing.languages.table import Language

__all__ = ["within_reach"]


def within_reach(
    *,
    language: Language,
    definitions: Iterable[Definition],
    imports: Sequence[Import],
    references: Sequence[Reference],
    bindings: Sequence[Binding],
    parameters: set[tuple[str, str]],
) -> tuple[tuple[Reference, ...], tuple[Binding, ...]]:
    """The references and bindings worth keeping.

    parameters: (function, name) of every parameter; a call of a parameter is not a call of what else has its name.
    """
    known = {d.name for d in definitions if not d.parent} | {i.alias.partition(".")[0] for i in imports}
    everything = language.separator == "." and any(
        i.name == "*" for i in imports
    )  # elsewhere `*` is handed on, not used
    bound = {(b.scope, b.name) for b in bindings}
    names = {name for _, name in bound}
    types = {d.name for d in definitions if d.kind in WITH_MEMBERS}

    def reachable(ref: Reference) -> bool:
        head, _, rest = (ref.receiver or ref.name).partition(".")
        head = head.removesuffix("()")
        if not ref.receiver and ((ref.caller, head) in parameters or (ref.caller, head) in bound):
            return False
        if head in language.itself:
            return bool(rest) and ref.receiver in names
        if ref.receiver and (ref.caller, head) in parameters and (ref.caller, head) not in bound:
            return False
        if language.packages and shared(ref, head):
            return True
        return head in known or head in names or (everything and (ref.caller, head) not in parameters)

    def shared(ref: Reference, head: str) -> bool:
        """Whether a file of the same package may say what it is: a class, a function, a field of a class told there."""
        if ref.relation == "INHERITS" or head[:1].isupper() or (language.free and not ref.receiver):
            return True
        elsewhere = class_of(ref.caller) not in {"", *types}
        return language.free and elsewhere

    kept = tuple(ref for ref in references if reachable(ref))
    used = {ref.receiver for ref in kept if ref.receiver}
    if language.packages:  # `a.b.c()`: what `a` is, and any field, as it may be `b`
        used |= {receiver.partition(".")[0] for receiver in used}
        return kept, tuple(b for b in bindings if b.name in used or b.scope in types)
    used |= {b.type for b in bindings if b.name in used}  # self.gateway = gateway, itself a parameter with a type
    return kept, tuple(b for b in bindings if b.name in used)
