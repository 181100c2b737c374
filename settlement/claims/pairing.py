"""Which hand was entered on the console, and what is open between it and its table's unit."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from jackpot.hits.states import HitState
from jackpot.models import Hit
from settlement.core.errors import WrongState


def is_entered(hit: Hit) -> bool:
    """Whether the hand was entered on the console."""
    return hit.unit_pairing.is_entered


def is_awaited(hit: Hit) -> bool:
    """Whether nobody has said in which round a hand was that was entered here."""
    return is_entered(hit) and hit.unit_pairing.waits


def is_paired(hit: Hit) -> bool:
    """Whether something that a unit sent was paired with a hand that was entered here."""
    return is_entered(hit) and hit.unit_pairing.unit is not None


def is_required(hit: Hit) -> bool:
    """Whether somebody has to say if a unit's hand was entered here before."""
    return hit.state == HitState.HELD and hit.unit_pairing.waits and not is_entered(hit)


def differs(hit: Hit) -> bool:
    """Whether what the unit said of a hand that was entered waits for an amendment."""
    return hit.state == HitState.HELD and hit.unit_pairing.differs is not None


def require_settled(hit: Hit) -> None:
    """WrongState while it is open which hand this is, or what was on the table."""
    if is_required(hit):
        raise WrongState(
            _("First confirm whether this is the hand that was entered on the console.")
        )
    if differs(hit):
        raise WrongState(
            _(
                "What the table unit said later differs from what was entered: amend the report,"
                " or send it again unchanged."
            )
        )


def awaited_at(table_id: int) -> QuerySet[Hit]:
    """Hands entered at a table of which nobody knows the round, the newest first."""
    hits = Hit.objects.filter(table=table_id, round__lt=0, pairing__contains={"waits": True})
    return hits.filter(pairing__has_key="who").order_by("-number")
