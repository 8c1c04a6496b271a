"""How rare a name is, by hand, and constants that stand for what they are called."""

from __future__ import annotations

from math import log

from indexing.resolution.references.links import RARE, rarity
from tests.indexing.resolution.references.test_references import relations


def test_it_falls_from_one_in_one_component_to_nothing_in_all():
    assert rarity(1, 8) == 1.0  # log(9/1) / log(9)
    assert rarity(3, 8) == round(log(9 / 3) / log(9), 2) == 0.5
    assert rarity(4, 8) == round(log(9 / 4) / log(9), 2) == 0.37 < RARE
    assert rarity(9, 8) == 0.0
    assert rarity(1, 0) == 1.0


CONSTANTS = "export const CHARGES_QUEUE = settings.of('charges');\nexport const SEEN_KEY = prefixed('seen');\n"
USES = (
    "import { CHARGES_QUEUE, SEEN_KEY } from './constants';\nexport class Charger {\n  constructor(private cache: Redis, private rows: Rows) {}\n  charge(broker) {\n"
    "    broker.sendTo(CHARGES_QUEUE, 1);\n    this.cache.hset(SEEN_KEY, 1);\n    this.rows.drop(SEEN_KEY);\n"
    "    pay({ url: process.env.SHOP_URL });\n  }\n}\n"
)
SETTINGS = "import os\nurl = os.environ['RATES_URL']\n\ndef rates(http):\n    return http.fetch(url)\n"


def test_who_hands_a_constant_to_a_call_that_says_what_is_done():
    found = {
        row for row in relations({"shop": {"constants.ts": CONSTANTS, "charge.ts": USES}}) if row[3] == "charge.ts"
    }
    assert found == {
        ("Charger", "PUBLISHES", "CHARGES_QUEUE", "charge.ts", (5,)),
        ("Charger", "STORES_IN", "SEEN_KEY", "charge.ts", (6,)),  # no call on what is no store, nor a link in a mail
    }


def test_a_setting_is_asked_where_it_is_used_not_where_it_is_read():
    found = {row for row in relations({"shop": {"rates.py": SETTINGS}}) if row[2] == "RATES_URL"}
    assert found == {("rates", "CALLS", "RATES_URL", "rates.py", (5,))}
