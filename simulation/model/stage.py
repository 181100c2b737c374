"""The world in which behaviours of the model are replayed: the product's own units, intakes and
posters on a real PostgreSQL; what leaves a process is carried by whoever replays.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import transaction

from settlement.audit.after_restore import fence_writers
from simulation.console import IntakePart, PosterPart
from simulation.environment import patching
from simulation.environment.broker import Broker, Message
from simulation.environment.clocks import Clocks
from simulation.environment.commit_checks import Checks
from simulation.environment.connection import ModelLink
from simulation.environment.fault_profile import FaultProfile
from simulation.environment.process import Process
from simulation.model.paused_process import PausedProcess
from simulation.people import PeoplePart
from simulation.template_database import KEY, TemplateDatabase
from tables.protocol import topics
from tables.unit.journal import Journal
from tables.unit.unit import TableUnit, UnitSettings

SYSTEM = "south"
TABLES = ("s1", "s2")
KEYS = {"s2": KEY}
INTAKES = ("i1", "i2")
POSTERS = ("p1", "p2")
LONG_S = 61.0  # longer than a unit waits before it sends again


class _Unwatched(Checks):
    """Whoever replays compares; an answer of an era that is over is no finding here."""

    def published(self, who: str, topic: str, payload: bytes) -> None: ...

    def acknowledged(self, who: str, message: object) -> None: ...

    def committed(self, who: str) -> None: ...


class UnitPart:
    """The unit at a table, and what it has put on the wire: events by boot and seq."""

    def __init__(self, stage: Stage, table: str) -> None:
        self._stage, self.table = stage, table
        self.on_the_wire: dict[tuple[int, int], bytes] = {}  # since it was asked for last
        self.payloads: dict[tuple[int, int], bytes] = {}  # ever
        self.presence = b""
        self.unit = self._new_unit()

    def _new_unit(self) -> TableUnit:
        settings = UnitSettings(mac_key=KEYS.get(self.table, ""), guard_s=0.0)
        clocks = self._stage.clocks
        return TableUnit(
            SYSTEM,
            self.table,
            settings,
            journal=Journal(),
            clock=lambda: clocks.at(self.table),
        )

    @property
    def link(self) -> ModelLink:
        link: Any = self.unit.link
        assert isinstance(link, ModelLink)
        return link

    def begin(self) -> None:
        """A unit without memory starts, and takes the boot that the console names."""
        self.link.start()
        self._stage.broker.connect(self.link)
        self._drain()
        self.hear(self._stage.answer(self.presence_message()))
        self._stage.broker.connect(self.link)  # again, so that its last will names the boot
        self._drain()

    def exchange(self) -> None:
        """Another unit takes its place."""
        self.link.cut()
        self.unit.journal.close()
        self.unit = self._new_unit()
        self.begin()

    def press(self) -> None:
        """What a dealer does next: open the table, begin a round, complete it."""
        unit = self.unit
        if not unit.is_session_open:
            unit.open_session()
        elif unit.is_round_open:
            unit.complete()
        else:
            unit.press()
        self._drain()
        self.on_the_wire.pop((unit.boot, unit.last_seq))

    def send_again(self, seq: int) -> bool:
        """Whether the unit sends this event once more by itself, sooner or later."""
        key = self.unit.boot, seq
        for _ in range(3):
            if key in self.on_the_wire:
                break
            self._stage.pass_time(LONG_S)
            self.unit.tend(0)
            self._drain()
        return self.on_the_wire.pop(key, None) is not None

    def hear(self, receipt: bytes) -> None:
        """A receipt comes."""
        self.link.deliver(1, Message(topics.receipts(SYSTEM, self.table), receipt))
        self.unit.tend(0)
        self._drain()

    def presence_message(self) -> Message:
        """What it says of itself now."""
        self.unit.say_present()
        self._drain()
        return Message(topics.presence(SYSTEM, self.table), self.presence)

    def event_message(self, boot: int, seq: int) -> Message:
        """An event as it was sent."""
        return Message(topics.events(SYSTEM, self.table), self.payloads[boot, seq])

    def _drain(self) -> None:
        for topic, payload in taken_off(self.link):
            if topic == topics.presence(SYSTEM, self.table):
                self.presence = payload
            elif topic == topics.events(SYSTEM, self.table):
                event = json.loads(payload.partition(b"\n")[0])
                key = event["boot"], event["seq"]
                self.on_the_wire[key] = self.payloads[key] = payload


def taken_off(link: ModelLink) -> list[tuple[str, bytes]]:
    """What a client published since the last look, topic and payload."""
    if link.connection is None:
        return []
    upward = list(link.connection.upward)
    link.connection.upward.clear()
    return [
        (one.message.topic, one.message.payload) for _, one in upward if not isinstance(one, int)
    ]


def receipt_in(messages: list[tuple[str, bytes]]) -> bytes:
    """The first receipt of what an intake published."""
    return next(payload for topic, payload in messages if topic.endswith("/receipts"))


def paused(part: IntakePart | PosterPart) -> PausedProcess:
    """The process of a part, which can stand still."""
    assert isinstance(part.process, PausedProcess)
    return part.process


class Stage:
    """Surroundings of the processes; `database` is a clone of `ground_database`."""

    def __init__(self, ground: TemplateDatabase, ground_database: str) -> None:
        self.ground, self._ground_database = ground, ground_database
        self.database = ground.clone(ground_database)
        self.backup: str | None = None  # None: the ground itself
        self.dice = random.Random(1)
        self.fault_profile = FaultProfile.draw(self.dice).calm()
        self.clocks = Clocks()
        self.clocks.true_s = 1000.0
        self.broker = Broker(self.dice, 0.0, 0.0)
        self.checks: Checks = _Unwatched("", lambda *_: 0)
        self.era = 1
        self.running: Process | None = None
        self._watch: psycopg.Connection | None = None
        self.intakes = {name: IntakePart(self, name) for name in ("i0", *INTAKES)}
        self.posters = {name: PosterPart(self, name) for name in ("p0", *POSTERS)}
        for part in self.parts:
            part.process = PausedProcess(self, part.name)
        self.people = PeoplePart(self)
        self.units: dict[str, UnitPart] = {}

    @property
    def parts(self) -> list[IntakePart | PosterPart]:
        return [*self.intakes.values(), *self.posters.values()]

    # --- what processes ask of their surroundings ---------------------------------------------

    def note(self, text: str) -> None: ...

    def meanwhile(self, interrupted: Process) -> None: ...

    def unplug(self, link: Any) -> None: ...

    def killed(self, process: Process) -> None:
        """A process is gone, and its line."""
        for part in self.parts:
            if part.process is process:
                if isinstance(part, IntakePart) and part.intake is not None:
                    part.intake.link.cut()
                part.fell()

    def make_link(self, client_id: str, *args: Any, **keywords: Any) -> ModelLink:
        """In the place of `tables.mqtt.client.Link`."""
        keywords.pop("url", None)
        link = ModelLink(self.broker, client_id, *args, **keywords)
        link.process = self.running
        return link

    # --- life ---------------------------------------------------------------------------------

    @contextmanager
    def open(self) -> Iterator[None]:
        """The product lives here meanwhile."""
        with patching.patched(self.clocks, self.make_link):
            try:
                yield
            finally:
                self.close_sessions()
                for unit in self.units.values():
                    unit.unit.journal.close()
                self.ground.drop(self.database)
                if self.backup is not None:
                    self.ground.drop(self.backup)

    def install(self) -> None:
        """Terms are posted, and units are installed, each with its first boot."""
        self.people.post_terms(SYSTEM)
        poster = self.posters["p0"]
        poster.step()
        assert poster.poster is not None
        poster.process.run("give up", poster.poster.give_up)
        systems = [id_ for (id_,) in self.rows("SELECT id FROM tables_jackpotsystem")]

        def leave_to_nobody() -> None:
            with transaction.atomic():
                fence_writers(systems)

        self.people.process.run("fence", leave_to_nobody)

    def pass_time(self, seconds: float) -> None:
        """For everybody but the database, by whose clock leases run."""
        self.clocks.true_s += seconds
        self.clocks.wrong_s["database"] -= seconds

    def answer(self, message: Message) -> bytes:
        """What an intake says to this at once."""
        part = self.intakes["i0"]
        link = self.link_of(part)
        link.deliver(1, message)
        part.step()
        return receipt_in(taken_off(link))

    def link_of(self, part: IntakePart) -> ModelLink:
        """The line of an intake that is there, or starts now."""
        if part.intake is None:
            part.start()
        assert part.intake is not None
        link: Any = part.intake.link
        if not link.is_connected:
            self.broker.connect(link)
            link.deliveries.queue.clear()
        assert isinstance(link, ModelLink)
        return link

    # --- the database -------------------------------------------------------------------------

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What is committed."""
        if self._watch is None:
            self._watch = psycopg.connect(self.ground.url(self.database), autocommit=True)
        return self._watch.execute(query).fetchall()

    def close_sessions(self) -> None:
        """Nobody is connected to the database any more; a batch that stood still ends."""
        for poster in self.posters.values():
            self.end_session(poster)
        for part in self.parts:
            if paused(part).stands_still:
                paused(part).lose_session()
            else:
                part.process.close()
        self.people.process.close()
        if self._watch is not None:
            self._watch.close()
        self._watch = None

    def end_session(self, part: PosterPart) -> None:
        """The server ends what a poster has begun; it learns that when it goes on."""
        if paused(part).stands_still:
            paused(part).lose_session()
            paused(part).go_on()

    def back_up(self) -> None:
        """A copy of the database."""
        self.close_sessions()
        self.backup = self.ground.clone(self.database)

    def restore(self) -> None:
        """The database is lost, and its backup takes its place; an era begins."""
        self.close_sessions()
        self.ground.drop(self.database)
        self.database = self.ground.clone(self.backup or self._ground_database)
        for part in self.parts:
            paused(part).look_at(self.database)
        self.pass_time(LONG_S)  # eras are numbered by the clock
        self.people.begin_era()
