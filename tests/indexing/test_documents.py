"""Names in prose."""

from __future__ import annotations

from indexing.extraction import LIMIT, is_document, names_in


def test_backticks_camel_case_and_snake_case_are_names():
    text = "# The gateway\n\nCall `charge()` of PaymentGateway, see PaymentGateway.refund.\nIt fills customer_accounts. NASA and Monday no.\n"
    assert [(m.name, m.line) for m in names_in(text)] == [
        ("charge", 3),
        ("PaymentGateway", 3),
        ("PaymentGateway.refund", 3),
        ("customer_accounts", 4),
    ]


def test_a_heading_of_one_word_names_a_class_or_a_table():
    text = "# Billing database\n\n## Customer\n\nThe party.\n\n### shelf\n#Tag\n"
    assert [(m.name, m.line) for m in names_in(text)] == [("Customer", 3), ("customer", 3), ("customers", 3)]


def test_each_name_counts_once_and_not_too_many():
    assert names_in("`a_b`\n`a_b`\n") == names_in("`a_b`\n")
    assert len(names_in("\n".join(f"name_{n}" for n in range(LIMIT + 50)))) == LIMIT


def test_what_a_document_is():
    assert is_document("docs/A.MD")
    assert is_document("x-1.0.dist-info/METADATA")
    assert not is_document("a.py")
