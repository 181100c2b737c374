"""Promise: nobody decides on an own hand, and no manager alone on a large amount.

Whoever a decision about a hit names was not dealt in at that hand, as far as anybody had said so
before: of themselves, or of a colleague within the eight hours before, or with the word of a second
person beside it; and nobody else had contradicted. A confirmation by which a claim comes to more
than the casino's amount then in force stands on the approval of exactly that amount by somebody
else; so does an adjustment by which more than that was given to a prize, or taken back, on one
gaming day. One person alone credited, of a table and gaming day, no more missed rounds than the
casino then allowed. What was said or in force before a decision is what its command rests on
(`verifier.people.decision_basis`), whatever the clocks say; the eight hours and the gaming day are
by the database's times of both.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision
from verifier.fold.terms.calendar import Calendar

KIND = "people"
_DAY = dt.timedelta(days=1)
_SHIFT = dt.timedelta(hours=8)  # as long the word of one colleague alone keeps somebody out

_PLAYS = """
    SELECT u.username, p.table_id, p.since, coalesce(p.until, e.at), p.at, said.command, s.username,
           w.agrees, second.username, seconded.command
    FROM settlement_staffplay p JOIN auth_user u ON u.id = p.person_id
    JOIN auth_user s ON s.id = p.said_by_id
    JOIN tables_gamingtable t ON t.id = p.table_id
    LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
    LEFT JOIN settlement_staffplayword w ON w.play_id = p.id
    LEFT JOIN auth_user second ON second.id = w.person_id
    LEFT JOIN settlement_record said
      ON (said.source, said.row, said.system_id) = ('settlement_staffplay', p.id, t.system_id)
    LEFT JOIN settlement_record seconded ON (seconded.source, seconded.row, seconded.system_id)
        = ('settlement_staffplayword', w.id, t.system_id)
    WHERE t.system_id = %s
"""
_HANDS = """
    SELECT h.number, h.table_id, n.at, v.recorded_at, s.at
    FROM jackpot_hit h
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (h.system_id, h.place)
    LEFT JOIN tables_tableevent v ON v.id = n.event_id
    LEFT JOIN jackpot_roundstate r
      ON (r.system_id, r.table_id, r.round) = (h.system_id, h.table_id, h.round)
    LEFT JOIN jackpot_entry s ON (s.system_id, s.seq) = (r.system_id, r.started)
    WHERE h.system_id = %s
"""
_ISSUED = "SELECT number, issued_at FROM jackpot_command WHERE system_id = %s"
_LIMITS = """
    SELECT l.amount, r.command FROM settlement_secondmanagerlimit l
    JOIN settlement_record r ON (r.source, r.row) = ('settlement_secondmanagerlimit', l.id)
    WHERE r.system_id = %s AND r.command IS NOT NULL ORDER BY l.id
"""
_APPROVALS = """
    SELECT k.number, u.username, a.report_entry,
           CASE jsonb_typeof(a.body -> 'amount') WHEN 'number' THEN a.body ->> 'amount' END,
           CASE jsonb_typeof(a.body -> 'confirmed') WHEN 'number' THEN a.body ->> 'confirmed' END
    FROM settlement_action a JOIN settlement_claim k ON k.id = a.claim_id
    JOIN auth_user u ON u.id = a.person_id
    WHERE k.system_id = %s AND a.kind = 'approve'
"""
_ADJUSTMENTS_APPROVED = """
    SELECT d.command, p.person_id, d.person_id, a.person_id
    FROM settlement_proposaldecision d JOIN settlement_proposal p ON p.id = d.proposal_id
    JOIN settlement_proposalapproval a ON a.proposal_id = p.id
    WHERE p.system_id = %s AND p.kind = 'adjust_pool' AND d.command IS NOT NULL
"""
_ALONE = """
    SELECT g.code, r.table_id, r.day, r.count, r.at, r.command
    FROM settlement_ruling r JOIN tables_gamingtable g ON g.id = r.table_id
    WHERE r.system_id = %s AND r.kind = 'missed_rounds' ORDER BY r.id
"""
_MISSED_LIMITS = """
    SELECT l.count, r.command FROM settlement_missedroundslimit l
    JOIN settlement_record r ON (r.source, r.row) = ('settlement_missedroundslimit', l.id)
    WHERE r.system_id = %s AND r.command IS NOT NULL ORDER BY l.id
"""
_MISSED_ALONE = 10  # where the house has decided nothing


_Limits = list[tuple[int | None, int]]  # each with the command that took it in, the oldest first


def _in_force(limits: _Limits, command: int) -> int | None:
    """The newest on which the command rests; None where there is none, or no limit."""
    return next((limit for limit, since in reversed(limits) if since <= command), None)


def _is_before(taken_in: int | None, command: int) -> bool:
    """Whether the command rests on what that one took in."""
    return taken_in is not None and taken_in <= command


@dataclass(frozen=True, slots=True)
class _Play:
    person: str
    table: int
    since: dt.datetime
    until: dt.datetime | None
    said_at: dt.datetime
    command: int | None  # that took it in
    by: str
    agrees: bool | None  # the second word, where there is one
    second: str | None
    second_command: int | None

    def kept_out(self, command: int, issued: dt.datetime) -> bool:
        """Whether it counted for that command, queued then."""
        if not _is_before(self.command, command):
            return False
        if self.by == self.person:
            return True
        if self._word_stands and _is_before(self.second_command, command):
            return bool(self.agrees)
        return issued < self.said_at + _SHIFT

    @property
    def _word_stands(self) -> bool:
        """Nobody seconds what they said themselves, and nobody clears themselves."""
        is_cleared = not self.agrees and self.second == self.person
        return self.second is not None and self.second != self.by and not is_cleared


@dataclass(frozen=True, slots=True)
class _Hand:
    table: int
    round_start: dt.datetime
    hit: dt.datetime

    def has(self, play: _Play) -> bool:
        """Whether the play was going on while the round was."""
        left = play.until is not None and play.until < self.round_start
        return play.table == self.table and play.since <= self.hit and not left


def conflicts(
    connection: Connection, scope: Scope, system: System, decisions: list[Decision]
) -> None:
    """Who decided was not at the table; large amounts, and many missed rounds, took two."""
    _missed_rounds(connection, scope, system)
    plays = [_Play(*row) for row in ask(connection, _PLAYS, [system.id])]
    limits = ask(connection, _LIMITS, [system.id])
    if not plays and not limits:
        return
    issued = dict(ask(connection, _ISSUED, [system.id]))
    _own_hands(connection, scope, system, decisions, plays, issued)
    _large_amounts(connection, scope, system, decisions, limits)
    _large_adjustments(connection, scope, system, decisions, limits, issued)


def _own_hands(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    plays: list[_Play],
    issued: dict[int, dt.datetime],
) -> None:
    hands: dict[int, _Hand] = {}
    for number, table, hit, recorded, started in ask(connection, _HANDS, [system.id]):
        moments = [hit, started, recorded and max(recorded, hit - _DAY)]
        hands[number] = _Hand(table, min(at for at in moments if at), hit)
    for decision in decisions:
        entry = decision.entry
        hand = hands.get(decision.outcome.get("hit") or 0)
        if hand is None or entry.command is None:
            continue
        for play in plays:
            is_actor = play.person in (entry.first, entry.second)
            is_out = is_actor and play.kept_out(entry.command, issued[entry.command])
            if is_out and hand.has(play):
                sentence = f"{play.person} was dealt in, and decided: {entry.type}"
                scope.add(KIND, f"entry {entry.seq}", sentence)


def _large_amounts(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    limits: _Limits,
) -> None:
    approvals = ask(connection, _APPROVALS, [system.id])
    so_far: dict[int, int] = defaultdict(int)
    for decision in decisions:
        entry = decision.entry
        if entry.type != "confirm_claim" or entry.command is None:
            continue
        hit, amount = decision.outcome["hit"], decision.outcome["confirmed"]
        highest = _in_force(limits, entry.command)
        facts = (hit, decision.body["report_entry"], str(amount), str(so_far[hit]))
        so_far[hit] += amount
        if highest is None or so_far[hit] <= highest:
            continue
        approved = (
            who
            for number, who, *rest in approvals
            if (number, *rest) == facts and who not in (entry.first, entry.second)
        )
        if next(approved, None) is None:
            scope.add(KIND, f"entry {entry.seq}", "a large amount, confirmed by one manager alone")


def _large_adjustments(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    limits: _Limits,
    issued: dict[int, dt.datetime],
) -> None:
    calendar = Calendar(system.zone, system.day_starts)
    approved = {
        command
        for command, *others, approver in ask(connection, _ADJUSTMENTS_APPROVED, [system.id])
        if approver not in others
    }
    of_day: dict[tuple[str, dt.date], int] = defaultdict(int)
    for decision in decisions:
        entry = decision.entry
        if entry.type != "adjust_pool" or entry.command is None:
            continue
        key = (decision.outcome["tier"], calendar.day_of(issued[entry.command]))
        of_day[key] += abs(decision.outcome["adjusted"])
        highest = _in_force(limits, entry.command)
        if highest is not None and of_day[key] > highest and entry.command not in approved:
            sentence = "a large adjustment, agreed to by one manager alone"
            scope.add(KIND, f"entry {entry.seq}", sentence)


def _missed_rounds(connection: Connection, scope: Scope, system: System) -> None:
    limits = ask(connection, _MISSED_LIMITS, [system.id])
    credited: dict[tuple[int, dt.date], int] = defaultdict(int)
    for code, table, day, count, at, command in ask(connection, _ALONE, [system.id]):
        credited[table, day] += count
        limit = _in_force(limits, command or 0)
        may = _MISSED_ALONE if limit is None else limit
        so_many = credited[table, day]
        if so_many > may or abs(at.date() - day) > _DAY:
            sentence = (
                f"{so_many} missed rounds of one day, credited by one person alone: {may} may be"
            )
            scope.add(KIND, f"table {code}, {day}", sentence)
