"""A hand on which the rules fail (19.20): its page, the lists, and how it goes on."""

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.models import Claim
from tables.models import Alarm
from tests.support.pages.page_staff import ADDRESS, confirm, page_of, verify
from tests.support.people.cast import ROYAL, ClaimHouse, action, read, rows_of
from tests.support.play.failing_rules import FailingRules

pytestmark = pytest.mark.django_db
HAND = ("As Ks", "Qs Js Ts 7d 3c")


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> FailingRules:
    return FailingRules(monkeypatch)


@pytest.fixture
def house(rules: FailingRules, settings: Settings) -> ClaimHouse:
    """Table 3 called a royal flush and reported it; table 7's hand comes after it."""
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = ClaimHouse()
    for table in ("t3", "t7"):
        house.open(table)
        house.press(table)
    house.call("t3")
    house.report("t3", HAND)
    house.report("t7", ROYAL)
    house.post()
    claims.catch_up(house.system)
    return house


def test_the_page_says_what_is_wrong_and_what_to_do(house: ClaimHouse) -> None:
    for name in ("sione", "mere", "aroha", "tane", "ines"):
        page = page_of(name)
        assert "The console cannot judge this hand." in page
        assert "send the report again unchanged" in page
        assert "Propose to end it" not in page
    assert "could not judge this hand" in page_of("tane").lower()
    assert "19.20" in page_of("sione")
    for address in (f"{ADDRESS}print/", f"{ADDRESS}amend/"):
        assert page_of("sione", address)


def test_the_lists_the_handover_and_the_alarm_name_it(house: ClaimHouse) -> None:
    assert "No verdict" in page_of("mere", "/")
    assert "No verdict" in page_of("tane", "/claims/")
    assert "the console cannot judge it" in page_of("sione", "/handover/")
    assert "the rules of the console fail on the hand" in page_of("tane", "/tables/main/t3/")
    assert Alarm.objects.get(kind="no_verdict", cleared_at=None).subject == "main-1"
    (row,) = rows_of("/api/stops/")
    assert (row["kind"], row["claim"]) == ("verdict", 1)
    sheet = read("/api/claims/main-1/")
    assert "no_verdict" in sheet["flags"]
    assert [reason["code"] for reason in sheet["verdict"]["reasons"]] == ["no_verdict"]


def test_nobody_verifies_or_ends_it_before_it_is_judged(house: ClaimHouse) -> None:
    end = f"stops/{house.hit(1).stops[0]['entry']}/propose-end"
    for who, what, body in (("sione", "verify", {}), ("mere", end, {"finding": "it is right"})):
        answer = action(who, what, None, 1, **body)
        assert answer.status_code == 409, answer.content
        assert "cannot judge this hand" in str(answer.json())


def test_once_mended_it_is_sent_again_as_it_is_and_paid(
    house: ClaimHouse, rules: FailingRules
) -> None:
    rules.is_repaired = True
    assert "Amend the report, or reject" in page_of("anahera", "/claims/")
    assert "Verify: First send the report again unchanged, or amend it." in page_of("anahera")
    hand = {"seat": 3, "hole": HAND[0].split(), "exposed": "yes", "folded": False}
    hand |= {"participating": True, "won_pot": True}
    claim = Claim.objects.get(system=house.system, number=1)
    anahera = User.objects.get(username="anahera")
    claims.amend(claim, anahera, {"boards": [HAND[1].split()], "hands": [hand]})
    house.post()
    assert house.hit(1).stops[0]["lifted"]
    assert "cannot judge this hand" not in page_of("mere")
    verify(house)
    confirm(house)
    assert house.hit(1).state == "confirmed"
