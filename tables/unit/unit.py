"""A table unit as the wire protocol wants it: button, handset, journal, receipts, resends.

Used by the simulator, the tests and the demo's hand-held unit; a vendor can read it as the
reference of a unit's behaviour.
"""

import datetime as dt
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import ParseResult

from tables.mqtt.client import Delivery, Link, Will
from tables.protocol import messages, topics
from tables.protocol.messages import (
    MAX_BOOT,
    MAX_INTEGER,
    ROUNDS_OF_A_BOOT,
    AnyEvent,
    Presence,
    Result,
    encoder,
)
from tables.protocol.signature import signed
from tables.unit.display_panel import DisplayPanel
from tables.unit.journal import Journal
from tables.unit.receipts import ReceiptBook, read_receipt
from tables.unit.resend import Resend

log = logging.getLogger(__name__)

BUTTON_GUARD_S = 15.0
PRESENCE_EVERY_S = 10.0
READING_EVERY_S = 10.0


class UnitNotReadyError(Exception):
    """The unit has no memory and the console has not yet named its next boot."""


class UnitExhaustedError(Exception):
    """The unit's numbers are used up; a person must enter the table again on the console."""


@dataclass(frozen=True, slots=True)
class UnitSettings:
    """How a unit is set up: its key, its display, and the times of its button and its presence."""

    mac_key: str = ""
    display: str | None = None
    test: bool = False
    guard_s: float = BUTTON_GUARD_S
    presence_every_s: float = PRESENCE_EVERY_S


FACTORY_SETTINGS = UnitSettings()


class TableUnit:
    """One unit at one table. Its methods are what a dealer can do; each returns the seq."""

    def __init__(
        self,
        system: str,
        table: str,
        settings: UnitSettings = FACTORY_SETTINGS,
        *,
        journal: Journal | Path | str = ":memory:",
        url: ParseResult | None = None,
        clock: Callable[[], dt.datetime] | None = None,
    ) -> None:
        self.system, self.table = system, table
        self.journal = journal if isinstance(journal, Journal) else Journal(journal)
        self.receipts = ReceiptBook()
        self.panel = DisplayPanel(settings.display) if settings.display else None
        self._settings = settings
        self._pressed_at = self._presence_at = self._reading_at = float("-inf")
        self._clock = clock or (lambda: dt.datetime.now(dt.UTC))
        self._resend = Resend(self.journal, self._send)
        self._sending = threading.RLock()  # journal and wire see the events in one order
        self._ready = threading.Event()
        self._present = threading.Event()  # whether this connection has said its presence
        self._stopping = threading.Event()
        self._worker = threading.Thread(target=self._work, name=f"unit-{table}", daemon=True)
        heard = [topics.receipts(system, table)] + ([topics.display(system)] if self.panel else [])
        self.link = Link(
            f"jackpot-unit-{system}-{table}",
            heard,
            will=self._make_will,
            on_connected=self._arrive,
            url=url,
        )
        if self.boot:
            self.receipts.begin(self.boot)
            self._ready.set()

    # --- life ---------------------------------------------------------------------------

    @property
    def boot(self) -> int:
        """The present boot; 0 until the console names one to a unit without memory."""
        return self.journal.recall("boot")

    @property
    def last_seq(self) -> int:
        return self.journal.recall("seq")

    @property
    def round(self) -> int:
        """The number of the last round that was started."""
        return self.journal.recall("round")

    @property
    def is_round_open(self) -> bool:
        return bool(self.journal.recall("round_open"))

    @property
    def is_session_open(self) -> bool:
        return bool(self.journal.recall("session_open"))

    def start(self) -> None:
        """Connect; returns at once."""
        self.link.start()
        self._worker.start()

    def stop(self) -> None:
        """Switch off in good order, saying so; a unit that is off already stays off."""
        if self._stopping.is_set():
            return
        if publication := self._publish_presence("offline"):
            publication.wait(1)
        self._end(self.link.stop)

    def cut_power(self) -> None:
        """Switch off without a word: the broker publishes the last will."""
        self._end(self.link.cut)

    def wait_ready(self, timeout_s: float) -> bool:
        """Whether the unit is connected, knows its boot and has said so, within the time."""
        return self._ready.wait(timeout_s) and self._present.wait(timeout_s)

    def _end(self, leave: Callable[[], None]) -> None:
        self._stopping.set()
        leave()
        if self._worker.is_alive():
            self._worker.join()
        self.journal.close()

    # --- what a dealer does -------------------------------------------------------------

    def open_session(
        self,
        seats_in_play: Sequence[int] = (1, 2, 3, 4, 5, 6),
        *,
        game: str = "holdem",
        deck: int = 52,
        dealer: str = "",
        stakes: str | None = None,
    ) -> int:
        """Open the table."""
        fields = {"game": game, "deck": deck, "dealer": dealer, "stakes": stakes}
        return self._record(
            messages.SessionOpened, {"session_open": 1}, seats_in_play=list(seats_in_play), **fields
        )

    def change_session(self, seats_in_play: Sequence[int], **fields: Any) -> int:
        """Another game, deck, dealer, stakes or other seats."""
        return self._record(messages.SessionChanged, seats_in_play=list(seats_in_play), **fields)

    def close_session(self) -> int:
        """Close the table."""
        return self._record(messages.SessionClosed, {"session_open": 0})

    def press(self, seats_dealt: Sequence[int] | None = None) -> int | None:
        """The jackpot button: start the next round; None for a second press within the guard."""
        with self._sending:
            if time.monotonic() - self._pressed_at < self._settings.guard_s:
                return None
            # Rounds of a boot start at a place of their own: a unit that forgot its last round
            # number cannot repeat one.
            number = max(self.round, self.boot * ROUNDS_OF_A_BOOT) + 1
            if self.boot > MAX_BOOT or number > MAX_INTEGER:
                raise UnitExhaustedError(
                    f"Boot {self.boot} leaves no round numbers (at most {MAX_INTEGER}). Call"
                    " technical support: the table must be entered under another code."
                )
            seq = self._record(
                messages.RoundStarted,
                {"round": number, "round_open": 1},
                round=number,
                seats_dealt=list(seats_dealt) if seats_dealt else None,
            )
            self._pressed_at = time.monotonic()
            return seq

    def complete(self, *, round_number: int | None = None, **figures: Any) -> int:
        """The round's figures at its completion: pot, jackpot_drop, commission and so on."""
        return self._record(
            messages.RoundCompleted, {"round_open": 0}, round=round_number or self.round, **figures
        )

    def call_hand(
        self, seats: Sequence[int], tier: str | None = None, *, round_number: int | None = None
    ) -> int:
        """Three taps: the hand takes its place."""
        return self._record(
            messages.HandCalled, round=round_number or self.round, tier=tier, seats=list(seats)
        )

    def report_hand(
        self,
        boards: Sequence[Sequence[str]],
        hands: Sequence[dict[str, Any]],
        *,
        round_number: int | None = None,
        **fields: Any,
    ) -> int:
        """The hand as typed: boards of cards like `As`, hands with seat, hole and so on."""
        usual = {"exposed": "yes", "folded": False, "participating": True, "won_pot": True}
        return self._record(
            messages.HandReported,
            round=round_number or self.round,
            boards=[list(board) for board in boards],
            hands=[messages.ReportedHand(**{**usual, **hand}) for hand in hands],
            **fields,
        )

    def withdraw(
        self, reason: str, *, called_seq: int | None = None, reported_seq: int | None = None
    ) -> int:
        """Ask to withdraw a hand that was called or reported in error."""
        return self._record(
            messages.HandWithdrawn, called_seq=called_seq, reported_seq=reported_seq, reason=reason
        )

    def request_void(
        self, reason: str, note: str | None = None, *, round_number: int | None = None
    ) -> int:
        """Ask a supervisor to void the round."""
        return self._record(
            messages.VoidRequested, round=round_number or self.round, reason=reason, note=note
        )

    def rounds_missed(self, count: int, note: str | None = None) -> int:
        """Say that the button was forgotten."""
        return self._record(messages.RoundsMissed, count=count, note=note)

    def declare_lost(self, from_seq: int, to_seq: int) -> int:
        """Say that the journal lost events of this boot."""
        return self._record(messages.EventsLost, from_seq=from_seq, to_seq=to_seq)

    # --- what the handset shows -----------------------------------------------------------

    def handset_text(self, seq: int) -> str:
        """RECORDED, with the system's number once sequenced; else that it is not."""
        return self.receipts.handset_text(seq)

    def wait_recorded(self, seq: int, timeout_s: float = 60.0) -> Result | None:
        """The outcome of an event as soon as a receipt tells it; None when the time is up."""
        return self.receipts.wait(seq, timeout_s)

    def wait_sequenced(self, seq: int, timeout_s: float = 60.0) -> Result | None:
        """As `wait_recorded`, for the number in the system's order."""
        return self.receipts.wait(seq, timeout_s, sequenced=True)

    # --- sending --------------------------------------------------------------------------

    def _record(
        self, kind: type[messages.Event], memory: dict[str, int] | None = None, **fields: Any
    ) -> int:
        """Journal an event, then send it; it is on the disk before it is on the wire."""
        if not self.boot:
            raise UnitNotReadyError("The console has not yet named this unit's next boot.")

        def payload(boot: int, seq: int) -> bytes:
            event = kind(
                v=1,
                system=self.system,
                table=self.table,
                boot=boot,
                seq=seq,
                recorded_at=self._clock(),
                test=self._settings.test,
                **fields,
            )
            return self._checked(event)

        with self._sending:
            seq, message = self.journal.append(payload, **(memory or {}))
            self.receipts.note_sent(seq)
            self._send(message)
        return seq

    def _checked(self, event: Any) -> bytes:
        """The bytes to send; msgspec.ValidationError for what the schema does not allow."""
        body = encoder.encode(event)
        checked: AnyEvent = messages.event_decoder.decode(body)
        return signed(encoder.encode(checked), self._settings.mac_key)

    def _send(self, payload: bytes) -> bool:
        """Whether it was sent, after presence; the journal remembers in any case."""
        topic = topics.events(self.system, self.table)
        return self._present.is_set() and bool(self.link.publish(topic, payload))

    def _arrive(self) -> None:
        """Connected and subscribed: presence, then events."""
        with self._sending:
            self.say_present()
            self._present.set()

    def say_present(self) -> None:
        """Presence, which the console answers with its watermark."""
        with self._sending:  # no event passes it that it does not count
            self._publish_presence("online")

    def _publish_presence(self, state: Any) -> Any:
        topic = topics.presence(self.system, self.table)
        return self.link.publish(topic, self._presence(state), retain=True)

    def _presence(self, state: Any) -> bytes:
        presence = Presence(
            v=1,
            state=state,
            boot=self.boot,
            connection=self.journal.recall("connection"),
            last_seq=self.last_seq if self.boot else None,
            at=self._clock(),
        )
        return signed(encoder.encode(presence), self._settings.mac_key)

    def _make_will(self) -> Will:
        """Before every connection: the will names it, so that an old one can be distinguished."""
        self._present.clear()
        self.journal.remember(connection=self.journal.recall("connection") + 1)
        return Will(topics.presence(self.system, self.table), self._presence("offline"))

    # --- listening ------------------------------------------------------------------------

    def _work(self) -> None:
        """Presence, readings and resends when due; receipts and display values when they come."""
        while not self._stopping.is_set():
            self.tend(0.1)

    def tend(self, timeout_s: float) -> None:
        """Hear one message, waiting at most `timeout_s` for it, and say what is due."""
        try:
            self._hear(self.link.deliveries.get(timeout=timeout_s))
        except queue.Empty:
            pass
        except Exception:
            log.exception("Unit %s/%s could not use a message", self.system, self.table)
        now = time.monotonic()
        if now >= self._presence_at:
            self._presence_at = now + self._settings.presence_every_s
            if self._present.is_set():
                self.say_present()
        if now >= self._reading_at and self._publish_reading():
            self._reading_at = now + READING_EVERY_S
        with self._sending:
            self._resend.go_on(now)

    def _publish_reading(self) -> bool:
        """Whether the display shows something to read back, and it was sent."""
        reading = self.panel.reading(self._clock()) if self.panel else None
        topic = topics.readings(self.system, self.table)
        return bool(reading and self.link.publish(topic, signed(reading, self._settings.mac_key)))

    def _hear(self, delivery: Delivery) -> None:
        self.link.ack(delivery)
        message = delivery.message
        if self.panel and message.topic == topics.display(self.system):
            self.panel.hear(message.body)
            return
        receipt = read_receipt(message.body)
        if not self.boot and receipt.boot == 0:
            self._begin(receipt.next_boot)
        elif receipt.boot == self.boot:
            self.receipts.enter(receipt)
            self._resend.heard(receipt, time.monotonic())
            self.journal.forget_covered(receipt.boot, receipt.committed_seq)

    def _begin(self, boot: int) -> None:
        """A unit without memory takes the boot that the console names."""
        with self._sending:
            self.journal.remember(boot=boot, seq=0)
            self.receipts.begin(boot)
        self.link.reconnect()  # the last will must name the boot too
        self._ready.set()
