"""Two indexes of the same projects are compared in all that they hold."""

from __future__ import annotations

from benchmarks.indexed import Indexed
from tests.organisation import CONFIG, index, write


async def test_what_differs_between_two_indexes(tmp_path):
    org = write(tmp_path / "org")
    await index(tmp_path / "one", org, each=True)
    await index(tmp_path / "other", org, each=True)
    one = await Indexed.of(tmp_path / "one", CONFIG)
    assert one.entities
    assert one.relations
    assert one.points
    assert one.differs(await Indexed.of(tmp_path / "other", CONFIG)) == []
    (org / "harbour/CLAUDE.md").write_text("# harbour\n\nEvery mooring needs two pilots on board.\n")
    await index(tmp_path / "other", org, each=True)
    assert one.differs(await Indexed.of(tmp_path / "other", CONFIG)) == ["points"]
    (org / "harbour/harbour/mooring.py").write_text("class Quay:\n    pass\n")
    await index(tmp_path / "other", org, each=True)
    assert one.differs(await Indexed.of(tmp_path / "other", CONFIG)) == ["entities", "relations", "points"]
