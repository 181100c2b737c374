"""What a display that is a page says of a report besides: which prize, and how much, is verified.

The wire's display message has the words alone, and stays as it is; a page is told the amount that
is held for the claim, as screens are (`jackpot.screens.wins`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackpot.hits.states import HitState
from jackpot.models import Hit
from jackpot.terms.money import format_micros


def with_amounts(system_id: int, display: Mapping[str, Any]) -> dict[str, Any]:
    """The display message; of each report whose prize is known with `amount`, `NZD 1,001.00`."""
    numbers = [each["hit"] for each in display["messages"] if _is_of_prize(each)]
    if not numbers:
        return dict(display)
    held = Hit.objects.filter(system=system_id, state=HitState.HELD, number__in=numbers, held__gt=0)
    amounts = {
        hit.number: _amount(hit) for hit in held.select_related("system__casino").only(*_COLUMNS)
    }
    messages = [
        {**each, "amount": amounts[each["hit"]]} if each["hit"] in amounts else each
        for each in display["messages"]
    ]
    return {**display, "messages": messages}


_COLUMNS = (
    *("number", "held", "system__id"),
    *("system__casino__id", "system__casino__currency", "system__casino__minor_digits"),
)


def _is_of_prize(message: Mapping[str, Any]) -> bool:
    return message["kind"] == "reported" and message.get("tier") is not None


def _amount(hit: Hit) -> str:
    casino = hit.system.casino
    return f"{casino.currency} {format_micros(hit.held, casino.minor_digits)}"
