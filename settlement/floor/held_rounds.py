"""Rounds that are held because their button was pressed faster than posted
(`jackpot.terms.press_rate`).

One supervisor accepts those that were played, and refuses the others: at once where nothing was
reported but the press; where the unit reported figures too, a second person agrees, since chips may
have been taken.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from jackpot.domain.command_handlers.held_rounds import MOST_HELD
from jackpot.labels.figures import write_count
from jackpot.models import RoundState
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.core import guards
from settlement.core.errors import BadReason, OwnHand, WrongState
from settlement.core.input import required_text
from settlement.floor.rulings import answer_of, queued
from settlement.models import Proposal, Ruling
from settlement.people.rights.permissions import require
from tables.models import GamingTable

Kind = Ruling.Kind

_WITH_FIGURES = "num_nonnulls(r.pot, r.uncalled, r.commission, r.taken) > 0"
_IS_HELD = "r.pace IS NOT NULL AND r.accepted IS NULL AND r.cancelled IS NULL"
_ROUNDS = f"""
    SELECT r.round, e.at, v.recorded_at, r.pace, {_WITH_FIGURES}, r.hit
    FROM jackpot_roundstate r
    JOIN jackpot_entry e ON (e.system_id, e.seq) = (r.system_id, r.started)
    JOIN tables_tableevent v ON v.id = e.event_id
    WHERE r.system_id = %s AND r.table_id = %s AND {_IS_HELD} ORDER BY r.round LIMIT %s
"""  # noqa: S608 - of constants


_OWN = "SELECT bool_or(was_dealt_in_round(%s, round, %s)) FROM unnest(%s::bigint[]) AS round"


@dataclass(frozen=True, slots=True)
class HeldRound:
    """One of them: its press by the order's time and its unit's clock, as which of its minute."""

    round: int
    at: dt.datetime
    recorded_at: dt.datetime
    pace: int
    has_figures: bool
    hit: int | None


def tables() -> QuerySet[RoundState]:
    """One row for each table that has held rounds."""
    rounds = RoundState.objects.filter(pace__isnull=False, accepted=None, cancelled=None)
    return rounds.order_by("table").distinct("table")


def rounds_of(table: GamingTable) -> list[HeldRound]:
    """The held rounds of a table in their order, as many as one decision takes."""
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS, [table.system_id, table.pk, MOST_HELD])
        return [HeldRound(*row) for row in cursor.fetchall()]


def accept(
    table: GamingTable,
    user: Any,
    rounds: Sequence[int],
    note: str,
    key: uuid.UUID | None = None,
) -> commands.Answer:
    """They were played: what they add is credited now. The writer's answer."""
    require(user, "rule_round", table.system)
    body = _body(table, user, rounds, note)
    return _ruled(Kind.ACCEPT, table, user, body, key)


def refuse(
    table: GamingTable,
    user: Any,
    rounds: Sequence[int],
    note: str,
    key: uuid.UUID | None = None,
) -> commands.Answer | Proposal:
    """They were not played; a proposal for a second person where one of them has figures."""
    require(user, "rule_round", table.system)
    body = _body(table, user, rounds, note)
    is_repeat = Ruling.objects.filter(key=key).exists() if key else False
    if not is_repeat and any(each.has_figures for each in rounds_of(table) if each.round in rounds):
        waiting = open_refusal(table)
        if waiting is not None and waiting.key != key:
            raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
        return proposals.propose(
            table.system, Proposal.Kind.REFUSE_ROUNDS, table.code, body, user, key
        )
    return _ruled(Kind.REFUSE_HELD, table, user, body, key)


def open_refusal(table: GamingTable) -> Proposal | None:
    """What is proposed for rounds of this table and nobody has decided."""
    refusals = proposals.open_proposals().filter(
        system=table.system_id, kind=Proposal.Kind.REFUSE_ROUNDS, subject=table.code
    )
    return refusals.first()


def _body(table: GamingTable, user: Any, rounds: Sequence[int], note: str) -> dict[str, Any]:
    note = required_text(
        note, _("Describe what you saw: footage reference, dealer's statement, count.")
    )
    if not rounds:
        raise BadReason(_("Choose the rounds."))
    if len(rounds) > MOST_HELD or len(set(rounds)) != len(rounds):
        raise BadReason(
            _("Choose each round once, %(most_held)s at most.")
            % {"most_held": write_count(MOST_HELD)}
        )
    with connection.cursor() as cursor:
        cursor.execute(_OWN, [table.pk, user.pk, list(rounds)])
        if cursor.fetchone()[0]:
            raise OwnHand(_("You were dealt into one of these rounds: somebody else decides."))
    return {"table": table.code, "rounds": list(rounds), "note": note}


def _ruled(
    kind: Ruling.Kind,
    table: GamingTable,
    user: Any,
    body: dict[str, Any],
    key: uuid.UUID | None,
) -> commands.Answer:
    rounds = body["rounds"]
    ruling = Ruling(
        kind=kind,
        table=table,
        round=rounds[0] if len(rounds) == 1 else None,
        note=body["note"],
    )
    with guards.in_words():
        ruling = queued(ruling, body, user, None, key)
    return answer_of(ruling)
