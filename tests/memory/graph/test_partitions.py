"""Which part holds what, and how the answers of several are one."""

from __future__ import annotations

import pytest

from memory.errors import StoreError
from memory.graph.partitions import Partition, holding, housed, read_partitions, write_partitions

SHOP = Partition("0-0.kgl", ("auth", "billing"), 30, ("mail",))
MAIL = Partition("1-0.kgl", ("mail",), 5)


@pytest.mark.parametrize(
    ("projects", "sources", "touched"),
    [({"billing"}, set(), True), ({"mail"}, set(), True), (set(), {"auth"}, True), (set(), {"mail"}, False)],
)
def test_a_part_is_touched_by_what_it_owns_what_ends_in_it_and_what_starts_in_it(projects, sources, touched):
    assert SHOP.is_touched(projects, sources) is touched


def test_a_project_that_comes_goes_to_the_last_part_while_it_has_room():
    homes = housed([SHOP, MAIL], {"billing": 9, "news": 4, "ops": 6, "pay": 1}, 9)
    assert homes[0] is SHOP  # billing is at home there
    assert homes[1:] == [Partition("1-0.kgl", ("mail", "news"), 5 + 4), Partition("", ("ops", "pay"), 6 + 1)]
    assert housed([], {"news": 4}, 9) == [Partition("", ("news",), 4)]
    assert housed([SHOP], {}, 9) == [SHOP]


def test_what_is_written_is_read_and_replaced_as_a_whole(tmp_path):
    write_partitions(tmp_path, [SHOP, MAIL])
    assert read_partitions(tmp_path) == (SHOP, MAIL)
    write_partitions(tmp_path, [])
    assert read_partitions(tmp_path) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["partitions.json"]


@pytest.mark.parametrize(
    "text", ["nonsense", "[{}]", '[{"file": "a", "projects": 3, "entities": 1, "ghosts": []}]', "3"]
)
def test_what_cannot_be_told_says_what_to_do(tmp_path, text):
    (tmp_path / "partitions.json").write_text(text)
    with pytest.raises(StoreError, match=r"cannot be opened.*Index the projects again"):
        read_partitions(tmp_path)


def test_a_read_asks_the_parts_that_hold_something_of_what_it_looks_for():
    parts = [SHOP, MAIL, Partition("2-0.kgl", ("news",), 2)]
    everything = ["auth", "billing", "mail", "news"]

    def asked(permission, *ids):
        given = {"permission": permission, **({"ids": list(ids)} if ids else {})}
        return [parts.index(one) for one in holding(parts, given)]

    assert asked(everything) == [0, 1, 2]
    assert asked(["mail"]) == [1]  # what starts in the shop is not to be seen
    assert asked(everything, "mail/class/a.py/Sender") == [0, 1]  # something in the shop may end there
    assert asked(everything, "news/class/a.py/Feed", "auth/class/a.py/Token") == [0, 2]
    assert asked(everything, "auth/class/a.py/Token", "named otherwise") == [0, 1, 2]


def test_a_part_is_told_as_much_of_the_permission_as_concerns_it():
    given = {"permission": ["auth", "mail", "news"], "limit": 3}
    assert SHOP.parameters(given) == {"permission": ["auth", "mail"], "limit": 3}
