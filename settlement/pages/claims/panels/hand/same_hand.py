"""What a claim's page says of the other claims of its hand (rule 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackpot.domain.command_handlers import REJECTIONS
from jackpot.hits.states import OUT, HitState
from jackpot.models import Command, Entry, Hit
from settlement.claims.status import others_of_hand
from settlement.core.words.translation import translated
from settlement.pages.claims.queue.rows import prize_name

# These speak against the hand for one prize; every other reason speaks against the hand itself.
_OF_ONE_PRIZE = ("R01", "R12")


def same_hand_context(hit: Hit, names: Mapping[str, str]) -> dict[str, Any]:
    """For `console/claims/head.html`: the others, and whether one was rejected for the hand's sake.

    Nothing follows by itself: two people decide on each claim.
    """
    others: list[Any] = list(others_of_hand(hit))
    rejected = [other.number for other in others if other.state == HitState.REJECTED]
    reasons = _reasons(hit.system_id, rejected) if rejected else {}
    rows = [
        {
            "number": other.number,
            "prize": prize_name(other, dict(names)),
            "amount_micros": None if other.state in OUT or other.tier_id is None else other.held,
            "standing": other.standing,
            "reason": reasons.get(other.number),
            "of_hand": hit.state == HitState.HELD
            and other.number in reasons
            and reasons[other.number]["code"] not in _OF_ONE_PRIZE,
        }
        for other in others
    ]
    return {"same_hand": rows, "hand_in_doubt": any(row["of_hand"] for row in rows)}


def _reasons(system_id: int, rejected: list[int]) -> dict[int, dict[str, str]]:
    """By claim, why two people rejected it."""
    decided = Entry.objects.filter(
        system=system_id, hit__in=rejected, type="reject_claim", outcome__refused__isnull=True
    )
    commands = Command.objects.filter(system=system_id, number__in=decided.values("command"))
    reasons = {}
    for body in commands.values_list("body", flat=True):
        rule, text = REJECTIONS[body["reason"]]
        reasons[body["hit"]] = {"code": body["reason"], "rule": rule, "text": translated(text)}
    return reasons
