"""Rounds that left the memory come back as they were."""

import pytest

from verifier.fold.books import rounds


def test_a_round_that_was_put_away_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "ROUNDS_IN_MEMORY", 2)
    book = rounds.Rounds()
    first = rounds.Round(
        1,
        "holdem",
        52,
        6,
        is_started=True,
        priced=4,
        amounts=(10, None, 0, 5),
        by_players=(("royal", "pool", "drop", 5),),
    )
    book.begin("t3", 1, first)
    for number in (2, 3, 4):
        book.begin("t3", number, rounds.Round(1))
    assert book.find("t3", 1) == first
    assert book.find("t3", 5) is None
