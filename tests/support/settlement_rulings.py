"""Shared by tests: rulings."""

from typing import Any

from django.contrib.auth.models import User

from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.floor import missed_rounds, rulings
from tables.models import GamingTable
from tests.support.roles import acting_as

HALF = MICROS // 2


def person(name: str) -> Any:
    return User.objects.get(username=name)


def table(code: str = "t3") -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code=code)


def rule(kind: str = "void_round", by: str = "sione", **fields: Any) -> commands.Answer:
    body: dict[str, Any] = {"reason": "wrong_count", "note": "Camera 4, 22:10", **fields}
    with acting_as("web"):
        return rulings.decide(kind, table(), body.pop("round", 1), person(by), **body)


def credit(by: str = "sione", **fields: Any) -> Any:
    body: dict[str, Any] = {"count": 2, "evidence": "Camera 4", **fields}
    with acting_as("web"):
        return missed_rounds.credit(table(), person(by), **body)
