"""A unit's journal: kept for a week, whatever receipts say."""

import time

import pytest

from tables.unit import journal
from tables.unit.journal import KEPT_S, Journal


def journal_of(events: int) -> Journal:
    journal = Journal()
    journal.remember(boot=1)
    for _ in range(events):
        journal.append(lambda boot, seq: b"%d/%d" % (boot, seq))
    return journal


def steps_of_a_receipt(journal: Journal, covered: int) -> int:
    """How much SQLite does for one receipt, in hundreds of its instructions."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    journal._database.set_progress_handler(count, 100)
    journal.forget_covered(1, covered)
    journal._database.set_progress_handler(None, 100)
    return steps


def test_a_receipt_costs_the_same_however_much_is_kept() -> None:
    assert steps_of_a_receipt(journal_of(2000), 2000) == steps_of_a_receipt(journal_of(2), 2)


def test_what_is_covered_is_forgotten_after_a_week(monkeypatch: pytest.MonkeyPatch) -> None:
    long_journal = journal_of(5)
    long_journal.forget_covered(1, 5)
    assert len(long_journal.events_from(1, 1, 10)) == 5
    in_a_week = time.time() + KEPT_S + 1
    monkeypatch.setattr(journal.time, "time", lambda: in_a_week)
    long_journal.forget_covered(1, 3)
    assert [seq for seq, _ in long_journal.events_from(1, 1, 10)] == [4, 5]
