"""A file of rules as data, ours and users': the document is checked, and an error names the rule that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from extraction.rules.structure import Family, Row
from extraction.rules.structure.documents import TreePath
from extraction.rules.structure.matches import OWN, Selector, selector
from extraction.rules.structure.statements import STATEMENTS
from extraction.rules.structure.statements.code import CONVENTIONS
from extraction.rules.structure.syntax import SYNTAXES, Syntax, matcher
from memory.errors import ConfigError

KEY: Final = "indexing.rules"
OF_ROWS: Final = frozenset(
    {"name", "language", "rule", "constraints", "when", "within", "without", "id", "files", "at", "where", "pattern"}
)
CLUE: Final = ("kind", "key", "side", "relation")
MORE_OF_IT: Final = ("entity", "says", "value")
FACT: Final = (*CLUE, *MORE_OF_IT)
SIDES: Final = ("needs", "provides")
TEMPLATE: Final = re.compile(r"\{\$?(\w+(?:\.[\w*-]+)*)\}")
METAVARIABLE: Final = re.compile(r"\$(?:\$\$)?([A-Z_][A-Z0-9_]*)")
CLASS: Final = re.compile(r"\[(?:\\.|[^\]\\])*\]")
WORD: Final = re.compile(r"[A-Za-z_]\w{2,}")


def is_family(row: Any) -> bool:
    """Whether a row of a document is read here, and no regular expression that spells out a clue."""
    return isinstance(row, dict) and any(name in row for name in ("rule", "at", *STATEMENTS))


def family_of(document: dict[str, Any], where: str) -> Family:
    """The one family that a document is."""
    return families_of(document, where)[0]


def families_of(document: dict[str, Any], where: str) -> list[Family]:
    """The rules of a document, its top holding for each; those that spell out a clue are a family each. Raises
    ConfigError, which says which rule it is, and what.
    """
    rows = document.get("rules")
    if not isinstance(rows, list) or not rows:
        raise ConfigError(KEY, where, "has no list `rules`.", "See docs/rules.md for an example.")
    uses = _listed(document.get("uses", []))
    if not all(isinstance(text, str) and text for text in uses):
        raise ConfigError(KEY, where, "`uses` is no text and no list of texts.")
    above: dict[str, Any] = {name: document[name] for name in ("name", "language", "files") if name in document}
    made: list[Row] = []
    alone: list[Row] = []
    for number, row in enumerate(rows, start=1):
        at = f"{where}, rule {number}"
        if not isinstance(row, dict):
            raise ConfigError(KEY, at, "is no mapping.")
        (made if is_family(row) else alone).append(
            _row({**above, **row}, f"{at} ({row['name']})" if "name" in row else at)
        )
    together = [Family(str(document.get("name") or made[0].name), tuple(made), tuple(uses))] if made else []
    return [*(Family(row.name, (row,)) for row in alone), *together]


def _row(row: dict[str, Any], where: str) -> Row:
    problem = next(_problems(row), "")
    if problem:
        hint = f"A rule has a `name` and `language` and `rule`, or `files` and `at` or `pattern`, and states one or more of {', '.join(STATEMENTS)}, or has {', '.join(CLUE)}."  # noqa: E501 - text that is read whole
        raise ConfigError(KEY, where, problem, hint)
    code, within = {}, (_compiled(row, "within", where), _compiled(row, "without", where))
    if "rule" in row:
        code = {name: _matcher(row, SYNTAXES[name]) for name in _syntaxes(row["language"])}
        _try(code, where)
    pattern, tree = _compiled(row, "pattern", where), _tree(row, where) if "at" in row else None
    written = str(row.get("rule") or row.get("at") or "")
    given = {"FILE", *pattern.groupindex} if pattern else {*OWN, "IT", "ROOT", *METAVARIABLE.findall(written)}
    stated = tuple((name, _fields(name, one, given, where)) for name, one in _statements(row))
    files = files_pattern(row["files"]) if "files" in row else None
    return Row(row["name"], stated, code, files, tree, pattern, _anchors(row), *within, everywhere=not is_family(row))


def files_pattern(globs: str) -> re.Pattern[str]:
    """Globs with commas between: `**/` is any folders, `*` and `?` stay in a name; without a slash, of any folder."""
    meant = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    patterns = []
    for glob in (one.strip() for one in globs.split(",")):
        parts = re.split(r"(\*\*/|\*\*|\*|\?)", (glob if "/" in glob else f"**/{glob}").removeprefix("/"))
        patterns.append("".join(meant.get(part, re.escape(part)) for part in parts))
    return re.compile("|".join(patterns))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _tree(row: dict[str, Any], where: str) -> TreePath:
    wanted = row.get("where", {})
    if not isinstance(wanted, dict) or not all(isinstance(value, str) for value in wanted.values()):
        raise ConfigError(KEY, where, "`where` is no mapping of paths to regular expressions.")
    patterns = ((tuple(path.split(".")), _compiled({"where": value}, "where", where)) for path, value in wanted.items())
    return TreePath(tuple(row["at"].split(".")), tuple((path, one) for path, one in patterns if one is not None))


def _compiled(row: dict[str, Any], name: str, where: str) -> re.Pattern[str] | None:
    try:
        return re.compile(row[name], re.MULTILINE) if name in row else None
    except (re.error, TypeError, RecursionError, OverflowError) as error:
        raise ConfigError(KEY, where, f"`{name}` is no regular expression: {error}.") from None


def _statements(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in STATEMENTS:
        if name in row:
            yield from ((name, one) for one in (row[name] if isinstance(row[name], list) else [row[name]]))
    if any(name in row for name in CLUE):
        yield "states", {name: row[name] for name in FACT if name in row}


def _problems(row: dict[Any, Any]) -> Iterator[str]:
    """What is wrong with it, the first thing first."""
    for name in row:
        if name not in OF_ROWS and name not in STATEMENTS and name not in FACT:
            yield f"`{name}` is unknown; YAML reads `on` and `yes` without quotation marks as True."
    ways = [name for name in ("rule", "at", "pattern") if name in row]
    if not ways:
        yield "it has no `rule`, `at` or `pattern`, which say what it looks for."
    for name in ("name", *ways, "language" if ways == ["rule"] else "files"):
        if not str(row.get(name) or "").strip():
            yield f"`{name}` is missing."
    for name in ("name", "files", "at", "pattern"):
        if not isinstance(row.get(name, ""), str):
            yield f"`{name}` is no text."
    if not any(name in row for name in (*STATEMENTS, *CLUE)):
        yield "it states nothing."
    yield from _problems_of_code(row)


def _problems_of_code(row: dict[Any, Any]) -> Iterator[str]:
    for name, of in (("constraints", "rule"), ("within", "rule"), ("without", "rule"), ("where", "at")):
        if name in row and of not in row:
            yield f"`{name}` is of a rule with `{of}`, which this one has not."
    for name in _listed(row.get("language", [])):
        if not isinstance(name, str) or name not in SYNTAXES:
            yield f"`language` is {name!r}, not one of {', '.join(SYNTAXES)}."
    if not all(isinstance(text, str) and text for text in _listed(row.get("when", "x"))):
        yield "`when` is no text and no list of texts."
    if not isinstance(row.get("rule", ""), (str, list, dict)):
        yield "`rule` is no pattern, list of patterns or rule of ast-grep."
    constraints = row.get("constraints", {})
    if not isinstance(constraints, dict) or not all(isinstance(name, str) for name in constraints):
        yield "`constraints` is no mapping of metavariables; YAML reads ON and NO without quotation marks as truths."


def _matcher(row: dict[str, Any], syntax: Syntax) -> dict[str, Any]:
    written = row["rule"]
    if isinstance(written, list):
        rule: dict[str, Any] = {"any": [matcher(one, syntax) if isinstance(one, str) else one for one in written]}
    else:
        rule = matcher(written, syntax) if isinstance(written, str) else written
    constraints = {
        name: {"regex": f"^(?:{_ascii(one)})$"} if isinstance(one, str) else one
        for name, one in row.get("constraints", {}).items()
    }
    return {"rule": rule, **({"constraints": constraints} if constraints else {})}


def _ascii(expression: str) -> str:
    r"""With `\w` for the letters of ASCII: those of every script take a millisecond to compile, for each file anew."""
    return CLASS.sub(lambda found: found[0].replace(r"\w", "A-Za-z0-9_"), expression).replace(r"\w", "[A-Za-z0-9_]")


def _syntaxes(languages: Any) -> Iterator[str]:
    """Whoever says TypeScript means TSX too, whose grammar is another: there `<T>x` is an element."""
    for name in _listed(languages):
        yield from ("typescript", "tsx") if name == "typescript" else (name,)


def _try(matchers: dict[str, dict[str, Any]], where: str) -> None:
    """Compile the patterns once, so that one that is none is known before a file is read."""
    from ast_grep_py import SgRoot  # noqa: PLC0415 - native

    for name, config in matchers.items():
        try:
            SgRoot("", name).root().find(config)  # type: ignore[call-overload]  # a mapping
        except (RuntimeError, TypeError, ValueError) as error:
            causes = re.findall(r"^\s+\d+: (.*)", str(error).partition("Stack backtrace")[0], re.MULTILINE)
            problem = causes[-1] if causes else str(error).split("\n", 1)[0]
            raise ConfigError(KEY, where, f"`rule` is no pattern of {name}: {problem}") from None


def _fields(name: str, written: Any, given: set[str], where: str) -> dict[str, Any]:
    statement = STATEMENTS[name]
    if name == "states":
        return _fact(written, given, where)
    if isinstance(written, (str, int)) and statement.required:
        written = {statement.required[0]: str(written)}
    known = (*statement.required, *statement.optional, *statement.flags)
    if not isinstance(written, dict) or set(written) - set(known) or set(statement.required) - set(written):
        needs = f", and needs {', '.join(statement.required)}" if statement.required else ""
        raise ConfigError(KEY, where, f"`{name}` is {written!r}.", f"It may have {', '.join(known)}{needs}.")
    fields: dict[str, Any] = {}
    for field, value in written.items():
        if field in statement.flags:
            if field == "convention" and value not in CONVENTIONS:
                raise ConfigError(KEY, where, f"`convention` is {value!r}.", f"One of {', '.join(CONVENTIONS)}.")
            fields[field] = value
            continue
        fields[field] = chosen = selector(str(value))
        _check_names(set(chosen.names()), given, f"{name}.{field}", where)
    return fields


def _fact(written: Any, given: set[str], where: str) -> dict[str, Any]:
    """The fields of a clue, in which `{NAME}` is a metavariable."""
    problem = next(_problems_of_clue(written), "")
    if problem:
        hint = f"A clue has {', '.join(CLUE)}, and may have {', '.join(MORE_OF_IT)}."
        raise ConfigError(KEY, where, problem, hint)
    entity = written.get("entity")
    fields: dict[str, Any] = {name: written[name] for name in ("kind", "side", "relation")}
    for name in ("key", "says", "value"):
        fields[name] = _template(written.get(name, ""), given, where)
    if entity:
        fields["entity"] = {"kind": entity["kind"], "name": _template(entity["name"], given, where)}
    return fields


def _problems_of_clue(written: Any) -> Iterator[str]:
    if not isinstance(written, dict):
        yield f"`states` is {written!r}, no mapping."
        return
    for name in CLUE:
        if not isinstance(written.get(name), str) or not written[name].strip():
            yield f"`{name}` is missing or no text."
    for name in ("says", "value"):
        if not isinstance(written.get(name, ""), str):
            yield f"`{name}` is no text."
    if written["side"] not in SIDES:
        yield f"`side` is {written['side']!r}, not {' or '.join(SIDES)}."
    if not re.fullmatch(r"[A-Z][A-Z_]*", written["relation"]):
        yield f"`relation` is {written['relation']!r}; write it like DEPENDS_ON."
    entity = written.get("entity")
    if entity is not None and (not isinstance(entity, dict) or set(entity) != {"kind", "name"}):
        yield "`entity` needs `kind` and `name`, and nothing else."
    elif entity and not all(isinstance(value, str) for value in entity.values()):
        yield "`entity` needs texts."


def _template(text: str, given: set[str], where: str) -> tuple[Any, ...]:
    parts: list[Any] = []
    end = 0
    for found in TEMPLATE.finditer(text):
        _check_names({found[1].partition(".")[0]}, given, repr(text), where)
        name, *steps = found[1].split(".")
        parts += [text[end : found.start()], Selector(((name, tuple(steps)),))]
        end = found.end()
    return tuple(part for part in (*parts, text[end:]) if part != "")


def _check_names(names: set[str], given: set[str], of: str, where: str) -> None:
    if unknown := sorted(names - given):
        of_text = "IT" not in given  # a regular expression has no `$IT`
        named, written = ("group", f"(?P<{unknown[0]}>…)") if of_text else ("metavariable", f"${unknown[0]}")
        hint = f"The pattern's: {', '.join(sorted(given))}; write {written} in it."
        raise ConfigError(KEY, where, f"{of} needs the {named} {unknown[0]}.", hint)


def _anchors(row: dict[str, Any]) -> tuple[str, ...]:
    """What a file must contain: as the rule says, else the longest word of each of its patterns."""
    if when := row.get("when"):
        return tuple(_listed(when))
    patterns = _listed(row.get("rule"))
    if not all(isinstance(one, str) for one in patterns):
        return ()
    words = [max(WORD.findall(METAVARIABLE.sub("", one)), key=len, default="") for one in patterns]
    return tuple(words) if all(words) else ()
