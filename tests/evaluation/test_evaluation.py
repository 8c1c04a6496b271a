"""Files of questions, and how the answers to them are scored."""

from __future__ import annotations

import json

import pytest

from evaluation import (
    METRICS,
    Question,
    QuestionFile,
    evaluate,
    files_in_order,
    percentile,
    read_questions,
    recall,
    reciprocal_rank,
    share,
)
from memory.errors import InvalidInputError

GOOD = {"id": "q1", "query": "What is Beacon?", "type": "entity_lookup", "expected_files": ["a:b.py"]}
A = Question("a", "How?", "pattern", ("x:1", "y:2"), also_acceptable=("z:9",))
B = Question("b", "What?", "entity_lookup", ("y:2",))
C = Question("c", "Nothing?", "entity_lookup", (), must_abstain=True)


def written(tmp_path, *lines):
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return file


def test_every_field(tmp_path):
    row = {
        **GOOD,
        "expected_files": ["a:b.py", "c:d.py", "a:b.py"],
        "also_acceptable": ["e:f.py", "c:d.py"],
        "current_project": "a",
        "allowed_projects": ["a", "c"],
        "expected_entities": ["Beacon"],
        "answer": "A light.",
    }
    read = read_questions(written(tmp_path, row, "", {**GOOD, "must_abstain": False, "note": 1}))
    first, second = read.questions
    assert first.expected_files == ("a:b.py", "c:d.py")
    assert first.also_acceptable == ("e:f.py",)  # what is expected counts
    assert (first.current_project, first.allowed_projects) == ("a", ("a", "c"))
    assert first.expected_projects == {"a", "c"}
    assert (second.allowed_projects, second.must_abstain) == (None, False)
    assert read.ignored_fields == ("answer", "note")


@pytest.mark.parametrize("name", ["must_abstain", "abstain"])
def test_a_question_without_an_answer_needs_no_files(tmp_path, name):
    row = {key: value for key, value in GOOD.items() if key != "expected_files"}
    (question,) = read_questions(written(tmp_path, {**row, name: True})).questions
    assert (question.must_abstain, question.expected_files, question.expected_projects) == (True, (), frozenset())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2 is not a JSON object"),
        ({**GOOD, "id": " "}, "line 2: id is missing or no text"),
        ({**GOOD, "query": 5}, "line 2: query is missing or no text"),
        ({**GOOD, "type": "poem"}, "line 2: unknown type 'poem'. Known: cross_project"),
        ({**GOOD, "expected_files": []}, "line 2: expected_files is empty"),
        ({**GOOD, "expected_files": "a:b.py"}, "line 2: expected_files is no list of texts"),
        ({**GOOD, "also_acceptable": [1]}, "line 2: also_acceptable is no list of texts"),
        ({**GOOD, "allowed_projects": "a"}, "line 2: allowed_projects is no list of texts"),
        ({**GOOD, "current_project": 5}, "line 2: current_project is 5"),
        ({**GOOD, "must_abstain": "no"}, "line 2: must_abstain is 'no'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, said):
    with pytest.raises(InvalidInputError) as caught:
        read_questions(written(tmp_path, GOOD, line))
    assert said in str(caught.value)
    assert caught.value.hint


def test_a_wrong_file_is_named(tmp_path):
    with pytest.raises(InvalidInputError, match=r"gone cannot be read \(FileNotFoundError\)"):
        read_questions(tmp_path / "gone")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_questions(tmp_path)
    (tmp_path / "latin").write_bytes(b"\xe9\n")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_questions(tmp_path / "latin")
    with pytest.raises(InvalidInputError, match="holds no question"):
        read_questions(written(tmp_path, "", "  "))


def observation(*places):
    return {"locations": [{"project": project, "path": path} for project, path in places]}


def test_files_come_in_rank_order_each_once_without_what_neither_counts_nor_costs():
    found = [
        observation(("crm", "a.py"), ("crm", "b.py")),
        observation(),
        observation(("crm", "a.py"), ("auth", "a.py")),
    ]
    assert files_in_order(found) == ["crm:a.py", "crm:b.py", "auth:a.py"]
    assert files_in_order(found, ["crm:b.py"]) == ["crm:a.py", "auth:a.py"]


@pytest.mark.parametrize(
    ("expected", "k", "value"),
    [
        (["b"], 2, 1.0),  # second of two
        (["c"], 2, 0.0),  # third
        (["a", "c"], 2, 1 / 2),  # one of two
        (["a", "c", "x"], 3, 2 / 3),
        (["a", "a"], 1, 1.0),  # named twice, expected once
    ],
)
def test_recall(expected, k, value):
    assert recall(["a", "b", "c"], expected, k) == pytest.approx(value)


@pytest.mark.parametrize(
    ("expected", "k", "value"), [(["a"], 10, 1.0), (["c", "b"], 10, 1 / 2), (["c"], 2, 0.0), (["x"], 10, 0.0)]
)
def test_reciprocal_rank(expected, k, value):
    assert reciprocal_rank(["a", "b", "c"], expected, k) == value


def test_share():
    assert (share(1, 4), share(0, 4), share(0, 0)) == (0.25, 0.0, None)


@pytest.mark.parametrize(
    ("values", "percent", "value"),
    [
        ([], 50, None),
        ([7.0], 95, 7.0),
        ([3.0, 1.0, 2.0, 4.0], 50, 2.0),  # ceil(4 × .5) = the second
        ([float(n) for n in range(1, 21)], 95, 19.0),  # ceil(20 × .95) = the nineteenth
        ([1.0, 2.0], 0, 1.0),
        ([1.0, 2.0], 100, 2.0),
    ],
)
def test_percentile(values, percent, value):
    assert percentile(values, percent) == value


def answer(*files, status="answered", types=("pattern",), scope=(), verified=(), ms=10.0, found=(0, 0, 1), agree=0.0):
    return {
        "status": status,
        "observations": [
            {"locations": [dict(zip(("project", "path"), file.split(":"), strict=True))]} for file in files
        ],
        "classification": {"query_types": list(types)},
        "scope": {"projects": [{"project": project} for project in scope]},
        "citations": [{"located": True, "verified": one} for one in verified],
        "metrics": {
            "total_time_ms": ms,
            "source_agreement": agree,
            **dict(zip(("local_observations", "graph_observations", "vector_observations"), found, strict=True)),
        },
    }


SCOPED = {
    # x:1 is second once z:9 neither counts nor costs; y:2 was lost to the scope
    "a": answer(
        "z:9", "w:0", "x:1", scope=("x", "w"), verified=(True, True, False), ms=30.0, found=(0, 1, 2), agree=0.1
    ),
    "b": answer(
        "y:2", types=("relationship", "entity_lookup"), scope=("y",), verified=(True,), ms=10.0, found=(1, 1, 0)
    ),
    "c": answer("v:5", types=("pattern",), ms=20.0, agree=1.0),
}
FREE = {"a": answer("y:2", "x:1"), "b": answer("y:2"), "c": answer()}


class Asked:
    def __init__(self, scoped=SCOPED):
        self.scoped = scoped

    async def __call__(self, question, *, without_scope):
        return (FREE if without_scope else self.scoped)[question.id]


async def run(*questions, **answers):
    return await evaluate(QuestionFile(questions, ("why",)), Asked({**SCOPED, **answers}))


@pytest.mark.specification("001 §1 scope", "001 §1 confidence")
async def test_the_arithmetic():
    document = await run(A, B, C)
    assert (document["schema_version"], document["questions"], document["ignored_fields"]) == ("1", 3, ["why"])
    assert document["overall"] == {
        "recall@5": pytest.approx((1 / 2 + 1) / 2),
        "recall@10": pytest.approx((1 / 2 + 1) / 2),
        "mrr@10": pytest.approx((1 / 2 + 1) / 2),
        "type_accuracy": pytest.approx(2 / 3),  # the type of c is not among its types
        "scope_precision": pytest.approx((1 + 1) / (2 + 1)),  # x of {x, w}, y of {y}
        "scope_recall": pytest.approx((1 + 1) / (2 + 1)),  # x of {x, y}, y of {y}
        "lost_to_scope": 1,
        "abstention_right": 0,
        "abstention_wrong": 1,  # c was answered
        "citations_located": 1.0,
        "citations_verified": pytest.approx(3 / 4),
        "agreement": 1 / 2,  # a and b were answered by two agents, c by one
        "latency_p50_ms": 20.0,
        "latency_p95_ms": 30.0,
    }
    assert tuple(document["overall"]) == METRICS


async def test_by_type():
    document = await run(A, B, C)
    assert list(document["by_type"]) == ["entity_lookup", "pattern"]
    assert document["by_type"]["entity_lookup"]["recall@5"] == 1.0  # b alone: c is left out
    assert document["by_type"]["pattern"]["lost_to_scope"] == 1
    nothing = (await run(C))["by_type"]["entity_lookup"]
    unknown = (
        "recall@5",
        "recall@10",
        "mrr@10",
        "scope_precision",
        "scope_recall",
        "citations_located",
        "citations_verified",
        "agreement",
    )
    assert [nothing[name] for name in unknown] == [None] * 8


async def test_abstention():
    silent = answer(status="not_found")
    overall = (await run(A, C, a=silent, c=silent))["overall"]
    assert (overall["abstention_right"], overall["abstention_wrong"]) == (1, 1)


async def test_a_row_a_question():
    a, _, c = (await run(A, B, C))["per_question"]
    assert a == {
        "id": "a",
        "query": "How?",
        "type": "pattern",
        "query_types": ["pattern"],
        "status": "answered",
        "files": ["w:0", "x:1"],
        "recall@10": 0.5,
        "mrr@10": 0.5,
        "missed": ["y:2"],
        "lost_to_scope": 1,
    }
    assert "recall@10" not in c


async def test_progress_is_told():
    steps = []
    await evaluate(QuestionFile((A, B), ()), Asked(), lambda *step: steps.append(step))
    assert steps == [(1, 2), (2, 2)]
