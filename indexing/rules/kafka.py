"""Kafka's clients: Spring, Micronaut, Java and Streams, SmallRye, sarama, kafka-go, Confluent's, kafka-python, aiokafka, kafkajs, rdkafka, karafka."""

from __future__ import annotations

import re
from typing import Final

from indexing.rules.brokers import INSIDE, Client, call

__all__ = ["KAFKA"]

LISTENER: Final = r"(?:[^()]|\([^()]*\)){0,300}?"

KAFKA: Final = (
    Client(
        "spring-kafka",
        re.compile(r"org\.springframework\.kafka"),
        publishes=call(
            r"\b(?=\w*(?:[tT]emplate|[pP]roducer|[kK]afka))\w++\s*\.\s*send(?:Default)?\(\s*(?=[\"\w])",
            r"KafkaHeaders\.TOPIC\s*,\s*",
            r"@SendTo\(\s*",
        ),
        subscribes=call(rf"@KafkaListener\({LISTENER}\btopics\s*=\s*", rf"@TopicPartition\({LISTENER}\btopic\s*=\s*"),
    ),
    Client(  # https://micronaut-projects.github.io/micronaut-kafka/latest/guide
        "micronaut-kafka",
        re.compile(r"io\.micronaut\.configuration\.kafka[\s\S]*@KafkaClient\b"),
        publishes=call(r"@Topic\(\s*(?:value\s*=\s*)?"),
    ),
    Client(
        "micronaut-kafka",
        re.compile(r"io\.micronaut\.configuration\.kafka[\s\S]*@KafkaListener\b"),
        publishes=call(r"@SendTo\(\s*"),
        subscribes=call(r"@Topic\(\s*(?:(?:value|patterns)\s*=\s*)?"),
    ),
    Client(
        "kafka-clients",
        re.compile(r"org\.apache\.kafka"),
        publishes=call(r"\bProducerRecord(?:<[^()]*>)?\s*\(\s*"),
        subscribes=call(r"\bsubscribe\(\s*(?=[\w.]*(?:singleton\w*|asList|of|listOf|setOf)\s*\()"),
    ),
    Client(
        "kafka-streams",
        re.compile(r"org\.apache\.kafka\.streams"),
        publishes=call(r"\.to\(\s*(?=[\"\w.]+\s*[,)])", r"\.through\(\s*"),
        subscribes=call(r"\b(?=\w*[bB]uilder)\w++(?:\(\))?\s*\.\s*(?:stream|table|globalTable)\(\s*"),
    ),
    Client(
        "reactive-messaging",
        re.compile(r"eclipse\.microprofile\.reactive\.messaging|smallrye\.reactive\.messaging"),
        publishes=call(r"@Outgoing\(\s*", r"@Channel\(\s*(?=[^)]*\)[^;]*Emitter)"),
        subscribes=call(r"@Incoming\(\s*"),
    ),
    Client(
        "sarama",
        re.compile(r"\"github\.com/(?:IBM|Shopify)/sarama\""),
        publishes=call(rf"ProducerMessage\{{{INSIDE}\bTopic:\s*"),
        subscribes=call(r"\.ConsumePartition\(\s*", r"\.Consume\(\s*[\w.()]+\s*,\s*"),
    ),
    Client(
        "kafka-go",
        re.compile(r"\"github\.com/segmentio/kafka-go"),
        publishes=call(
            rf"\bkafka\.Writer(?:Config)?\{{{INSIDE}\bTopic:\s*", rf"\bkafka\.Message\{{{INSIDE}\bTopic:\s*"
        ),
        subscribes=call(rf"\bReaderConfig\{{{INSIDE}\b(?:Group)?Topics?:\s*"),
    ),
    Client(
        "confluent-kafka-go",
        re.compile(r"\"github\.com/confluentinc/confluent-kafka-go"),
        publishes=call(r"\bTopicPartition\{\s*Topic:\s*"),
        subscribes=call(r"\.Subscribe(?:Topics)?\(\s*"),
    ),
    Client(
        "franz-go",
        re.compile(r"\"github\.com/twmb/franz-go"),
        publishes=call(rf"\bkgo\.Record\{{{INSIDE}\bTopic:\s*", r"\bDefaultProduceTopic\(\s*"),
        subscribes=call(r"\bConsumeTopics\(\s*", r"\bAddConsumeTopics\(\s*"),
    ),
    Client(
        "Confluent.Kafka",
        re.compile(r"\busing\s+Confluent\.Kafka"),
        publishes=call(r"\.Produce(?:Async)?\(\s*"),
        subscribes=call(r"\.Subscribe\(\s*"),
    ),
    Client(
        "kafka for Python",
        re.compile(r"^[^\S\n]*(?:from|import)\s+(?:kafka|confluent_kafka|aiokafka)\b", re.MULTILINE),
        publishes=call(r"\.(?:send|produce|send_and_wait)\(\s*(?:topic\s*=\s*)?"),
        subscribes=call(
            r"\b(?:AIO)?KafkaConsumer\(\s*(?=[\"'A-Za-z_.]+\s*[,)]|[\"'])", r"\.subscribe\(\s*(?:topics\s*=\s*)?"
        ),
    ),
    Client(
        "faust",
        re.compile(r"^[^\S\n]*(?:from|import)\s+faust\b", re.MULTILINE),
        subscribes=call(r"\bapp\.topic\(\s*"),
    ),
    Client(
        "kafkajs",
        re.compile(r"[\"']kafkajs[\"']"),
        publishes=call(rf"\.send\(\s*\{{{INSIDE}\btopic:\s*"),
        subscribes=call(rf"\.subscribe\(\s*\{{{INSIDE}\btopics?:\s*"),
    ),
    Client(
        "node-rdkafka",
        re.compile(r"[\"'](?:node-rdkafka|@confluentinc/kafka-javascript)[\"']"),
        publishes=call(r"\.produce\(\s*"),
        subscribes=call(r"\.subscribe\(\s*(?=\[)"),
    ),
    Client(
        "rdkafka",
        re.compile(r"\buse\s+rdkafka\b"),
        publishes=call(r"\b(?:Future|Base)Record::to\(\s*"),
        subscribes=call(r"\.subscribe\(\s*"),
    ),
    Client(
        "karafka",
        re.compile(r"\bKarafka\b|\bkarafka\b|require\s+[\"'](?:ruby-)?kafka[\"']"),
        publishes=call(r"\b(?:produce|deliver_message|produce_(?:a)?sync)\b[^\n]{0,200}?\btopic:\s*"),
        subscribes=call(r"^[^\S\n]*topic[\s(]+(?=[\"':])", r"\.subscribe\(\s*"),
    ),
)
