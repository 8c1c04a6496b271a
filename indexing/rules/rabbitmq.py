"""RabbitMQ's clients: Spring AMQP, Micronaut, Java, amqp091, RabbitMQ.Client, pika, kombu, aio-pika, amqplib, php-amqplib, bunny, sneakers, lapin.

A message is published to an exchange with a routing key; with the default exchange, '', the key is the queue's name.
"""

from __future__ import annotations

import re
from functools import reduce
from typing import Final

from indexing.rules.brokers import Client, call

__all__ = ["RABBITMQ"]

LISTENER: Final = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,400}?"
NESTED: Final = reduce(lambda inside, _: rf"(?:[^()]|\({inside}\))*", range(4), "[^()]*")
INSIDE: Final = rf"(?:[^()]|\({NESTED}\)){{0,400}}?"
"""Other arguments, with calls in them: `publish(Message(json.dumps(order).encode()), routing_key=…)`."""
ARGUMENT: Final = r"(?:[\"'][^\"'\n]*[\"']|[\w.]+)"

RABBITMQ: Final = (
    Client(
        "spring-amqp",
        re.compile(r"org\.springframework\.amqp"),
        publishes=call(
            r"\b(?=\w*(?:[tT]emplate|[rR]abbit|[aA]mqp))\w++\s*\.\s*(?:convertAndSend|convertSendAndReceive|send)\(\s*",
            rf"\b(?=\w*(?:[tT]emplate|[rR]abbit|[aA]mqp))\w++\s*\.\s*(?:convertAndSend|convertSendAndReceive|send)\(\s*{ARGUMENT}\s*,\s*(?={ARGUMENT}\s*,)",
        ),
        subscribes=call(
            rf"@RabbitListener\({LISTENER}\bqueues\s*=\s*",
            r"@RabbitListener\([^;{]{0,200}?@Queue\(\s*(?:[^()]{0,100}?\b(?:value|name)\s*=\s*)?",
            r"\.setQueueNames\(\s*",
        ),
    ),
    Client(  # https://micronaut-projects.github.io/micronaut-rabbitmq/latest/guide
        "micronaut-rabbitmq",
        re.compile(r"io\.micronaut\.rabbitmq"),
        publishes=call(r"@RabbitClient\(\s*(?:value\s*=\s*)?(?=[\"\w])", r"@Binding\(\s*(?:value\s*=\s*)?"),
        subscribes=call(r"@Queue\(\s*(?:value\s*=\s*)?"),
    ),
    Client(
        "amqp-client",
        re.compile(r"com\.rabbitmq\.client"),
        publishes=call(r"\.basicPublish\(\s*(?=[^\"]|\"[^\"])", rf"\.basicPublish\(\s*{ARGUMENT}\s*,\s*"),
        subscribes=call(r"\.basicConsume\(\s*"),
        binds=call(
            rf"\.queueBind\(\s*{ARGUMENT}(?:\(\))?\s*,\s*",
            rf"\.queueBind\(\s*{ARGUMENT}(?:\(\))?\s*,\s*{ARGUMENT}\s*,\s*",
        ),
    ),
    Client(
        "amqp091-go",
        re.compile(r"\"github\.com/(?:rabbitmq/amqp091-go|streadway/amqp)\""),
        publishes=call(
            r"\.Publish\(\s*",
            rf"\.Publish\(\s*{ARGUMENT}\s*,(?:\s*//[^\n]*)?\s*",
            r"\.PublishWithContext\(\s*[\w.()]+\s*,\s*",
            rf"\.PublishWithContext\(\s*[\w.()]+\s*,\s*{ARGUMENT}\s*,(?:\s*//[^\n]*)?\s*",
        ),
        subscribes=call(r"\.Consume\(\s*", r"\.ConsumeWithContext\(\s*[\w.()]+\s*,\s*"),
        binds=call(
            rf"\.QueueBind\(\s*{ARGUMENT}\s*,(?:\s*//[^\n]*)?\s*",
            rf"\.QueueBind\(\s*(?:{ARGUMENT}\s*,(?:\s*//[^\n]*)?\s*){{2}}",
        ),
    ),
    Client(
        "RabbitMQ.Client",
        re.compile(r"\busing\s+RabbitMQ\.Client"),
        publishes=call(
            r"\.BasicPublish(?:Async)?\(\s*(?:exchange\s*:\s*)?",
            r"\.BasicPublish(?:Async)?\([^;]{0,200}?\broutingKey\s*:\s*",
            rf"\.BasicPublish(?:Async)?\(\s*{ARGUMENT}\s*,\s*",
        ),
        subscribes=call(r"\.BasicConsume(?:Async)?\(\s*(?:queue\s*:\s*)?"),
        binds=call(
            r"\.QueueBind(?:Async)?\([^;]{0,200}?\bexchange\s*:\s*",
            r"\.QueueBind(?:Async)?\([^;]{0,200}?\broutingKey\s*:\s*",
            rf"\.QueueBind(?:Async)?\(\s*{ARGUMENT}\s*,\s*(?!\w+\s*:)",
            rf"\.QueueBind(?:Async)?\(\s*{ARGUMENT}\s*,\s*{ARGUMENT}\s*,\s*(?!\w+\s*:)",
        ),
    ),
    Client(
        "amqp for Python",
        re.compile(r"^[^\S\n]*(?:from|import)\s+(?:pika|kombu|aio_pika|aiormq|amqpstorm)\b", re.MULTILINE),
        publishes=call(
            rf"\.(?:basic_)?publish\({INSIDE}\brouting_key\s*=\s*",
            rf"\.(?:basic_)?publish\({INSIDE}\bexchange\s*=\s*",
            r"\.publish\(\s*[\w.]+\s*,\s*(?=[\"'])",
        ),
        subscribes=call(
            r"\.basic_consume\(\s*(?:queue\s*=\s*)?(?=[\"'\w.]+\s*[,)])", r"\.basic_consume\([^)]{1,200}?\bqueue\s*=\s*"
        ),
        binds=call(
            rf"\.bind\(\s*{ARGUMENT}\s*,\s*(?=[\"']|[\w.]+\s*[,)])",
            r"\.(?:queue_)?bind\([^)]{0,200}?\brouting_key\s*=\s*",
            r"\.queue_bind\([^)]{0,200}?\bexchange\s*=\s*",
        ),
    ),
    Client(
        "amqplib",
        re.compile(r"[\"'](?:amqplib(?:/\w+)?|amqp-connection-manager)[\"']"),
        publishes=call(r"\.sendToQueue\(\s*", r"\.publish\(\s*", rf"\.publish\(\s*{ARGUMENT}\s*,\s*"),
        subscribes=call(r"\.consume\(\s*"),
        binds=call(rf"\.bindQueue\(\s*{ARGUMENT}\s*,\s*", rf"\.bindQueue\(\s*{ARGUMENT}\s*,\s*{ARGUMENT}\s*,\s*"),
    ),
    Client(
        "php-amqplib",
        re.compile(r"PhpAmqpLib\\"),
        publishes=call(r"->basic_publish\(\s*\$\w+\s*,\s*", rf"->basic_publish\(\s*\$\w+\s*,\s*{ARGUMENT}\s*,\s*"),
        subscribes=call(r"->basic_consume\(\s*"),
        binds=call(
            r"->queue_bind\(\s*[$\w>-]+\s*,\s*", rf"->queue_bind\(\s*[$\w>-]+\s*,\s*(?:{ARGUMENT}|\$\w+)\s*,\s*"
        ),
    ),
    Client(
        "bunny",
        re.compile(r"\b(?:Bunny|Sneakers)\b"),
        publishes=call(r"\.publish\b[^\n]{0,200}?\brouting_key:\s*"),
        subscribes=call(r"^[^\S\n]*from_queue[\s(]+"),
    ),
    Client(
        "lapin",
        re.compile(r"\buse\s+lapin\b"),
        publishes=call(r"\.basic_publish\(\s*", rf"\.basic_publish\(\s*{ARGUMENT}\s*,\s*"),
        subscribes=call(r"\.basic_consume\(\s*"),
        binds=call(r"\.queue_bind\(\s*[\w.()&\"-]+\s*,\s*", rf"\.queue_bind\(\s*[\w.()&\"-]+\s*,\s*{ARGUMENT}\s*,\s*"),
    ),
)
