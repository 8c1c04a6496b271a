"""The comparison with known edges, by hand."""

from __future__ import annotations

import json

import anyio
import pytest

from benchmarks.edges import Known, compare, graph_of_trees, main, read_edges
from memory.entities import Entity, Relationship

COMPOSE = (
    "services:\n  web:\n    image: a\n    environment: [CART_URL=http://cart-service:80]\n  cart-service: {image: a}\n"
)


def edge(source, relation, target, path, status="confirmed"):
    ends = [Entity(name, "service", "shop") for name in (source, target)]
    return Relationship(ends[0], relation, ends[1], "shop", path, (1,), status)


def test_names_compare_without_case_and_joints_and_candidates_do_not_count():
    known = [
        Known("shop", "web", "CALLS", "cart_service", "a.yml"),
        Known("shop", "web", "CALLS", "till", "a.yml"),
        Known("shop", "web", "STORES_IN", "db", "a.yml"),
        Known("other", "web", "CALLS", "cart", "a.yml"),
    ]
    found = [
        edge("Web", "CALLS", "cartService", "b.yml"),
        edge("web", "CALLS", "till", "a.yml", "candidate"),
        edge("web", "STORES_IN", "db", "a.yml"),
    ]
    result = compare(known, found)
    assert (result["recall"], result["edges"], result["with_path"]) == (2 / 4, 4, 1)
    assert result["by_relation"] == {"CALLS": round(1 / 3, 4), "STORES_IN": 1.0}
    assert result["missing"] == ["shop: web CALLS till (a.yml)", "other: web CALLS cart (a.yml)"]
    assert compare([], found)["recall"] == 0.0


@pytest.mark.parametrize("as_json", [True, False])
def test_it_reads_trees_without_an_index(tmp_path, capsys, as_json):
    (tmp_path / "trees" / "shop").mkdir(parents=True)
    (tmp_path / "trees" / "shop" / "compose.yml").write_text(COMPOSE)
    edges = tmp_path / "edges.jsonl"
    row = {"project": "shop", "source": "web", "relation": "CALLS", "path": "compose.yml", "lines": [4]}
    edges.write_text("\n".join(json.dumps({**row, "target": target}) for target in ("cartservice", "tills")) + "\n")
    assert [known.target for known in read_edges(edges)] == ["cartservice", "tills"]
    assert len(anyio.run(graph_of_trees, tmp_path / "trees").relationships) == 1
    assert main([str(edges), "--trees", str(tmp_path / "trees"), *(["--json"] if as_json else [])]) == 0
    printed = capsys.readouterr().out
    if as_json:
        assert json.loads(printed)["recall"] == 0.5
    else:
        assert "recall 0.500 of 2 edges, 1 proven in the same file" in printed
        assert "missing  shop: web CALLS tills (compose.yml)" in printed
