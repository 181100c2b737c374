"""A table unit against a real intake and a real broker."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tables.intake import outbox
from tables.models import Quarantine, Stream, TableEvent, UnitPresence
from tables.protocol import topics
from tables.protocol.messages import MAX_BOOT, ROUNDS_OF_A_BOOT, Receipt, Result, encoder
from tables.unit.receipts import NOT_RECORDED, SENDING, ReceiptBook, read_receipt
from tables.unit.unit import TableUnit, UnitExhaustedError, UnitNotReadyError
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake, new_instance
from tests.support.units.table_units import KEY, make_table

MakeUnit = Callable[..., TableUnit]


def types() -> list[str]:
    return list(TableEvent.objects.order_by("id").values_list("type", flat=True))


def test_a_round_from_button_to_completion(intake: RunningIntake, make_unit: MakeUnit) -> None:
    unit = make_unit(make_table(key=KEY))
    seqs = [
        unit.open_session((1, 2, 5), dealer="Mere"),
        unit.press(),
        unit.call_hand([5], "royal"),
        unit.report_hand([["As", "Ks", "Qs", "2d", "3c"]], [{"seat": 5, "hole": ["Js", "Ts"]}]),
        unit.complete(pot=12000, jackpot_drop=200),
        unit.withdraw("wrong seat", called_seq=3),
        unit.request_void("defective_deck"),
        unit.rounds_missed(2, "busy"),
        unit.close_session(),
    ]
    assert seqs == list(range(1, 10))
    result = unit.wait_recorded(9)
    assert result
    assert result.outcome == "recorded"
    assert types() == [
        "session_opened",
        "round_started",
        "hand_called",
        "hand_reported",
        "round_completed",
        "hand_withdrawn",
        "void_requested",
        "rounds_missed",
        "session_closed",
    ]
    assert not Quarantine.objects.exists()


def test_a_second_press_within_the_guard_is_ignored(
    intake: RunningIntake, make_unit: MakeUnit
) -> None:
    unit = make_unit(make_table(), guard_s=3600)
    assert unit.press()
    assert unit.press() is None
    assert unit.last_seq == 1


def test_a_unit_without_memory_asks_for_its_boot(
    intake: RunningIntake, make_unit: MakeUnit
) -> None:
    table_ref = make_table()
    first = make_unit(table_ref)
    seq = first.press()
    assert first.wait_recorded(seq or 0)
    first.cut_power()
    second = make_unit(table_ref)
    assert (first_boot := Stream.objects.get().boot) == 1
    assert second.boot == first_boot + 1
    seq = second.press()
    assert second.wait_recorded(seq or 0)
    rounds = TableEvent.objects.values_list("round", flat=True).order_by("id")
    assert list(rounds) == [ROUNDS_OF_A_BOOT + 1, 2 * ROUNDS_OF_A_BOOT + 1]


def test_a_unit_without_round_numbers_says_so(broker: Broker, tmp_path: Path) -> None:
    unit = TableUnit("nowhere", "t-1", journal=tmp_path / "unit.db")
    unit.journal.remember(boot=MAX_BOOT + 1)
    with pytest.raises(UnitExhaustedError, match="another code"):
        unit.press()
    unit.journal.remember(boot=MAX_BOOT)
    assert unit.press() == 1


def test_a_refusal_of_other_bytes_leaves_what_is_recorded() -> None:
    book = ReceiptBook()
    book.begin(1)
    for result in (
        Result(seq=1, outcome="quarantined", reason="wrong_mac"),  # somebody was first
        Result(seq=1, outcome="recorded"),
        Result(seq=1, outcome="quarantined", reason="wrong_mac"),
        Result(seq=1, outcome="sequenced", system_seq=7),
        Result(seq=1, outcome="duplicate"),
        Result(seq=1, outcome="recorded"),
    ):
        book.enter(
            Receipt(era=1, boot=1, committed_seq=0, next_boot=2, resend_from=None, results=[result])
        )
        assert book.handset_text(1).startswith("RECORDED") is (result.reason is None) or (
            book.handset_text(1) == "RECORDED"
        )
    assert book.handset_text(1) == "RECORDED no. 7"


def test_without_a_boot_nothing_can_be_recorded(broker: Broker, tmp_path: Path) -> None:
    unit = TableUnit("nowhere", "t-1", journal=tmp_path / "unit.db")
    with pytest.raises(UnitNotReadyError):
        unit.press()


def test_the_journal_survives_a_power_cut(
    intake: RunningIntake, make_unit: MakeUnit, tmp_path: Path
) -> None:
    table_ref = make_table()
    unit = make_unit(table_ref, journal=tmp_path / "unit.db")
    unit.press()
    assert unit.wait_recorded(1)
    unit.cut_power()
    again = make_unit(table_ref, journal=tmp_path / "unit.db")
    assert (again.boot, again.last_seq, again.is_round_open) == (1, 1, True)
    again.complete(pot=100)
    assert again.wait_recorded(2)
    assert Stream.objects.get().committed_seq == 2


def test_a_power_cut_is_heard_as_the_last_will(intake: RunningIntake, make_unit: MakeUnit) -> None:
    unit = make_unit(make_table())
    wait_until(lambda: UnitPresence.objects.filter(online=True, boot=1).exists())
    unit.cut_power()
    wait_until(lambda: UnitPresence.objects.filter(online=False).exists())


def test_what_was_pressed_while_no_intake_listened_is_recorded_once(
    fresh_database: FreshDatabase, broker: Broker, make_unit: MakeUnit, tmp_path: Path
) -> None:
    table_ref = make_table()
    with RunningIntake():
        unit = make_unit(table_ref, journal=tmp_path / "unit.db")
        unit.press()
        assert unit.wait_recorded(1)
    for _ in range(450):
        unit.press()
    # Another instance: the broker kept nothing for it, so it lives by resends alone.
    with RunningIntake():
        # The last may be recorded before the first: what counts is that no hole is left.
        wait_until(lambda: Stream.objects.get().committed_seq == 451, what="every press to be held")
        assert TableEvent.objects.count() == 451
    assert not Quarantine.objects.exists()


def test_the_broker_keeps_what_comes_while_the_intake_is_away(
    fresh_database: FreshDatabase, broker: Broker, make_unit: MakeUnit
) -> None:
    table_ref = make_table()
    instance = new_instance()
    with RunningIntake(instance):
        unit = make_unit(table_ref, presence_every_s=3600)
    unit.press()
    with RunningIntake(instance):
        assert unit.wait_recorded(1)
    assert TableEvent.objects.count() == 1


def test_the_handset_shows_the_number_only_when_sequenced(
    intake: RunningIntake, make_unit: MakeUnit
) -> None:
    table_ref = make_table()
    unit = make_unit(table_ref)
    unit.press()
    assert unit.wait_recorded(1)
    assert unit.handset_text(1) == "RECORDED"
    sequenced = Receipt(
        era=1,
        boot=1,
        committed_seq=1,
        next_boot=2,
        resend_from=None,
        results=[Result(seq=1, outcome="sequenced", system_seq=90211)],
    )
    outbox.put(
        table_ref.system,
        topics.receipts(table_ref.system, table_ref.table),
        encoder.encode(sequenced),
    )
    assert unit.wait_sequenced(1)
    assert unit.handset_text(1) == "RECORDED no. 90211"


def test_without_a_receipt_the_handset_calls_the_supervisor(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = TableUnit("nowhere", "t-1")  # never switched on
    assert deaf.handset_text(1) == NOT_RECORDED
    deaf.receipts.note_sent(1)
    assert deaf.handset_text(1) == SENDING
    monkeypatch.setattr("tables.unit.receipts.NO_RECEIPT_AFTER_S", 0)
    assert deaf.handset_text(1) == NOT_RECORDED


def test_test_mode_marks_every_event(intake: RunningIntake, make_unit: MakeUnit) -> None:
    unit = make_unit(make_table(), test=True)
    unit.press()
    assert unit.wait_recorded(1)
    assert TableEvent.objects.get().test


def test_an_outcome_of_a_later_console_is_left_out() -> None:
    receipt = encoder.encode(
        Receipt(era=1, boot=1, committed_seq=1, next_boot=2, resend_from=None, results=[])
    )
    later = b'"results":[{"seq":1,"outcome":"celebrated"},{"seq":2,"outcome":"recorded"}]'
    read = read_receipt(receipt.replace(b'"results":[]', later))
    assert [(each.seq, each.outcome) for each in read.results] == [(2, "recorded")]
