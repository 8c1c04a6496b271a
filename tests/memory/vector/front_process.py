"""The front as a process: `python -m tests.memory.vector.front_process FOLDER COLLECTION` prints its address, and answers until its
standard input ends.
"""

from __future__ import annotations

import sys

from tests.memory.vector.edge_http_front import EdgeHttpFront

if __name__ == "__main__":
    with EdgeHttpFront(sys.argv[1], collection=sys.argv[2]) as served:
        print(served.url, flush=True)  # noqa: T201 - for whoever started it
        sys.stdin.read()
