from __future__ import annotations

import re

import pytest

from synthesis.extractive.introduction import introduction, opening_words, spelt
from synthesis.extractive.sources import grounded


async def told(org, name, *keys, whole=False):
    ground = await grounded([org.seen(key) for key in keys], org.files)
    return [claim.text for claim in introduction(name, ground.sources, whole=whole)]


@pytest.mark.parametrize("written", ["bank-of-tills", "Bank of Tills", "bank_of_tills", "bankoftills"])
def test_a_name_is_the_same_however_its_words_are_joined(written):
    assert re.fullmatch(spelt("bank-of-tills"), written, re.IGNORECASE)


async def test_sentences_that_begin_with_the_name_readmes_first(org):
    org.texts["bank/docs/more.md"] = "The bank-of-tills service handles the drawers of every shop.\n"
    org.texts["bank/README.md"] = (
        "# Bank\n\nSome say that bank-of-tills is slow at noon.\n\n**Bank of Tills** is a bank for those who like tills.\n"
    )
    assert await told(org, "bank-of-tills", "bank/docs/more.md", "bank/README.md") == [
        "Bank of Tills is a bank for those who like tills.",
        "The bank-of-tills service handles the drawers of every shop.",
    ]


async def test_a_row_of_a_table_introduces_it(org):
    org.texts["shop/README.md"] = (
        "| service | tongue | does |\n|---|---|---|\n| [till](/src/till) | Go | Opens the drawer and counts. |\n"
    )
    assert await told(org, "till", "shop/README.md") == ["till: tongue Go, does Opens the drawer and counts."]


async def test_the_readme_of_its_folder_need_not_name_it_nor_greet(org):
    text = "# A\n\nWelcome to the drawers of this shop!\n\nThis service opens the drawer of a shop.\n\nIt does so at night as well.\n"
    org.texts["shop/src/till/README.md"] = text
    assert await told(org, "till", "shop/src/till/README.md") == [
        "This service opens the drawer of a shop.",
        "It does so at night as well.",
    ]
    assert await told(org, "desk", "shop/src/till/README.md") == []
    org.texts["shop-desk/README.md"] = text
    assert (await told(org, "desk", "shop-desk/README.md"))[0] == "This service opens the drawer of a shop."
    org.texts["shop/README.md"] = text
    assert (await told(org, "shop", "shop/README.md"))[0] == "This service opens the drawer of a shop."


async def test_where_all_texts_are_about_it_one_that_names_it_will_do(org):
    org.texts["tills/docs/a.md"] = "Nobody who has met tills ever wants another drawer.\n"
    assert await told(org, "tills", "tills/docs/a.md") == []
    assert await told(org, "tills", "tills/docs/a.md", whole=True) == [
        "Nobody who has met tills ever wants another drawer."
    ]


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("shop/README.md", "# A\n\nWelcome to the drawers of this shop!\n\nDrawers are opened and counted here.\n", 1),
        ("shop/docs/README.md", "# A\n\nDrawers are opened and counted here.\n", 0),  # a folder's own
        ("shop/NOTES.md", "# A\n\nDrawers are opened and counted here.\n", 0),
        ("shop/README.md", "# A\n\nDrawers here.\n", 0),  # too short to say something
        ("shop/README.md", "# A\n" + "\n" * 20 + "Drawers are opened and counted here.\n", 0),  # far below the top
    ],
)
async def test_the_first_words_of_a_projects_readme(org, key, text, words):
    org.texts[key] = text
    ground = await grounded([org.seen(key)], org.files)
    assert [c.text for c in opening_words(ground.sources)] == ["Drawers are opened and counted here."] * words


async def test_lines_from_further_below_do_not_open_a_readme(org):
    org.texts["shop/README.md"] = "# A\n\nNothing.\n\nDrawers are opened and counted here.\n"
    ground = await grounded([org.seen("shop/README.md", 3, 5)], org.files)
    assert opening_words(ground.sources) == []
