"""The parts of a prize, as the page of a claim names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from jackpot.hits.states import OUT, HitState
from jackpot.models import Hit
from jackpot.terms.document import Role
from settlement.core.words.rule_words import CAPACITY_TITLES


def wins(seat: int, winners: Mapping[int, Role], hit: Hit) -> str:
    """What a seat wins by its hand, for its pill."""
    if seat not in winners:
        return ""
    if hit.state in (*OUT, HitState.REVERSED, HitState.PAIRED):
        return _("Qualifies by its cards")
    if hit.strength is not None and hit.before_pool is None:
        return _("In the running") if hit.closing is None else _("A better hand stands")
    if {*winners.values()} == {"winner"}:
        return _("Wins the prize")
    return _("%(capacity)s: wins a part") % {"capacity": CAPACITY_TITLES[winners[seat]]}


def capacity(role: str, among: Iterable[str]) -> str:
    """In what capacity somebody is paid, where not everybody is as the winner."""
    return "" if {*among} == {"winner"} else CAPACITY_TITLES[role]
