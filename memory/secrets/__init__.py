"""What must never be stored, embedded or shown: whole files that are secret, and secrets inside files that are not."""

from __future__ import annotations

from memory.secrets.names import is_secret_folder, is_secret_name
from memory.secrets.redaction import redact, says_secret, without_secrets
from memory.secrets.values import REDACTED

__all__ = ["REDACTED", "is_secret_folder", "is_secret_name", "redact", "says_secret", "without_secrets"]
