from __future__ import annotations

from wiring.qdrant_stores import Begun, QdrantJournal


def test_what_was_begun_is_there_until_it_is_settled(tmp_path):
    journal = QdrantJournal(tmp_path)
    assert journal.read() is None
    journal.write(Begun("chunks", "mine", 3))
    journal.write(Begun("chunks", "mine", 4))
    assert QdrantJournal.beside(tmp_path / "generations" / "3" / "vectors").read() == Begun("chunks", "mine", 4)
    assert [entry.name for entry in tmp_path.iterdir()] == ["qdrant.journal"]
    journal.clear()
    journal.clear()
    assert journal.read() is None


def test_the_generations_that_are_there(tmp_path):
    journal = QdrantJournal(tmp_path)
    (tmp_path / "generations" / ".stage-7").mkdir(parents=True)
    assert (journal.current, journal.oldest) == (0, 0)
    for number in ("9", "10", "11"):
        (tmp_path / "generations" / number).mkdir()
    (tmp_path / "CURRENT").write_text("11 00000000\n")
    assert (journal.current, journal.oldest) == (11, 9)
