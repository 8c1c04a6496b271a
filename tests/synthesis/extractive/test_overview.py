from __future__ import annotations

from dataclasses import replace

from memory.entities import Entity
from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer

README = """Metadata-Version: 2.1
Name: tills
Summary: Opens drawers

Copyright 2020 tills is what the authors wrote once.

tills is a small library that opens the drawers of a shop. [Docs](#docs)
"""


async def test_a_project_is_its_summary_its_introduction_and_who_uses_it(org):
    org.texts |= {"tills/METADATA": README, "desk/p.toml": 'dependencies = ["tills"]\n'}
    tills = Entity("tills", "project", "tills")
    project = replace(org.known(tills), content="tills is a project (METADATA:2). Opens drawers")
    module = org.known(Entity("tills", "module", "tills", "METADATA", 1, 2))
    used = org.graph(org.edge(Entity("desk", "project", "desk"), "DEPENDS_ON", tills, "p.toml", 1))
    asked = org.asked("What is tills?", QueryType.ENTITY_LOOKUP)
    observations = [module, project, org.seen("tills/METADATA", metadata={"corpus": "docs"}), used]
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    assert answer.text.split("\n") == [
        (
            "tills: Opens drawers. [vector:tills/METADATA:3-3] "
            "tills is a small library that opens the drawers of a shop. [vector:tills/METADATA:7-7]"
        ),
        "- Used by desk. [graph:desk/desk→tills/tills]",
    ]
    alone = await ExtractiveAnswerer().answer(asked.query, [project], classification=asked, files=org.files)
    assert alone.text == "tills: Opens drawers. [graph:tills/tills]"


async def test_a_manifest_without_a_description_is_not_repeated(org):
    org.texts["tills/package.json"] = '{\n  "name": "tills"\n}\n'
    org.texts["tills/README.md"] = "# Here\n\nA place to open and count drawers.\n"
    tills = org.known(Entity("tills", "project", "tills", "package.json", 2, 2))
    project = replace(tills, content="tills is a project (package.json:2). package tills")
    asked = org.asked("What is tills?", QueryType.ENTITY_LOOKUP)
    alone = await ExtractiveAnswerer().answer(asked.query, [project], classification=asked, files=org.files)
    assert alone.text == "tills is a project (package.json:2). [graph:tills/tills]"
    observations = [project, org.seen("tills/README.md")]
    both = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    assert both.text.endswith("A place to open and count drawers. [vector:tills/README.md:3-3]")
