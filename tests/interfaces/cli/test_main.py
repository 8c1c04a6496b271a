"""The door: errors become messages and exit codes, what is not needed is not imported, an interrupt is one."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from interfaces.cli.main import cli as program
from interfaces.cli.main import main, run

COMMAND = Path(sys.executable).parent / "hybrid-retrieval"


def process(*arguments, **options):
    return subprocess.run([*map(str, arguments)], capture_output=True, text=True, check=False, timeout=60, **options)  # noqa: S603 - our own command


def test_the_installed_command(data):
    done = process(COMMAND, "ask", "What is Beacon?", "--json", "--data-dir", data)
    assert (done.returncode, json.loads(done.stdout)["status"], done.stderr) == (0, "answered", "")
    done = process(COMMAND, "ask", "What is Beacon?", "--project", "dock", "--json", "--data-dir", data)
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (2, "unknown_project")
    assert done.stderr == "No project 'dock' here. Known: harbour, lighthouse.\n"


def test_from_a_folder_that_was_removed(data, tmp_path):
    (tmp_path / "gone").mkdir()
    done = process("sh", "-c", 'cd "$1" && rmdir "$1" && "$0" ask x --data-dir "$2"', COMMAND, tmp_path / "gone", data)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "The folder you are in was removed. Change to one that is there.\n"


def test_whoever_reads_us_may_leave(data):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as nobody:  # noqa: PTH123 - a descriptor, no path
        done = subprocess.run(  # noqa: S603 - our own command
            [COMMAND, "export", "--entities", "--data-dir", data], stdout=nobody, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_even_with_an_error_to_tell():
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as nobody:  # noqa: PTH123 - a descriptor, no path
        done = subprocess.run([COMMAND, "nope", "--json"], stdout=nobody, stderr=nobody, check=False)  # noqa: S603 - our own command
    assert done.returncode == 0


@pytest.fixture
def waiting(tmp_path):
    """A settings file that nobody writes: the command waits for it."""
    os.mkfifo(tmp_path / "config.yaml")
    return tmp_path / "config.yaml"


def test_an_interrupt(waiting):
    arguments = [COMMAND, "ask", "q", "--config", waiting]
    with (
        subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as asked,  # noqa: S603 - our own command
        waiting.open("w"),
    ):
        asked.send_signal(signal.SIGINT)  # it reads by now, or the pipe could not have been opened
        out, err = asked.communicate(timeout=60)
    assert (asked.returncode, out) == (130, "")
    assert err.strip() == "Interrupted."


@pytest.mark.parametrize(
    ("where", "reason"), [(">/dev/full", "No space left on device"), (">&-", "it is closed"), (">&- 2>&-", None)]
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("ask", "--help"),
        ("ask", "What is Beacon?"),
        ("index",),
        ("export", "--entities"),
        ("nope", "--json"),
    ],
    ids=" ".join,
)
def test_output_that_cannot_be_written(data, arguments, where, reason):
    more = ("--data-dir", data) if arguments[0] in {"ask", "index", "export"} else ()
    done = process("sh", "-c", f'"$0" "$@" {where}', COMMAND, *arguments, *more)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (f"The output can't be written: {reason}.\n" if reason else "")


def test_without_a_standard_error_nothing_is_said_there(data):
    done = process("sh", "-c", '"$0" "$@" 2>&-', COMMAND, "index", "--json", "--data-dir", data)
    assert (done.returncode, json.loads(done.stdout)["unchanged"]) == (0, True)


def test_without_a_standard_input_nobody_asks(data):
    done = process("sh", "-c", '"$0" "$@" 0<&-', COMMAND, "serve", "--data-dir", data)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def raising(error):
    """A program that ends so."""

    def end():
        raise error

    return click.Command("program", callback=end, params=[click.Option(["--json"], is_flag=True, expose_value=False)])


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()], ids=["ours", "click's"])
def test_an_interrupt_is_a_document_too(capsys, error):
    assert run(["--json"], raising(error)) == 130
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "schema_version": "1",
        "error": {"code": "interrupted", "message": "Interrupted.", "hint": ""},
    }
    assert err.strip() == "Interrupted."


def test_too_few_files_may_be_open(capsys):
    assert run([], raising(OSError(errno.EMFILE, "Too many open files", "/srv/index"))) == 3
    assert capsys.readouterr().err.startswith("Too many files are open. Allow more: ")
    with pytest.raises(FileNotFoundError):
        run([], raising(FileNotFoundError(errno.ENOENT, "No such file", "/srv/index")))


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        OSError(errno.EAGAIN, "Resource temporarily unavailable"),
        RuntimeError("can't start new thread"),
        ImportError("kglite.abi3.so: failed to map segment from shared object"),
        ExceptionGroup("two tasks", [ValueError("beside"), ExceptionGroup("inner", [MemoryError()])]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_too_little_memory_or_too_many_threads_say_so(capsys, error):
    assert run([], raising(error)) == 3
    assert capsys.readouterr().err.startswith("There is too little memory, or there are too many threads. Allow ")


@pytest.mark.parametrize("error", [RuntimeError("ours"), ImportError("ours"), ExceptionGroup("ours", [ValueError()])])
def test_what_is_no_limit_goes_on_as_it_is(error):
    with pytest.raises(type(error), match="ours"):
        run([], raising(error))


def test_a_reader_that_has_gone_is_no_failure(capsys):  # click puts a wrapper around the standard output
    assert run([], raising(BrokenPipeError(errno.EPIPE, "Broken pipe"))) == 0


def test_main_leaves_with_the_code_whoever_is_still_there():
    left = []
    main(["--version"], left.append)
    main(["nope"], left.append)
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", closefd=False) as gone, contextlib.redirect_stderr(gone):
        main(["nope"], left.append)
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)  # what is still to be written may go
    os.close(writing)
    assert left == [0, 2, 0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nope"], "No such command 'nope'."),
        (["ask"], "Missing argument 'QUESTION'."),
        (["ask", "q", "--scope", "wide"], "'wide' is not one of"),
        (["ask", "q", "--colour"], "No such option '--colour'."),
        (["index", "--data-dir"], "Option '--data-dir' requires an argument."),
    ],
)
def test_a_command_line_that_makes_no_sense(document, cli, arguments, said):
    code, result = document(*arguments) if arguments[-1] != "--data-dir" else (2, None)
    assert code == 2
    assert result is None or (result["error"]["code"] == "invalid_input" and said in result["error"]["message"])
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "See `hybrid-retrieval --help`." in err


def test_without_a_command_it_shows_its_help(cli):
    code, out, err = cli()
    assert (code, out) == (2, "")
    for name in ("index", "ask", "evaluate", "export", "doctor"):
        assert f"  {name} " in err


def test_help_and_version(cli):
    assert cli("--help")[0] == 0
    code, out, _ = cli("--version")
    assert (code, out.split()[-1]) == (0, "0.1.0")
    assert "--explain" in cli("ask", "-h")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "vector.dimensio=3"], "Did you mean vector.dimension?"),
        (["--set", "agent_timeout_ms=soon"], "'soon' is not a whole number"),
        (["--set", "scope"], "is not KEY=VALUE"),
        (
            ["--profile", "huge"],
            "There are: cohere-book, cohere-textbook, embedded, fastembed, neo4j, openai, qdrant, spec, voyage.",
        ),
        (["--config", "/no/such/file.yaml"], "/no/such/file.yaml: --config: cannot be read"),
    ],
)
@pytest.mark.parametrize("command", [["ask", "q"], ["index", "."], ["doctor"]], ids=lambda command: command[0])
def test_settings_that_make_no_sense(document, command, arguments, said):
    code, result = document(*command, *arguments)
    assert (code, result["error"]["code"], list(result)) == (2, "config", ["schema_version", "error"])
    assert said in f"{result['error']['message']} {result['error']['hint']}"


def test_main_leaves_with_the_exit_code_and_what_it_said():
    code = "from interfaces.cli.main import main; main(['nope']); print('not reached')"
    done = process(sys.executable, "-c", code)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("No such command 'nope'.")


def test_completion_knows_the_commands():
    assert program.list_commands(click.Context(program)) == [
        "index",
        "ask",
        "evidence",
        "evaluate",
        "export",
        "record",
        "replay",
        "why",
        "serve",
        "doctor",
    ]


@pytest.mark.parametrize("command", [["index", "."], ["ask", "What is harbour?"]])
def test_an_index_whose_vectors_are_elsewhere_is_refused(document, data, command):
    code, result = document(*command, "--data-dir", str(data), "--profile", "qdrant")
    assert (code, result["error"]["code"]) == (2, "data_folder")
    assert "are in the data folder; the settings have them on a Qdrant server" in result["error"]["message"]
    assert "another data folder" in result["error"]["hint"]
