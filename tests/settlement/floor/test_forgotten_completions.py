"""A completion that was forgotten: what shows it, who credits it, what comes of a difference."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from jackpot.terms.money import MICROS
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import BadReason
from settlement.floor import incidents, missed_rounds
from settlement.models import Incident, Proposal, Ruling
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools.history import PoolHistory
from settlement.tasks import catch_up
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.cases.terms.limits import alone_up_to
from tests.support.people.cast import ClaimHouse, as_, read
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
INCREMENTS = [
    {"source": "per_round", "amount": MICROS // 2},
    {"source": "pot", "basis_points": 100},
    {"source": "commission", "basis_points": 1000},
]
FIGURES = {"pot": 200 * MICROS, "commission": 10 * MICROS}
RESET = 1000 * MICROS


def build_house() -> ClaimHouse:
    """The button of round 1 at table 3 was pressed, and its completion forgotten."""
    claim_house = ClaimHouse(royal_terms(increments=INCREMENTS) | {"funding": "players"})
    for table in ("t3", "t7"):
        claim_house.open(table)
    for _ in range(3):
        claim_house.press("t3")
    complete(claim_house, 2)
    complete(claim_house, 3)
    claim_house.post()
    return claim_house


house = kept_house(build_house)


def complete(house: ClaimHouse, number: int, pot: int = 20_000, commission: int = 1_000) -> None:
    figures = {"pot": pot, "commission": commission}
    house.say("t3", messages.RoundCompleted, round=number, **figures)


def table(code: str = "t3") -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code=code)


def credit(by: str = "sione", **changes: Any) -> Any:
    body: dict[str, Any] = {"count": 1, "evidence": "Camera 4", "figures": FIGURES, **changes}
    with acting_as("web"):
        return missed_rounds.credit(
            table(), User.objects.get(username=by), missed_rounds.MissedCredit(**body)
        )


def signs() -> list[tuple[str, int | None, str]]:
    return [(signal.table.code, signal.round, signal.what) for signal in missed_rounds.signals()]


def test_a_round_without_its_completion_shows_once_it_cannot_be_in_play(house: ClaimHouse) -> None:
    assert signs() == [("t3", 1, "uncompleted")]
    house.press("t3")
    house.press("t3")
    house.press("t7")
    house.post()
    assert signs() == [("t3", 1, "uncompleted")]  # 4 may be typed while 5 is dealt
    house.press("t3")
    house.say("t7", messages.SessionClosed)
    house.post()
    assert [signal[:2] for signal in signs()] == [("t7", 1), ("t3", 4), ("t3", 1)]
    complete(house, 4)
    house.post()
    assert [signal[:2] for signal in signs()] == [("t7", 1), ("t3", 1)]


def test_no_figures_are_missed_where_none_feed_a_prize() -> None:
    house = ClaimHouse(royal_terms())
    house.open("t3")
    for _ in range(4):
        house.press("t3")
    house.post()
    assert signs() == []


def test_it_is_credited_by_its_number_and_never_by_a_second_press(house: ClaimHouse) -> None:
    pool = house.balance("royal:pool")
    with pytest.raises(BadReason, match="completion of round 1 is missing"):
        credit()
    credit(rounds=[1], completion=True)
    house.post()
    assert house.balance("royal:pool") == pool + 3 * MICROS
    assert signs() == []
    assert missed_rounds.uncompleted(table()) == []
    ruling = Ruling.objects.get()
    assert (ruling.round, ruling.decision_words) == (1, "credited a missed completion")
    complete(house, 1)
    house.post()
    catch_up()
    assert house.balance("royal:pool") == pool + 3 * MICROS
    assert not Incident.objects.exists()
    assert reconcile(house.system).differences == []


def test_another_round_is_credited_whole(house: ClaimHouse) -> None:
    pool = house.balance("royal:pool")
    credit(another=True)
    house.post()
    assert house.balance("royal:pool") == pool + 3_500_000
    assert signs() == [("t3", 1, "uncompleted")]


def test_a_difference_is_an_incident(house: ClaimHouse) -> None:
    credit(rounds=[1], completion=True)
    complete(house, 1, pot=30_000, commission=500)
    house.post()
    with acting_as("worker"):
        catch_up()
        catch_up()
    incident = Incident.objects.get()
    assert (incident.kind, incident.person, incident.entry) == ("figures", None, house.head.seq)
    assert incident.note == (
        f"Round 1: what its unit reported later (entry {house.head.seq}) differs from what was"
        " credited. Pot 200.00 credited, 300.00 reported; commission 10.00 credited, 5.00 reported."
        " The difference was posted."
    )
    (row,) = read("/api/incidents/?open=true")["results"]
    assert (row["person"], row["entry"]) == (None, house.head.seq)
    with acting_as("web"):
        incidents.resolve(
            incident, User.objects.get(username="sione"), "The dealer read it out wrong"
        )
    assert not incidents.open_incidents().exists()


def test_only_the_console_finds_an_incident_in_the_order(house: ClaimHouse) -> None:
    fields: dict[str, Any] = {"kind": "figures", "note": "x", "happened_at": timezone.now()}
    with pytest.raises(BadReason):
        incidents.report(
            house.system, User.objects.get(username="sione"), incidents.IncidentReport(**fields)
        )
    with pytest.raises(IntegrityError, match="incident_of_person_or_order"), transaction.atomic():
        Incident.objects.create(
            system=house.system,
            person=User.objects.get(username="sione"),
            key="6f7c2a34-0f2e-4a7e-9a55-7f9d5f0c2c11",
            **fields,
        )


def test_above_the_limit_a_second_person_agrees(house: ClaimHouse) -> None:
    alone_up_to(0)
    pool = house.balance("royal:pool")
    proposal = credit(rounds=[1], completion=True)
    assert isinstance(proposal, Proposal)
    with acting_as("web"):
        proposals.agree(proposal, Reauthenticated(User.objects.get(username="mere")))
    house.post()
    assert house.balance("royal:pool") == pool + 3 * MICROS


def test_the_history_says_what_was_credited(house: ClaimHouse) -> None:
    credit(rounds=[1], completion=True)
    house.post()
    tier = house.system.tiers.select_related("system__casino").get()
    row = PoolHistory(tier).page(1).rows[0]
    assert (row["entry_type"], row["entry"]) == ("missed_rounds", "Missed completion credited")
    entries = [row["entry"] for row in PoolHistory(tier).page(9999).rows]
    assert entries.count("Missed completion credited") == 2  # from the pot and the commission


def test_the_api_takes_a_completion_by_its_number(house: ClaimHouse) -> None:
    address = "/api/tables/main/t3/credit-missed/"
    body = {"count": 1, "evidence": "Camera 4", "figures_micros": FIGURES}
    client, pool = as_("sione"), house.balance("royal:pool")
    assert client.post(address, body, format="json").status_code == 422
    by_number = {**body, "rounds": [1], "completion": True}
    assert client.post(address, by_number, format="json").status_code == 202
    house.post()
    assert house.balance("royal:pool") == pool + 3 * MICROS
    other = {**body, "another_round": True}
    assert client.post(address, other, format="json").status_code == 202
    house.post()
    assert house.balance("royal:pool") == pool + 6_500_000
