"""Hands on which the console's rules failed (19.20): verifier, reconciliation and replay agree,
while the rules fail and when they are fixed."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from jackpot.models import Entry
from jackpot.queries.payout_bounds import bounds_of_claim
from settlement.audit.reconciliation import reconcile
from tables.models import Alarm
from tests.support.play.failing_rules import FailingRules
from tests.support.proof.rulings import Hour
from verifier.check import look

pytestmark = pytest.mark.django_db

BEYOND = ("As Ks", "Qs Js Ts 7d 3c")  # the rules fail on it
ROYAL = ("As Ks", "Qs Js Ts 2d 3c")
ACES_FULL = ("As Ah", "Ad Kc Kd 7d 3c")


class Trouble(Hour):
    """Three hands on which the rules fail, and one between them on which they do not."""

    def __init__(self, rules: FailingRules) -> None:
        super().__init__()
        self.call("t3", "royal")
        self.report("t3", BEYOND)
        self.complete("t3", pot=4000, commission=200, jackpot_drop=100)
        self.report("t7", ROYAL)
        self.report("t8", ACES_FULL)
        self.post()
        self.confirm_safe(2)
        self.decide("reject_claim", hit=3, reason="R11", evidence="camera", affected=False)
        self.press("t8")
        self.report("t8", BEYOND)
        self.post()
        rules.is_repaired = True
        self.amend(1, BEYOND)
        self.confirm_safe(1)

    def amend(self, number: int, cards: tuple[str, str]) -> None:
        hand = {"seat": 3, "hole": cards[0].split(), "exposed": "yes", "folded": False}
        hand |= {"participating": True, "won_pot": True}
        body = {"boards": [cards[1].split()], "hands": [hand]}
        answer = self.decide("amend_hand", "sione", None, hit=number, report=body)
        assert not answer.refused

    def confirm_safe(self, number: int) -> int:
        coming = bounds_of_claim(self.system, number)
        assert coming is not None
        payees = [{"seat": 3, "amount": coming.due}]
        answer = self.decide("confirm_claim", hit=number, amount=coming.due, payees=payees)
        assert not answer.refused, answer.refused
        return coming.due


@pytest.fixture
def house(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Trouble:
    settings.CLAIM_WAIT_S = 0
    return Trouble(FailingRules(monkeypatch))


def folded_again() -> str:
    output = StringIO()
    call_command("replay", "--check-only", "--system", "main", stdout=output)
    return output.getvalue()


def findings() -> list[str]:
    """What the verifier finds; of people none acted through the services here."""
    pairs = look(connection.connection).findings
    return [f"{kind}: {sentence}" for kind, sentence in pairs if kind != "people"]


def test_the_order_goes_on_and_everybody_who_folds_it_agrees(house: Trouble) -> None:
    assert house.head.halted_at is None
    unjudged = Entry.objects.filter(outcome__flags__contains="no_verdict")
    assert unjudged.count() == 4  # three reports, and the completion that came meanwhile
    assert [bool(stop["lifted"]) for n in (1, 3, 4) for stop in house.hit(n).stops] == [
        *(True, True, False)
    ]
    differs = reconcile(house.system).differences
    assert [each for each in differs if "behind it" not in each] == []  # nobody used the services
    assert "folds to what is recorded" in folded_again()
    assert findings() == []


def test_an_alarm_for_each_hand(house: Trouble) -> None:
    alarms = {alarm.subject: alarm for alarm in Alarm.objects.filter(kind="no_verdict")}
    assert set(alarms) == {"main-1", "main-3", "main-4"}
    assert alarms["main-1"].count == 2
    assert "0x" not in alarms["main-1"].message


def test_a_failure_that_was_left_out_is_found(house: Trouble) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE jackpot_entry DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE jackpot_entry SET outcome = outcome - 'no_verdict' - 'flags'"
            " WHERE type = 'hand_reported' AND hit = 1"
        )
        assert cursor.rowcount == 1
    assert any("hit 1: its stops are" in each for each in findings())
