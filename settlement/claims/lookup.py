"""The claim that an address names. Who reads finds it and opens nothing; who acts writes anyway."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.models import Hit
from settlement.claims.services import catch_up
from settlement.models import Claim
from tables.models import JackpotSystem

OPENS_SOON = gettext_noop("This hand has just been reported; its claim opens in a moment.")
OPENS_WITHIN_S = 1  # the worker is hinted at each commit; its beat looks every few seconds
_READING = ("GET", "HEAD", "OPTIONS")


class NotOpenYet(Http404):
    """The hit stands in the order, and the worker has not opened its claim yet."""

    def __init__(self, hit: Hit) -> None:
        super().__init__(_(OPENS_SOON))
        self.hit = hit


def claim_named(method: str | None, system_code: str, number: int) -> Claim:
    """The claim of that name. An action (`method`) opens it, if it comes before the worker."""
    system = JackpotSystem.objects.filter(code=system_code).first()
    if system is None:
        raise Http404
    if method not in _READING:
        catch_up(system)
    claims = Claim.objects.select_related("system__casino").filter(system=system, number=number)
    claim = claims.first()
    if claim is not None:
        return claim
    hit = Hit.objects.select_related("system", "table").filter(system=system, number=number)
    if (opens_soon := hit.first()) is not None:
        raise NotOpenYet(opens_soon)
    raise Http404
