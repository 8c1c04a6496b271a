"""NATS, Redis pub/sub, MQTT, SNS and SQS, Google Pub/Sub, Azure Service Bus, Dapr, Celery and NestJS, by their clients' calls."""

from __future__ import annotations

import re
from typing import Final

from indexing.rules.brokers import INSIDE, Client, call

__all__ = ["OTHER_BROKERS"]


def _python(*modules: str) -> str:
    return rf"^[ \t]*(?:from|import)\s+(?:{'|'.join(modules)})\b"


COMMAND: Final = r"\{[^{}]*?\b(?:cmd|command|pattern)\s*:\s*"
"""A pattern that is an object, by its telling field."""

OTHER_BROKERS: Final = (
    Client(
        "nats",
        re.compile(
            rf"\"github\.com/nats-io/|[\"']nats(?:\.ws)?[\"']|\busing\s+NATS|io\.nats\.client|{_python('nats')}",
            re.MULTILINE,
        ),
        publishes=call(r"\.(?:[pP]ublish(?:Async|Msg)?|Request)\(\s*(?:subject\s*[:=]\s*)?"),
        subscribes=call(r"\.(?:[qQ]ueue)?(?:[sS]ubscribe)(?:Async|Sync)?(?:<\w+>)?\(\s*(?:subject\s*[:=]\s*)?"),
    ),
    Client(
        "redis",
        re.compile(
            rf"\"github\.com/(?:redis/go-redis|go-redis/redis)|[\"']i?o?redis[\"']|StackExchange\.Redis|{_python('redis', 'aioredis')}",
            re.MULTILINE,
        ),
        publishes=call(
            r"\b(?=\w*(?:redis|Redis|rdb|pub|Pub|client|conn))\w++\.[pP]ublish(?:Async)?\(\s*(?:(?:ctx|context\.\w+\(\))\s*,\s*)?(?=[\"'`A-Z\w.]+\s*,|[\"'`])"
        ),
        subscribes=call(
            r"\b(?=\w*(?:redis|Redis|rdb|[sS]ub|client|conn))\w++\.[pP]?[sS]ubscribe(?:Async)?\(\s*(?:(?:ctx|context\.\w+\(\))\s*,\s*)?"
        ),
    ),
    Client(
        "mqtt",
        re.compile(rf"paho\.mqtt|[\"']mqtt[\"']|\busing\s+MQTTnet|{_python('aiomqtt')}", re.MULTILINE),
        publishes=call(r"\.[pP]ublish\(\s*"),
        subscribes=call(r"\.[sS]ubscribe\(\s*"),
    ),
    Client(
        "aws",
        re.compile(
            rf"@aws-sdk/client-s[nq]s|aws-sdk/service/s[nq]s|[\"']aws-sdk[\"']|awssdk|Amazon\.S(?:QS|impleNotificationService)|{_python('boto3', 'aioboto3')}",
            re.MULTILINE,
        ),
        publishes=call(
            r"\b(?:publish|publish_batch)\([^)]{0,200}?\bTopicArn\s*=\s*",
            r"\bsend_message(?:_batch)?\([^)]{0,200}?\bQueueUrl\s*=\s*",
            rf"\b(?:PublishCommand|PublishInput|PublishRequest|publish)\s*\(?\s*\{{{INSIDE}\bTopicArn\s*[:=]\s*",
            rf"\b(?:SendMessageCommand|SendMessageInput|SendMessageRequest|sendMessage)\s*\(?\s*\{{{INSIDE}\bQueueUrl\s*[:=]\s*",
        ),
        subscribes=call(
            r"\breceive_message\([^)]{0,200}?\bQueueUrl\s*=\s*",
            rf"\b(?:ReceiveMessageCommand|ReceiveMessageInput|ReceiveMessageRequest|receiveMessage)\s*\(?\s*\{{{INSIDE}\bQueueUrl\s*[:=]\s*",
        ),
    ),
    Client(
        "spring-cloud-aws",
        re.compile(r"io\.awspring|springframework\.cloud\.aws"),
        publishes=call(
            r"\b\w*(?:[qQ]ueue\w*Template|[sS]qs\w*|[sS]ns\w*|[nN]otification\w*)\.(?:send|convertAndSend|sendNotification)\(\s*"
        ),
        subscribes=call(r"@SqsListener\(\s*(?:(?:value|queueNames)\s*=\s*)?"),
    ),
    Client(
        "google pub/sub",
        re.compile(
            rf"cloud\.google\.com/go/pubsub|@google-cloud/pubsub|cloud\.spring\.pubsub|cloud\.gcp\.pubsub|{_python('google.cloud import pubsub', 'google.cloud import pubsub_v1')}",
            re.MULTILINE,
        ),
        publishes=call(
            r"\.topic_path\(\s*[^,()]+,\s*",
            r"\b\w*[cC]lient\.Topic\(\s*",
            r"\.topic\(\s*(?=[\"'`A-Z])",
            r"\b\w*[tT]emplate\.publish\(\s*",
        ),
        subscribes=call(
            r"\.subscription_path\(\s*[^,()]+,\s*",
            r"\b\w*[cC]lient\.Subscription\(\s*",
            r"\.subscription\(\s*(?=[\"'`A-Z])",
            r"\b\w*[tT]emplate\.subscribe\(\s*",
        ),
    ),
    Client(
        "azure service bus",
        re.compile(
            rf"Azure\.Messaging\.ServiceBus|@azure/service-bus|azure-sdk-for-go/sdk/messaging/azservicebus|{_python('azure.servicebus')}",
            re.MULTILINE,
        ),
        publishes=call(
            r"\.(?:[cC]reateSender|NewSender)\(\s*",
            r"\.get_(?:queue|topic)_sender\(\s*(?:(?:queue|topic)_name\s*=\s*)?",
        ),
        subscribes=call(
            r"\.(?:[cC]reate(?:Session)?(?:Processor|Receiver)|NewReceiverFor\w+)\(\s*",
            r"\.get_(?:queue|subscription)_receiver\(\s*(?:(?:queue|topic)_name\s*=\s*)?",
        ),
    ),
    Client(
        "dapr",
        re.compile(
            rf"\busing\s+Dapr|\bDaprClient\b|\[Topic\(\s*[\"\w.]+\s*,|@dapr/dapr|github\.com/dapr/|io\.dapr|{_python('dapr')}",
            re.MULTILINE,
        ),
        publishes=call(
            r"\.[pP]ublishEvent(?:Async)?(?:<\w+>)?\(\s*(?:(?:ctx|context\.\w+\(\))\s*,\s*)?[\"'\w.]+\s*,\s*",
            r"\bpublish_event\([^)]{0,200}?\btopic_name\s*=\s*",
            r"\.pubsub\.publish\(\s*[\"'\w.]+\s*,\s*",
        ),
        subscribes=call(
            rf"\bSubscription\{{{INSIDE}\bTopic:\s*",
            r"\.pubsub\.subscribe\(\s*[\"'\w.]+\s*,\s*",
            r"\[Topic\(\s*[\"\w.]+\s*,\s*",
            r"\bsubscribe\([^)]{0,120}?\btopic\s*=\s*",
            r"@Topic\([^)]{0,120}?\bname\s*=\s*",
        ),
    ),
    Client(
        "celery",
        re.compile(_python("celery"), re.MULTILINE),
        publishes=call(r"\bsend_task\(\s*(?:name\s*=\s*)?(?=[\"'])"),
        subscribes=call(r"@(?:\w+\.)?(?:shared_)?task\([^)]{0,200}?\bname\s*=\s*"),
    ),
    Client(  # https://nameko.readthedocs.io/en/stable/built_in_extensions.html#events-pub-sub
        "nameko",
        re.compile(_python("nameko"), re.MULTILINE),
        publishes=call(r"\b\w*dispatch(?:er)?\(\s*(?=[\"'])"),
        subscribes=call(r"@event_handler\(\s*[\"'][\w\-]+[\"']\s*,\s*"),
    ),
    Client(  # https://laravel.com/docs/queues#dispatching-to-a-particular-queue
        "laravel",
        re.compile(r"\bIlluminate\\|->onQueue\("),
        publishes=call(r"->onQueue\(\s*(?=[\"'])", r"\bQueue::(?:pushOn|laterOn)\(\s*(?=[\"'])"),
    ),
    Client(
        "nestjs",
        re.compile(r"[\"']@nestjs/microservices[\"']"),
        publishes=call(
            r"\b(?=\w*[cC]lient)\w++\s*\.(?:emit|send)(?:<[^()]*>)?\(\s*(?![\s{])",
            rf"\b(?=\w*[cC]lient)\w++\s*\.(?:emit|send)(?:<[^()]*>)?\(\s*{COMMAND}",
        ),
        subscribes=call(
            r"@(?:EventPattern|MessagePattern)\(\s*(?![\s{])", rf"@(?:EventPattern|MessagePattern)\(\s*{COMMAND}"
        ),
    ),
    Client(  # https://docs.nestjs.com/microservices/basics#sending-messages: whatever the injected proxy is called
        "nestjs",
        re.compile(r"[\"']@nestjs/microservices[\"'][\s\S]*:\s*Client(?:Proxy|Kafka|RMQ|Redis|Nats|TCP|MQTT)\b"),
        publishes=call(
            r"\bthis\s*\.\s*\w+\s*\.(?:emit|send)(?:<[^()]*>)?\(\s*(?=[\"'`A-Z])",
            rf"\bthis\s*\.\s*\w+\s*\.(?:emit|send)(?:<[^()]*>)?\(\s*{COMMAND}",
        ),
    ),
)
