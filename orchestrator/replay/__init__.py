"""Scenarios, recorded once and replayed on virtual time: the same answer, the same way, every time."""

from orchestrator.replay.cassette import Cassette
from orchestrator.replay.differences import Differences
from orchestrator.replay.expectations import Expectations
from orchestrator.replay.faults import AGENTS, Faults, read_seconds
from orchestrator.replay.recording import live_parts, record
from orchestrator.replay.report import Replayed, junit, report, sha256
from orchestrator.replay.results import accept, read_result, reading, replay, result_of
from orchestrator.replay.running import Changes, Run, run
from orchestrator.replay.scenario import Scenario, find_scenarios, read_scenario
from orchestrator.replay.tape import Call, MissingCallError, Tape
from orchestrator.replay.why import Why, why

__all__ = [
    "AGENTS",
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
    "Why",
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
    "sha256",
    "why",
]
