"""What the environment may name for connections, and no connection can be made with."""

from __future__ import annotations

UNUSABLE = [
    ("ALL_PROXY", "socks5://127.0.0.1:1"),
    ("HTTP_PROXY", "foo://x"),
    ("NO_PROXY", "::1,[::1]"),
    ("SSL_CERT_FILE", "/nowhere"),
]
