"""The error tree: as its docstring draws it, a code and an exit code each, messages that say what and what to do."""

from __future__ import annotations

import pickle
import re

import pytest

from memory import errors

CLASSES = [getattr(errors, name) for name in errors.__all__]


def drawn():
    """Each class of the drawing, and the class it hangs from."""
    root, *lines = re.findall(r"^([│ ]*)(?:[├└]── )?([A-Z]\w+Error) ", errors.__doc__, re.MULTILINE)
    parents, above = {root[1]: Exception}, [root[1]]
    for indent, name in lines:
        above = [*above[: 1 + len(indent) // 4], name]
        parents[name] = getattr(errors, above[-2])
    return parents


def test_the_tree_is_as_it_is_drawn():
    parents = drawn()
    assert set(parents) == set(errors.__all__)
    assert {name: getattr(errors, name).__bases__[0] for name in parents} == parents


@pytest.mark.parametrize("error", CLASSES, ids=errors.__all__)
def test_scripts_can_rely_on_it(error):
    assert re.fullmatch(r"[a-z_]+", error.code)
    assert error.exit_code == (2 if issubclass(error, errors.UserError) else 3)


def test_codes_tell_apart_what_is_raised():
    codes = [error.code for error in CLASSES if error is not errors.InvalidAnswerError]
    assert len(set(codes)) == len(codes)


def test_what_and_what_to_do():
    error = errors.StoreError("It is down.", "Start it.")
    assert (error.message, error.hint, str(error)) == ("It is down.", "Start it.", "It is down. Start it.")
    assert str(errors.StoreError("It is down.")) == "It is down."


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (errors.UnknownProjectError("x", ["b", "a"]), "No project 'x' here. Known: a, b."),
        (
            errors.UnknownProjectError("x", []),
            "No project 'x' here. None of those that are allowed is indexed: check their names.",
        ),
        (
            errors.DuplicateProjectError("x", "/a/x", "/b/x"),
            (
                "Two projects are called 'x': /a/x and /b/x. Rename one folder, remove the one that is indexed"
                " (index --remove NAME), or use two data folders."
            ),
        ),
        (
            errors.ConfigError("top_k", "mine.yaml", "is 0", "It is at least 1."),
            "mine.yaml: top_k: is 0 It is at least 1.",
        ),
        (
            errors.IndexLockedError("process 5"),
            "Another run is indexing into this data folder: process 5. Wait for it to end, or stop it.",
        ),
        (
            errors.StorageFullError("/data"),
            "No room is left on the disk while writing /data. Free some and run it again; nothing was lost.",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_messages_are_built_in_the_class(error, said):
    assert str(error) == said
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - as between processes
    assert (type(copy), str(copy), vars(copy)) == (type(error), said, vars(error))


def test_a_message_can_always_be_written():
    error = errors.UserError("The file '\ud800' is damaged.", "Look at '\udc80'.")
    assert str(error).encode() == rb"The file '\ud800' is damaged. Look at '\udc80'."
