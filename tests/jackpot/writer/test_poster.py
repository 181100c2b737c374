"""The one writer: order, gaps, halts, fencing and what it leaves in the database."""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import override_settings

from jackpot.domain import fold
from jackpot.domain.play import rounds
from jackpot.models import Entry, Gap, Head, Transfer
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.storage import writing
from jackpot.terms.money import MICROS
from jackpot.writer import batches, commands, numbering, poster
from jackpot.writer.poster import Poster
from tables.models import Alarm
from tables.protocol import messages
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db


def cents(amount: float) -> int:
    return round(amount * 100) * MICROS // 100


def entries(house: House) -> list[tuple[int, str, int | None]]:
    return list(
        Entry.objects.filter(system=house.system)
        .order_by("seq")
        .values_list("seq", "type", "event_seq")
    )


def test_a_round_pressed_feeds_the_pool() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    assert house.balance("royal:pool") == cents(1000.50)
    assert house.balance("operator") == -cents(1000.50)
    assert entries(house) == [(1, "put_terms", None), (2, "session_opened", 1),
                              (3, "round_started", 2)]  # fmt: skip


def test_a_second_press_is_sequenced_and_moves_nothing() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.say("t3", messages.RoundStarted, round=1)
    house.post()
    assert house.balance("royal:pool") == cents(1000.50)
    assert Entry.objects.get(system=house.system, seq=4).outcome == {"flags": ["repeat"]}


def test_the_worked_example_through_the_database() -> None:
    house = House(royal_terms(reset=cents(10_000)))
    house.open("t3")
    house.open("t7")
    house.press("t3")
    house.call("t3")
    for _ in range(50):
        house.press("t7")
    house.call("t7")
    house.post()
    assert (house.hit(1).held, house.hit(2).held) == (cents(10_001), cents(10_025))
    answer = house.decide("reject_claim", hit=1, reason="R04", evidence="cctv", affected=True)
    assert not answer.refused
    assert house.hit(1).state == "rejected"
    assert house.hit(2).held == cents(10_026)  # 10,000.50 + 25.00, rounded up
    assert house.balance("royal:pool") == cents(10_000)
    assert house.balance("royal:held") == cents(10_026)
    assert sum(house.system.accounts.values_list("balance", flat=True)) == 0


def test_rounds_wait_for_a_gap_and_hands_do_not() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    lost = house.event("t3", messages.RoundStarted, round=2)  # seq 3 is on its way
    house.rounds["t3"] = 2
    house.press("t3")  # seq 4 waits
    house.call("t3")  # seq 5 takes its place at once
    house.post()
    assert [seq for _, _, seq in entries(house)[1:]] == [1, 2, 5]
    assert Entry.objects.get(system=house.system, event_seq=5).outcome["flags"] == [
        "no_start",
        "ahead_of_gap",
    ]
    house.record("t3", lost)
    house.post()
    assert [seq for _, _, seq in entries(house)[1:]] == [1, 2, 5, 3, 4]


@override_settings(GAP_WAIT_S=0.0)
def test_a_gap_is_released_and_what_comes_after_all_is_late() -> None:
    house = House(royal_terms())
    house.open("t3")
    lost = house.event("t3", messages.RoundStarted, round=1)
    house.rounds["t3"] = 1
    house.press("t3")
    house.post()
    assert entries(house)[2:] == [(3, "gap_released", None), (4, "round_started", 3)]
    assert Gap.objects.get().from_seq == 2
    house.record("t3", lost)
    house.post()
    late = Entry.objects.get(system=house.system, event_seq=2)
    assert late.outcome == {"flags": ["late"]}
    assert house.balance("royal:pool") == cents(1001)
    assert Gap.objects.get().arrived == 1


def test_an_event_that_was_quarantined_first_counts_when_it_comes_whole() -> None:
    house = House(royal_terms())
    house.open("t3")
    whole = house.event("t3", messages.RoundStarted, round=1)
    house.record("t3", whole.replace(b'"round":1', b'"round":"x"'))
    house.rounds["t3"] = 1
    house.press("t3")
    house.post()
    assert house.balance("royal:pool") == cents(1000.50)
    house.record("t3", whole)
    house.post()
    assert house.balance("royal:pool") == cents(1001)
    assert Entry.objects.get(system=house.system, event_seq=2).outcome == {"flags": ["late"]}
    assert Gap.objects.get().arrived == 1


def test_the_order_across_tables_holds_behind_a_long_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """19.14(b): t3's hand came first, whatever else of t3 waits before it."""
    monkeypatch.setattr(poster, "BATCH", 5)
    house = House(royal_terms())
    house.open("t3")
    house.open("t7")
    house.press("t7")
    for _ in range(13):
        house.press("t3")
    house.call("t3")
    house.call("t7")
    house.post()
    assert [(hit.number, hit.table.code) for hit in house.system.hits.order_by("number")] == [
        (1, "t3"),
        (2, "t7"),
    ]
    ids = Entry.objects.filter(kind="event").order_by("seq").values_list("event_id", flat=True)
    assert list(ids) == sorted(ids)


def test_a_table_does_not_stick_behind_many_hands_taken_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(poster, "BATCH", 3)
    house = House(royal_terms())
    house.open("t3")
    lost = house.event("t3", messages.RoundStarted, round=1)
    for number in range(2, 8):
        house.rounds["t3"] = number
        house.call("t3")
    house.press("t3")
    house.post()
    assert house.system.hits.count() == 6
    house.record("t3", lost)
    house.post()
    assert Entry.objects.filter(type="round_started").count() == 2
    assert not Gap.objects.exists()  # every hand has its entry


def test_the_times_of_the_order_never_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(royal_terms())
    house.open("t3")
    house.post()
    first = Entry.objects.get(seq=2).at
    monkeypatch.setattr(poster.timezone, "now", lambda: first - dt.timedelta(hours=1))
    house.press("t3")
    house.post()
    assert Entry.objects.get(seq=3).at == first


def test_an_unread_hand_of_another_jackpot_is_no_rival() -> None:
    steel = royal_terms(code="steel", name="Steel Wheel")
    house = House(
        {**royal_terms(), "tables": ["t3"]}, {**steel, "code": "second", "tables": ["t7"]}
    )
    for table in ("t3", "t7"):
        house.open(table)
        house.press(table)
    house.call("t3", tier=None)
    house.call("t7", tier="steel")
    house.post()
    held = house.hit(2).held
    payout_bounds = bounds_of_claim(house.system, 2)
    assert payout_bounds is not None
    assert (payout_bounds.safe, payout_bounds.waits_for) == (held, ())
    answer = house.decide("confirm_claim", hit=2, amount=held, payees=[{"seat": 3, "amount": held}])
    assert answer.outcome["confirmed"] == held


def test_a_fault_in_the_fold_halts_this_system_behind_what_came_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.press("t3")
    with monkeypatch.context() as broken:
        honest = batches.apply

        def faulty(books, entry, version):
            if entry.seq == 4:
                raise ZeroDivisionError("a bug")
            return honest(books, entry, version)

        broken.setattr(batches, "apply", faulty)
        house.post()
    assert house.head.seq == 3
    assert house.head.halted_at is not None
    alarm = Alarm.objects.get(kind="system_halt")
    assert "t3, boot 1, seq 3" in alarm.message
    assert house.poster.step() == 0
    Head.objects.update(halted_at=None, halted_on="")
    house.post()
    assert house.head.seq == 4


def test_what_the_database_refuses_is_found_and_halts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that the database refuses among many: all before it are written, it is named."""
    house = House(royal_terms())
    house.open("t3")
    for _ in range(9):
        house.press("t3")
    honest = writing._entries

    def refused(batches):
        if any(row.event_seq == 7 for batch in batches for row in batch.rows):
            raise IntegrityError("no")
        honest(batches)

    with monkeypatch.context() as broken:
        broken.setattr(writing, "_entries", refused)
        house.post()
    assert house.head.seq == 7  # the terms and six events
    assert "t3, boot 1, seq 7" in house.head.halted_on


@override_settings(GAP_WAIT_S=0.0)
def test_a_fault_behind_a_gap_halts_before_the_gap_is_released(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(royal_terms())
    house.open("t3")
    house.post()
    house.seqs["t3"] += 1
    house.press("t3")
    with monkeypatch.context() as broken:
        broken.setattr(rounds, "start", None)
        broken.setattr(fold, "start", None)
        house.post()
    assert house.head.halted_on == "round_started (t3, boot 1, seq 3)"
    assert not Gap.objects.exists()
    Head.objects.update(halted_at=None, halted_on="")
    house.post()
    assert Gap.objects.count() == 1
    assert house.balance("royal:pool") == cents(1000.50)


def test_an_event_that_cannot_be_decoded_any_more_halts_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(royal_terms())
    house.open("t3")
    with monkeypatch.context() as broken:
        broken.setattr(numbering, "event_decoder", None)
        house.post()
    assert house.head.halted_on == "session_opened (t3, boot 1, seq 1)"


@pytest.mark.parametrize("body", [[], "x", {"hit": 2**70}, {"hit": -1}])
def test_a_command_of_another_shape_is_refused_and_stops_nothing(body: Any) -> None:
    house = House(royal_terms())
    number = commands.queue(house.system, "pay", body, first="lucia")
    house.post()
    assert commands.answer(house.system, number).refused
    assert house.head.halted_at is None


def test_a_bug_outside_the_fold_halts_this_system_only(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(royal_terms())
    house.open("t3")
    with monkeypatch.context() as broken:
        broken.setattr(poster, "waiting", lambda *_: 1 / 0)
        assert house.poster.step() == 0
    assert house.head.halted_at is not None
    assert Alarm.objects.filter(kind="system_halt").exists()


def test_a_confirmation_of_an_older_report_is_refused() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.post()
    held = house.hit(1).held
    answer = house.decide(
        "confirm_claim", hit=1, amount=held, payees=[{"seat": 3, "amount": held}], report_entry=1
    )
    assert "amended after the verification" in (answer.refused or "")


def test_an_old_writer_commits_nothing() -> None:
    house = House(royal_terms())
    house.open("t3")
    Head.objects.update(lease_until=None)
    newer = Poster("newer")
    newer._lease()
    assert house.poster.step() == 0  # it still believes that it leads
    assert not house.poster.epochs
    assert newer.step() == 1
    assert house.head.writer == newer.name


def test_a_writer_fenced_off_in_the_middle_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(royal_terms())
    house.open("t3")
    sealed = writing._seal

    def too_late(head, *rest):
        Head.objects.update(epoch=99)
        sealed(head, *rest)

    monkeypatch.setattr(writing, "_seal", too_late)
    assert house.poster.step() == 0
    monkeypatch.undo()
    assert Entry.objects.filter(type="session_opened").count() == 0


def test_the_same_key_is_the_same_command() -> None:
    house = House(royal_terms())
    key = uuid.UUID(int=7)
    body = {"hit": 1, "reason": "R01"}
    first = commands.queue(house.system, "reject_claim", body, first="a", second="b", key=key)
    again = commands.queue(house.system, "reject_claim", body, first="a", second="b", key=key)
    assert first == again


@pytest.mark.parametrize("second", [None, "mere"])
def test_the_database_refuses_one_person_alone(second: str | None) -> None:
    house = House(royal_terms())
    with pytest.raises(IntegrityError, match="command_takes_two_people"), transaction.atomic():
        commands.queue(house.system, "confirm_claim", {}, first="mere", second=second)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE jackpot_transfer SET amount = 1",
        "DELETE FROM jackpot_entry",
        "TRUNCATE jackpot_block",
        "UPDATE jackpot_command SET first = 'x'",
    ],
)
def test_nothing_is_rewritten(statement: str) -> None:
    House(royal_terms())
    with connection.cursor() as cursor, transaction.atomic():
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match="append-only"):
            cursor.execute(statement)
        transaction.set_rollback(True)


def test_pools_never_go_below_zero() -> None:
    house = House(royal_terms())
    with pytest.raises(IntegrityError, match="only_sources_below_zero"), transaction.atomic():
        house.system.accounts.filter(code="royal:pool").update(balance=-1)


def test_running_balances_are_continuous() -> None:
    house = House(royal_terms())
    house.open("t3")
    for _ in range(3):
        house.press("t3")
    house.post()
    balances: dict[int, int] = {}
    for t in Transfer.objects.filter(system=house.system).order_by("number"):
        balances[t.debit_id] = balances.get(t.debit_id, 0) - t.amount
        balances[t.credit_id] = balances.get(t.credit_id, 0) + t.amount
        assert (t.debit_after, t.credit_after) == (balances[t.debit_id], balances[t.credit_id])
