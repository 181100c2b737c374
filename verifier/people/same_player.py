"""Which matches stop a payment because two people stated that two numbers are one player.

A number of a player is that of the first identification by the same document. Whoever may not read
documents cannot say whose numbers they are: then nothing is added here. What a payment had to know
is what took effect before it was queued. Statements, identifications and matches hold in every
system, and orders of several systems have no places in common: so times decide here, those of
entries by the writers' clocks, the others by the database's. What came within the margin of a
payment, on either side, decides nothing.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from verifier.database.rows import Connection, ask

MARGIN = dt.timedelta(seconds=10)
_STATED = """
    SELECT n.at, (c.body ->> 'player')::bigint, (c.body ->> 'other')::bigint,
           (c.body ->> 'is_one')::boolean
    FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.type = 'same_player' AND NOT n.outcome ? 'refused' ORDER BY n.at, n.system_id, n.seq
"""
_IDENTIFIED = """
    SELECT i.id, k.system_id, k.number, i.seat, i.at, i.document, i.document_number, i.born,
           starts_with(s.code, 'rehearsal-'), s.casino_id
    FROM settlement_identification i
    JOIN settlement_claim k ON k.id = i.claim_id
    JOIN tables_jackpotsystem s ON s.id = k.system_id ORDER BY i.id
"""
_MATCHES = "SELECT m.id, m.identification_id, m.at FROM settlement_exclusionmatch m"


class Identified(NamedTuple):
    """An identification: where and when, and the number of the player by its document."""

    id: int
    place: tuple[int, int, int]  # system, hit, seat
    at: dt.datetime
    number: int
    casino: int


class SamePlayers:
    """The statements and identifications of an installation, and what they make of a payment."""

    def __init__(
        self,
        stated: Iterable[tuple[dt.datetime, int, int, bool]],
        identified: Iterable[Identified],
        matches: Iterable[tuple[int, int, dt.datetime]],
    ) -> None:
        self._stated = list(stated)
        self._at_place: dict[tuple[int, int, int], list[Identified]] = defaultdict(list)
        self._under: dict[int, list[Identified]] = defaultdict(list)
        for each in identified:
            self._at_place[each.place].append(each)
            self._under[each.number].append(each)
        self._matches: dict[int, list[tuple[int, dt.datetime]]] = defaultdict(list)
        for match, identification, at in matches:
            self._matches[identification].append((match, at))

    def stopping(self, place: tuple[int, int, int], paid: dt.datetime) -> list[int]:
        """Matches of the player's other numbers that were known when a payment was queued."""
        before, after = paid - MARGIN, paid + MARGIN
        own = [each for each in self._at_place[place] if each.at <= after]
        if not own or own[-1].at > before:
            return []
        newest = own[-1]
        numbers = self.one_with(newest.number, before) & self.one_with(newest.number, after)
        return sorted(
            match
            for number in numbers - {newest.number}
            for other in self._under[number]
            if other.casino == newest.casino
            for match, at in self._matches[other.id]
            if at <= before
        )

    def one_with(self, number: int, until: dt.datetime) -> set[int]:
        """Every number that counted as this player then, itself among them.

        >>> at = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
        >>> later = at + dt.timedelta(hours=1)
        >>> stated = [(at, 1, 2, True), (at, 3, 2, True), (later, 2, 1, False)]
        >>> players = SamePlayers(stated, [], [])
        >>> sorted(players.one_with(1, at)), sorted(players.one_with(1, later))
        ([1, 2, 3], [1])
        """
        latest = {
            frozenset((one, other)): is_one
            for at, one, other, is_one in self._stated
            if at <= until
        }
        pairs = [pair for pair, is_one in latest.items() if is_one]
        same = {number}
        while more := {each for pair in pairs if pair & same for each in pair} - same:
            same |= more
        return same


def same_players(connection: Connection) -> SamePlayers | None:
    """For whoever may read documents; None where nobody stated anything."""
    stated = ask(connection, _STATED, [])
    if not stated:
        return None
    first: dict[tuple[str, str, dt.date, bool], int] = {}
    identified = []
    for id_, of_system, hit, seat, at, document, number, born, rehearsed, casino in ask(
        connection, _IDENTIFIED, []
    ):
        key = (document, document_number(number), born, rehearsed)
        first.setdefault(key, id_)
        identified.append(Identified(id_, (of_system, hit, seat), at, first[key], casino))
    return SamePlayers(stated, identified, ask(connection, _MATCHES, []))


def document_number(number: str) -> str:
    """As two numbers of documents are compared."""
    normal = unicodedata.normalize("NFKC", number)
    capitals = "".join(each.upper() if each.isascii() else each for each in normal)
    return re.sub(r"[ \t\r\n.,;:/_()#\[\]-]+", "", capitals)
