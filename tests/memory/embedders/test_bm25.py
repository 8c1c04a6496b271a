from __future__ import annotations

import pytest

from memory.embedders import Bm25Sparse
from memory.embedders.english import ENGLISH

PROSE = "The customers paid their invoices twice, and we refunded the second payment without asking. It doesn't happen often."


@pytest.fixture(scope="module")
def bm25():
    return Bm25Sparse()


def as_dict(vector):
    return dict(zip(vector.indices, vector.values, strict=True))


def test_on_plain_text_it_is_fastembed_s_qdrant_bm25(bm25, tmp_path):
    from fastembed.sparse.bm25 import Bm25  # noqa: PLC0415 - the oracle is heavy

    oracle = Bm25("Qdrant/bm25", specific_model_path=str(tmp_path), stopwords=set(ENGLISH))
    for text in (PROSE, f"{PROSE} " * 30, "payment payment payment", ""):
        (document,) = oracle.embed([text])
        assert as_dict(bm25.embed_document(text)) == pytest.approx(
            dict(zip(document.indices.tolist(), document.values.tolist(), strict=True))
        )
        (query,) = oracle.query_embed(text)
        assert set(bm25.embed_query(text).indices) == set(query.indices.tolist())


def test_the_weight_of_a_term(bm25):
    # "invoice" 2 times in 3 tokens: 2 * 2.2 / (2 + 1.2 * (1 - .75 + .75 * 3 / 256))
    weights = as_dict(bm25.embed_document("invoice invoices paid"))
    assert weights[bm25.terms("invoice")["invoice"]] == pytest.approx(4.4 / (2 + 1.2 * (0.25 + 0.75 * 3 / 256)))
    assert len(weights) == 2


def test_a_query_s_terms_weigh_one_and_stop_words_nothing(bm25):
    query = bm25.embed_query("what is the invoice of the invoices")
    assert query.values == (1.0,)
    assert bm25.embed_query("what is the").indices == ()


@pytest.mark.parametrize("identifier", ["PaymentGateway", "process_payment", "order-service", "billing.charge"])
def test_a_whole_identifier_is_one_token_beside_its_parts(bm25, identifier):
    terms = bm25.terms(identifier)
    whole, *parts = terms.values()
    assert len(parts) == 2
    assert whole in bm25.embed_document(f"we call {identifier} here").indices
    apart = " ".join(bm25.terms(identifier).keys() - {next(iter(terms))})
    assert whole not in bm25.embed_document(apart).indices
    assert set(parts) <= set(bm25.embed_document(apart).indices)


def test_terms_are_words_in_their_order_with_their_ids(bm25):
    terms = bm25.terms("Why does PaymentGateway retry payments?")
    assert list(terms) == ["paymentgateway", "payment", "gateway", "retry", "payments"]
    assert terms["payment"] == terms["payments"]


def test_a_name_is_not_stemmed(bm25):
    assert bm25.terms("process_payments")["process_payments"] != bm25.terms("process_payment")["process_payment"]


def test_long_names_count_and_blobs_do_not(bm25):
    assert len(bm25.embed_query("the_name_of_a_function_that_is_longer_than_forty").indices) > 1
    assert bm25.embed_query("a" * 81).indices == ()
    assert bm25.embed_query("__ ___").indices == ()
