"""What the dealer failed to record (19.19): what shows it, and who credits it. Whole rounds, whose
button was not pressed, or the completion of one (19.10).

One supervisor credits them alone up to a limit for each table and gaming day
(`manage.py set_missed_rounds`), which a second person countersigns; above it two people decide.
They are priced by the terms in force.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from jackpot.domain.command_handlers.missed_rounds import MissedRounds
from jackpot.labels.figures import write_count
from jackpot.models import CommandQueue
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.core import guards
from settlement.core.errors import BadReason, SamePerson
from settlement.core.input import clean_text
from settlement.floor.rulings import Request, answer_of, queued
from settlement.models import Countersignature, Proposal, Ruling
from settlement.models.floor import COMPLETION
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import require
from tables.models import GamingTable
from tables.visibility.scope import visible_systems

SIGNALS = 200

# A round that was pressed and whose figures nobody gave, where they feed a prize. While it may be
# in play still that shows nothing: its table closed since, or began two more rounds (the figures of
# one may be typed while the next is dealt).
_UNCOMPLETED = """
    SELECT r.table_id, r.round, 'uncompleted' AS what, r.started AS entry, 0 AS missing
    FROM jackpot_roundstate r LEFT JOIN jackpot_tablestate s ON s.table_id = r.table_id
    WHERE r.awaits AND r.completed IS NULL AND r.void IS NULL AND r.cancelled IS NULL
      AND (r.started IS NOT NULL OR r.priced IS NOT NULL) AND r.round > 0
      AND num_nonnulls(r.pot, r.commission, r.taken) = 0
      AND (r.pace IS NULL OR r.accepted IS NOT NULL)
      AND (s.session IS NULL OR (
        SELECT n.round FROM jackpot_roundstate n
        WHERE n.system_id = r.system_id AND n.table_id = r.table_id AND n.started IS NOT NULL
        ORDER BY n.round DESC OFFSET 1 LIMIT 1) > r.round)
"""
# Of each table that has held rounds, how many: `settlement.floor.held_rounds`.
_HELD = """
    SELECT r.table_id, NULL::bigint, 'held', max(r.started), count(*) FROM jackpot_roundstate r
    WHERE r.pace IS NOT NULL AND r.accepted IS NULL AND r.cancelled IS NULL GROUP BY r.table_id
"""
# Rounds that were played at a table and whose button was not pressed, where a press adds money;
# those without a completion; and seqs of a stream that the order went past and that never came.
_SIGNALS = f"""
    SELECT r.table_id, r.round, 'hand' AS what, h.place AS entry, 0 AS missing
    FROM jackpot_roundstate r JOIN jackpot_hit h
      ON (h.system_id, h.number) = (r.system_id, r.hit)
    WHERE r.started IS NULL AND r.void IS NULL AND r.priced IS NULL AND r.hit IS NOT NULL
      AND r.round > 0
    UNION ALL
    SELECT r.table_id, r.round, 'completion', r.completed, 0
    FROM jackpot_roundstate r
    WHERE r.started IS NULL AND r.void IS NULL AND r.priced IS NULL AND r.hit IS NULL
      AND r.completed IS NOT NULL AND EXISTS (
        SELECT FROM jackpot_terms t WHERE t.system_id = r.system_id AND t.number <= r.terms
          AND t.document @? '$.tiers[*].increments[*] ? (@.source == "per_round")')
    UNION ALL
    {_UNCOMPLETED}
    UNION ALL
    {_HELD}
    UNION ALL
    SELECT g.table_id, NULL, 'gap', g.entry_seq, g.to_seq - g.from_seq + 1 - g.arrived
    FROM jackpot_gap g WHERE g.arrived < g.to_seq - g.from_seq + 1
"""  # noqa: S608 - of constants
_VISIBLE = f"""
    SELECT found.* FROM ({_SIGNALS}) AS found JOIN tables_gamingtable g ON g.id = found.table_id
    WHERE %(systems)s::bigint[] IS NULL OR g.system_id = ANY(%(systems)s)
    ORDER BY 4 DESC NULLS LAST LIMIT %(most)s
"""  # noqa: S608
_UNCOMPLETED_AT = f"""
    SELECT found.round FROM ({_UNCOMPLETED}) AS found WHERE found.table_id = %s
    ORDER BY found.round DESC LIMIT %s
"""  # noqa: S608


SHOWN_BY = {
    "hand": gettext_lazy("A hand, button not pressed"),
    "completion": gettext_lazy("A completion, button not pressed"),
    "uncompleted": gettext_lazy("Completion missing"),
}


@dataclass(frozen=True, slots=True)
class Signal:
    """An entry that shows that rounds were played and not recorded, or recorded and not played.

    `what`: a hand or a completion without its start, a round that is `uncompleted`, a gap of
    `missing` events, or so many rounds that are `held` for their pace. `entry`: none where a
    supervisor credited the start without the figures.
    """

    table: GamingTable
    round: int | None
    what: str
    entry: int | None
    missing: int

    @property
    def words(self) -> str:
        """What it is that shows it, for people."""
        count = write_count(self.missing)
        if self.what == "gap":
            text = ngettext("%(count)s missing event", "%(count)s missing events", self.missing)
            return text % {"count": count}
        if self.what == "held":
            text = ngettext(
                "%(count)s round held: button pressed too often",
                "%(count)s rounds held: button pressed too often",
                self.missing,
            )
            return text % {"count": count}
        return str(SHOWN_BY[self.what])


def signals() -> list[Signal]:
    """What shows missed rounds that nobody has credited, and held ones, newest first."""
    with connection.cursor() as cursor:
        cursor.execute(_VISIBLE, {"systems": visible_systems(), "most": SIGNALS})
        rows = cursor.fetchall()
    tables = GamingTable.objects.select_related("system__casino").in_bulk({row[0] for row in rows})
    return [Signal(tables[table], *rest) for table, *rest in rows]


def uncompleted(table: GamingTable) -> list[int]:
    """The rounds of a table whose completion is missing, newest first."""
    with connection.cursor() as cursor:
        cursor.execute(_UNCOMPLETED_AT, [table.pk, SIGNALS])
        return [number for (number,) in cursor.fetchall()]


def left_today(table: GamingTable) -> int:
    """How many missed rounds one person may still credit at this table today.

    The database counts them, and refuses more.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT missed_rounds_left(%s)", [table.pk])
        return int(cursor.fetchone()[0])


@dataclass(frozen=True, slots=True)
class MissedCredit:
    """So many missed rounds of a table, as a person credits them.

    `figures` in micros (pot, uncalled, commission, drop) of one round; `entries` are its signals.
    `completion`: what was missed is the completion of the round that is named. `another`: figures
    without a number are of none of the rounds whose completion is missing.
    """

    count: int
    evidence: str
    rounds: Sequence[int] = ()
    completion: bool = False
    another: bool = False
    players: int | None = None
    figures: Mapping[str, int | None] = field(default_factory=dict)
    entries: Sequence[int] = ()

    @property
    def amounts(self) -> dict[str, int]:
        """The figures that are known."""
        return {name: amount for name, amount in self.figures.items() if amount is not None}

    def body(self, table: GamingTable) -> dict[str, Any]:
        """The body of the command."""
        body: dict[str, Any] = {"table": table.code, "count": self.count}
        body |= {"evidence": clean_text(self.evidence), **self.amounts}
        body |= {"rounds": list(self.rounds)} if self.rounds else {}
        body |= {"completion": True} if self.completion else {}
        body |= {"players": self.players} if self.players is not None else {}
        body |= {"signals": list(self.entries)} if self.entries else {}
        return body


def credit(
    table: GamingTable,
    user: Any,
    missed: MissedCredit,
    *,
    request: Request | None = None,
    key: uuid.UUID | None = None,
) -> commands.Answer | Proposal:
    """Credit missed rounds; a proposal for a second person where the day's limit is reached."""
    require(user, "credit_missed", table.system)
    body, rounds = missed.body(table), missed.rounds
    _require_readable(body, has_figures=bool(missed.amounts))
    if missed.amounts and not rounds and not missed.another:
        _require_unknown(table)
    for number in rounds:
        staff_play.require_apart_of_round(table, number, user)
    with guards.in_words():
        # Two forms at once meet here one after the other: the limit is of both together.
        CommandQueue.objects.get_or_create(system=table.system)
        CommandQueue.objects.select_for_update().get(system=table.system)
        is_repeat = Ruling.objects.filter(key=key).exists() if key else False
        proposed = Proposal.objects.filter(key=key).exists() if key else False
        alone = is_repeat or (missed.count <= left_today(table) and not proposed)
        if not alone:
            kind = Proposal.Kind.MISSED_ROUNDS
            return proposals.propose(table.system, kind, table.code, body, user, key)
        ruling = Ruling(
            kind=Ruling.Kind.MISSED,
            table=table,
            round=rounds[0] if len(rounds) == 1 else None,
            reason=COMPLETION if missed.completion else "",
            note=body["evidence"],
            count=missed.count,
        )
        ruling = queued(ruling, body, user, request, key)
    return answer_of(ruling)


def _require_readable(body: Mapping[str, Any], *, has_figures: bool) -> None:
    if not body["evidence"]:
        raise BadReason(_("Enter the evidence: footage reference, dealer's statement, count."))
    try:
        msgspec.convert(body, MissedRounds)
    except msgspec.ValidationError as fault:
        raise BadReason(_("These rounds cannot be read: %(fault)s.") % {"fault": fault}) from fault
    rounds, count = body.get("rounds", []), body["count"]
    if rounds and len(set(rounds)) != count:
        raise BadReason(_("Enter as many rounds as there are, each once."))
    if has_figures and count != 1:
        raise BadReason(_("Pot, commission and drop are those of one round: give each its own."))


def _require_unknown(table: GamingTable) -> None:
    """Refuse figures of a round that is known: by its number its press is not credited again."""
    if missing := uncompleted(table):
        numbers = ", ".join(map(str, missing[:5])) + (", …" if missing[5:] else "")
        raise BadReason(
            _(
                "The completion of round %(numbers)s is missing at this table: if that is the "
                "round, credit its completion by its number. If it is another one, confirm "
                "that."
            )
            % {"numbers": numbers}
        )


def to_countersign() -> QuerySet[Ruling]:
    """What one person credited alone and nobody has countersigned, the oldest first."""
    rows = Ruling.objects.filter(kind=Ruling.Kind.MISSED, countersignature=None)
    return rows.select_related("system__casino", "table", "person").order_by("id")


def countersign(ruling: Ruling, user: Any, note: str = "") -> Countersignature:
    """A second person has looked at missed rounds that one credited alone."""
    require(user, "countersign_missed", ruling.system)
    if ruling.person_id == user.pk:
        raise SamePerson(_("You credited these rounds: somebody else must countersign."))
    with guards.in_words():
        return Countersignature.objects.create(ruling=ruling, person=user, note=clean_text(note))
