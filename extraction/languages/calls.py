"""What calls are made on, as code writes it, down to dotted names; and those of a file's calls that could be followed.

A call can be followed when its name, or what it is called on, is defined, imported or bound in the file, or where its
name may tell by itself what is meant: the rest would only fill the manifest.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from extraction.languages.definitions import WITH_MEMBERS
from extraction.languages.nodes import end_of, start_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ast_grep_py import SgNode

    from extraction.facts import Binding, Definition, Import, Reference
    from extraction.languages.table import Language

DOTTED: Final = re.compile(r"[A-Za-z_$][\w.$#]*(?:\(\))?")
LONGEST: Final = 500
"""Characters; a longer one has no name, and a chain of calls would be read once for each of its links."""
_ARGUMENTS: Final = re.compile(r"\(.*\)$", re.DOTALL)
_GENERICS: Final = re.compile(r"<[^()]*>")
_JOINTS: Final = re.compile(r"\?->|->|::|\\|!!")
_ANNOTATION: Final = re.compile(
    r"(?:(?:typing\.)?Optional\[)?([A-Za-z_$][\w.$]*)(?:<.*>)?[\]?]?(?:\s*\|\s*(?:None|null|undefined))*", re.DOTALL
)
_QUALIFIERS: Final = re.compile(r"'\w+\s+|\b(?:const|mut|dyn|impl|struct|class|final|readonly)\s+|^[?]")
_HOLDER: Final = re.compile(
    r"(?:[\w.]*\.)?(?:Arc|Box|Rc|Cell|RefCell|Mutex|RwLock|Option|Optional|Lazy|Provider|shared_ptr|unique_ptr|weak_ptr)"
    r"<(.+)>"
)
_PLAIN: Final = frozenset(
    {"auto", "bool", "boolean", "byte", "char", "decimal", "double", "error", "float", "float32", "float64", "int", "int32", "int64", "integer", "long", "mixed", "object", "short", "size_t", "str", "string", "String", "uint", "uint32", "uint64", "unsigned", "usize", "var", "void"}  # noqa: E501 - a table
)  # fmt: skip
"""Types without members of a project's own."""
_FACTORY: Final = re.compile(r"^((?:\w+\.)?)New(?=[A-Z])")


_UNTYPED: Final = frozenset({"", "php"})
"""The packages of languages that need not declare what a variable is, and whose calls have brackets: Ruby's
`pool.volume` may be a column of a table. '' are those of Python and JavaScript.
"""
_WORDS: Final = re.compile(r"[a-z0-9](?:_+[a-z0-9]|[A-Z])")
_SHORTEST: Final = 9
"""Shorter names are those of everybody's methods: `getName`, `to_dict`."""


def class_of(name: str) -> str:
    return name.rpartition(".")[0]


def tells_by_itself(ref: Reference, language: Language) -> bool:
    """Whether a call that is made on something unknown may mean the one function of its name, which has several words.

    What calls another of its own name hands on to what it wraps.
    """
    telling = len(ref.name) >= _SHORTEST and _WORDS.search(ref.name) is not None
    inside = ref.caller.rpartition(".")[2] == ref.name
    return bool(ref.receiver) and ref.relation == "CALLS" and language.packages in _UNTYPED and telling and not inside


def receiver_of(node: SgNode, language: Language) -> str | None:
    """`a.b` stays, `Gateway(x)` and `new Gateway(x)` become `Gateway()`, `cls.x` `self.x`; None when it is no name. ''
    is the object itself, where a language may leave it out.
    """
    if end_of(node) - start_of(node) > LONGEST:
        return None
    short = _plain(node.text().replace("?.", "."), language)
    short = _ARGUMENTS.sub("()", short.removeprefix("new ")).removesuffix("!")
    short = variable_of(short, language)
    return short if not short or DOTTED.fullmatch(short) else None


def variable_of(name: str, language: Language) -> str:
    """A name without what may be left out of it: `this.gateway` is `gateway` in Java; `cls.x` is `self.x` in Python."""
    head, dot, rest = name.partition(".")
    if head in language.implied:
        return rest
    return f"{language.itself[0]}.{rest}" if dot and head in language.itself else name


def type_of(text: str, language: Language) -> str:
    """An annotation's class: `Store` of `Arc<dyn Store>`, `Optional[Store]`, `const Store&`; '' for none."""
    written = text.strip("\"'")
    if language.packages:
        written = _QUALIFIERS.sub("", _JOINTS.sub(".", _bare(written, language))).strip().lstrip(".")
        while held := _HOLDER.fullmatch(written):
            written = held[1].strip()
        if language.packages == "go":
            written = _FACTORY.sub(r"\1", written)  # a constructor's usual name (Effective Go)
    found = _ANNOTATION.fullmatch(written)
    return found[1] if found and found[1] not in _PLAIN else ""


def _plain(text: str, language: Language) -> str:
    if not language.packages:
        return text
    return _GENERICS.sub("", _JOINTS.sub(".", _bare(text, language))).replace("..", ".").lstrip(".")


def _bare(text: str, language: Language) -> str:
    return text.translate({ord(sigil): None for sigil in language.sigils}) if language.sigils else text


def within_reach(
    *,
    language: Language,
    definitions: Iterable[Definition],
    imports: Sequence[Import],
    references: Sequence[Reference],
    bindings: Sequence[Binding],
    parameters: set[tuple[str, str]],
) -> tuple[tuple[Reference, ...], tuple[Binding, ...]]:
    """Those worth keeping. parameters: (function, name) of each: a call of one is no call of what else has its name."""
    known = {d.name for d in definitions if not d.parent} | {i.alias.partition(".")[0] for i in imports}
    everything = language.separator == "." and any(i.name == "*" for i in imports)  # elsewhere `*` is handed on
    bound = {(b.scope, b.name) for b in bindings}
    names = {name for _, name in bound}
    types = {d.name for d in definitions if d.kind in WITH_MEMBERS}

    def reachable(ref: Reference) -> bool:
        if tells_by_itself(ref, language):
            return True
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
        """Whether a file of the same package may say what it is: a class, a function, a field of a class there."""
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
