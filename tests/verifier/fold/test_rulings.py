"""Rounds that supervisors rule upon, through their services: the verifier finds the same."""

from typing import Any

import pytest
from django.db import connection

from jackpot.terms.money import MICROS
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.floor import missed_rounds, rulings
from settlement.models import Proposal, Ruling
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.proof.rulings import Hour
from tests.support.suite.kept_house import kept_house
from verifier.check import look
from verifier.fold.books import rounds

pytestmark = pytest.mark.django_db


def build_house() -> Hour:
    hour = Hour()
    rule_on_rounds(hour)
    assert hour.head.halted_at is None, hour.head.halted_on
    return hour


house = kept_house(build_house, CLAIM_WAIT_S=0)


def report_lines() -> list[str]:
    """What the verifier finds now."""
    connection.ensure_connection()
    return look(connection.connection, settled=False).lines()


def test_it_verifies_clean(house: Hour, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reconcile(house.system).differences == []
    assert report_lines()[-1] == "all promises hold"
    monkeypatch.setattr(rounds, "ROUNDS_IN_MEMORY", 2)  # rounds lie in the temporary file
    assert report_lines()[-1] == "all promises hold"


@pytest.mark.parametrize("kind", Ruling.Kind.values[:3])
def test_a_ruling_that_is_gone_is_found(house: Hour, kind: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE settlement_ruling DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE settlement_ruling SET person_id = person_id + 1 WHERE kind = %s", [kind]
        )
    assert f"{kind} without the ruling behind it" in "\n".join(report_lines())


def test_an_agreement_that_names_another_is_found(house: Hour) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE settlement_proposaldecision DISABLE TRIGGER USER")
        cursor.execute("UPDATE settlement_proposaldecision SET person_id = person_id + 1")
    assert "missed_rounds names sione and mere: sione proposed it" in "\n".join(report_lines())


def rule_on_rounds(house: Hour) -> None:
    """Rounds that are void, cancelled or missed; what comes for them before and after."""
    house.press("t3")
    house.complete("t3", pot=5000, commission=250, jackpot_drop=200)
    house.call("t3")
    house.press("t7")
    house.rounds["t8"] += 1
    house.say("t8", messages.VoidRequested, round=house.rounds["t8"], reason="wrong_count")
    house.post()
    rule(house, "void_round", "t3", "wrong_count")
    house.report("t3", ("As Ks", "Qs Js Ts 2d 3c"))
    rule(house, "cancel_round", "t7", "double_press")
    house.complete("t7", pot=3000, commission=150, jackpot_drop=100)
    (request, *_) = rulings.open_requests("void_requested")
    rule(house, "void_round", "t8", "wrong_count", request)
    house.say("t8", messages.RoundStarted, round=house.rounds["t8"])
    house.complete("t8", pot=3000, commission=150, jackpot_drop=100)
    house.call("t8")
    house.post()
    table, sione = GamingTable.objects.get(code="t8"), house.person("sione")
    missed_rounds.credit(
        table, sione, missed_rounds.MissedCredit(count=3, evidence="camera 4", players=4)
    )
    number = house.rounds["t8"] = house.rounds["t8"] + 1
    figures = {"pot": 30 * MICROS, "commission": MICROS, "drop": MICROS}
    one: dict[str, Any] = {"count": 1, "rounds": [number], "evidence": "camera 4"}
    missed_rounds.credit(table, sione, missed_rounds.MissedCredit(figures=figures, **one))
    missed_rounds.credit(table, sione, missed_rounds.MissedCredit(**one))  # the fold refuses it
    proposal = missed_rounds.credit(
        table, sione, missed_rounds.MissedCredit(count=40, evidence="camera 4")
    )
    assert isinstance(proposal, Proposal)
    proposals.agree(proposal, Reauthenticated(house.person("mere")))
    house.say("t8", messages.RoundStarted, round=number, seats_dealt=[1, 2])
    house.complete("t8", pot=6000, commission=50, jackpot_drop=200)
    house.post()
    rule(house, "void_round", "t8", "defective_deck")


def rule(
    house: Hour, kind: str, table: str, reason: str, request: rulings.Request | None = None
) -> None:
    """A supervisor decides on the newest round of a table."""
    where = GamingTable.objects.select_related("system__casino").get(code=table)
    rulings.decide(
        rulings.RoundRuling(kind, where, house.rounds[table], reason=reason, note="seen"),
        house.person("sione"),
        request=request,
    )
    house.post()
