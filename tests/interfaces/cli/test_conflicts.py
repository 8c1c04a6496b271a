"""What people see of a contradiction: on the page, in the document, and the question where it is theirs to settle."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove; the tracer would double its time

RETENTION = ("ask", "What do our docs say about how long sent messages are kept?", "--project", "notifications")
FREEZE = ("ask", "Which services does the spring freeze apply to?")
SCHEMA = ("ask", "Which type does the description of a product have in our schema?", "--project", "catalogue")


def block(page, title):
    """The lines of one block of the page."""
    (found,) = [part.splitlines()[1:] for part in page.split("\n\n") if part.startswith(f"{title}\n")]
    return found


@pytest.mark.specification("001 §5.4 temporal", "001 §6.2 conflicts")
def test_the_page_says_what_was_kept_and_why(cli, shop):
    code, page, _ = cli(*RETENTION, "--data-dir", shop)
    assert code == 0
    assert block(page, "Conflicts") == [
        (
            "  notifications/docs/retention.md, How long we keep messages > Retention: "
            "2024-04-15 (notifications/docs/retention.md:13-21); 2021-11-02 (notifications/docs/retention.md:1-11): "
            "notifications/docs/retention.md:13-21 is the newest."
        )
    ]


@pytest.mark.specification("001 §5.4 ask_user", "001 §5.4 scope", "001 §5.4 factual")
@pytest.mark.parametrize(
    ("question", "kind", "asked"),
    [
        (
            RETENTION,
            "temporal",
            (
                "notifications/docs/retention.md, How long we keep messages > Retention: "
                "2024-04-15 (notifications/docs/retention.md:13-21); 2021-11-02 (notifications/docs/retention.md:1-11). "
                "Which holds?"
            ),
        ),
        (
            FREEZE,
            "scope",
            (
                "spring freeze, applies to: "
                "orders (orders/CLAUDE.md:16-21); all projects (platform/CLAUDE.md:17-21). Which holds?"
            ),
        ),
        (
            SCHEMA,
            "factual",
            (
                "catalogue/products.description, type: "
                "text (catalogue/db/schema.sql:2-7, catalogue/db/schema.sql:2-2, catalogue/db/schema.sql:1-7); "
                "varchar (catalogue/docs/schema.md:1-22). Which holds?"
            ),
        ),
    ],
    ids=["temporal", "scope", "factual"],
)
def test_the_user_is_asked(cli, document, shop, question, kind, asked):
    ask_user = (*question, "--data-dir", shop, "--set", f"conflict_strategy={{{kind}: ask_user}}")
    code, page, _ = cli(*ask_user)
    assert code == 0
    assert block(page, "Conflicts") == [f"  {asked}"]
    assert "(for you to say)" in page
    _, result = document(*ask_user)
    (conflict,) = result["conflicts"]
    assert (conflict["conflict_type"], conflict["resolution_strategy"]) == (kind, "ask_user")
    assert (conflict["needs_user"], conflict["question"]) == (True, asked)
    assert (conflict["winner"], conflict["losers"]) == (None, [])
    assert all(o["superseded_by"] is None for o in result["observations"])
    assert (result["metrics"]["conflicts_detected"], result["metrics"]["conflicts_resolved"]) == (1, 0)


def test_an_unknown_strategy_is_refused_with_the_known(cli, shop):
    code, _, err = cli(*FREEZE, "--data-dir", shop, "--set", "conflict_strategy={scope: coin}")
    assert code == 2
    assert "include_both" in err
