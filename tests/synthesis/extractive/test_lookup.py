from __future__ import annotations

from dataclasses import replace

from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer


async def asked(org, query, *observations):
    about = org.asked(query, QueryType.ENTITY_LOOKUP)
    return (await ExtractiveAnswerer().answer(query, observations, classification=about, files=org.files)).text


async def test_a_thing_that_says_nothing_of_itself_is_told_by_the_texts(org):
    org.texts["shop/compose.yaml"] = "services:\n  till:\n    image: till:1\n"
    org.texts["shop/src/till/README.md"] = "# Till\n\nThis service opens the drawer of a shop.\n"
    till = org.known(replace(org.entity("till", "shop/compose.yaml", 2, "service"), end_line=3))
    assert await asked(org, "What does the till service do?", till, org.seen("shop/src/till/README.md")) == (
        "till is a service in shop (compose.yaml:2). [graph:shop/till] "
        "This service opens the drawer of a shop. [vector:shop/src/till/README.md:3-3]"
    )


async def test_a_class_is_also_told_by_another_project_s_documents(org):
    org.texts["tills/till.py"] = 'class TillDrawer:\n    """A drawer."""\n'
    org.texts["book/docs/a.md"] = "The TillDrawer class represents what rings when it opens.\n"
    drawer = org.known(org.entity("TillDrawer", "tills/till.py"))
    assert await asked(org, "What is TillDrawer?", drawer, org.seen("book/docs/a.md")) == (
        "TillDrawer is a class in tills (till.py:1). A drawer. [graph:tills/TillDrawer] "
        "The TillDrawer class represents what rings when it opens. [vector:book/docs/a.md:1-1]"
    )


async def test_a_list_of_arguments_is_not_what_a_class_is(org):
    text = 'class Till:\n    """Opens the drawer of a shop.\n\n    bell (str): The bell to ring.\n    loud - (optional) How loud.\n    """\n'
    org.texts["tills/till.py"] = text
    till = org.known(org.entity("Till", "tills/till.py"))
    assert await asked(org, "What is Till?", till) == (
        "Till is a class in tills (till.py:1). Opens the drawer of a shop. [graph:tills/Till]"
    )


async def test_a_function_inside_a_method_is_no_method(org):
    text = "class Till:\n    def open(self):\n        def ring():\n            pass\n\n        ring()\n\n    def close(self):\n        pass\n"
    org.texts["tills/till.py"] = text
    till = org.known(replace(org.entity("Till", "tills/till.py"), end_line=9))
    assert "Its methods: `open` and `close`." in await asked(org, "What is Till?", till)


async def test_copies_of_a_definition_are_told_once(org):
    for key in ("shop/a/till.proto", "shop/b/till.proto"):
        org.texts[key] = "service Till {\n  rpc Open(Key) returns (Drawer);\n}\n"
    copies = [
        replace(org.known(org.entity("Till", key, 1, "interface")), id=key)
        for key in ("shop/a/till.proto", "shop/b/till.proto")
    ]
    assert (await asked(org, "What is Till?", *copies)).count("is an interface in shop (a/till.proto:1)") == 1
    assert "b/till.proto" not in await asked(org, "What is Till?", *copies)


async def test_the_nearest_spelling_is_said_to_be_that(org):
    gateway = org.known(org.entity("PaymentGateway", "payments/payments/gateway.py"))
    gateway = replace(gateway, metadata={**gateway.metadata, "linked_by": "is spelt almost so"})
    lead, told = (await asked(org, "What is PaymentGatewy?", gateway)).split("\n")
    assert lead == "Nothing of exactly that name is known; the nearest is PaymentGateway."
    assert told.startswith("PaymentGateway is a class in payments")


async def test_a_project_that_is_named_as_the_place_is_not_told(org):
    org.texts["shop/README.md"] = "# The shop\n\nThe shop is where people buy tills and drawers.\n"
    org.texts["shop/compose.yaml"] = "services:\n  till:\n    image: till:1\n"
    shop = org.known(replace(org.entity("shop", "shop/README.md", 1, "project"), end_line=1))
    till = org.known(replace(org.entity("till", "shop/compose.yaml", 2, "service"), end_line=3))
    assert (await asked(org, "What does the till service of the shop do?", shop, till)).startswith("till is a service")


async def test_what_another_project_says_of_its_own_is_not_said_of_this_one(org):
    org.texts |= {"shop/t.py": "class TillServer:\n    pass\n", "bank/t.py": "class TillServer:\n    open = 1\n"}
    org.texts["bank/docs/a.md"] = "The TillServer class represents the drawers of the bank.\n"
    one, other = (replace(org.known(org.entity("TillServer", key)), id=key) for key in ("shop/t.py", "bank/t.py"))
    told = (await asked(org, "What is TillServer?", one, other, org.seen("bank/docs/a.md"))).split("\n")
    assert ["drawers of the bank" in line for line in told] == [False, True]


async def test_the_same_is_not_said_of_each_thing_of_a_name(org):
    org.texts |= {"shop/t.proto": "service Till {\n}\n", "shop/t.yaml": "till:\n  image: till\n"}
    org.texts["shop/src/till/README.md"] = "# Till\n\nThis service opens the drawer of a shop.\n"
    interface, service = (
        org.known(org.entity("Till", "shop/t.proto", 1, "interface")),
        org.entity("till", "shop/t.yaml"),
    )
    known = [interface, replace(org.known(replace(service, kind="service")), id="service")]
    told = await asked(org, "What is till?", *known, org.seen("shop/src/till/README.md"))
    assert told.count("This service opens the drawer") == 1
    assert "till is a service in shop" in told


async def test_a_project_that_is_cited_is_not_missing_by_its_other_name(org):
    org.texts["shop/README.md"] = "# The OpenTill Demo\n\nNothing.\n"
    org.texts["shop/compose.yaml"] = "services:\n  till_one:\n    image: till:1\n"
    demo = replace(org.entity("OpenTill Demo", "shop/README.md", 1, "project"), end_line=1)
    till = org.known(replace(org.entity("till_one", "shop/compose.yaml", 2, "service"), end_line=3))
    query = "What does till_one of the OpenTill Demo do?"
    about = org.asked(query, QueryType.ENTITY_LOOKUP, entities=("till_one", "OpenTill", "OpenTill Demo"))
    observations = [org.known(demo), till]
    answer = await ExtractiveAnswerer().answer(query, observations, classification=about, files=org.files)
    assert answer.missing == ()
