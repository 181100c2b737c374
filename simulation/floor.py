"""The gaming tables: real table units, and dealers who press, call, report and mistype."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from typing import Any

from simulation.environment.connection import ModelLink
from simulation.environment.process import Surroundings
from simulation.template_database import WITH_DISPLAYS
from tables.protocol import topics
from tables.protocol.signature import signed
from tables.unit import play
from tables.unit.display_panel import DisplayPanel
from tables.unit.journal import Journal
from tables.unit.play import HouseTerms
from tables.unit.unit import TableUnit, UnitSettings

GUARD_S = 2.0
_TERMS = HouseTerms()
_REASONS = ("cut_exposed", "wrong_count", "defective_deck")


class _Screen(DisplayPanel):
    """The display at a table, which reads nothing back while it is dark."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"d-{table.code}")
        self._table = table

    def reading(self, now: dt.datetime) -> bytes | None:
        return None if self._table.is_dark else super().reading(now)


class Table:
    """One table with the unit that stands there now."""

    def __init__(self, world: Surroundings, system: str, code: str, key: str) -> None:
        self.world, self.system, self.code, self._key = world, system, code, key
        self.name = f"{system}/{code}"
        self.journal = Journal()
        self.unit: TableUnit | None = None
        self.lost: list[tuple[int, int, int]] = []  # boot, from, to
        self.must_declare = False
        # All that was ever journalled here, also by units that are gone: (boot, seq) -> bytes.
        # After a restore another unit may be given the same boot.
        self.payloads: dict[tuple[int, int], set[bytes]] = {}
        # Identities of what units wrote that are gone, and their journals with them.
        self.written_by_former_units: set[tuple[int, int]] = set()
        self._written_through = (0, 0)  # boot and seq up to which the present journal was looked at
        self.spoilt: set[tuple[int, int]] = set()  # journalled by a unit with a bug
        self.seats = [1, 2, 3, 4, 5]
        self.has_display = system == WITH_DISPLAYS  # one that its terms ask for
        self.is_dark = False  # its display shows nothing
        # The addresses under which its unit was, and will be, where the table moves.
        self.predecessor: Table | None = None
        self.successor: Table | None = None

    @property
    def link(self) -> ModelLink | None:
        return None if self.unit is None else self.unit.link  # type: ignore[return-value]

    def at(self, system: str, code: str) -> Table:
        """The same table under another address, with a new journal and the same key."""
        table = Table(self.world, system, code, self._key)
        table.predecessor, table.is_dark = self, self.is_dark
        return table

    @property
    def first(self) -> Table:
        """Its first address."""
        return self if self.predecessor is None else self.predecessor.first

    @property
    def has_moved(self) -> bool:
        """Whether its unit was ever set to another address."""
        return self.successor is not None

    @property
    def addresses(self) -> list[Table]:
        """This one and all that follow it."""
        return [self, *(self.successor.addresses if self.successor is not None else ())]

    # --- life -------------------------------------------------------------------------------

    def switch_on(self) -> None:
        """The unit starts with what its journal remembers."""
        world = self.world
        self.unit = TableUnit(
            self.system,
            self.code,
            UnitSettings(mac_key=self._key, display=f"d-{self.code}", guard_s=GUARD_S),
            journal=self.journal,
            clock=lambda: world.clocks.at(self.name),
        )
        self.unit.panel = _Screen(self)
        self.unit.link.start()

    def cut_power(self) -> None:
        """Off without a word; the journal stays."""
        if self.unit is not None:
            self.world.unplug(self.unit.link)
        self.unit = None

    def replace(self) -> None:
        """A unit without memory takes the place: what only the old journal knew is gone."""
        self.cut_power()
        self.keep_written()
        self.written_by_former_units.update(self.payloads)
        self.journal.close()
        self.journal = Journal()
        self._written_through = (0, 0)
        self.lost.clear()
        self.must_declare = False
        self.switch_on()

    def lose_events(self) -> str | None:
        """A part of the journal cannot be read any more; the unit knows, and says so later."""
        last, boot = self.journal.recall("seq"), self.journal.recall("boot")
        if last < 3:
            return None
        to_seq = self.world.dice.randint(2, last)
        from_seq = max(1, to_seq - self.world.dice.randint(0, 3))
        self.journal._query(
            "DELETE FROM event WHERE boot = ? AND seq BETWEEN ? AND ?", boot, from_seq, to_seq
        )
        self.lost.append((boot, from_seq, to_seq))
        self.must_declare = True
        return f"loses {boot}/{from_seq} to {to_seq}"

    def has_lost(self, boot: int, first: int, last: int) -> bool:
        """Whether none of these events is in the journal any more."""
        losses = {(of, seq) for of, low, high in self.lost for seq in range(low, high + 1)}
        return all((boot, seq) in losses for seq in range(first, last + 1))

    def declare(self) -> None:
        """Say what the journal lost; all of it again, for an earlier word may be lost too."""
        if self.must_declare and self.unit is not None and self.unit.boot:
            merged: list[list[int]] = []
            for _, from_seq, to_seq in sorted(self.lost):
                if merged and from_seq <= merged[-1][1] + 1:
                    merged[-1][1] = max(to_seq, merged[-1][1])
                else:
                    merged.append([from_seq, to_seq])
            for from_seq, to_seq in merged:
                self.unit.declare_lost(from_seq, to_seq)
            self.must_declare = False
            self.keep_written()

    # --- what a dealer does -----------------------------------------------------------------

    def act(self) -> str:
        """One thing that happens at the table; its name."""
        unit, dice = self.unit, self.world.dice
        if unit is None or not unit.boot:
            return "nobody can press"
        if not unit.is_session_open and dice.random() < 0.8:
            session = self._session()
            self.seats = session["seats_in_play"]
            unit.open_session(**session)
            action = "opens"
        elif unit.is_round_open and dice.random() < 0.7:
            action = self._in_round(unit)
        elif dice.random() < 0.85:
            action = "presses" if unit.press() else "presses too early"
        else:
            action = self._seldom(unit)
        self.keep_written()
        return f"{action}, {unit.boot}/{unit.last_seq}"

    def _session(self) -> dict[str, Any]:
        """One in eight is dealt with 36 cards, with which no prize here can be won."""
        session = play.session(self.world.dice)
        return session | ({"deck": 36} if self.world.dice.random() < 0.125 else {})

    def play_round(self) -> None:
        """A round from the button to its figures."""
        if self.unit is not None:
            self.unit.press()
            self.unit.complete(**self.figures())
            self.keep_written()

    def figures(self) -> dict[str, Any]:
        """Those of a round."""
        return play.figures(self.world.dice, _TERMS)

    def tend(self) -> None:
        """The unit hears what waits, and says what is due."""
        if self.unit is not None:
            for _ in range(1 + self.unit.link.deliveries.qsize()):
                self.unit.tend(0)

    def _in_round(self, unit: TableUnit) -> str:
        dice, hands = self.world.dice, self.world.fault_profile.hands
        if dice.random() >= hands:
            unit.complete(**play.figures(dice, _TERMS))
            return "completes"
        seat = dice.choice(self.seats)
        if dice.random() < 0.5:
            unit.call_hand([seat], tier=dice.choice((None, "royal", "no-such-tier")))
            return "calls"
        board, hand = play.strong_hand(dice, self.seats, "holdem")
        if dice.random() < 0.3:
            board[0] = dice.choice(("As", "Zz", hand["hole"][0]))  # a slip of the finger
        unit.report_hand([board], [hand], seats_dealt=self.seats)
        return "reports"

    def _seldom(self, unit: TableUnit) -> str:
        dice = self.world.dice
        what = dice.choice(("change", "close", "missed", "void", "withdraw", "spoilt", "repeat"))
        match what:
            case "change":
                session = self._session()
                self.seats = session.pop("seats_in_play")
                unit.change_session(self.seats, **session)
            case "close":
                unit.close_session()
            case "missed":
                unit.rounds_missed(dice.randint(1, 9), "the dealer forgot")
            case "void" if unit.round:
                unit.request_void(dice.choice(_REASONS))
            case "withdraw":
                unit.withdraw("called in error", called_seq=unit.last_seq or 1)
            case "spoilt":
                self._spoilt(unit)
            case _ if unit.round:
                unit.complete(**play.figures(dice, _TERMS))
        return what

    def _spoilt(self, unit: TableUnit) -> None:
        """A fault of the unit's program: an event that no schema allows takes its seq."""

        def payload(boot: int, seq: int) -> bytes:
            event = {"v": 1, "type": "session_closed", "system": self.system, "table": self.code}
            return self._signed(json.dumps({**event, "boot": boot, "seq": seq, "shoe": 9}).encode())

        seq, message = self.journal.append(payload)
        self.spoilt.add((unit.boot, seq))
        unit.receipts.note_sent(seq)
        unit._send(message)

    def talk_nonsense(self) -> str:
        """Bytes that no unit should say, or an old event with other content."""
        unit, dice = self.unit, self.world.dice
        if unit is None or unit.link.connection is None:  # type: ignore[attr-defined]
            return "says nothing"
        topic = topics.events(self.system, self.code)
        kind = dice.choice(("noise", "array", "giant", "stranger", "presence", "conflict"))
        body = {
            "noise": dice.randbytes(40),
            "array": b"[1, 2, 3]",
            "giant": b"{" + b" " * 70_000,
            "stranger": b'{"v": 1, "boot": 1, "seq": 1}',
            "presence": b'{"v": 1, "state": "asleep"}',
        }.get(kind, b"")
        if kind == "stranger":
            topic = topics.events(self.system, "nobody")
        elif kind == "presence":
            topic = topics.presence(self.system, self.code)
        elif kind == "conflict":
            body = self._conflicting(unit)
        if body:
            unit.link.publish(topic, body)
        return f"says {kind}"

    def _conflicting(self, unit: TableUnit) -> bytes:
        """Another event under the identity of one that a receipt covers; the first stands."""
        covered = self.journal.events_from(unit.boot, 1, 1000)
        covered = [item for item in covered if item[0] <= unit.receipts.committed_seq]
        if not covered or self.world.fault_profile.restores:
            return b""
        body = self.world.dice.choice(covered)[1].partition(b"\n")[0]
        event: dict[str, Any] = json.loads(body)
        event["test"] = not event.get("test", False)
        return self._signed(json.dumps(event).encode())

    def _signed(self, body: bytes) -> bytes:
        return signed(body, self._key)

    # --- what is known of it ----------------------------------------------------------------

    def keep_written(self) -> None:
        """Remember what the journal holds by now, whatever becomes of it."""
        boot = self.journal.recall("boot")
        last_seq = self._written_through[1] if self._written_through[0] == boot else 0
        for seq, payload in self.journal.events_from(boot, last_seq + 1, 1000):
            self.payloads.setdefault((boot, seq), set()).add(payload)
            self._written_through = boot, seq

    def journalled(self) -> list[tuple[int, int]]:
        """Boot and seq of what stands in the journal now."""
        return self.journal._query("SELECT boot, seq FROM event ORDER BY boot, seq")

    def is_settled(self) -> bool:
        """Everything that this unit said is covered by receipts."""
        unit = self.unit
        return (
            unit is not None
            and bool(unit.boot)
            and not self.must_declare
            and unit.receipts._era == self.world.era
            and unit.link.is_connected
            and unit.link.deliveries.empty()
            and unit.receipts.committed_seq >= unit.last_seq
        )


def still_dark(tables: Iterable[Table]) -> list[Table]:
    """Open tables with a dark display, where the terms say what comes of it."""
    return [
        table
        for table in tables
        if table.is_dark and table.has_display and table.unit and table.unit.is_session_open
    ]
