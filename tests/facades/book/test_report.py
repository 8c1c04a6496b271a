from __future__ import annotations

from datetime import UTC, datetime

from facades.book import RetrievalResponse, RetrievalResult
from facades.book.checklist import Check
from facades.book.report import checklist, table

AT = datetime(2025, 12, 16, tzinfo=UTC)


def response(*results):
    return RetrievalResponse("q", list(results), len(results), 12.4, AT, {"top_k": 5, "similarity_threshold": 0.0})


def test_a_line_a_result_and_one_about_the_run():
    one = RetrievalResult("1", "a.md", "A", "First\n  line.", "h", 0, 1, "then", 3, 0.9, 1)
    two = RetrievalResult("2", f"{'long/' * 12}b.md", "", "x" * 80, "h", 0, 1, "then", 3, 0.87654, 2)
    assert table(response(one, two)).splitlines() == [
        f"rank  score  {'source':44}  section  content",
        f"1     0.900  {'a.md':44}  A        First line.",
        f"2     0.877  {'long/' * 8}lon…           {'x' * 59}…",
        "2 results in 12 ms (top_k 5, similarity_threshold 0.0)",
    ]


def test_a_column_is_as_wide_as_its_widest_and_no_wider_than_is_fit():
    one = RetrievalResult("1", "a" * 44, "s" * 36, "c" * 60, "h", 0, 1, "then", 3, 1.0, 1)
    two = RetrievalResult("2", "b" * 45, "t" * 37, "d" * 61, "h", 0, 1, "then", 3, 1.0, 1_000_000)
    head, first, second, _ = table(response(one, two)).splitlines()
    assert head == f"rank  score  {'source':44}  {'section':36}  content"
    assert first == f"1     1.000  {'a' * 44}  {'s' * 36}  {'c' * 60}"
    assert second == f"100…  1.000  {'b' * 43}…  {'t' * 35}…  {'d' * 59}…"


def test_no_results():
    assert table(response()).splitlines() == [
        "rank  score  source  section  content",
        "0 results in 12 ms (top_k 5, similarity_threshold 0.0)",
    ]


def test_the_checklist_has_its_ticks():
    checks = [
        Check("Basic", "It finds", passed=True, seen="3"),
        Check("Basic", "It orders", passed=False, seen="0"),
        Check("Edges", "It stops", passed=True, seen="ok"),
    ]
    assert checklist(checks).splitlines() == [
        "1. **Basic**:",
        "   - [x] It finds (3)",
        "   - [ ] It orders (0)",
        "2. **Edges**:",
        "   - [x] It stops (ok)",
        "",
        "2 of 3 hold",
    ]
