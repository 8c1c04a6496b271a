"""What one changed file takes, by stage."""

from __future__ import annotations

import pytest

from benchmarks.change import measured, page
from tests.organisation import write

SHOP = {
    "desk.py": "from till import Till\n\n\ndef open():\n    return Till()\n",
    "till.py": "class Till:\n    def pay(self):\n        return 1\n",
    "README.md": "# Shop\n",
}


async def test_each_kind_of_change_is_measured_and_its_stages_make_up_the_run(tmp_path):
    org = write(tmp_path, {"shop": SHOP, "bank": {"vault.py": "def draw(): ...\n"}})
    document = await measured([org / "shop", org / "bank"], 1)
    assert document["project"]["name"] == "shop"
    assert document["file"] == "desk.py"
    assert list(document["seconds"]) == ["same facts", "changed facts", "README", "new file", "deleted file"]
    for seconds in document["seconds"].values():
        assert sum(seconds[stage] for stage in ("reading", "vectors", "graph", "disk", "rest")) == pytest.approx(
            seconds["wall"], abs=0.1
        )
        assert 0 < seconds["asked"] <= seconds["wall"]
    assert "desk.py of shop" in page({**document, "calibration": {"cpu_probe_ms": 1.0}})
    assert (org / "shop/desk.py").read_text() == SHOP["desk.py"]
