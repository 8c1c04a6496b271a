from __future__ import annotations

from memory.text.lines import split_lines
from synthesis.extractive.features import features, told

RETRY = split_lines("""for attempt in range(1, tries + 1):
    try:
        return send()
    except (TimeoutError, OSError) as error:
        logger.warning("again")
        time.sleep(min(2**attempt, 30))
raise GaveUp(tries)""")


def test_what_a_retry_loop_does():
    assert told(features(RETRY)) == (
        "tries up to `tries` times, catches `TimeoutError, OSError`, waits with `time.sleep(min(2**attempt, 30))`, "
        "logs it as `warning` and raises `GaveUp`"
    )
    assert [f.line for f in features(RETRY)] == [0, 3, 4, 5, 6]


def test_a_loop_that_catches_nothing_is_no_retry():
    assert features(["for i in range(3):", "    print(i)"]) == []


def test_other_words_for_it():
    assert told(features(["@retry(stop=3)", "def f():"])) == "is retried by `@retry`"
    lines = ["while True:", "  } catch (IOException e) {", "    throw new Failed();", "  except KeyError:"]
    assert told(features(lines)) == "tries again in a loop, catches `IOException` and `KeyError` and raises `Failed`"
    assert told([]) == ""


def test_a_word_of_it_alone_is_nothing():
    assert features(["catches = []  # for now", "backlog.append(1)", "wait_for(x)"]) == []
