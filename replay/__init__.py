"""Scenarios, recorded once and replayed on virtual time: the same answer, the same way, every time."""

from replay.expectations import Expectations
from replay.recording import Changes, Run, accept, live_parts, record, replay, result_of, run, run_again
from replay.report import Differences, Replayed, junit, read_result, reading, report, sha256
from replay.scenario import Faults, Scenario, find_scenarios, read_scenario, read_seconds
from replay.tape import Call, Cassette, MissingCallError, Tape

__all__ = [
    "Call",
    "Cassette",
    "Changes",
    "Differences",
    "Expectations",
    "Faults",
    "MissingCallError",
    "Replayed",
    "Run",
    "Scenario",
    "Tape",
    "accept",
    "find_scenarios",
    "junit",
    "live_parts",
    "read_result",
    "read_scenario",
    "read_seconds",
    "reading",
    "record",
    "replay",
    "report",
    "result_of",
    "run",
    "run_again",
    "sha256",
]
