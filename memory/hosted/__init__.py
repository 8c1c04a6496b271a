"""What all hosted models share: the key, calls with retries and deadlines, the rate; and the vendors' connections."""

from __future__ import annotations

from memory.hosted.calls import HostedCalls, HostedFailure
from memory.hosted.cohere import CohereConnection
from memory.hosted.keys import api_key
from memory.hosted.rate import RequestRate
from memory.hosted.voyage import VoyageConnection

__all__ = ["CohereConnection", "HostedCalls", "HostedFailure", "RequestRate", "VoyageConnection", "api_key"]
