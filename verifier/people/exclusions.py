"""Promise: an excluded person is not paid before two people decided so.

Each player who was identified and is on a list of the casino stands in the table of matches. A
payment to that seat, or to the one whose prize they share, took effect only where no entry that the
console knew by then was in force on a day from the hand to the payment, or where two people had
released exactly that match before. What was known by then say the records, which commands take in
in their order; no clock is asked but for the gaming day of the payment.

Who may read who people are, as the owner of a restored copy may, has the matches made again: by the
number of the document, or by name and date of birth. A name is compared in small letters without
accents, ae oe ue aa as one letter; two are the same where they have the same letters, or where all
words of the one, two at least, are in the other.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision
from verifier.fold.terms.calendar import Calendar
from verifier.people.same_player import document_number, same_players

KIND = "people"
_MATCHES = """
    SELECT m.id, k.number, coalesce(i.seat, i.shares), m.exclusion_id, x.since, x.until,
           h.at, r.command
    FROM settlement_exclusionmatch m
    JOIN settlement_identification i ON i.id = m.identification_id
    JOIN settlement_claim k ON k.id = i.claim_id
    JOIN settlement_exclusion x ON x.id = m.exclusion_id
    JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
    LEFT JOIN settlement_record r ON (r.source, r.row, r.system_id)
        = ('settlement_exclusionmatch', m.id, k.system_id)
    WHERE k.system_id = %s ORDER BY m.id
"""
# Of every system, whatever the hit: whose other numbers these are is asked apart.
_ALL_MATCHES = """
    SELECT m.id, m.exclusion_id, x.since, x.until FROM settlement_exclusionmatch m
    JOIN settlement_exclusion x ON x.id = m.exclusion_id
    JOIN tables_jackpotsystem s ON s.casino_id = x.casino_id WHERE s.id = %s
"""
_HITS = "SELECT number, at FROM jackpot_hit WHERE system_id = %s"
_ENDS = """
    SELECT e.exclusion_id, e.last_day, r.command FROM settlement_exclusionend e
    JOIN settlement_record r ON (r.source, r.row) = ('settlement_exclusionend', e.id)
    WHERE r.system_id = %s
"""
_ISSUED = "SELECT number, issued_at FROM jackpot_command WHERE system_id = %s AND kind = 'pay'"
_MAY_READ = """
    SELECT has_column_privilege('settlement_identification', 'name', 'SELECT')
       AND has_column_privilege('settlement_exclusion', 'name', 'SELECT')
"""
_PLAYERS = """
    SELECT i.id, i.name, i.born, i.document, i.document_number FROM settlement_identification i
    JOIN settlement_claim k ON k.id = i.claim_id WHERE k.system_id = %s ORDER BY i.id
"""
_ENTRIES = """
    SELECT x.id, x.name, x.born, x.document, x.document_number FROM settlement_exclusion x
    JOIN tables_jackpotsystem s ON s.casino_id = x.casino_id WHERE s.id = %s ORDER BY x.id
"""
_STORED_ROWS = """
    SELECT m.identification_id, m.exclusion_id, m.rule FROM settlement_exclusionmatch m
    JOIN settlement_identification i ON i.id = m.identification_id
    JOIN settlement_claim k ON k.id = i.claim_id WHERE k.system_id = %s
"""


class _Match(NamedTuple):
    id: int
    hit: int
    seat: int
    exclusion: int
    since: dt.date
    until: dt.date | None
    hit_at: dt.datetime
    command: int | None  # that took its record in

    def is_known_to(self, command: int) -> bool:
        return self.command is not None and self.command <= command


class _Person(NamedTuple):
    id: int
    name: str
    born: dt.date
    document: str
    number: str


def exclusions(
    connection: Connection, scope: Scope, system: System, decisions: list[Decision]
) -> None:
    """Nobody was paid who was on a list, and every match that the lists make is there."""
    may_read = _remade(connection, scope, system)
    matches = [_Match(*row) for row in ask(connection, _MATCHES, [system.id])]
    by_other_numbers = _by_other_numbers(connection, system, may_read=may_read)
    if not matches and by_other_numbers is None:
        return
    ends: dict[int, list[tuple[dt.date, int | None]]] = defaultdict(list)
    for exclusion, last_day, command in ask(connection, _ENDS, [system.id]):
        ends[exclusion].append((last_day, command))
    issued = dict(ask(connection, _ISSUED, [system.id]))
    calendar = Calendar(system.zone, system.day_starts)
    released: set[tuple[Any, Any, Any]] = set()  # hit, seat, match
    for decision in decisions:
        hit, seat = decision.outcome.get("hit"), decision.outcome.get("seat")
        if decision.entry.type == "release_excluded":
            released.update((hit, seat, match) for match in decision.body["matches"])
        command = decision.entry.command or 0
        if decision.entry.type != "pay" or command not in issued:
            continue
        candidates = [
            match
            for match in matches
            if (match.hit, match.seat) == (hit, seat) and match.is_known_to(command)
        ]
        if by_other_numbers is not None:
            candidates += by_other_numbers(hit, seat, issued[command])
        for match in candidates:
            last = _last_day(match, ends[match.exclusion], command)
            paid, played = calendar.day_of(issued[command]), calendar.day_of(match.hit_at)
            if _stops(match, last, played, paid) and (hit, seat, match.id) not in released:
                sentence = (
                    f"it paid seat {seat}, whose player is on a list of excluded persons"
                    f" (match {match.id}), and nobody released it"
                )
                scope.add(KIND, f"entry {decision.entry.seq}", sentence)


def _by_other_numbers(
    connection: Connection, system: System, *, may_read: bool
) -> Callable[[Any, Any, dt.datetime], list[_Match]] | None:
    """What stops a payment to a seat, queued at that time, under other numbers of its player."""
    players = same_players(connection) if may_read else None
    if players is None:
        return None
    rows = {row[0]: row for row in ask(connection, _ALL_MATCHES, [system.id])}
    hits = dict(ask(connection, _HITS, [system.id]))

    def matches(hit: Any, seat: Any, paid: dt.datetime) -> list[_Match]:
        candidates = [rows[each] for each in players.stopping((system.id, hit, seat), paid)]
        return [
            _Match(match, hit, seat, exclusion, since, until, hits[hit], None)
            for match, exclusion, since, until in candidates
        ]

    return matches


def _last_day(
    match: _Match, ends: list[tuple[dt.date, int | None]], command: int
) -> dt.date | None:
    """The last day of the entry, as far as the console knew at that command."""
    days = [day for day, end in ends if end is not None and end <= command]
    return min([*days, *([match.until] if match.until else [])], default=None)


def _stops(match: _Match, last: dt.date | None, played: dt.date, paid: dt.date) -> bool:
    """Whether it was in force on a day from the hand to the payment."""
    return match.since <= paid and (last is None or last >= max(match.since, played))


# --- the matches, made again ----------------------------------------------------------------------


def _remade(connection: Connection, scope: Scope, system: System) -> bool:
    """Whether this role may read who people are, so that it could."""
    ((may_read,),) = ask(connection, _MAY_READ)
    entries = [_Person(*row) for row in ask(connection, _ENTRIES, [system.id])] if may_read else []
    rows: set[tuple[int, int, str]] = set(ask(connection, _STORED_ROWS, [system.id]))
    if not may_read:
        if rows:
            scope.report.remarks.append(
                f"system {system.code}: this role may not read who is excluded; as owner of a"
                " restored copy the verifier makes the matches again"
            )
        return False
    players = [_Person(*row) for row in ask(connection, _PLAYERS, [system.id])]
    due = set(_matches(players, entries))
    for player, entry, rule in sorted(due - rows):
        sentence = f"it is entry {entry} of the excluded persons by {rule}, and no match says so"
        scope.add(KIND, f"identification {player}", sentence)
    for player, entry, rule in sorted(rows - due):
        sentence = f"a match says that it is excluded entry {entry} by {rule}, and it is not"
        scope.add(KIND, f"identification {player}", sentence)
    return True


def _matches(players: list[_Person], entries: list[_Person]) -> Iterator[tuple[int, int, str]]:
    by_number: dict[str, list[_Person]] = defaultdict(list)
    by_birth: dict[dt.date, list[_Person]] = defaultdict(list)
    for entry in entries:
        by_birth[entry.born].append(entry)
        if entry.number:
            by_number[document_number(entry.number)].append(entry)
    for player in players:
        documents = {
            entry.id
            for entry in by_number[document_number(player.number)]
            if entry.document in ("", player.document)
        }
        names = {entry.id for entry in by_birth[player.born] if same_name(entry.name, player.name)}
        yield from ((player.id, entry, "document") for entry in documents)
        yield from ((player.id, entry, "name") for entry in names - documents)


def same_name(one: str, other: str) -> bool:
    """Whether two names may be one person's."""
    first, second = _words(one), _words(other)
    if sorted("".join(first)) == sorted("".join(second)):
        return True
    return any(len(few) > 1 and few <= many for few, many in ((first, second), (second, first)))


_SEPARATORS = re.compile(r"[ \t\r\n.,;:/_()\[\]-]+")
_MARKS = str.maketrans("", "", "'’‘`´ʻʼ")
_CAPITALS = "ÆŒÞẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ"
_LETTERS: dict[int, Any] = {
    **{ord(each): each.lower() for each in f"ABCDEFGHIJKLMNOPQRSTUVWXYZ{_CAPITALS}"},
    **str.maketrans("ØøĐđÐðŁłıĦħς", "ooddddllihhσ"),
    **{ord(each): "ss" for each in "ßẞ"},
    **{ord(each): "a" for each in "Ææ"},
    **{ord(each): "o" for each in "Œœ"},
    **{ord(each): "th" for each in "Þþ"},
}


def _words(name: str) -> set[str]:
    plain = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", name))
    plain = plain.translate(_LETTERS)
    plain = re.sub("(a)[ae]|(o)e|(u)e", lambda pair: pair[0][0], plain)
    return {word for word in _SEPARATORS.split(plain.translate(_MARKS)) if word}
