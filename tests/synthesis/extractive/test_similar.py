from __future__ import annotations

from dataclasses import replace

from synthesis.extractive.similar import similar_lines
from synthesis.extractive.sources import grounded


async def test_code_is_looked_for_in_the_language_that_is_asked_for(org):
    org.texts |= {"shop/a.cpp": "void ring_bell() { bell(); }\n", "shop/b.go": "func ringBell() { bell() }\n"}
    seen = [
        org.seen("shop/a.cpp", score=0.9, metadata={"lang": "cpp"}),
        org.seen("shop/b.go", score=0.5, metadata={"lang": "go"}),
    ]
    ground = await grounded(seen, org.files)

    def closest(question):
        return similar_lines(question, ground)[1].claims[0].citations[0].location.path

    assert closest("Show me examples of ringing a bell") == "a.cpp"
    assert closest("Show me examples of ringing a bell in Golang") == "b.go"
    assert closest("Show me examples of ringing a bell in C++") == "a.cpp"
    assert closest("Show me examples of ringing a bell in Rust") == "a.cpp"  # there is none
    assert "go" not in similar_lines("code that rings a bell in Go", ground)[1].claims[0].text.split(" of ")[-1]


async def test_what_is_near_says_of_what_it_speaks(org):
    org.texts["shop/b.go"] = "func ringBell() { bell() }\n"
    ground = await grounded([replace(org.seen("shop/b.go"))], org.files)
    assert similar_lines("code like a bell", ground)[1].claims[0].text.endswith("speaks of bell.")
