"""Bugs planted into the product, each as somebody might write it; the simulator must find them."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest
from django.db import connection, transaction

from jackpot.display import dark_displays
from jackpot.domain.play import rounds
from jackpot.domain.state import books
from jackpot.writer import pending, poster, sequence
from tables.intake import inbox, outbox
from tables.intake import loop as intake
from tables.intake.boots import redeliveries
from tables.unit import resend

Plant = Callable[[pytest.MonkeyPatch], None]


def receipt_before_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Receipts leave inside the transaction that records."""
    take_in = intake.Intake._take_in

    def early(self: intake.Intake, deliveries: Sequence[Any]) -> bool:
        with transaction.atomic():
            return take_in(self, deliveries)

    monkeypatch.setattr(intake.Intake, "_take_in", early)


def acknowledged_before_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker may forget what is not recorded yet."""
    take_in = intake.Intake._take_in

    def hasty(self: intake.Intake, deliveries: Sequence[Any]) -> bool:
        for delivery in deliveries:
            self.link.ack(delivery)
        return take_in(self, deliveries)

    monkeypatch.setattr(intake.Intake, "_take_in", hasty)


def gaps_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cursor moves over a gap as if nothing were missing."""
    monkeypatch.setattr(sequence.Cursor, "holes", lambda *_: [])


def hands_taken_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that was taken ahead of a gap is taken once more in its turn."""
    condition = "OR (SELECT n.seq FROM jackpot_entry n WHERE n.event_id = e.id LIMIT 1) IS NULL"
    for name in ("_PENDING_WORK", "_EVENTS"):
        statement = getattr(pending, name)
        assert condition in statement
        monkeypatch.setattr(pending, name, statement.replace(condition, "OR true"))


def watermark_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A duplicate sets the watermark to its own seq."""
    advance = inbox.advance

    def back(streams: dict[Any, Any], now_held: dict[Any, set[int]]) -> None:
        advance(streams, now_held)
        for key, seqs in now_held.items():
            if seqs and streams[key].committed_seq > min(seqs):
                with connection.cursor() as cursor:
                    cursor.execute("DROP TRIGGER IF EXISTS watermark_never_falls ON tables_stream")
                    cursor.execute(
                        "UPDATE tables_stream SET committed_seq = %s"
                        " WHERE table_id = %s AND boot = %s",
                        [min(seqs), *key],
                    )

    monkeypatch.setattr(inbox, "advance", back)


def order_follows_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is set back sets the order's time back."""
    monkeypatch.setattr(poster, "never_back", lambda _head, now: now)


def nothing_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit trusts the broker."""
    monkeypatch.setattr(resend.Resend, "go_on", lambda *_: None)


def a_round_pays_a_micro_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fold and reconciliation make the same mistake; only the independent checker can see it."""
    move = books.Books.move

    def generous(self: books.Books, entry: int, debit: str, *rest: Any) -> None:
        credit, amount, reason, *hit = rest
        move(self, entry, debit, credit, amount + (reason == "contribution"), reason, *hit)

    monkeypatch.setattr(books.Books, "move", generous)


def a_look_that_serves_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which tables have something is asked every ninth time; what they have is read at once: it
    takes its place before what another table sent earlier."""
    honest = pending.pending_work
    cache: dict[tuple[int, ...], tuple[int, dict[int, pending.PendingWork]]] = {}

    def thrifty(system_ids: Collection[int]) -> dict[int, pending.PendingWork]:
        key = tuple(system_ids)
        times, pending_work = cache.pop(key, (0, {}))
        if not times:
            pending_work = honest(system_ids)
            for what in pending_work.values():
                what.horizon = 2**62
        if times < 8:
            cache[key] = times + 1, pending_work
        return pending_work

    monkeypatch.setattr(poster, "pending_work", thrifty)


def nobody_watches_displays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A display stays dark, and its table in play; the books are right all the same."""
    monkeypatch.setattr(dark_displays, "_is_lost", lambda *_: False)


def a_broken_line_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What left on a connection that is gone counts as on its way, for ever."""
    step = outbox.Sender.step
    monkeypatch.setattr(outbox.Sender, "step", lambda self, _number: step(self, 1))
    monkeypatch.setattr(outbox, "LOST_AFTER_S", float("inf"))


def a_writer_that_is_not_fenced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose lease is over writes on, under whatever epoch it finds."""
    monkeypatch.setattr(poster.Poster, "_leads", lambda *_: True)


def a_copy_taken_for_a_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two intakes: what one of them finds recorded counts as said again by its unit."""
    monkeypatch.setattr(redeliveries, "_is_said_again", lambda *_: True)


def deleted_before_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message leaves the outbox when it is read, and with the line it is lost."""
    monkeypatch.setattr(
        outbox,
        "_GO_ON",
        """
        WITH gone AS (DELETE FROM tables_outboxmessage WHERE NOT id = ANY(%(mine)s::bigint[])
                      RETURNING id, topic, payload, retain),
             asked AS (SELECT %(gone)s::bigint[])
        SELECT id, topic, payload, retain FROM gone ORDER BY id LIMIT %(limit)s
        """,
    )


def a_completion_counts_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a supervisor credited for a round is forgotten when its completion comes."""
    settle = rounds.settle_difference

    def forgetful(books: Any, seq: int, credited: Any, due: Any) -> None:
        settle(books, seq, [], due)

    monkeypatch.setattr(rounds, "settle_difference", forgetful)


# Each with the fault profile that brings it out, in which it must be found within a few seeds.
BUGS: dict[Plant, dict[str, float]] = {
    receipt_before_commit: {},
    acknowledged_before_record: {"killed": 0.1},
    gaps_passed_over: {"drop": 0.15},
    hands_taken_twice: {"drop": 0.25, "hands": 0.7},
    watermark_falls: {"duplicate": 0.15},
    order_follows_the_clock: {"clock": 0.1},
    nothing_sent_again: {"drop": 0.15},
    a_round_pays_a_micro_too_much: {},
    a_look_that_serves_twice: {"second_intake": False},
    nobody_watches_displays: {"dark": 0.04, "clock": 0.0},
    a_broken_line_is_waited_for: {"line": 0.4, "killed": 0.0, "brisk": 0.0},
    deleted_before_it_is_sent: {},
    a_copy_taken_for_a_repeat: {"second_intake": True, "duplicate": 0.0, "drop": 0.0},
    a_completion_counts_twice: {"forgotten": 0.06, "brisk": 0.8, "killed": 0.0, "outage": 0.0},
}
