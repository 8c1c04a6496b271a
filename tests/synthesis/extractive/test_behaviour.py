from __future__ import annotations

from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer


async def test_which_retry_and_how(org):
    org.texts["desk/docs/a.md"] = "# Calls\n\nA late till is a case for a retry. Paper is not.\n"
    observations = [org.seen("desk/docs/a.md"), org.seen("orders/orders/adapter.py"), org.seen("auth/db/schema.sql")]
    asked = org.asked("Which projects retry, and how?", QueryType.CROSS_PROJECT)
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    lead, desk, orders = answer.text.split("\n")
    assert lead == "Found in two projects: desk and orders."
    assert desk == "- desk: A late till is a case for a retry. [vector:desk/docs/a.md:3-3]"
    assert orders.startswith(
        "- orders: `PaymentAdapter.process_payment` tries up to `3` times, catches `TillTimeout`, waits with"
    )
    assert orders.endswith("[vector:orders/orders/adapter.py:7-12]")
