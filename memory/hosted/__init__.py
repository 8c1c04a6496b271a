"""What all hosted models share: the key, calls with retries and deadlines, the rate; and the vendors' connections."""

from __future__ import annotations

from memory.hosted.calls import HostedCalls, HostedFailure, RequestRate, api_key
from memory.hosted.cohere import CohereConnection
from memory.hosted.openai import OpenAIConnection
from memory.hosted.voyage import VoyageConnection

__all__ = [
    "CohereConnection",
    "HostedCalls",
    "HostedFailure",
    "OpenAIConnection",
    "RequestRate",
    "VoyageConnection",
    "api_key",
]
