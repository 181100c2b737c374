"""A confirmed claim that nobody pays is told to who may pay, as two people or the setting say."""

import datetime as dt

import pytest
from django.utils import timezone

from config import settings as shipped
from jackpot.hits.states import StopKind
from settlement import tasks
from settlement.claims import services as claims
from settlement.claims.decisions import stops
from settlement.models import Action, EscalationPolicy, Notification, Occasion
from settlement.notifications import occasions
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up import escalation, proposals
from settlement.set_up.escalation import Level
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.roles import acting_as
from tests.support.people.set_up import agree
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

LEVELS = ["10:verify_claim", "45:confirm_claim", "30:pay_claim", "60:pay_claim"]
house = kept_house(ConfirmedHouse, CLAIM_WAIT_S=0, ESCALATION=LEVELS)


class Later:
    """Minutes after the confirmation; answers which levels of unpaid claims were reached."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._from = Action.objects.get(kind="confirm").at

    def __call__(self, minutes: int) -> list[int]:
        at = self._from + dt.timedelta(minutes=minutes)
        self._patch.setattr(timezone, "now", lambda: at)
        occasions.watch()
        rows = Occasion.objects.filter(kind="claim.unpaid").order_by("id")
        return [row.data["minutes"] for row in rows]


@pytest.fixture
def later(house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch) -> Later:
    return Later(monkeypatch)


def kinds_seen(name: str) -> list[str]:
    rows = Notification.objects.filter(person__username=name).order_by("id")
    return [row.kind for row in rows if row.kind in ("claim.unpaid", "claim.late")]


def test_who_may_pay_is_told_at_each_level_once(later: Later) -> None:
    assert [later(29), later(31), later(31), later(59), later(61), later(600)] == [
        *([], [30], [30], [30], [30, 60], [30, 60]),
    ]
    tasks.collect_webhooks()
    assert kinds_seen("aroha") == ["claim.unpaid"] * 2
    assert kinds_seen("mere") == kinds_seen("sione") == []


def test_a_claim_that_is_paid_or_stopped_waits_for_nobody(
    house: ConfirmedHouse, later: Later
) -> None:
    cage = Reauthenticated(person("aroha"))
    claims.pay(house.claim, cage, 1, {"cash": house.amount // 2 // 10_000 * 10_000})
    house.post()
    assert house.state == "part_paid"
    assert later(31) == [30]
    claims.pay(house.claim, cage, 1, {"cash": house.hit(1).payee_lines[0].rest})
    house.post()
    assert house.hit(1).state == "paid"
    assert later(61) == [30]


def test_a_payment_that_is_withheld_waits_for_its_release(
    house: ConfirmedHouse, later: Later
) -> None:
    payments.withhold(house.claim, person("mere"), 1, "Identity in question")
    house.post()
    assert house.state == "withheld"
    assert later(61) == []


def test_a_stopped_claim_waits_for_nobody_at_the_cage(house: ConfirmedHouse, later: Later) -> None:
    stops.open_stop(house.claim, person("sione"), StopKind.DISPUTE, "Seat 4 says it won")
    house.post()
    assert house.hit(1).open_stops
    assert later(61) == []


def test_two_people_decide_after_how_long(house: ConfirmedHouse, later: Later) -> None:
    with acting_as("web"):
        proposals.propose_escalation(
            person("mere"), house.system.casino, [Level(5, "pay_claim"), Level(9, "verify_claim")]
        )
    agree("david")
    policy = EscalationPolicy.objects.get()
    assert escalation.in_words(policy.levels) == (
        "anyone who may pay, of what is confirmed and not paid after 5 min,"
        " anyone who may verify after 9 min"
    )
    assert [later(4), later(6), later(61)] == [[], [5], [5]]
    assert not Occasion.objects.filter(kind="claim.late").exists()


def test_the_cage_has_a_level_before_anybody_decided() -> None:
    assert "30:pay_claim" in shipped.ESCALATION
