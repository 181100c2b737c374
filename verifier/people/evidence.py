"""Promise: a confirmation stands on what the posted terms ask for, above their amounts.

For each thing that the terms of the claim's prize ask for above less than the claim had come to,
the newest answer on the checklist that the command rests on is a "yes" that refers to it, or a
"no" in words. A
"yes" refers to records of that claim: reviews of footage, photographs, identified players (of
everybody who wins by a hand), the deck ticked off or its suits counted; or it carries what was
typed: bag number, reading, name and capacity of a witness. That the records were there by then, and
that neither they nor the answers were changed since, says `verifier.people.decision_basis`: they
are under the hash that the command carries.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.books.state import State
from verifier.fold.folding import Decision

KIND = "people"
# With the command that rests on each: what came first, whatever the clocks did.
_ANSWERS = """
    SELECT k.number, a.item, a.answer, a.note, a.evidence::text, r.command
    FROM settlement_checkanswer a JOIN settlement_claim k ON k.id = a.claim_id
    LEFT JOIN settlement_record r
      ON (r.source, r.row, r.system_id) = ('settlement_checkanswer', a.id, k.system_id)
    WHERE k.system_id = %s ORDER BY a.id
"""
_RECORDS = """
    SELECT k.number, found.kind, found.id, found.seat FROM (
        SELECT claim_id, 'footage' AS kind, id, NULL::int AS seat FROM settlement_footage
        UNION ALL SELECT claim_id, 'attachments', id, NULL FROM settlement_attachment
        WHERE kind <> 'pdf'
        UNION ALL SELECT claim_id, 'identifications', id, seat FROM settlement_identification
        UNION ALL SELECT claim_id, 'tick', id, NULL FROM settlement_decktick
    ) AS found JOIN settlement_claim k ON k.id = found.claim_id WHERE k.system_id = %s
"""
_COMMANDS = "SELECT number FROM jackpot_command WHERE system_id = %s"
_TYPED = {"sealed": ("bag",), "display": ("reading",), "witness": ("name", "capacity")}
_RECORDED = {"surveillance": "footage", "photographed": "attachments"}
_SUITS = ("s", "h", "d", "c")


class _Answer(NamedTuple):
    hit: int
    item: str
    answer: str
    note: str
    evidence: str
    command: int | None


class _Record(NamedTuple):
    hit: int
    kind: str
    id: int
    seat: int | None


def evidence(
    connection: Connection, scope: Scope, system: System, decisions: list[Decision], state: State
) -> None:
    """Every confirmation had what was asked for."""
    confirmations = [each for each in decisions if each.entry.type == "confirm_claim"]
    if not confirmations:
        return
    answers: dict[int, list[_Answer]] = defaultdict(list)
    for row in map(_Answer._make, ask(connection, _ANSWERS, [system.id])):
        answers[row.hit].append(row)
    records: dict[int, list[_Record]] = defaultdict(list)
    for record in map(_Record._make, ask(connection, _RECORDS, [system.id])):
        records[record.hit].append(record)
    commands = {number for (number,) in ask(connection, _COMMANDS, [system.id])}
    so_far: dict[int, int] = defaultdict(int)
    for decision in confirmations:
        number = decision.outcome["hit"]
        so_far[number] += decision.outcome["confirmed"]
        command = decision.entry.command
        if command is None or command not in commands:
            continue  # the order says that there is no such command
        lacking = [
            thing
            for thing, above in _posted(state, number, decision.outcome["tier"])
            if so_far[number] > above
            and not _is_given(thing, decision, answers[number], records[number], command)
        ]
        if lacking:
            sentence = f"it was confirmed without what the terms ask for: {', '.join(lacking)}"
            scope.add(KIND, f"entry {decision.entry.seq}", sentence)


def _posted(state: State, number: int, prize: str) -> Iterable[tuple[str, int]]:
    """What the terms of the claim's prize ask for, above which amount."""
    for terms in state.in_effect(state.hits[number].terms):
        if any(tier.code == prize for tier in terms.tiers):
            return terms.evidence
    return ()


def _is_given(
    thing: str,
    decision: Decision,
    answers: list[_Answer],
    records: list[_Record],
    through: int,
) -> bool:
    """Whether the newest answer that the command rests on names the thing, or says why it cannot
    be had."""
    past = [
        each
        for each in answers
        if each.item == thing and each.command is not None and each.command <= through
    ]
    if not past:
        return False
    if past[-1].answer != "yes":
        return past[-1].answer == "no" and bool(past[-1].note.strip())
    shows = json.loads(past[-1].evidence)
    return isinstance(shows, dict) and _is_shown(thing, shows, records, decision)


def _is_shown(
    thing: str, shows: dict[str, Any], records: list[_Record], decision: Decision
) -> bool:
    if thing in _TYPED:
        return all(str(shows.get(name, "")).strip() for name in _TYPED[thing])
    if thing in _RECORDED:
        return _records_of(shows, _RECORDED[thing], records) is not None
    if thing == "deck_counted":
        suits = shows.get("suits")
        counted = isinstance(suits, dict) and all(type(suits.get(each)) is int for each in _SUITS)
        ticks = {each.id for each in records if each.kind == "tick"}
        return counted and ("tick" not in shows or shows["tick"] in ticks)
    records_shown = _records_of(shows, "identifications", records)
    winners = {line["seat"] for line in decision.body["payees"] if line["role"] != "table"}
    return records_shown is not None and winners <= {each.seat for each in records_shown}


def _records_of(shows: dict[str, Any], kind: str, records: list[_Record]) -> list[_Record] | None:
    """The records that an answer names; None where it names none, or one that is not there."""
    there = {each.id: each for each in records if each.kind == kind}
    ids = shows.get(kind)
    if not isinstance(ids, list) or not ids:
        return None
    named_records = [there[each] for each in ids if isinstance(each, int) and each in there]
    return named_records if len(named_records) == len(ids) else None
