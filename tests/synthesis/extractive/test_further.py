from __future__ import annotations

from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.further import further_lines
from synthesis.extractive.sources import grounded

LIMITS = "# Limits\n\nUsing TillDrawer breaks the receipt of a refund. Nobody counts the coins.\n"


async def test_what_is_asked_beside_what_a_thing_is(org):
    org.texts["tills/till.py"] = 'class TillDrawer:\n    """A drawer."""\n'
    org.texts["tills/docs/limits.md"] = LIMITS
    drawer = org.known(org.entity("TillDrawer", "tills/till.py"))
    about = org.asked("What is TillDrawer and why does it break receipts?", QueryType.ENTITY_LOOKUP)
    seen = [drawer, org.seen("tills/docs/limits.md")]
    answer = await ExtractiveAnswerer().answer(about.query, seen, classification=about, files=org.files)
    assert answer.text.splitlines()[1] == (
        "- tills: Using TillDrawer breaks the receipt of a refund. [vector:tills/docs/limits.md:3-3]"
    )


async def test_nothing_more_is_said_where_nothing_more_is_asked_or_known(org):
    org.texts["tills/docs/limits.md"] = LIMITS
    ground = await grounded([org.seen("tills/docs/limits.md")], org.files)
    for question in (
        "What is TillDrawer?",
        "What is TillDrawer and TillBell?",
        "What is TillDrawer and who paints it?",
        "What is a Purse and why does it break receipts?",
    ):
        names = [name for name in ("TillDrawer", "Purse") if name in question][:1]
        assert further_lines(question, names, ground) == []
