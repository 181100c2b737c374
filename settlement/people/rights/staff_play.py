"""Staff who play: nobody decides on a hand that they were dealt in.

Who sits down at a table says so here, or is named by a colleague, also afterwards for one hand.
A play may be said late; its end counts from the moment it is recorded. Who is named decides nothing
from then on: for a shift on one colleague's word, for good on a second one or their own, not at all
once a second one contradicts. Whether a claim's hand falls into a play that counts is asked of the
database (`was_dealt_in`), which refuses the action itself as well.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import BooleanField, F, Func, Q, QuerySet, Subquery, Value
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.models import Hit
from settlement.core import guards
from settlement.core.errors import BadReason, NotPermitted, OwnHand, SamePerson, WrongState
from settlement.core.input import clean_text
from settlement.models import Claim, StaffPlay, StaffPlayEnd, StaffPlayWord
from settlement.people.rights.permissions import may, name_of, require
from tables.models import GamingTable

SHIFT = dt.timedelta(hours=8)  # as long one colleague's word alone counts; `play_counts` has it too


def sit_down(
    person: Any, table: GamingTable, by: Any, *, since: dt.datetime | None = None, note: str = ""
) -> StaffPlay:
    """`person` plays at the table from `since` (now) on, until somebody records the end."""
    require(by, "view_claim", table.system)
    now = timezone.now()
    if since is not None and since > now:
        raise BadReason(_("Play is recorded once it has begun: enter a time in the past."))
    if playing().filter(person=person, table=table).exists():
        raise WrongState(
            _(
                "%(name_of)s is recorded as playing at %(table_name)s already. If that"
                " waits for a second person, confirm or contradict it on the page “Staff at play”."
            )
            % {"name_of": name_of(person), "table_name": table.name}
        )
    return _record(person, table, since or now, None, by, note)


def leave(play: StaffPlay, by: Any) -> StaffPlayEnd:
    """The person has left the table, now. The person says so, or a manager."""
    if play.person_id != by.pk and not may(by, "confirm_claim", play.table.system):
        raise NotPermitted(_("Only that person or a casino manager can record the end of play."))
    if play.until is not None:
        raise WrongState(_("The end of this play is recorded already."))
    with guards.in_words():
        return StaffPlayEnd.objects.create(play=play, said_by=by, at=timezone.now())


def name(claim: Claim, person: Any, by: Any, *, note: str = "") -> StaffPlay:
    """`person` was dealt in at the hand of this claim, and decides nothing about it from now on."""
    require(by, "view_claim", claim.system)
    if is_dealt_in(claim, person):
        raise WrongState(
            _(
                "%(name_of)s is already recorded as dealt into this hand. If that waits for a"
                " second person, confirm or contradict it on the claim."
            )
            % {"name_of": name_of(person)}
        )
    hit = claim.system.hits.select_related("table").get(number=claim.number)
    return _record(person, hit.table, hit.at, hit.at, by, note)


def give_word(play: StaffPlay, by: Any, *, agrees: bool, note: str = "") -> StaffPlayWord:
    """The second word on what a colleague said: the named person was dealt in, or was not.

    The named person may only agree; who contradicts says what was seen, and did not play there.
    """
    require(by, "view_claim", play.table.system)
    if play.said_by_id == play.person_id:
        raise WrongState(
            _("%(name_of)s declared it: no second person is needed.")
            % {"name_of": name_of(play.person)}
        )
    if by.pk == play.said_by_id:
        raise SamePerson(_("You named your colleague: somebody else must confirm it."))
    if not agrees and by.pk == play.person_id:
        raise SamePerson(
            _(
                "You cannot clear yourself. Ask a colleague who was not at the table to check"
                " with surveillance."
            )
        )
    note_text = clean_text(note)
    if not agrees and not note_text:
        raise BadReason(
            _("Enter what was seen: the footage with its reference, the seats, the roster.")
        )
    own = _(
        "You are recorded as playing at this table then: somebody else must confirm or contradict"
        " it."
    )
    with guards.in_words((("own_hand: ", OwnHand, own),)):
        return StaffPlayWord.objects.create(
            play=play, agrees=agrees, person=by, note=note_text, at=timezone.now()
        )


def playing() -> QuerySet[StaffPlay]:
    """Who plays now as far as nobody contradicted, the longest first."""
    plays = StaffPlay.objects.filter(until=None, end=None).exclude(word__agrees=False)
    return plays.select_related("person", "table__system__casino", "said_by", "word").order_by(
        "since"
    )


def counting() -> Q:
    """The plays for which somebody is kept out now, as `play_counts` of the database says."""
    alone = Q(word=None, at__gt=timezone.now() - SHIFT)
    return Q(said_by=F("person")) | Q(word__agrees=True) | alone


def waiting() -> QuerySet[StaffPlay]:
    """What one colleague said of another and nobody else yet, the oldest first."""
    plays = StaffPlay.objects.filter(word=None).exclude(said_by=F("person"))
    return plays.select_related("person", "table__system__casino", "said_by", "word").order_by("id")


def counts_until(play: StaffPlay) -> dt.datetime | None:
    """Until when a single colleague's word keeps somebody out; None: not by that alone."""
    is_alone = play.said_by_id != play.person_id and getattr(play, "word", None) is None
    return play.at + SHIFT if is_alone else None


def is_dealt_in(claim: Claim, person: Any) -> bool:
    """Whether the person was dealt in at the claim's hand, as far as anybody has said."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT was_dealt_in(%s, %s)", [claim.pk, person.pk])
        return bool(cursor.fetchone()[0])


def require_apart(claim: Claim, person: Any) -> None:
    """OwnHand where the person was dealt in at the claim's hand."""
    if is_dealt_in(claim, person):
        raise OwnHand(
            _("%(name_of)s was dealt into this hand: somebody else must decide on it.")
            % {"name_of": name_of(person)}
        )


def require_apart_of_round(table: GamingTable, round_: int, person: Any) -> None:
    """OwnHand where the person was dealt in at that round, whether a hand of it is known or not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT was_dealt_in_round(%s, %s, %s)", [table.pk, round_, person.pk])
        if cursor.fetchone()[0]:
            raise OwnHand(
                _("%(name_of)s was dealt into this round: somebody else must decide on it.")
                % {"name_of": name_of(person)}
            )


def dealt_in(hit: Hit) -> list[Any]:
    """The plays that a hand falls into, each with its person."""
    plays = StaffPlay.objects.filter(table=hit.table_id, since__lte=hit.at)
    claim = Claim.objects.filter(system=hit.system_id, number=hit.number).values("pk")
    return list(
        plays.alias(own=WasDealtIn(Subquery(claim), "person"))
        .filter(own=True)
        .select_related("person", "said_by", "word__person")
    )


def cleared(hit: Hit) -> list[StaffPlay]:
    """What was said of that hand's table and time and contradicted by a second person."""
    plays = StaffPlay.objects.filter(
        Q(until=None) | Q(until__gte=hit.at),
        Q(end=None) | Q(end__at__gte=hit.at),
        table=hit.table_id,
        since__lte=hit.at,
        word__agrees=False,
    )
    return list(plays.select_related("person", "said_by", "word__person"))


def own_hands(person: Any, hits: Iterable[Hit]) -> set[tuple[int, int]]:
    """Of these hits those at whose hand the person was dealt in, by system and number."""
    hit_rows = list(hits)
    if not hit_rows or not StaffPlay.objects.filter(person=person).exists():
        return set()
    claims = Claim.objects.filter(
        system__in={hit.system_id for hit in hit_rows}, number__in={hit.number for hit in hit_rows}
    )
    own = claims.alias(own=WasDealtIn("pk", person.pk)).filter(own=True)
    return set(own.values_list("system", "number"))


def colleagues() -> QuerySet[Any]:
    """Who may be named as a player: everybody who may log in, by name."""
    people = get_user_model().objects.filter(is_active=True, program=None)
    return people.defer("password").order_by("first_name", "last_name", "username")


class WasDealtIn(Func):
    """`was_dealt_in(claim, person)` in a query."""

    function = "was_dealt_in"
    output_field = BooleanField()

    def __init__(self, claim: str | Subquery | Value, person: int | str) -> None:
        super().__init__(claim, person)


def _record(
    person: Any,
    table: GamingTable,
    since: dt.datetime,
    until: dt.datetime | None,
    by: Any,
    note: str,
) -> StaffPlay:
    before = _(
        "You have already named %(name_of)s for this time. Somebody else must confirm it."
    ) % {"name_of": name_of(person)}
    with guards.in_words((("named_before: ", WrongState, before),)):
        return StaffPlay.objects.create(
            person=person,
            table=table,
            since=since,
            until=until,
            said_by=by,
            note=clean_text(note),
            at=timezone.now(),
        )
