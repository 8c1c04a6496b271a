"""`hybrid-retrieval evidence QUERY`: an evidence pack, as text or as the JSON of 000 §10."""

from __future__ import annotations

import anyio
import click

from agents.evidence import MAX_TOP_K, EvidenceItem, EvidencePack, checked_request
from interfaces.cli.ask import STALE, changed_lines
from interfaces.cli.options import Door, allow_option, common_options

_NOTHING = 4


@click.command("evidence")
@common_options
@click.argument("query")
@click.option("--intent", metavar="INTENT", help="One of the nine, such as API_LOOKUP; default: read from the query.")
@click.option("--top-k", type=int, default=MAX_TOP_K, show_default=True, help="How many pieces, 5 to 30.")
@allow_option
@click.option("--repo", metavar="NAME", multiple=True, help="Only this repository; may be repeated.")
@click.option(
    "--path",
    metavar="PATH",
    multiple=True,
    help="Only this file, by its path, its end, or PROJECT/path; may be repeated.",
)
@click.option(
    "--commit", metavar="SHA", help="Only what was indexed at this commit; files outside a repository have none."
)
@click.option("--no-tests", is_flag=True, help="Leave test code out.")
def command(
    door: Door,
    *,
    query: str,
    intent: str | None,
    top_k: int,
    allow: tuple[str, ...],
    repo: tuple[str, ...],
    path: tuple[str, ...],
    commit: str | None,
    no_tests: bool,
) -> int:
    """Find quotable pieces of code and documents."""
    request = checked_request(query, intent, top_k, repo, path, commit, not no_tests)

    from wiring.models import models_at_hand  # noqa: PLC0415 - not needed for --help

    models = models_at_hand(door.config.vector, door.config.hosted)
    models.load_ahead()  # beside the imports

    async def retrieve() -> EvidencePack:
        from wiring.catalogue import permitted  # noqa: PLC0415 - not needed for --help
        from wiring.evidence import open_evidence  # noqa: PLC0415 - the same

        async with open_evidence(door.data_dir, door.profile, door.config, dense=models) as retriever:
            return await retriever.retrieve(request, permitted(allow or None, frozenset(retriever.catalogue.projects)))

    pack = anyio.run(retrieve)
    door.show(pack.to_dict(), lambda: _page(pack))
    return 0 if pack.evidence else _NOTHING


def _page(pack: EvidencePack) -> str:
    stats = pack.to_dict()["stats"]
    mix = ", ".join(f"{count} {corpus}" for corpus, count in stats["corpus_mix"].items())
    head = f"{pack.intent}: {stats['returned']} of {stats['candidates_received']} candidates ({mix})"
    notes = [f"  {note}" for note in pack.notes]
    changed = changed_lines(pack.changed)
    return "\n\n".join(["\n".join([head, *notes]), *map(_block, pack.evidence), *filter(None, ["\n".join(changed)])])


def _block(item: EvidenceItem) -> str:
    """Where it is, how and why it was found, and the whole of it."""
    words = f"  [{', '.join(item.highlights)}]" if item.highlights else ""
    more = [f"    because: {item.reason}"] if item.reason else []
    more += [f"    also in {place}" for place in item.also_in]
    title = f"{item.rank:>2}. {item.place}  {item.retrieval_route}{words}{STALE if item.stale else ''}"
    return "\n".join([title, *more, *(f"    {line}" for line in item.text.rstrip("\n").split("\n"))])
