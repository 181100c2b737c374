"""What the checks of moves and of rulings say of a product that does otherwise."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest

from jackpot.domain import command_handlers
from jackpot.domain.command_handlers import rounds, table_transfer
from jackpot.domain.state.books import Books
from jackpot.terms.document import JackpotTerms
from settlement.floor import table_transfer as transfers
from simulation.floor import Table
from simulation.runs import run
from simulation.template_database import TemplateDatabase

STEPS = 120
SEEDS = range(1, 9)
RULINGS = {"ruled": 0.2, "brisk": 0.8, "moved": 0.0}
MOVES = {"moved": 0.12, "hands": 0.0, "brisk": 0.8, "dark": 0.0, "clock": 0.0, "restores": False}
Plant = Callable[[pytest.MonkeyPatch], None]


def fed_after_it_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms forget that the table moved."""
    monkeypatch.setattr(JackpotTerms, "is_at", lambda self, _table: bool(self.tiers))


def never_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody goes on with what the order decided."""
    monkeypatch.setattr(transfers, "finish_all", lambda: 0)


def moved_while_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the page nor the order looks whether the table is closed."""
    monkeypatch.setattr(transfers, "in_the_way", lambda *_: [])
    move = table_transfer.move_table

    def hasty(books: Books, entry: Any, body: Any) -> Any:
        books.sessions, sessions = {}, books.sessions
        try:
            return move(books, entry, body)
        finally:
            books.sessions = sessions

    commands = command_handlers.COMMANDS
    monkeypatch.setitem(commands, "move_table", (commands["move_table"][0], hasty))


def a_void_round_that_keeps_the_drop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players get back what was taken of pot and commission alone."""
    take_back = rounds.take_back

    def less(books: Books, seq: int, parts: list[Any]) -> None:
        take_back(books, seq, [part for part in parts if part.source != "drop"])

    monkeypatch.setattr(rounds, "take_back", less)


@pytest.mark.parametrize(
    ("plant", "fault_profile", "says"),
    [
        (fed_after_it_left, MOVES, "had left"),
        (never_come, MOVES, "whose order says so 0 times"),
        (moved_while_open, MOVES, "left, and was open"),
        (a_void_round_that_keeps_the_drop, RULINGS, "the rules say"),
    ],
)
def test_the_check_says_it(
    ground: TemplateDatabase,
    plant: Plant,
    fault_profile: Mapping[str, float],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    assert any(
        says in finding
        for seed in SEEDS
        for finding in run(seed, ground, STEPS, fault_profile=fault_profile).findings
    )


def test_what_is_only_on_its_way_is_not_lost() -> None:
    """Seed 32191: a manager gave up an event that came late, and its unit had it still."""
    table = Table(cast(Any, None), "north", "n1", "")
    table.lost = [(1, 4, 5), (1, 6, 7)]
    assert table.has_lost(1, 5, 6)
    assert not table.has_lost(1, 7, 8)
    assert not table.has_lost(1, 20, 20)
    assert not table.has_lost(2, 4, 5)
