"""Two numbers that are one player: one person proposes it, another agrees, and so it is taken back.

A player is known by the number of the first identification by a document, so that two documents, or
a number that was mistyped, make two players. Each statement is a command: the order keeps who made
it and why. From its gaming day on what both were paid counts as one
(`settlement/sql/players_as_one.sql`); earlier days keep what they said.
"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext as _

from jackpot.models import Entry
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.core.errors import BadIdentification, WrongState
from settlement.core.input import required_text
from settlement.models import Claim, Proposal
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, require

KIND = Proposal.Kind.SAME_PLAYER
MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class KnownBy:
    """A claim and the seat on which a player was identified; `shares`: they sat nowhere and share
    what that seat won."""

    claim: Claim
    seat: int
    shares: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """That two numbers are one player, or not any more; `entry`: where it took effect in the order,
    None while it waits, was withdrawn or refused. `counts`: nothing later was stated of the two."""

    proposal: Proposal
    entry: Entry | None
    counts: bool

    @property
    def is_one(self) -> bool:
        return bool(self.proposal.body["is_one"])

    @property
    def waits(self) -> bool:
        return not hasattr(self.proposal, "decision")

    @property
    def stands(self) -> bool:
        """Whether the two count as one by it now."""
        return self.counts and self.is_one

    @property
    def at(self) -> dt.datetime:
        return self.entry.at if self.entry else self.proposal.at


def known_by(number: int) -> list[KnownBy]:
    """Where a player was identified under a number, the earliest first; nothing of a number that is
    no player's, or of a casino that this person does not see."""
    if not 0 < number <= MOST:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT claim, seat, shares FROM identifications_of_player(%s)", [number])
        places = list(dict.fromkeys(cursor.fetchall()))
    claims = Claim.objects.select_related("system__casino").in_bulk([claim for claim, *_ in places])
    return [
        KnownBy(claims[claim], seat, shares) for claim, seat, shares in places if claim in claims
    ]


def one_with(number: int) -> tuple[int, ...]:
    """Every number that counts as this player now, this one among them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM players_as_one(%s, 'infinity') ORDER BY 1", [number])
        return tuple(each for (each,) in cursor.fetchall())


def statements_of(numbers: tuple[int, ...]) -> list[Statement]:
    """What was stated of these numbers, or is proposed, the latest first."""
    rows = Proposal.objects.filter(
        Q(body__player__in=numbers) | Q(body__other__in=numbers), kind=KIND
    )
    rows = rows.select_related("person", "decision__person", "system__casino").order_by("id")
    of_proposal = {each.pk: each for each in rows}
    queued = {
        (each.system_id, each.decision.command): each.pk
        for each in of_proposal.values()
        if hasattr(each, "decision") and each.decision.agreed
    }
    entries = Entry.objects.filter(
        system__in={system for system, _ in queued}, command__in={number for _, number in queued}
    )
    effective: dict[int, Entry] = {
        queued[each.system_id, each.command]: each
        for each in entries
        if (each.system_id, each.command) in queued and "refused" not in each.outcome
    }
    latest: dict[frozenset[int], int] = {}
    for pk in sorted(effective, key=lambda pk: (effective[pk].at, of_proposal[pk].decision.pk)):
        latest[_pair(of_proposal[pk])] = pk
    return [
        Statement(each, effective.get(pk), latest.get(_pair(each)) == pk)
        for pk, each in reversed(of_proposal.items())
    ]


def propose(
    number: int,
    user: Any,
    other: int,
    reason: str,
    *,
    is_one: bool = True,
    key: uuid.UUID | None = None,
) -> Proposal:
    """Propose that a player has a second number, or to take that back (`is_one` false).

    BadIdentification where one of them is no player's number.
    """
    places = known_by(number)
    if not places:
        raise BadIdentification(_unknown(number))
    claim, seat = places[-1].claim, places[-1].seat
    require(user, proposals.PERMISSIONS[KIND][0], claim.system)
    words = required_text(
        reason, _("Enter on what evidence you know it: both documents, surveillance.")
    )
    _require_two(claim, number, other)
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        waiting = next(
            (
                each
                for each in statements_of((number,))
                if each.waits and _pair(each.proposal) == {number, other}
            ),
            None,
        )
        if waiting is not None and waiting.proposal.key != key:
            raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
        if waiting is None:
            _require_change(number, other, is_one=is_one)
        body = {
            "hit": claim.number,
            "seat": seat,
            "player": number,
            "other": other,
            "is_one": is_one,
            "reason": words,
        }
        return proposals.propose(claim.system, KIND, str(claim.number), body, user, key)


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: it counts from this gaming day on."""
    body = proposal.body
    claim = Claim.objects.select_related("system").get(
        system=proposal.system_id, number=int(proposal.subject)
    )

    def judge() -> None:
        Claim.objects.select_for_update().get(pk=claim.pk)
        for each in (proposal.person, person.user):
            staff_play.require_apart(claim, each)
        _require_change(body["player"], body["other"], is_one=body["is_one"])

    return proposals.agree(proposal, person, judge)


def _pair(proposal: Proposal) -> frozenset[int]:
    return frozenset((proposal.body["player"], proposal.body["other"]))


def _unknown(number: int) -> str:
    return _("No player has the number %(number)s.") % {"number": number}


def _require_two(claim: Claim, number: int, other: int) -> None:
    """Of a rehearsal both, or neither."""
    if number == other:
        raise BadIdentification(_("Enter the other number: this one is the player's own."))
    others = known_by(other)
    sides = {_is_rehearsal(each.claim) for each in others}
    if _is_rehearsal(claim) not in sides:
        raise BadIdentification(_unknown(other))


def _is_rehearsal(claim: Claim) -> bool:
    return str(claim.system.code).startswith("rehearsal-")


def _require_change(number: int, other: int, *, is_one: bool) -> None:
    """Raise WrongState where it is so already."""
    if is_one and other in one_with(number):
        raise WrongState(_("These numbers count as one player already."))
    if not is_one and not any(
        each.stands and _pair(each.proposal) == {number, other} for each in statements_of((number,))
    ):
        raise WrongState(_("Nobody stated that these two numbers are one player."))
