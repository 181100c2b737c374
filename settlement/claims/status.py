"""Where claims stand, read from their hits and actions. Selectors only."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from jackpot.hits.states import OPEN_STATES, HitState
from jackpot.models import Entry, Hit
from settlement.approvals import second_manager
from settlement.claims.services import REJECTING, REJECTION
from settlement.models import Action, ExclusionMatch, Footage, Note
from settlement.people.rights.staff_play import WasDealtIn


class Standing(StrEnum):
    """How far a claim has come, as people speak of it."""

    CALLED = "called"
    REPORTED = "reported"
    VERIFIED = "verified"
    CONFIRMED = "confirmed"
    CLOSED = "closed"
    REJECTED = "rejected"
    REVERSED = "reversed"
    WITHDRAWN = "withdrawn"
    PAIRED = "paired"
    OUTRANKED = "outranked"


STATES = tuple(standing.value for standing in Standing)
UNVERIFIED = (Standing.CALLED, Standing.REPORTED)
HELD = (*UNVERIFIED, Standing.VERIFIED)  # nobody confirmed or ended it yet
OPEN = (*HELD, Standing.CONFIRMED)  # somebody still has to do something
_AS_IN_THE_BOOKS = tuple(
    HitState(each.value)
    for each in (
        *(Standing.REJECTED, Standing.REVERSED, Standing.WITHDRAWN),
        *(Standing.PAIRED, Standing.OUTRANKED, Standing.CONFIRMED),
    )
)

# By standing the state of the books behind it, which leaves out most hits at once.
BOOKS = {
    **dict.fromkeys(HELD, HitState.HELD),
    **{Standing(each): each for each in _AS_IN_THE_BOOKS},
    Standing.CLOSED: HitState.PAID,
}

IS_STOPPED = ~Q(stops=[]) & Q(stops__contains=[{"lifted": None}])  # the first: an index knows it

# What is said of a hand is said of all its claims; such an entry names one of them.
OF_THE_HAND = (
    *("hand_called", "hand_reported", "hand_withdrawn", "amend_hand"),
    *("enter_hand", "name_round", "unpair_hand"),
    *("round_started", "round_completed"),
)


def hits() -> QuerySet[Hit]:
    """Every hit with `standing` (a `Standing`) and `rejection_proposed`, newest first."""
    actions = Action.objects.filter(
        claim__system=OuterRef("system"), claim__number=OuterRef("number")
    )
    verified = actions.filter(kind=Action.Kind.VERIFY, report_entry=OuterRef("report_entry"))
    verified = verified.alias(own=WasDealtIn("claim", "person")).filter(own=False)
    proposals = actions.filter(REJECTING, kind__in=REJECTION).order_by("-id").values("kind")
    footage = Footage.objects.filter(
        claim__system=OuterRef("system"), claim__number=OuterRef("number")
    )
    matches = ExclusionMatch.objects.filter(
        identification__claim__system=OuterRef("system"),
        identification__claim__number=OuterRef("number"),
    )
    return (
        Hit.objects.select_related("system__casino", "tier", "table")
        .alias(
            verified=Exists(verified),
            last_proposal=Coalesce(Subquery(proposals[:1]), Value("")),
        )
        .annotate(
            # What one manager may confirm (`settlement.approvals.second_manager`); None: anything.
            one_manager=Subquery(second_manager.in_force(OuterRef("system__casino"))),
            is_reviewed=Exists(footage),
            is_matched=Exists(matches),  # a player was on a list of excluded persons
            rejection_proposed=Q(state=HitState.HELD, last_proposal=Action.Kind.PROPOSE_REJECTION),
            standing=Case(
                When(state__in=_AS_IN_THE_BOOKS, then=F("state")),
                When(state=HitState.PAID, then=Value(Standing.CLOSED.value)),
                When(verified=True, then=Value(Standing.VERIFIED.value)),
                When(report__isnull=False, then=Value(Standing.REPORTED.value)),
                default=Value(Standing.CALLED.value),
                output_field=CharField(),
            ),
        )
        .order_by("-at", "system", "-number")
    )


def about(hit: Hit) -> Q:
    """The entries that touched the hit: its own, and those about its whole hand."""
    hand = Hit.objects.filter(system=hit.system_id, table=hit.table_id, round=hit.round)
    # All by the hits of the hand first, of which it is one: else no index serves both halves.
    of_hand = Q(system=hit.system_id, hit__isnull=False, hit__in=hand.values("number"))
    return of_hand & (Q(hit=hit.number) | Q(type__in=OF_THE_HAND))


def others_of_hand(hit: Hit) -> QuerySet[Hit]:
    """The claims that the same hand has for other prizes, the first opened first (rule 9)."""
    of_round = hits().filter(system=hit.system_id, table=hit.table_id, round=hit.round)
    return of_round.exclude(number=hit.number).order_by("number")


def numbers_of_hand(hit: Hit) -> list[int]:
    """The same by their numbers alone."""
    of_round = Hit.objects.filter(system=hit.system_id, table=hit.table_id, round=hit.round)
    other_hits = of_round.exclude(number=hit.number).order_by("number")
    return list(other_hits.values_list("number", flat=True))


def stopped_hits() -> QuerySet[Hit]:
    """Claims that something stops, decided ones too; the oldest first."""
    return hits().filter(IS_STOPPED).order_by("at", "system", "number")


def urgent_first(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Hands called for a prize that nobody knows yet, then by what is at stake, then by age.

    At stake is what the claim holds: nothing for a candidate for a high hand while its period runs,
    or while a better one of it stands.
    """
    return rows.alias(
        is_unknown=Case(
            When(tier__isnull=True, report__isnull=True, then=Value(1)), default=Value(0)
        ),
        at_stake=Case(
            When(strength__isnull=False, closing__isnull=True, then=Value(0)),
            default=F("held"),
            output_field=BigIntegerField(),
        ),
    ).order_by("-is_unknown", "-at_stake", "at", "number", "system")


def with_corrections() -> QuerySet[Hit]:
    """`hits` with `is_corrected`: decided, and the report was corrected since; until somebody notes
    on the claim what came of it. `corrected_at`: when."""
    entry = Entry.objects.filter(system=OuterRef("system"), seq=OuterRef("corrected_entry"))
    noted = Note.objects.filter(
        claim__system=OuterRef("system"),
        claim__number=OuterRef("number"),
        at__gt=OuterRef("corrected_at"),
    )
    return (
        hits()
        .annotate(corrected_entry=Cast(KT("corrected__entry"), BigIntegerField()))
        .annotate(corrected_at=Subquery(entry.values("at")[:1]))
        .annotate(is_corrected=Q(corrected__isnull=False) & ~Exists(noted))
    )


def stopped_or_corrected() -> QuerySet[Any]:
    """Claims that something stops, and decided ones to look at once more; the oldest first."""
    corrected = Q(corrected__isnull=False, is_corrected=True)
    return with_corrections().filter(IS_STOPPED | corrected).order_by("at", "system", "number")


def open_hits() -> QuerySet[Hit]:
    """Claims that wait for somebody, the oldest first."""
    # The states behind `OPEN`, which an index knows.
    return hits().filter(state__in=OPEN_STATES).order_by("at", "system", "number")
