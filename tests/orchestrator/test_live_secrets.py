"""A secret that came into a file after it was indexed is shown no more than one that was there before."""

from __future__ import annotations

import json
import os

import anyio

from memory.secrets import REDACTED
from tests.memory.secrets.shapes import drawn
from tests.organisation import ask, index, write

QUESTION = "What does our CLAUDE.md say about deploying?"
BODY = [drawn(f"live {n}", 64) for n in range(3)]
TOKEN = "gh" + "p_" + drawn("live", 36)
ADDED = "\n".join(
    [
        "",
        "## Deploying",
        "",
        f"Deploying needs the token {TOKEN} and this key:",
        "",
        "-----BEGIN RSA PRIVATE" + " KEY-----",
        *BODY,
        "-----END RSA PRIVATE" + " KEY-----",
        "",
        "After deploying wait for the pilot.",
        "",
    ]
)


async def test_an_answer_from_what_is_on_disk_now_has_no_secret_in_it(tmp_path):
    org = write(tmp_path / "org")
    await index(tmp_path / "data", org, each=True)
    with (org / "harbour/CLAUDE.md").open("a") as file:
        file.write(ADDED)
    result = await ask(tmp_path / "data", QUESTION, {"project": "harbour"})
    text = json.dumps(result)
    assert not any(secret in text for secret in (*BODY, TOKEN))
    assert REDACTED in text, "what stands around the secrets is read"
    cited = [one for one in result["citations"] if one["location"] and one["location"]["path"] == "CLAUDE.md"]
    assert cited
    assert all(one["verified"] for one in cited)


async def test_a_pipe_in_the_place_of_an_instruction_file_does_not_hold_up_an_answer(tmp_path):
    org = write(tmp_path / "org")
    await index(tmp_path / "data", org, each=True)
    (org / "harbour/CLAUDE.md").unlink()
    os.mkfifo(org / "harbour/CLAUDE.md")
    (org / "harbour/.git").mkdir()
    os.mkfifo(org / "harbour/.git/HEAD")
    with anyio.fail_after(300):
        result = await ask(tmp_path / "data", QUESTION, {"project": "harbour"})
        [local] = [row for row in result["coverage"]["agents"] if row["agent"] == "local"]
        assert local["status"] in {"ok", "empty"}
        await index(tmp_path / "data", org, each=True)
