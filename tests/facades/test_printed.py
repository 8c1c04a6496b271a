"""The Python of 002, 003 and 004 as it is printed: its signatures are ours, and its calls run."""

from __future__ import annotations

import asyncio
import inspect
import io
import re
from contextlib import redirect_stdout
from doctest import DocTestParser
from typing import Any, Optional

import numpy as np
import PIL.Image
import pytest

from facades import book, textbook
from facades.book import RetrievalPipeline, RetrievalResponse
from facades.hybrid_retriever import Document, EmbeddingManager, HybridRetriever, Reranker, RetrievalResult
from tests.facades.shelves import BOOK, TEXTBOOK, filled
from tests.printed_code import blocks, run

HYBRID = {
    "HybridRetriever": HybridRetriever,
    "EmbeddingManager": EmbeddingManager,
    "Reranker": Reranker,
    "RetrievalResult": RetrievalResult,
}
TYPES = {"List": list, "Dict": dict, "Any": Any, "Optional": Optional, "ScoredPoint": object, "np": np, "PIL": PIL}
NAMES = TYPES | HYBRID | {"Document": Document, "RetrievalResponse": RetrievalResponse}
INTERFACES = ("Primary Search Interface", "Embedding Interfaces", "Reranking Interface")


def defined(code):
    """What a block defines where our names are imported."""
    return asyncio.run(run(code, NAMES))


def signature(function, of=None):
    """Names and defaults of so many parameters."""
    parameters = list(inspect.signature(function).parameters.values())
    return [(one.name, one.default) for one in parameters[: of or len(parameters)]]


FUNCTIONS = [name for name in blocks("002") if name[0].isdigit()]


def printed_function(heading):
    """The one that 002 defines there."""
    return defined(blocks("002")[heading])[re.search(r"(?<=\. )\w+", heading)[0]]


@pytest.mark.specification("002 as printed signatures", "002 §4 retrieve")
@pytest.mark.parametrize("heading", FUNCTIONS)
def test_the_functions_of_002(heading):
    printed = printed_function(heading)
    wanted, ours = signature(printed), getattr(textbook, printed.__name__)
    assert signature(ours, len(wanted)) == wanted
    more = list(inspect.signature(ours).parameters.values())[len(wanted) :]
    by_name = [one.name for one in more if one.kind is inspect.Parameter.KEYWORD_ONLY]
    assert (len(more), by_name) == ((1, ["now"]) if printed.__name__ == "format_results" else (0, []))


@pytest.mark.specification("002 as printed calls", "002 sample no matches", "002 §2 no matches")
def test_the_calls_of_002():
    store, embedder = asyncio.run(filled("textbook", TEXTBOOK))
    textbook.use(textbook.Textbook(environ={}, embedder=embedder, store=store))
    answers = {
        heading: eval(code, {"retrieve": textbook.retrieve})  # noqa: S307 - the specification's own text
        for heading, code in blocks("002").items()
        if not heading[0].isdigit()
    }
    textbook.use(None)
    assert answers["Successful Query"]["total_results"] == 3
    assert answers["Empty Query Error"]["code"] == "INVALID_INPUT"
    nearest = answers["No Matches"]  # of a collection that holds something
    assert (nearest["k"], nearest["total_results"]) == (5, 5)


@pytest.mark.specification("002 as printed calls")
def test_the_examples_in_the_docstrings_of_002():
    store, embedder = asyncio.run(filled("textbook", TEXTBOOK))
    textbook.use(textbook.Textbook(environ={}, embedder=embedder, store=store))
    names = {name: getattr(textbook, name) for name in textbook.__all__}
    printed_ones = [inspect.getdoc(printed_function(heading)) for heading in FUNCTIONS]
    examples = [one for text in printed_ones for one in DocTestParser().get_examples(text)]
    for example in examples:
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(example.source, "<printed>", "single"), names)  # noqa: S102 - the specification's own text
        assert printed.getvalue() == (example.want or printed.getvalue())
    textbook.use(None)
    assert len(examples) == 9
    assert printed.getvalue() == "Found 3 results\n"


@pytest.mark.specification("003 §4 as printed", "003 §4 EmbeddingManager", "003 §4 Reranker")
@pytest.mark.parametrize("heading", INTERFACES)
def test_the_interfaces_of_003(heading):
    printed = defined(blocks("003")[heading])
    for name, ours in HYBRID.items():
        if printed[name] is ours:  # not of this block
            continue
        for method, function in vars(printed[name]).items():
            if inspect.isfunction(function):
                wanted = signature(function)
                assert signature(getattr(ours, method), len(wanted)) == wanted
                assert inspect.iscoroutinefunction(getattr(ours, method)) is inspect.iscoroutinefunction(function)
        if name == "RetrievalResult":
            assert set(printed[name].__annotations__) <= set(inspect.signature(ours).parameters)
    assert "content" in inspect.signature(Document).parameters


@pytest.mark.specification("004 §3 as printed", "004 §3 constructor")
def test_the_pipeline_of_004_is_signatures_without_a_body():
    code = blocks("004")["API Contracts"]
    with pytest.raises(SyntaxError):
        defined(code)
    printed = defined(re.sub(r"^    \)$", "    ): ...", code, flags=re.MULTILINE))["RetrievalPipeline"]
    for method in ("__init__", "query"):
        wanted = signature(getattr(printed, method))
        assert signature(getattr(RetrievalPipeline, method), len(wanted)) == wanted


@pytest.mark.specification("004 §4 as printed", "004 §4 special characters")
def test_the_sample_queries_of_004():
    store, embedder = asyncio.run(filled("book", BOOK))
    pipeline = RetrievalPipeline("", "", "", embedder=embedder, store=store)
    lines = [line.partition("  #")[0] for line in blocks("004")["Sample Queries for Validation"].splitlines()]
    queries = [eval(line, {}) for line in lines if line and not line.startswith("#")]  # noqa: S307 - literals
    assert len(queries) == 10
    for query in queries:
        if query:
            assert pipeline.query(query).total_results == 5
        else:
            with pytest.raises(book.InvalidRequestError):
                pipeline.query(query)
