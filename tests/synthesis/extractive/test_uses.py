from __future__ import annotations

import pytest

from memory.entities import Entity
from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.sources import grounded
from synthesis.extractive.uses import by_user, use_claim, use_lines

FILE = """from tills import Till, Drawer
till = Till(
    1)
drawer = Drawer()
"""


@pytest.fixture
def edges(org):
    org.texts |= {"desk/desk.py": FILE, "desk/pyproject.toml": 'name = "desk"\ndependencies = ["tills"]\n'}
    desk, module = Entity("Desk", "class", "desk", "desk.py", 1, 4), Entity("desk.desk", "module", "desk")
    till, drawer = Entity("Till", "class", "tills"), Entity("Drawer", "class", "tills")
    return [
        org.edge(module, "IMPORTS", till, "desk.py", 1),
        org.edge(desk, "CALLS", till, "desk.py", 2, "Desk creates Till"),
        org.edge(desk, "CALLS", drawer, "desk.py", 4, "Desk creates Drawer"),
        org.edge(
            Entity("desk", "project", "desk"), "DEPENDS_ON", Entity("tills", "project", "tills"), "pyproject.toml", 2
        ),
    ]


async def test_by_what_uses_it_what_is_declared_first_and_no_import_behind_a_use(org, edges):
    ground = await grounded([org.graph(edge) for edge in edges], org.files)
    users = by_user(ground.edges)
    assert [[e.relation.target.name for e in own] for own in users] == [["tills"], ["Till", "Drawer"]]
    assert [line.text() for line in use_lines(ground.edges, 1)] == [
        '- desk depends on tills (pyproject.toml:2): `dependencies = ["tills"]` [graph:desk/desk→tills/tills]',
        "… and 1 more.",
    ]
    assert use_claim(users[1]).text == "Desk calls Till and Drawer of tills (desk.py:4): `drawer = Drawer()`"
    assert [c.location.start_line for c in use_claim(users[1]).citations] == [2, 4]
    assert use_claim(users[1][:1]).text.endswith("`till = Till( …)`")


async def test_two_projects_are_summed_up(org, edges):
    asked = org.asked("How does desk connect to tills?", QueryType.RELATIONSHIP)
    observations = [org.graph(edge) for edge in edges]
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    lead, declared, used = answer.text.split("\n")
    assert lead == "desk uses tills: it declares the dependency and its Desk uses tills's code."
    assert declared.startswith("- desk depends on tills (pyproject.toml:2)")
    assert used == "- Desk calls Till and Drawer of tills (desk.py:4): `drawer = Drawer()` [graph:desk/Desk]"
    assert all(citation.verified for citation in answer.citations)


async def test_dependants_project_by_project(org, edges):
    shop = org.edge(Entity("shop", "project", "shop"), "DEPENDS_ON", Entity("tills", "project", "tills"), "p.toml", 1)
    org.texts["shop/p.toml"] = 'dependencies = ["tills"]\n'
    asked = org.asked("What depends on tills?", QueryType.RELATIONSHIP)
    observations = [org.graph(edge) for edge in [*edges, shop]]
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    lead, desk, other = answer.text.split("\n")
    assert lead == "Two projects depend on tills: desk and shop."
    assert desk.startswith(
        '- desk: declares it (pyproject.toml:2): `dependencies = ["tills"]` [graph:desk/desk→tills/tills]'
    )
    assert desk.endswith("Desk calls Till and Drawer of tills (desk.py:4); [graph:desk/Desk]")
    assert other.startswith("- shop: declares it (p.toml:1)")


async def test_a_definition_used_in_its_own_project_only(org):
    callers = [Entity(name, "class", "desk") for name in ("A", "B")]
    edges = [org.edge(caller, "CALLS", Entity("ring", "function", "desk")) for caller in callers]
    asked = org.asked("What calls ring?", QueryType.RELATIONSHIP, entities=("ring",))
    answer = await ExtractiveAnswerer().answer(
        asked.query, [org.graph(edge) for edge in edges], classification=asked, files=org.files
    )
    assert answer.text.startswith("Two places of desk use ring.")


async def test_a_service_and_a_function_of_one_name_are_two_the_service_first(org):
    org.texts |= {"shop/load.py": "ring()\n", "shop/a.yaml": "BELL_ADDR: bell:80\n"}
    function = org.edge(
        Entity("pay", "function", "shop", "load.py", 1, 1), "CALLS", Entity("ring", "function", "shop"), "load.py", 1
    )
    service = org.edge(
        Entity("pay", "service", "shop", "a.yaml", 1, 1), "CALLS", Entity("bell", "service", "shop"), "a.yaml", 1
    )
    ground = await grounded([org.graph(function), org.graph(service)], org.files)
    assert [[e.relation.target.name for e in own] for own in by_user(ground.edges)] == [["bell"], ["ring"]]
    asked = org.asked("What does pay call?", QueryType.RELATIONSHIP, entities=("pay",))
    seen = [org.graph(function), org.graph(service)]
    answer = await ExtractiveAnswerer().answer(asked.query, seen, classification=asked, files=org.files)
    assert answer.text.split("\n")[:2] == [
        "What pay uses is in shop:",
        "- pay calls bell (a.yaml:1): `BELL_ADDR: bell:80` [graph:shop/pay→shop/bell]",
    ]


async def test_which_variables_a_service_reads_and_nothing_else_of_it(org):
    org.texts["shop/a.py"] = 'os.environ["BELL"]\nring()\n'
    pay = Entity("pay", "service", "shop", "a.yaml", 1, 1)
    reads = org.edge(pay, "READS", Entity("BELL", "config_key", "shop", "a.py", 1, 1), "a.py", 1)
    calls = org.edge(pay, "CALLS", Entity("bell", "service", "shop", "b.yaml", 1, 1), "a.py", 2)
    asked = org.asked("Which environment variables does pay read?", QueryType.RELATIONSHIP, entities=("pay",))
    seen = [org.graph(calls), org.graph(reads)]
    answer = await ExtractiveAnswerer().answer(asked.query, seen, classification=asked, files=org.files)
    assert answer.text.split("\n") == [
        "What pay uses is in shop:",
        '- pay reads BELL (a.py:1): `os.environ["BELL"]` [graph:shop/pay→shop/BELL]',
    ]


async def test_of_two_verbs_asked_the_one_that_no_relation_says_is_named(org):
    org.texts["shop/a.py"] = "publish(Sold)\n"
    topic = Entity("Sold", "topic", "shop", "a.py", 1, 1)
    edge = org.edge(Entity("Till", "class", "shop", "a.py", 1, 1), "PUBLISHES", topic, "a.py", 1)
    asked = org.asked("Who publishes Sold and who consumes it?", QueryType.RELATIONSHIP)
    answer = await ExtractiveAnswerer().answer(asked.query, [org.graph(edge)], classification=asked, files=org.files)
    assert answer.text.split("\n")[-1] == "Nothing is known to consume it."
    asked = org.asked("Who publishes Sold?", QueryType.RELATIONSHIP)
    answer = await ExtractiveAnswerer().answer(asked.query, [org.graph(edge)], classification=asked, files=org.files)
    assert "Nothing" not in answer.text


async def test_a_project_that_says_where_is_no_end_of_a_relation(org, edges):
    asked = org.asked("What uses Till in desk?", QueryType.RELATIONSHIP)
    org.texts["book/b.py"] = "till = Till(2)\n"
    elsewhere = org.edge(Entity("Book", "class", "book", "b.py", 1, 1), "CALLS", edges[1].target, "b.py", 1)
    seen = [org.graph(edges[1]), org.graph(elsewhere)]
    answer = await ExtractiveAnswerer().answer(asked.query, seen, classification=asked, files=org.files)
    assert answer.text.split("\n") == [
        "One place of desk uses Till.",
        "- Desk calls Till of tills (desk.py:2): `till = Till( …)` [graph:desk/Desk→tills/Till]",
    ]


async def test_services_that_are_called_are_no_code(org):
    org.texts["shop/a.yaml"] = "BELL: bell\nDOOR: door\n"
    pay = Entity("pay", "service", "shop", "a.yaml", 1, 2)
    calls = [
        org.edge(pay, "CALLS", Entity(name, "service", "tills"), "a.yaml", n) for n, name in ((1, "bell"), (2, "door"))
    ]
    asked = org.asked("How does shop relate to tills?", QueryType.RELATIONSHIP)
    answer = await ExtractiveAnswerer().answer(asked.query, [org.graph(*calls)], classification=asked, files=org.files)
    assert answer.text.startswith("shop uses tills: its pay uses tills's services.\n- pay calls bell and door of tills")
