"""The rows that events are made of, and what is said of each: thin, without amounts and names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from jackpot.models import Entry, Head, Hit
from settlement.events.kinds import (
    ALARM,
    FINDING,
    HELD,
    NEW_DEVICE,
    OF_ENTRIES,
    PROPOSED,
    SET_UP_DECIDED,
    SET_UP_PROPOSED,
    VERIFIED,
)
from settlement.models import (
    AccessNote,
    Action,
    Finding,
    Occasion,
    Proposal,
    SetUpDecision,
    SetUpProposal,
)
from tables.models import Alarm, Casino, JackpotSystem

MOST_AT_ONCE = 500  # of one source


@dataclass(frozen=True, slots=True)
class Happening:
    """One row that an event is made of."""

    kind: str
    source: str
    row: int
    at: dt.datetime
    data: dict[str, Any]
    system: JackpotSystem | None
    by: int | None = None  # the person whose doing it is
    person: int | None = None  # whom alone it concerns
    casino: Casino | None = None  # of what is of no system
    not_to: int | None = None  # a person who may not decide on it

    @property
    def key(self) -> tuple[str, int | None, int]:
        """Which row it is."""
        return self.source, self.system.pk if self.system is not None else None, self.row


# Those newer than a number, and up to where that has read. In a gapless order none comes later.
Ordered = Callable[[JackpotSystem, int], tuple[list[Happening], int]]


@dataclass(frozen=True, slots=True)
class Unordered:
    """Rows whose numbers are given before they are committed."""

    rows: Callable[[JackpotSystem | None], QuerySet[Any]]
    happening: Callable[[Any], Happening]


def _hits(system: JackpotSystem, through: int) -> tuple[list[Happening], int]:
    rows = list(
        Hit.objects.filter(system=system, number__gt=through).order_by("number")[:MOST_AT_ONCE]
    )
    happenings = [
        Happening(
            HELD,
            "hits",
            row.number,
            row.at,
            claim(system, row.number) | {"entry": row.place},
            system,
        )
        for row in rows
    ]
    return happenings, rows[-1].number if rows else through


def _entries(system: JackpotSystem, through: int) -> tuple[list[Happening], int]:
    """Those of a type that is told, up to the end of the order as it is now."""
    head = Head.objects.filter(system=system).first()
    end = head.seq if head else through
    rows = Entry.objects.filter(system=system, seq__gt=through, seq__lte=end, type__in=OF_ENTRIES)
    page = list(rows.order_by("seq")[:MOST_AT_ONCE])
    if len(page) == MOST_AT_ONCE:
        end = page[-1].seq
    happenings = [
        Happening(OF_ENTRIES[row.type], "entries", row.seq, row.at, _of_entry(system, row), system)
        for row in page
        if "refused" not in row.outcome
    ]
    return happenings, end


def _of_entry(system: JackpotSystem, entry: Entry) -> dict[str, Any]:
    about = claim(system, entry.hit) if entry.hit is not None else _system(system)
    return {**about, "entry": entry.seq}


def _actions(system: JackpotSystem | None) -> QuerySet[Any]:
    rows = Action.objects.filter(kind__in=_OF_ACTIONS, claim__system=system)
    return rows.select_related("claim__system__casino")


_OF_ACTIONS = {Action.Kind.VERIFY.value: VERIFIED, Action.Kind.PROPOSE_REJECTION.value: PROPOSED}


def _acted(row: Action) -> Happening:
    system = row.claim.system
    about = claim(system, row.claim.number)
    if row.kind == Action.Kind.PROPOSE_REJECTION:
        about |= {"proposed": "reject_claim"}
    return Happening(
        _OF_ACTIONS[row.kind], "actions", row.pk, row.at, about, system, by=row.person_id
    )


def _proposals(system: JackpotSystem | None) -> QuerySet[Any]:
    return Proposal.objects.filter(system=system).select_related("system__casino")


def _proposed(row: Proposal) -> Happening:
    about = {"system": row.system.code, "proposal": row.pk, "proposed": row.kind}
    return Happening(PROPOSED, "proposals", row.pk, row.at, about, row.system, by=row.person_id)


def _findings(system: JackpotSystem | None) -> QuerySet[Any]:
    rows = Finding.objects.filter(count__system=system)
    return rows.select_related("count__system__casino")


def _opened(row: Finding) -> Happening:
    system = row.count.system
    about = {"system": system.code, "finding": row.pk}
    return Happening(FINDING, "findings", row.pk, row.at, about, system)


def _occasions(_system: JackpotSystem | None) -> QuerySet[Any]:
    return Occasion.objects.select_related("system__casino")


def _occurred(row: Occasion) -> Happening:
    return Happening(
        row.kind, "occasions", row.pk, row.at, row.data, row.system, person=row.person_id
    )


def _log_ins(_system: JackpotSystem | None) -> QuerySet[Any]:
    """Not the first of a person, when every device is new."""
    first = AccessNote.objects.filter(
        what=AccessNote.What.NEW_DEVICE, username=OuterRef("username"), pk__lt=OuterRef("pk")
    )
    person = get_user_model().objects.filter(username=OuterRef("username")).values("pk")[:1]
    rows = AccessNote.objects.filter(Exists(first), what=AccessNote.What.NEW_DEVICE)
    return rows.annotate(person=Subquery(person))


def _logged_in(row: Any) -> Happening:
    return Happening(
        NEW_DEVICE, "log_ins", row.pk, row.at, {"device": row.detail}, None, person=row.person
    )


def _set_up(_system: JackpotSystem | None) -> QuerySet[Any]:
    """Those that still wait."""
    return SetUpProposal.objects.filter(decision=None).select_related("casino")


def _set_up_proposed(row: SetUpProposal) -> Happening:
    return Happening(
        SET_UP_PROPOSED,
        "set_up",
        row.pk,
        row.at,
        _of_set_up(row),
        None,
        by=row.person_id,
        casino=row.casino,
        not_to=row.body.get("person"),
    )


def _set_up_ends(_system: JackpotSystem | None) -> QuerySet[Any]:
    return SetUpDecision.objects.select_related("proposal__casino")


def _set_up_decided(row: SetUpDecision) -> Happening:
    """Whoever proposed it is told, unless they took it back."""
    proposal = row.proposal
    data = {**_of_set_up(proposal), "agreed": row.agreed}
    person = proposal.person_id if proposal.person_id != row.person_id else None
    return Happening(
        SET_UP_DECIDED,
        "set_up_end",
        row.pk,
        row.at,
        data,
        None,
        by=row.person_id,
        person=person,
        casino=proposal.casino,
    )


def _of_set_up(row: SetUpProposal) -> dict[str, Any]:
    casino = row.casino.code if row.casino is not None else None
    return {"set_up": row.kind, "proposal": row.pk, "casino": casino}


def _alarms(_system: JackpotSystem | None) -> QuerySet[Any]:
    return Alarm.objects.select_related("system__casino")


def _raised(row: Alarm) -> Happening:
    data = {**_system(row.system), "alarm": row.kind}
    return Happening(ALARM, "alarms", row.pk, row.raised_at, data, row.system)


def _system(system: JackpotSystem | None) -> dict[str, Any]:
    return {"system": system.code if system is not None else None}


def claim(system: JackpotSystem, number: int) -> dict[str, Any]:
    """How an event names a claim."""
    return {"system": system.code, "claim": f"{system.code}-{number}"}


ORDERED: dict[str, Ordered] = {"hits": _hits, "entries": _entries}  # of each system
UNORDERED = {  # likewise
    "actions": Unordered(_actions, _acted),
    "proposals": Unordered(_proposals, _proposed),
    "findings": Unordered(_findings, _opened),
}
OF_ALL = {  # of all systems together
    "alarms": Unordered(_alarms, _raised),
    "occasions": Unordered(_occasions, _occurred),
    "log_ins": Unordered(_log_ins, _logged_in),
    "set_up": Unordered(_set_up, _set_up_proposed),
    "set_up_end": Unordered(_set_up_ends, _set_up_decided),
}
