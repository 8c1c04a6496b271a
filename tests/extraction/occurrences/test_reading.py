"""The names of whole files, with what stands around them."""

from __future__ import annotations

from extraction.facts import READ, REFERENCE
from extraction.reading import extract_facts


def names(path, text):
    return [(o.name, o.line, o.role, o.kind) for o in extract_facts(path, text, "shop").occurrences]


def test_a_literal_has_the_call_around_it_and_a_field_is_no_name():
    text = 'def tell(bus, row):\n    bus.publish("order-placed", {"order-id": row["order-id"]})\n'
    assert names("a.py", text) == [("order-placed", 2, "publish", "")]


def test_a_message_that_is_compared_is_received():
    text = 'def f(event):\n    if event["detail-type"] == "OrderPlaced":\n        pass\n'
    assert names("a.py", text) == [("OrderPlaced", 2, "subscribe", "")]


def test_what_code_makes_and_what_a_constant_calls_so():
    text = 'channel.assertQueue("order-jobs");\nconst ORDERS_TOPIC = "orders";\n'
    assert names("a.js", text) == [("order-jobs", 1, "", "queue"), ("orders", 2, "", "named topic")]


def test_code_without_a_grammar_is_read_line_by_line():
    assert names("A.scala", 'object A {\n  client.publish("order-placed")\n  // "left-out"\n}\n') == [
        ("order-placed", 2, "publish", "")
    ]


def test_a_template_has_resources_and_references():
    text = (
        "Resources:\n  Jobs:\n    Type: AWS::SQS::Queue\n    Properties: {QueueName: order-jobs}\n"
        "  Worker:\n    Type: AWS::Lambda::Function\n    Properties:\n      Environment:\n        Variables:\n"
        "          JOBS_URL: !Ref Jobs\n"
    )
    assert names("template.yaml", text) == [
        ("Jobs", 2, "", "queue"),
        ("order-jobs", 4, "", "queue"),
        ("Worker", 5, "", "function"),
        ("Jobs", 10, "call", REFERENCE),
    ]


def test_terraform_has_them_too():
    text = (
        'resource "aws_sqs_queue" "jobs" {\n  name = "order-jobs"\n}\n'
        'resource "cloud_scheduler_job" "nightly" {\n  uri = "${cloud_run_service.export.url}/run"\n}\n'
    )
    assert names("main.tf", text) == [
        ("aws_sqs_queue.jobs", 1, "", "queue"),
        ("order-jobs", 2, "", "queue"),
        ("cloud_scheduler_job.nightly", 4, "", "job"),
        ("cloud_run_service.export", 5, "call", REFERENCE),
    ]


def test_tests_have_none_and_an_alias_that_leads_to_itself_ends():
    assert names("tests/test_a.py", 'bus.publish("order-placed")\n') == []
    assert names("a.yml", "queue: &a {<<: *a, order-queue: *a}\n") == []


def test_a_constant_says_by_the_call_that_it_is_handed_to_what_is_done_never_by_its_own_name():
    text = "startQueueProcessor(link, PAY_QUEUE);\nmake({ url: config.SHOP_URL });\nkeep.hold(SEEN_KEY);\nhold(config.PUBLISH_QUEUE);\n"
    assert [one for one in names("a.js", text) if one[3] != READ] == [
        ("PAY_QUEUE", 1, "subscribe", ""),
        ("SHOP_URL", 2, "", ""),
        ("SEEN_KEY", 3, "", ""),
        ("PUBLISH_QUEUE", 4, "", ""),
    ]
