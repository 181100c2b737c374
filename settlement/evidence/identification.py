"""Who the players of a claim are: for those who need it, and each look is recorded (19.12).

What is personal is bound by the server and never stands in a statement, an error or a log.
"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from settlement.approvals import action_log
from settlement.core.errors import BadIdentification
from settlement.core.input import text_within
from settlement.core.words import countries
from settlement.models import Claim, Identification, IdentificationLook
from settlement.models.identification import LONGEST
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import name_of, require
from tables.process.prepared_statements import prepared_cursor

OLDEST = 120  # years

_INSERT = """
    INSERT INTO settlement_identification
        (claim_id, seat, shares, name, born, document, document_number, tax_number, address,
         country, note, person_id, at, key)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, now(), %s) ON CONFLICT DO NOTHING
    RETURNING id
"""
_IS_SAME = "SELECT is_identified_as(%s, %s, %s, %s, %s, %s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class Recorded:
    """That a player was identified: nothing of who it is."""

    seat: int
    who: str
    at: dt.datetime


@dataclass(frozen=True, slots=True, repr=False)
class Player:
    """A player as identified, or with `shares` somebody who sat nowhere and shares what that seat
    won. It does not print itself: what prints ends in a log."""

    seat: int | None
    name: str
    born: dt.date
    document: str
    document_number: str
    tax_number: str
    address: str
    country: str  # its name
    note: str
    recorder: str
    at: dt.datetime
    shares: int | None = None
    is_withdrawn: bool = False  # who shares nothing any more, and stops the payment all the same


@dataclass(frozen=True, slots=True, repr=False)
class PlayerIdentity:
    """Who the player of a seat is, by which document. It does not print itself either."""

    seat: int
    name: str
    born: dt.date
    document: str
    document_number: str
    note: str = ""
    tax_number: str = ""  # this, address and country for forms, where the player gives them
    address: str = ""
    country: str = ""  # of residence, by ISO 3166-1


@sensitive_variables()
def identify(
    claim: Claim, user: Any, player: PlayerIdentity, *, key: uuid.UUID | None = None
) -> None:
    """Record who the player of a seat is; the newest of a seat counts."""
    require(user, "add_identification", claim.system)
    seat, values = player.seat, _values(player)
    if not 1 <= seat <= 23:  # as on the wire
        raise BadIdentification(_("Enter the seat of the player."))
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        with prepared_cursor(is_watched=False) as cursor:
            cursor.execute(_INSERT, (claim.pk, seat, None, *values, user.pk, key or uuid.uuid4()))


@sensitive_variables()
def identify_sharer(claim: Claim, user: Any, who: PlayerIdentity) -> int:
    """Record who shares what a seat won, and sat nowhere; its number. For `sharers.add`, which
    holds the claim's row and judges who may."""
    values = _values(who)
    with prepared_cursor(is_watched=False) as cursor:
        cursor.execute(_INSERT, (claim.pk, None, who.seat, *values, user.pk, uuid.uuid4()))
        return int(cursor.fetchall()[0][0])


@sensitive_variables()
def is_identified_as(number: int, who: PlayerIdentity) -> bool:
    """Whether that identification says just this of a sharer. The database compares; it tells
    nothing else of who it is."""
    with prepared_cursor(is_watched=False) as cursor:
        cursor.execute(_IS_SAME, (number, *_values(who)))
        return bool(cursor.fetchall()[0][0])


@sensitive_variables()
def _values(player: PlayerIdentity) -> tuple[Any, ...]:
    """The columns of who it is, as they are kept. BadIdentification says what to correct."""
    born, document = player.born, player.document
    texts = {
        "name": player.name,
        "document_number": player.document_number,
        "tax_number": player.tax_number,
        "address": " ".join(player.address.split()),
        "note": player.note,
    }
    form = {}
    for field, typed in texts.items():
        text = text_within(typed, LONGEST[field])
        if text is None:
            words = field.replace("_", " ")
            raise BadIdentification(
                _("At most %(longest)s characters: %(words)s.")
                % {"longest": LONGEST[field], "words": words}
            )
        form[field] = text
    if not form["name"] or not form["document_number"]:
        raise BadIdentification(_("Enter the name and the number of the document."))
    if document not in Identification.Document.values:
        raise BadIdentification(_("Choose the document that was shown."))
    country = player.country.strip().upper()
    if country and country not in countries.codes():
        raise BadIdentification(_("Choose the country of residence from the list (ISO 3166)."))
    today = dt.datetime.now(dt.UTC).date()
    if not today.year - OLDEST <= born.year or born > today:
        raise BadIdentification(_("This date of birth is not possible: correct it."))
    numbers = tuple(form[name] for name in ("document_number", "tax_number", "address"))
    return (form["name"], born, document, *numbers, country, form["note"])


def look(claim: Claim, user: Any, purpose: str) -> list[Player]:
    """The players of a claim, seat by seat. The database records who looked, and what for."""
    require(user, "view_identification", claim.system)
    if purpose not in IdentificationLook.Purpose.values:
        raise BadIdentification(_("Enter what to search for."))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seat, name, born, document, document_number, tax_number, address, country,"
            " note, recorder, at, shares, is_withdrawn"
            " FROM look_at_identification(%s, %s, %s)",
            [claim.pk, user.pk, purpose],
        )
        rows = cursor.fetchall()
    people = get_user_model().objects.in_bulk({row[-4] for row in rows})
    labels = dict(Identification.Document.choices)
    return [
        Player(
            seat,
            name,
            born,
            str(labels[document]),
            number,
            tax_number,
            address,
            countries.country_name(country),
            note,
            name_of(people[recorder]),
            at,
            shares,
            is_withdrawn,
        )
        for (
            *(seat, name, born, document, number, tax_number, address, country, note),
            recorder,
            at,
            shares,
            is_withdrawn,
        ) in rows
    ]


def newest_of(claim: Claim, seat: int) -> int | None:
    """The identification of a seat that counts, by its number; None where there is none."""
    rows = Identification.objects.filter(claim=claim, seat=seat).order_by("-id")
    return rows.values_list("pk", flat=True).first()


@sensitive_variables()
def name_on_slip(claim: Claim, number: int, user: Any) -> str:
    """The name of that identification, for whoever prints a slip; the look is recorded."""
    require(user, "view_identification", claim.system)
    with connection.cursor() as cursor:
        cursor.execute("SELECT name_on_slip(%s, %s)", [number, user.pk])
        (name,) = cursor.fetchone()
    return str(name)


@sensitive_variables()
def identity_on_form(claim: Claim, seat: int, user: Any) -> PlayerIdentity | None:
    """Who the player of a seat is, for whoever drafts a form; the look is recorded."""
    require(user, "view_identification", claim.system)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, born, document, document_number, '', tax_number, address, country"
            " FROM identity_on_form(%s, %s::smallint, %s)",
            [claim.pk, seat, user.pk],
        )
        row = cursor.fetchone()
    return None if row is None else PlayerIdentity(seat, *row)


@sensitive_variables()
def sharer_on_form(claim: Claim, number: int, user: Any) -> PlayerIdentity | None:
    """The same of a sharer, by the number of the identification; of a seat there is none."""
    require(user, "view_identification", claim.system)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, born, document, document_number, '', tax_number, address, country"
            " FROM sharer_on_form(%s, %s, %s)",
            [claim.pk, number, user.pk],
        )
        row = cursor.fetchone()
    return None if row is None else PlayerIdentity(0, *row)


@sensitive_variables()
def identities_on_form(
    claim: Claim, user: Any
) -> tuple[dict[int, PlayerIdentity], dict[int, PlayerIdentity]]:
    """Who the players of a claim are, by seat, and its sharers, by the number of the
    identification, for a form that names them all; one recorded look."""
    require(user, "view_identification", claim.system)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, coalesce(seat, 0), name, born, document, document_number, '', tax_number,"
            " address, country FROM look_at_identification(%s, %s, 'form')",
            [claim.pk, user.pk],
        )
        rows = [(number, PlayerIdentity(*row)) for number, *row in cursor.fetchall()]
    seats = {player.seat: player for _number, player in rows if player.seat}
    return seats, {number: player for number, player in rows if not player.seat}


def residence_of(claim: Claim, seat: int, home: str) -> str:
    """Whether the player lives in that country (`Payout.Residence`); empty while nobody said."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT residence_of_player(%s, %s::smallint, %s)", [claim.pk, seat, home])
        (residence,) = cursor.fetchone()
    return str(residence)


def recorded(claim: Claim) -> list[Recorded]:
    """For which seats a player was identified last, by whom; nothing of who it is."""
    return recorded_with_sharers(claim)[0]


def recorded_with_sharers(claim: Claim) -> tuple[list[Recorded], bool]:
    """The same, and whether anybody was identified who sat nowhere and shares what a seat won."""
    names = ("person__username", "person__first_name", "person__last_name")
    rows = claim.identifications.select_related("person").only("seat", "shares", "at", *names)
    newest = {
        row.seat: Recorded(row.seat, name_of(row.person), row.at)
        for row in rows
        if row.seat is not None
    }
    return [newest[seat] for seat in sorted(newest)], any(row.shares for row in rows)


def looks(claim: Claim) -> list[IdentificationLook]:
    """Who looked, the last first."""
    return list(claim.looks.select_related("person").order_by("-id"))
