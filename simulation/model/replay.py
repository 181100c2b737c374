"""Stepping the product through a behaviour of the model, and comparing after each step."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.test import override_settings

from simulation.console import PosterPart
from simulation.model.stage import (
    SYSTEM,
    TABLES,
    Stage,
    UnitPart,
    paused,
    receipt_in,
    taken_off,
)
from simulation.model.traces import Step, Trace
from simulation.template_database import TemplateDatabase

Receipt = dict[str, Any]  # as the model has it

_NO_LEASE_DUE = float("inf")
_STORED = """
    SELECT t.code, e.boot, e.seq FROM tables_tableevent e
    JOIN tables_gamingtable t ON t.id = e.table_id ORDER BY 1, 2, 3
"""
_ORDER = """
    SELECT t.code, n.boot, n.event_seq FROM jackpot_entry n
    JOIN tables_gamingtable t ON t.id = n.table_id WHERE n.kind = 'event' ORDER BY n.seq
"""
_HEAD = f"""
    SELECT h.epoch, h.writer, h.lease_until, s.era FROM jackpot_head h
    JOIN tables_jackpotsystem s ON s.id = h.system_id WHERE s.code = '{SYSTEM}'
"""  # noqa: S608 - of a constant


class Difference(Exception):
    """The product did not do what the model says."""


def prepare(ground: TemplateDatabase) -> str:
    """The database that every behaviour begins with; its name."""
    stage = Stage(ground, ground.template)
    with stage.open():
        stage.install()
        stage.close_sessions()
        return ground.clone(stage.database)


def replay(trace: Trace, ground: TemplateDatabase, database: str) -> None:
    """Step through it; Difference where the product does, or shows, something else."""
    stage = Stage(ground, database)
    # The model has no clock, so a gap is waited for.
    with stage.open(), override_settings(GAP_WAIT_S=1e9):
        replayed = Replay(stage)
        for number, step in enumerate(trace, 1):
            try:
                replayed.step(step)
            except Difference as difference:
                way = " ".join(str(each["did"]) for each in trace[:number])
                raise Difference(f"step {number}, {step['did']}: {difference}\n{way}") from None


class Replay:
    """One behaviour in the making."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        ((self._first_epoch, _, _, first_era),) = stage.rows(_HEAD)
        self._eras = [first_era]  # the model numbers them from 1
        self._receipts: dict[tuple[str, str], bytes] = {}  # on their way, as the product sent them
        self._answers: dict[str, str] = {}  # whom an intake has to answer that has recorded
        for table in TABLES:
            stage.units[table] = UnitPart(stage, table)
            stage.units[table].begin()

    def step(self, step: Step) -> None:
        """Do it, and compare."""
        name, *who = step["did"]
        method = "_" + re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        make: Callable[..., None] = getattr(self, method)
        make(*who)
        expected = step["then"]
        state = self._visible(expected)
        wrong = [
            f"{key}: {state[key]}, in the model {expected[key]}"
            for key in expected
            if state[key] != expected[key]
        ]
        if wrong:
            raise Difference("; ".join(wrong))

    # --- units ------------------------------------------------------------------------------

    def _press(self, unit: str) -> None:
        self._stage.units[unit].press()

    def _resend(self, unit: str, seq: int) -> None:
        if not self._stage.units[unit].send_again(seq):
            raise Difference(f"{unit} does not send {seq} again")

    def _greet(self, unit: str) -> None:
        part = self._stage.units[unit]
        self._keep(unit, self._stage.answer(part.presence_message()))

    def _hear(self, unit: str, receipt: Receipt) -> None:
        key = unit, _name(receipt)
        if key not in self._receipts:
            raise Difference(f"no intake sent {receipt}")
        self._stage.units[unit].hear(self._receipts.pop(key))

    def _exchange(self, unit: str) -> None:
        self._stage.units[unit].exchange()

    # --- the network ------------------------------------------------------------------------

    def _lose(self, message: Any) -> None:
        """It is never delivered."""

    def _lose_receipt(self, receipt: Receipt) -> None:
        self._receipts.pop((receipt["unit"], _name(receipt)), None)

    def _keep(self, unit: str, payload: bytes) -> None:
        self._receipts[unit, _name(self._read(unit, payload))] = payload

    def _read(self, unit: str, payload: bytes) -> Receipt:
        """What the product sent, as the model would say it."""
        fields = json.loads(payload)
        return {
            "unit": unit,
            "boot": fields["boot"],
            "upto": fields["committed_seq"],
            "era": self._eras.index(fields["era"]) + 1,
            "missing": fields["resend_from"] is not None,
        }

    # --- intakes ----------------------------------------------------------------------------

    def _record(self, intake: str, event: dict[str, Any]) -> None:
        part = self._stage.intakes[intake]
        unit = self._stage.units[event["unit"]]
        self._stage.link_of(part).deliver(1, unit.event_message(event["boot"], event["seq"]))
        process = paused(part)
        process.begin(part.step, "publish")
        if not process.stands_still:
            raise Difference(f"{intake} answers nothing")
        self._answers[intake] = event["unit"]

    def _answer(self, intake: str) -> None:
        part = self._stage.intakes[intake]
        paused(part).go_on()
        receipt = receipt_in(taken_off(self._stage.link_of(part)))
        self._keep(self._answers.pop(intake), receipt)

    def _crash_intake(self, intake: str) -> None:
        self._answers.pop(intake, None)
        paused(self._stage.intakes[intake]).die()

    # --- posters ----------------------------------------------------------------------------

    def _lease(self, poster: str) -> None:
        part = self._stage.posters[poster]
        if part.poster is None:
            part.new_life()
        poster_ = part.poster
        assert poster_ is not None
        poster_._renew_at = None
        part.process.run("lease", poster_._lease)
        poster_._renew_at = _NO_LEASE_DUE

    def _open(self, poster: str) -> None:
        part = self._stage.posters[poster]
        assert part.poster is not None
        part.poster._renew_at, part.poster._looked_at = _NO_LEASE_DUE, -_NO_LEASE_DUE
        # In a pipeline by INSERT, else by COPY.
        paused(part).begin(part.step, "insert jackpot_entry", "copy jackpot_entry")

    def _commit(self, poster: str) -> None:
        process = paused(self._stage.posters[poster])
        if not process.stands_still:
            raise Difference(f"{poster} has begun no batch")
        if not process.go_on():
            raise Difference(f"{poster} committed nothing")

    def _freeze(self, poster: str) -> None:
        """Nobody lets it go on."""

    def _thaw(self, poster: str) -> None:
        """It may go on."""

    def _end_session(self, poster: str) -> None:
        self._stage.end_session(self._stage.posters[poster])

    def _crash_poster(self, poster: str) -> None:
        paused(self._stage.posters[poster]).die()

    def _expire(self) -> None:
        self._stage.clocks.wrong_s["database"] += settings.POSTER_LEASE_S + 1

    # --- the database -----------------------------------------------------------------------

    def _back_up(self) -> None:
        self._stage.back_up()

    def _restore(self) -> None:
        self._stage.restore()
        ((_, _, _, era),) = self._stage.rows(_HEAD)
        self._eras.append(era)

    # --- what is compared -------------------------------------------------------------------

    def _visible(self, expected: dict[str, Any]) -> dict[str, Any]:
        stage = self._stage
        stored: dict[str, list[int]] = {}
        for table, boot, seq in stage.rows(_STORED):
            stored.setdefault(f"{table} {boot}", []).append(seq)
        order: dict[str, list[list[int]]] = {table: [] for table in TABLES}
        for table, boot, seq in stage.rows(_ORDER):
            order[table].append([boot, seq])
        ((epoch, writer, until, era),) = stage.rows(_HEAD)
        return {
            "units": {table: self._unit(stage.units[table]) for table in expected["units"]},
            "stored": stored,
            "order": {table: order[table] for table in expected["order"]},
            "head": {
                "epoch": epoch - self._first_epoch,
                "writer": writer.partition("-")[0] or None,
                "leased": until is not None and until > stage.clocks.at("database"),
            },
            "era": self._eras.index(era) + 1,
            "posters": {name: self._epoch(stage.posters[name]) for name in expected["posters"]},
            "answers": {
                name: expected["answers"][name] if name in self._answers else None
                for name in expected["answers"]
            },
        }

    def _unit(self, part: UnitPart) -> dict[str, int]:
        unit = part.unit
        book = unit.receipts
        return {
            "boot": unit.boot,
            "seq": unit.last_seq,
            "era": self._eras.index(book._era) + 1 if book._era else 0,
            "upto": book.committed_seq,
            "from": unit._resend._from or 0,
        }

    def _epoch(self, part: PosterPart) -> int:
        epochs = list(part.poster.epochs.values()) if part.poster is not None else []
        return epochs[0] - self._first_epoch if epochs else 0


def _name(receipt: Receipt) -> str:
    return json.dumps(receipt, sort_keys=True)
