"""Rulings by the services: void rounds, and missed rounds that are credited."""

from typing import Any

from django.contrib.auth.models import User

from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.floor import missed_rounds, rulings
from tables.models import GamingTable
from tests.support.people.roles import acting_as

HALF = MICROS // 2


def person(name: str) -> Any:
    return User.objects.get(username=name)


def table(code: str = "t3") -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code=code)


def _split(body: dict[str, Any]) -> dict[str, Any]:
    """The dealer's request and the form's key, taken out of what is decided."""
    return {name: body.pop(name) for name in ("request", "key") if name in body}


def rule(kind: str = "void_round", by: str = "sione", **fields: Any) -> commands.Answer:
    body: dict[str, Any] = {"reason": "wrong_count", "note": "Camera 4, 22:10", **fields}
    beside = _split(body)
    with acting_as("web"):
        return rulings.decide(
            rulings.RoundRuling(kind, table(), body.pop("round", 1), **body), person(by), **beside
        )


def credit(by: str = "sione", **fields: Any) -> Any:
    body: dict[str, Any] = {"count": 2, "evidence": "Camera 4", **fields}
    beside = _split(body)
    with acting_as("web"):
        return missed_rounds.credit(
            table(), person(by), missed_rounds.MissedCredit(**body), **beside
        )
