"""The page of who shares a prize and sat nowhere: entered, replaced, taken back, refused."""

import re
from typing import Any

import pytest

from jackpot.models import Hit
from settlement.claims import services as claims
from settlement.models import Identification, Sharer
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.pages.page_staff import logged_in, page_of, post, refused, reply
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
SHARERS = "/claims/main/1/sharers/"
JO = {
    "seat": "3",
    "name": "Jo Falk",
    "born": "1979-08-07",
    "document": "passport",
    "document_number": "LK 41-88",
    "country": "US",
}

house = kept_house(ConfirmedHouse, CLAIM_WAIT_S=0)


def entered(**changed: Any) -> Sharer:
    page = reply("aroha", SHARERS, **{**JO, "amount": "400", **changed})
    assert "Saved: a sharer of seat 3." in page
    return Sharer.objects.filter(kind="added").latest("pk")


@pytest.mark.usefixtures("house")
def test_a_cashier_enters_a_sharer_and_the_page_names_nobody() -> None:
    assert "Nobody shares it" in page_of("aroha", SHARERS)
    sharer = entered()
    page = page_of("aroha", SHARERS)
    assert "Jo Falk" not in page
    assert "400.00" in page
    assert "In force" in page
    person_row = Identification.objects.only("seat", "shares").get(pk=sharer.identification_id)
    assert (person_row.seat, person_row.shares) == (None, 3)
    assert "A sharer owns 400.00 of it" in page_of("aroha", "/claims/main/1/cage/")
    answer = logged_in("mere").post(
        "/claims/main/1/identification/", {"do": "look", "purpose": "review"}
    )
    assert "Shares what seat 3 won: Jo Falk" in " ".join(answer.content.decode().split())
    assert "shares what this seat won" in page_of("mere", f"/players/{sharer.identification_id}/")


@pytest.mark.usefixtures("house")
def test_the_claim_leads_there_from_each_payee_once_it_is_confirmed() -> None:
    def links(name: str, number: int = 1) -> list[str]:
        page = logged_in(name).get(f"/claims/main/{number}/").content.decode()
        return re.findall(r'href="(/claims/main/\d/sharers/\?seat=\d)"', page)

    assert links("aroha") == links("mere") == [f"{SHARERS}?seat=3"]
    assert links("tane") == [], "who sees no identification has no link"
    form = logged_in("aroha").get(links("aroha")[0]).content.decode()
    assert '<option value="3" selected>' in form
    assert "sharers/?seat" not in logged_in("aroha").get("/claims/main/1/print/").content.decode()
    hit = Hit.objects.get(number=1)
    (line,) = hit.payees
    hit.payees = [line, line | {"line": 2, "state": "forfeited"}]
    hit.save()
    assert links("aroha") == [f"{SHARERS}?seat=3"], "once a seat"
    hit.payees = [line | {"state": "reversed", "payments": []}]
    hit.save()
    assert links("aroha") == [], "nothing was won that somebody could share"


@pytest.mark.usefixtures("house")
def test_a_share_in_percent_is_rounded_down() -> None:
    assert entered(amount="", percent="33.33").amount % 10_000 == 0


@pytest.mark.usefixtures("house")
def test_what_is_wrong_is_said_and_what_was_typed_stays() -> None:
    assert "Enter an amount, or a share in percent: one of them." in refused("aroha", SHARERS, **JO)
    both = refused("aroha", SHARERS, **JO, amount="1", percent="1")
    assert "Enter an amount, or a share in percent: one of them." in both
    answer = post("aroha", SHARERS, **JO, amount="9,999,999.00")
    assert answer.status_code == 422
    html = answer.content.decode()
    assert "Enter at most" in html
    assert 'value="Jo Falk"' in html
    nobody = refused("aroha", SHARERS, **{**JO, "name": ""}, amount="1")
    assert "Enter the name, the date of birth and the document." in nobody
    assert not Sharer.objects.exists()
    assert post("tane", SHARERS, **JO, amount="1").status_code == 403


@pytest.mark.usefixtures("house")
def test_another_part_of_the_same_person_and_a_withdrawal() -> None:
    first = entered()
    for name, typed in (
        ("tax_number", "078-05-0001"),
        ("address", "9 Oak Road"),
        ("country", "US"),
    ):
        only = dict.fromkeys(("name", "born", "document_number", "country"), "") | {name: typed}
        values = {**JO, **only, "amount": "300", "replaces": str(first.pk), "reason": "Left out"}
        assert "Enter the name, the date of birth" in refused("aroha", SHARERS, **values)
    second = entered(
        **dict.fromkeys(("name", "born", "document_number", "country"), ""),
        amount="300",
        replaces=str(first.pk),
        reason="A third",
    )
    assert second.identification_id == first.identification_id
    page = reply("aroha", SHARERS, do=str(second.pk), reason="She keeps it")
    assert "Withdrawn: the part is the player&#x27;s own again." in page
    assert page.count("Withdrawn") >= 2
    assert "She keeps it" in page
    assert "withdrawn already" in reply("aroha", SHARERS, do=str(second.pk), reason="Again")


def test_after_a_payment_it_is_a_correction(house: ConfirmedHouse) -> None:
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": 10**6})
    house.post()
    claims.catch_up(house.system)
    assert "is paid: enter why" in refused("aroha", SHARERS, **JO, amount="1")
    entered(reason="He said it at the door")


@pytest.mark.usefixtures("no_writer")
def test_before_the_confirmation_nobody_shares_anything() -> None:
    ClaimHouse().hit_royal("t3")
    assert "Sharers are entered once the claim is confirmed" in page_of("aroha", SHARERS)
    assert logged_in("tane").get(SHARERS).status_code == 403
