"""Messages that a newer one has overtaken on the wire say nothing to units and displays."""

import datetime as dt
import json

from tables.protocol.messages import Receipt
from tables.unit.display_panel import DisplayPanel
from tables.unit.journal import Journal
from tables.unit.resend import LEAST_PAUSE_S, Resend
from tests.support.units.table_units import NOON


def receipt(committed_seq: int, resend_from: int | None = None, *, era: int = 1) -> Receipt:
    return Receipt(
        era=era,
        boot=1,
        committed_seq=committed_seq,
        next_boot=2,
        resend_from=resend_from,
        results=[],
    )


def resend_of(events: int) -> tuple[Resend, list[bytes]]:
    journal, messages = Journal(), list[bytes]()
    journal.remember(boot=1)
    for _ in range(events):
        journal.append(lambda _boot, seq: b"%d" % seq)

    def send(payload: bytes) -> bool:
        messages.append(payload)
        return True

    return Resend(journal, send), messages


def test_a_receipt_that_was_overtaken_asks_for_nothing() -> None:
    resend, messages = resend_of(3)
    resend.heard(receipt(3), 0.0)
    resend.heard(receipt(1, resend_from=2), 1.0)
    resend.go_on(1.0 + LEAST_PAUSE_S)
    assert messages == []


def test_a_new_era_asks_from_below() -> None:
    resend, messages = resend_of(3)
    resend.heard(receipt(3), 0.0)
    resend.heard(receipt(1, resend_from=2, era=2), 1.0)
    resend.go_on(1.0 + LEAST_PAUSE_S)
    assert messages == [b"2", b"3"]
    resend.heard(receipt(3, era=1), 2.0)  # of the era before: no receipt says that all is held
    resend.go_on(100.0)
    assert messages == [b"2", b"3"] * 2


def newest_seq(panel: DisplayPanel) -> int:
    reading = panel.reading(NOON)
    assert reading is not None
    return int(json.loads(reading)["system_seq"])


def message(system_seq: int, at: dt.datetime) -> bytes:
    body = {"system_seq": system_seq, "at": at.isoformat(), "terms": 1, "tiers": []}
    return json.dumps(body).encode()


def test_an_older_message_never_replaces_a_newer_one() -> None:
    panel, second = DisplayPanel("d-1"), dt.timedelta(seconds=1)
    panel.hear(message(100, NOON))
    panel.hear(message(90, NOON - second))
    panel.hear(b'{"system_seq": 95}')
    panel.hear(b'{"system_seq": 95, "at": "noon"}')
    assert newest_seq(panel) == 100
    panel.hear(message(101, NOON - second))  # a clock that was set back holds up nothing
    assert newest_seq(panel) == 101


def test_a_console_restored_from_a_backup_is_believed() -> None:
    panel = DisplayPanel("d-1")
    panel.hear(message(100, NOON))
    panel.hear(message(90, NOON + dt.timedelta(minutes=5)))
    assert newest_seq(panel) == 90
