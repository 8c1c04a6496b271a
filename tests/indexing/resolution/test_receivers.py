"""What a variable is."""

from __future__ import annotations

import pytest

PAY = "class Gateway:\n    def charge(self): ...\nclass Other:\n    def charge(self): ...\ndef make(): ...\n"


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("def f():\n    g = Gateway()\n    g.charge()\n", {"Gateway"}),
        ("def f(x):\n    g = Gateway() if x else Other()\n    g: Other = g\n    g.charge()\n", {"Gateway", "Other"}),
        ("g = Gateway()\ndef f():\n    g.charge()\n", {"Gateway"}),
        ("def f():\n    Gateway().charge()\n", {"Gateway"}),
        ("def f():\n    with Gateway() as g:\n        g.charge()\n", {"Gateway"}),
        ("class f:\n    g: Gateway\n    def run(self):\n        self.g.charge()\n", {"Gateway"}),
        (
            "class f:\n    def __init__(self, g: Gateway):\n        self.g = g\n    def run(self):\n        self.g.charge()\n",
            {"Gateway"},
        ),
        ("def f():\n    g = make()\n    g.charge()\n", {"make"}),
    ],
)
def test_ways_to_bind(graph, body, targets):
    built = graph({"p": {"pay.py": PAY, "m.py": "from pay import Gateway, Other, make\n" + body}})
    rows = [r for r in built.rows("CALLS") if r[0] == "p/f"]
    assert {r[2].removeprefix("p/") for r in rows} == targets


def test_a_field_of_one_class_is_not_that_of_another(graph):
    text = (
        "from pay import Gateway, Other\n"
        "class A:\n    def __init__(self):\n        self.g = Gateway()\n"
        "class B:\n    def __init__(self):\n        self.g = Other()\n    def f(self):\n        self.g.charge()\n"
    )
    built = graph({"p": {"pay.py": PAY, "m.py": text}})
    assert [(r[0], r[2], r[4]) for r in built.rows("CALLS")] == [("p/A", "p/Gateway", [4]), ("p/B", "p/Other", [7, 9])]
