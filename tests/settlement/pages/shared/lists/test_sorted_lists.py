"""Lists are sorted, narrowed and read page by page: every row once, in the order that was asked."""

import base64
import json
import re
from typing import Any

import pytest

from jackpot.models import Hit
from settlement.claims import services as claims
from settlement.models import Claim, Payout
from settlement.pages.claims import views as claim_views
from settlement.pages.payments import register
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import LedgerHouse, report_behind
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def html(address: str, name: str = "mere") -> str:
    answer = logged_in(name).get(address)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode().partition("<main")[2].replace("&amp;", "&")


def written_json(values: list[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def link(page: str, rel: str) -> str:
    match = re.search(rf'rel="{rel}" href="([^"]*)"', page)
    return match[1] if match else ""


def claims_of(page: str) -> list[str]:
    return re.findall(r'href="/claims/main/(\d+)/"[^>]*>\s*MAIN-', page)


def walk(address: str) -> list[list[str]]:
    """The claims of all pages, page by page, and the same on the way back."""
    path = address.partition("?")[0]
    pages, page = [], html(address)
    pages.append(claims_of(page))
    while onward := link(page, "next"):
        page = html(path + onward)
        pages.append(claims_of(page))
    back = [pages[-1]]
    while previous := link(page, "prev"):
        page = html(path + previous)
        back.insert(0, claims_of(page))
    assert back == pages
    return pages


def build_seven() -> ClaimHouse:
    """Seven claims of different amounts."""
    house = ClaimHouse()
    for number in range(7):
        for _ in range(number % 3):
            house.press("t7")
        house.hit_royal("t7")
    claims.catch_up(house.system)
    return house


seven = kept_house(build_seven)


@pytest.fixture
def hands(seven: ClaimHouse, monkeypatch: pytest.MonkeyPatch) -> ClaimHouse:
    """Three of the seven on a page."""
    monkeypatch.setattr(claim_views, "CLAIMS_A_PAGE", 3)
    return seven


SORTED: dict[str, Any] = {
    "amount": lambda hit: (hit.held, hit.number),
    "called": lambda hit: (hit.at, hit.number),
    "claim": lambda hit: hit.number,
}


class TestClaims:
    @pytest.mark.parametrize("code", SORTED)
    @pytest.mark.parametrize("sign", ["", "-"])
    @pytest.mark.parametrize("standing", ["open", "all"])
    def test_every_claim_once_in_order(
        self, code: str, sign: str, standing: str, hands: ClaimHouse
    ) -> None:
        pages = walk(f"/claims/?standing={standing}&sort={sign}{code}")
        expected = sorted(Hit.objects.all(), key=SORTED[code], reverse=bool(sign))
        assert [number for page in pages for number in page] == [f"{h.number}" for h in expected]
        assert [len(page) for page in pages] == [3, 3, 1]

    def test_the_usual_order_is_by_urgency(self, hands: ClaimHouse) -> None:
        expected = sorted(Hit.objects.all(), key=lambda hit: (-hit.held, hit.at, hit.number))
        usual = [number for page in walk("/claims/") for number in page]
        assert usual == [f"{hit.number}" for hit in expected]
        assert walk("/claims/?sort=-urgency") == walk("/claims/")
        least = [number for page in walk("/claims/?sort=urgency") for number in page]
        assert least == usual[::-1]

    def test_a_claim_that_comes_meanwhile_moves_nothing(self, hands: ClaimHouse) -> None:
        page = html("/claims/?standing=all&sort=-claim")
        assert claims_of(page) == ["7", "6", "5"]
        hands.hit_royal("t7")
        claims.catch_up(hands.system)
        page = html("/claims/" + link(page, "next"))
        assert claims_of(page) == ["4", "3", "2"]

    def test_headings_say_how_it_is_sorted_and_turn_it_round(self, hands: ClaimHouse) -> None:
        page = html("/claims/?standing=all&sort=-amount")
        heading = re.search(
            r'<th scope="col"[^>]*aria-sort="descending"><a href="([^"]*)">Amount', page
        )
        assert heading
        assert heading[1] == "?standing=all&sort=amount"
        assert page.count("aria-sort=") == 1
        assert '<option value="-amount" selected>' in page
        page = html("/claims/" + heading[1])
        assert 'aria-sort="ascending"><a href="?standing=all&sort=-amount">Amount' in page

    def test_days_amounts_and_people(self, hands: ClaimHouse) -> None:
        least = sorted(Hit.objects.values_list("held", flat=True))[4]
        big = {f"{hit.number}" for hit in Hit.objects.filter(held__gte=least)}
        pages = walk(f"/claims/?standing=all&least={least / 10**6:.2f}")
        assert {number for page in pages for number in page} == big
        small = {f"{hit.number}" for hit in Hit.objects.filter(held__lte=least)}
        pages = walk(f"/claims/?standing=all&most={least / 10**6:.2f}")
        assert {number for page in pages for number in page} == small
        assert "No claim matches" in page_of("mere", "/claims/?standing=all&to=2020-01-01")
        assert "write it like 1,234.50" in page_of("mere", "/claims/?least=x")
        assert "MAIN-1" in page_of("mere", "/claims/?sort=claim&person=nobody")

    def test_a_person_narrows_them_to_those_that_it_acted_on(self, hands: ClaimHouse) -> None:
        for number, name in ((2, "anahera"), (5, "sione"), (6, "anahera")):
            claim = Claim.objects.get(number=number)
            claims.answer_checklist(claim, person(name), ALL_YES, {})
            claims.verify(claim, person(name))
        for name, numbers in (("anahera", ["2", "6"]), ("sione", ["5"])):
            page = html(f"/claims/?standing=all&sort=claim&person={name}")
            assert claims_of(page) == numbers

    def test_a_form_without_a_choice_keeps_the_usual_order(self, hands: ClaimHouse) -> None:
        """The button sends every field: an order that nobody chose stays that of each state."""
        choice = html("/claims/").partition('id="sort"')[2].partition("</select>")[0]
        assert re.findall(r'value="([^"]*)" selected', choice) == [""]
        assert walk("/claims/?standing=all&sort=") == walk("/claims/?standing=all&sort=-called")

    @pytest.mark.parametrize(
        "place",
        ["x", "W10", "bnVsbA", "WyJhIiwgMSwgMV0", "WzEsMiwzXQ", "W3siYXQiOiJ4In0sMSwxXQ",
         "WzFlOTk5LDEsMV0", "A" * 1300,
         written_json([{"at": "0001-01-01T00:00:00+14:00"}, 1, 1]), written_json(["\ud800", 1])],
    )  # fmt: skip
    def test_a_place_that_is_none_is_the_first_page_or_an_empty_one(
        self, place: str, hands: ClaimHouse
    ) -> None:
        for name in ("after", "before"):
            for sort in ("called", "claim", "urgency", "amount"):
                html(f"/claims/?standing=all&sort={sort}&{name}={place}")


class TestPayouts:
    def test_they_are_sorted_and_read_page_by_page(
        self, days: LedgerHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(register, "ROWS", 1)
        days.pay(3, chips=1)
        days.hit_royal("t7")
        days.pay(4, chips=1)
        paid = [(each.amount, f"{each.claim.number}") for each in Payout.objects.all()]
        for sign in ("", "-"):
            walked = walk(f"/payouts/?sort={sign}amount")
            assert walked == [[n] for _, n in sorted(paid, reverse=bool(sign))]
            walked = walk(f"/payouts/?sort={sign}claim")
            assert walked == [[n] for n in sorted((n for _, n in paid), reverse=bool(sign))]
        assert walk("/payouts/") == [["4"], ["3"], ["2"]]

    def test_they_are_narrowed_to_amounts(self, days: LedgerHouse) -> None:
        days.pay(3, chips=1)
        amounts = {each.claim.number: each.amount for each in Payout.objects.all()}
        assert len(set(amounts.values())) == 2
        most = max(amounts.values())
        query = f"?least={most / 10**6:.2f}"
        number = next(number for number, amount in amounts.items() if amount == most)
        assert claims_of(html(f"/payouts/{query}")) == [f"{number}"]

    def test_a_person_narrows_them_to_those_in_which_it_took_part(self, days: LedgerHouse) -> None:
        days.pay(3, chips=1, by=("anahera", "david", "aroha"))
        expected = {
            "aroha": {"2", "3"},
            "sione": {"2"},
            "mere": {"2"},
            "anahera": {"3"},
            "david": {"3"},
            "ines": {"2", "3"},  # who did nothing to any claim cannot be chosen
        }
        for name, numbers in expected.items():
            page = claims_of(html(f"/payouts/?person={name}"))
            assert (name, set(page)) == (name, numbers)
            rows = report_behind(html(f"/payouts/?person={name}", "ines"))
            assert {f"{row['claim']}" for row in rows} == numbers
