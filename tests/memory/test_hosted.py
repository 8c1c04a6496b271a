"""Three a minute: the fourth waits until a minute after the first, the fifth until one after the second."""

from __future__ import annotations

import anyio
import pytest

from configs.settings import HostedSettings
from memory.clock import VirtualClock
from memory.errors import ConfigError, ModelError
from memory.hosted import HostedCalls, HostedConnection, HostedFailure, RequestRate
from orchestrator.logbook import redacted

USUAL = "VOYAGE_API_KEY"


class Vendor(HostedConnection[str]):
    """Its client is its key."""

    def __init__(self, settings, environ=None):
        super().__init__("Voyage", USUAL, settings, environ=environ)

    @staticmethod
    def _load():
        """It needs nothing."""

    async def _attempt(self, ask):
        return await ask(self._key)


async def told(key):
    return key


async def refused(_):
    raise HostedFailure("who", status=401)


@pytest.mark.parametrize(
    ("settings", "environ"),
    [
        (HostedSettings(), {"VOYAGE_API_KEY": " secret\n"}),
        (HostedSettings(api_key_env="OURS"), {"OURS": "secret", "VOYAGE_API_KEY": "another"}),
    ],
)
async def test_the_key_comes_out_of_the_variable_without_white_space(settings, environ):
    assert await Vendor(settings, environ).call("tell", told) == "secret"


@pytest.mark.parametrize("environ", [{}, {"VOYAGE_API_KEY": ""}, {"VOYAGE_API_KEY": "  "}])
def test_a_key_that_is_not_set_is_an_error_that_names_the_variable(environ):
    with pytest.raises(ConfigError) as met:
        Vendor(HostedSettings(), environ)
    assert met.value.message == "environment: hosted.api_key_env: VOYAGE_API_KEY is not set."
    assert met.value.hint.startswith("Put your Voyage API key there")


async def test_a_variable_of_ones_own_is_the_one_that_is_named():
    settings = HostedSettings(api_key_env="TEAM_KEY")
    with pytest.raises(ModelError, match="refuses the key in TEAM_KEY"):
        await Vendor(settings, {"TEAM_KEY": "secret"}).call("embed", refused)
    with pytest.raises(ConfigError, match="TEAM_KEY is not set"):
        Vendor(settings, {"VOYAGE_API_KEY": "secret"})


@pytest.mark.parametrize("key", ["abc…xyz", "ключ", "two\nlines"])
def test_a_key_that_no_header_takes_is_an_error_without_the_key(key):
    with pytest.raises(ConfigError, match="VOYAGE_API_KEY has a letter") as met:
        Vendor(HostedSettings(), {USUAL: key})
    assert key not in str(met.value)


def test_without_an_environment_the_process_own_is_read():
    with pytest.raises(ConfigError, match="NOBODY_HAS_SET_THIS is not set"):
        Vendor(HostedSettings(api_key_env="NOBODY_HAS_SET_THIS"))


async def test_a_sliding_window():
    clock = VirtualClock()
    rate = RequestRate(3, clock)
    let_through = []
    for pause in (0, 10, 10, 0, 0):
        await clock.sleep(pause)
        await rate.wait()
        let_through.append(clock.seconds)
    assert let_through == [0, 10, 20, 60, 70]


async def test_what_is_long_past_costs_nothing():
    clock = VirtualClock()
    rate = RequestRate(1, clock)
    await rate.wait()
    await clock.sleep(61)
    await rate.wait()
    assert clock.seconds == 61


async def test_no_limit():
    clock = VirtualClock()
    rate = RequestRate(0, clock)
    for _ in range(1000):
        await rate.wait()
    assert clock.seconds == 0


async def test_those_who_wait_are_let_through_in_the_order_they_came():
    clock = VirtualClock()
    rate = RequestRate(1, clock)
    order = []

    async def one(name):
        await rate.wait()
        order.append((name, clock.seconds))

    async with anyio.create_task_group() as group:
        for name in "abc":
            group.start_soon(one, name)
    assert order == [("a", 0), ("b", 60), ("c", 120)]


async def test_one_who_stops_waiting_takes_no_place():
    class Endless(VirtualClock):
        async def sleep(self, seconds):
            await anyio.sleep_forever()

    clock = Endless()
    rate = RequestRate(1, clock)
    await rate.wait()
    with anyio.move_on_after(0.001):
        await rate.wait()
    clock.seconds = 60
    await rate.wait()


BUSY = HostedFailure("busy", status=503)


class Attempts:
    """Fails as it is told to, then answers."""

    def __init__(self, *failures):
        self.failures = list(failures)
        self.times = []
        self.clock = VirtualClock()

    async def __call__(self):
        self.times.append(round(self.clock.seconds, 3))
        if self.failures:
            raise self.failures.pop(0)
        return "answer"

    async def made(self, **settings):
        calls = HostedCalls("Voyage", HostedSettings(**settings), "VOYAGE_API_KEY", self.clock)
        return await calls("embed", self)


@pytest.mark.parametrize(
    ("failures", "times"),
    [
        ([], [0]),
        ([BUSY], [0, 0.5]),
        ([BUSY] * 3, [0, 0.5, 0.5 + 1, 0.5 + 1 + 2]),  # backoff_ms 500, doubled
        ([HostedFailure("slow down", status=429)], [0, 0.5]),
        ([HostedFailure("slow down", status=429, retry_after="7")], [0, 7]),
        ([HostedFailure("slow down", status=429, retry_after="7.5")], [0, 7.5]),
        ([HostedFailure("later", status=503, retry_after="60")], [0, 60]),
        ([BUSY, HostedFailure("slow down", status=429, retry_after="1")], [0, 0.5, 0.5 + 1]),  # the second pause is 1 s
        ([HostedFailure("slow", status=429, retry_after="Wed, 21 Oct 2026 07:28:00 GMT")], [0, 0.5]),
        ([HostedFailure("slow", status=429, retry_after="-3")], [0, 0.5]),
        ([HostedFailure("reset")], [0, 0.5]),
        ([HostedFailure("broke", status=500)], [0, 0.5]),
    ],
)
async def test_what_may_pass_is_tried_again(failures, times):
    attempts = Attempts(*failures)
    assert await attempts.made() == "answer"
    assert attempts.times == times


@pytest.mark.specification("002 §1 retries")
@pytest.mark.parametrize(
    ("failure", "message", "hint", "attempts"),
    [
        (HostedFailure("no such\nmodel", status=400), "could not embed: no such model (400).", "Check the models", 1),
        (HostedFailure("bad", status=404), "could not embed: bad (404).", "section hosted", 1),
        (
            HostedFailure("who", status=401),
            "refuses the key in VOYAGE_API_KEY (401): who.",
            "Correct VOYAGE_API_KEY.",
            1,
        ),
        (HostedFailure("no", status=403), "refuses the key in VOYAGE_API_KEY (403): no.", "Correct VOYAGE_API_KEY.", 1),
        (BUSY, "could not embed: busy (503).", "Try again later.", 3),
        (HostedFailure("slow", status=429), "could not embed: slow (429).", "hosted.requests_per_minute", 3),
        (HostedFailure("slow", status=429, retry_after="61"), "could not embed: slow (429).", "requests_per_minute", 1),
        (HostedFailure("reset"), "could not embed: reset.", "Try again later.", 3),
    ],
)
async def test_what_does_not_pass_is_said(failure, message, hint, attempts):
    made = Attempts(*[failure] * 9)
    with pytest.raises(ModelError) as met:
        await made.made(retries=2)
    assert met.value.message == f"Voyage {message}"
    assert hint in met.value.hint
    assert len(made.times) == attempts


async def test_a_log_hides_no_word_of_why_a_key_is_refused():
    with pytest.raises(ModelError) as met:
        await Attempts(HostedFailure("Provided API key is invalid", status=401)).made()
    assert redacted(met.value.message) == "Voyage refuses the key in VOYAGE_API_KEY (401): Provided API key is invalid."


async def test_an_address_of_ones_own_is_named_and_may_be_wrong():
    with pytest.raises(ModelError) as met:
        await Attempts(HostedFailure("refused")).made(base_url="http://here/v1", retries=0)
    assert met.value.message == "Voyage at http://here/v1 could not embed: refused."
    assert met.value.hint == "Is hosted.base_url right? Or try again later."


async def test_a_long_reason_is_cut():
    with pytest.raises(ModelError) as met:
        await Attempts(HostedFailure("x" * 900, status=400)).made()
    assert met.value.message.count("x") == 300


async def test_a_pause_that_ends_after_the_callers_deadline_is_not_begun():
    attempts = Attempts(HostedFailure("slow", status=429, retry_after="5"))
    with pytest.raises(ModelError, match="slow"), anyio.fail_after(4):
        await attempts.made()
    assert attempts.clock.seconds == 0
    attempts = Attempts(HostedFailure("slow", status=429, retry_after="5"))
    with anyio.fail_after(300):
        assert await attempts.made() == "answer"


async def test_an_attempt_that_does_not_end_is_ended_and_tried_again():
    tried = []

    async def hang():
        tried.append(1)
        await anyio.sleep_forever()

    calls = HostedCalls("Voyage", HostedSettings(timeout_ms=1, retries=2), "KEY", VirtualClock())
    with pytest.raises(ModelError, match="could not embed: no answer within 1 ms"):
        await calls("embed", hang)
    assert len(tried) == 3


@pytest.mark.specification("003 §9 rate")
async def test_each_attempt_is_a_request_of_the_account():
    attempts = Attempts(BUSY)
    assert await attempts.made(requests_per_minute=1) == "answer"
    assert attempts.times == [0, 60]
