"""Queues and topics by the variable or field that holds them."""

from __future__ import annotations

NAMES = "export namespace Orders {\n  export const PACK_QUEUE = 'pack-orders';\n}\n"
SENDER = (
    "import { InjectQueue } from '@nestjs/bullmq';\nimport { Queue } from 'bullmq';\nimport { Orders as Names } from './names';\n"
    "export class Desk {\n  constructor(\n    @InjectQueue(Names.PACK_QUEUE)\n    private packing: Queue,\n"
    "    private log: Log,\n  ) {}\n  async take(order) {\n    await this.packing.add('pack', order);\n    this.log.add(order);\n  }\n}\n"
    "export class Till {\n  ring() {\n    this.packing.add('no field of this class');\n  }\n}\n"
)
MADE = "import { Queue } from 'bullmq';\nconst mails = new Queue('mail-jobs');\nconst mailQueue = new Queue('mail-jobs');\nexport function ask() {\n  mailQueue.add('x', {});\n  mailQueue.close();\n}\n"


def test_the_call_on_the_field_that_is_given_the_queue_publishes(graph):
    found = graph({"shop": {"names.ts": NAMES, "desk.ts": SENDER}})
    assert found.rows("PUBLISHES") == [("shop/Desk", "PUBLISHES", "shop/pack-orders", "desk.ts", [6, 11])]
    pieces = [(piece.path, piece.line) for piece in found.edge("Desk", "pack-orders", "PUBLISHES").evidence]
    assert pieces == [("desk.ts", 6), ("desk.ts", 11), ("names.ts", 2)]


def test_a_variable_of_the_file_too_and_only_what_sends(graph):
    found = graph({"shop": {"mail.ts": MADE}})
    assert ("shop/ask", "PUBLISHES", "shop/mail-jobs", "mail.ts", [5]) in found.rows("PUBLISHES")
