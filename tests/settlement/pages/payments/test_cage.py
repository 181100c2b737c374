"""The cage's table: every payee on one page, each line judged by itself."""

from typing import Any

import pytest
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.models import Action, Identification, IdentificationLook, Payout
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.claims.payees import SixPayees
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, paid_at_the_cage, reply, words
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
CAGE = "/claims/main/1/cage/"
ANA = {"name": "Ana Ruiz", "born": "1980-01-01", "document_number": "N-1", "document": "passport"}


def build_house() -> SixPayees:
    return SixPayees().confirmed()


house = kept_house(build_house, CLAIM_WAIT_S=0)


def cash(house: SixPayees, *lines: int, **changed: str) -> dict[str, Any]:
    """The form with the balance of these lines in cash; `changed` by line, as `l2`."""
    due = {line["line"]: line["amount"] // 10**6 for line in house.hit(1).payees}
    return {f"l{line}-cash": changed.get(f"l{line}", str(due[line])) for line in lines}


def seat(house: SixPayees, line: int) -> int:
    return int(house.hit(1).payees[line - 1]["seat"])


def test_all_are_paid_with_one_password(house: SixPayees) -> None:
    page = page_of("aroha", CAGE)
    assert "6 payees" in page
    assert page.count("Pay seat") == 6
    answer = paid_at_the_cage(**cash(house, 1, 2, 3, 4, 5, 6))
    assert answer.status_code == 302
    assert page_of("aroha", CAGE).count("Queued") >= 6  # and cannot be paid twice meanwhile
    assert "Pay seat" not in page_of("aroha", CAGE)
    house.post()
    claims.catch_up(house.system)
    assert house.hit(1).state == "paid"
    assert Payout.objects.count() == 6
    assert page_of("aroha", CAGE).count("Print the slip") == 6


def test_one_line_is_paid_and_what_is_typed_of_others_is_not(house: SixPayees) -> None:
    answer = paid_at_the_cage(line="3", **cash(house, 1, 3))
    assert answer.status_code == 302
    assert [action.body["line"] for action in Action.objects.filter(kind="pay")] == [3]


def test_a_line_that_fails_says_why_and_keeps_what_was_typed(house: SixPayees) -> None:
    claims.pay(house.claim, Reauthenticated(person("aroha")), 2, {"cash": 10**6})
    house.post()
    typed = cash(house, 1, 2, 3, 4, l3="10,01", l4="99,999")
    answer = paid_at_the_cage(**typed, **{"l5-name": "Ana Ruiz"})
    page = words(answer)
    assert answer.status_code == 422
    assert f"Seat {seat(house, 2)} was not paid." in page  # a part was paid meanwhile
    assert "Enter no more than the balance due." in page
    assert "This is not an amount" in page
    assert "Enter the name, the date of birth and the document." in page
    html = answer.content.decode()
    for value in ("10,01", "99,999", "Ana Ruiz"):
        assert f'value="{value}"' in html
    paid = Action.objects.filter(kind="pay").values_list("body__line", flat=True)
    assert sorted(paid) == [1, 2]
    assert not Identification.objects.exists()


def test_a_wrong_password_pays_nothing_and_loses_nothing(house: SixPayees) -> None:
    answer = paid_at_the_cage(password="guessed-by-somebody", **cash(house, 1, 2))
    assert answer.status_code == 422
    assert "That is not your password" in words(answer)
    assert f'value="{cash(house, 1)["l1-cash"]}"' in answer.content.decode()
    assert not Action.objects.filter(kind="pay").exists()
    assert "Nothing was paid" in words(paid_at_the_cage())


def test_a_form_that_was_sent_twice_pays_once(house: SixPayees) -> None:
    fields = cash(house, 1) | {"l1-key": "3f0c5f0e-8f5b-4bb1-9f0a-6c8f6a4a1f11"}
    fields |= {f"l1-{name}": text for name, text in ANA.items()}
    assert paid_at_the_cage(**fields).status_code == 302
    paid_at_the_cage(**fields)
    assert Action.objects.filter(kind="pay").count() == 1
    assert Identification.objects.count() == 1


def test_players_are_identified_in_the_table_and_before_the_payment(house: SixPayees) -> None:
    player = {f"l1-{name}": text for name, text in ANA.items()}
    page = words(paid_at_the_cage(do="identify", **player, **cash(house, 2)))
    assert "1 player identified." in page
    assert "Identified by aroha" in page
    assert "Ana Ruiz" not in page  # who it is shows only who asks, and that is recorded
    assert not IdentificationLook.objects.exists()
    assert "Ana Ruiz" in words(paid_at_the_cage(do="look"))
    assert IdentificationLook.objects.get().purpose == "pay"
    answer = paid_at_the_cage(**cash(house, 2), **{f"l2-{n}": text for n, text in ANA.items()})
    assert answer.status_code == 302
    assert Identification.objects.count() == 2
    refused = paid_at_the_cage(**cash(house, 3), **{"l3-name": "Ana Ruiz"})
    assert refused.status_code == 422
    assert Action.objects.filter(kind="pay").count() == 1


def test_where_the_terms_ask_for_it_winners_are_identified_first(settings: Settings) -> None:
    """A share of the table asks nobody; the cashier may say that he pays without."""
    settings.CLAIM_WAIT_S = 0
    house = SixPayees(identity=0).confirmed()
    answer = paid_at_the_cage(**cash(house, 1, 2, 3))  # seats 2 and 4 by their hands, seat 1
    assert answer.status_code == 422
    assert "Identify the player of seat 2 first, or tick that you pay without." in words(answer)
    assert [action.body["line"] for action in Action.objects.filter(kind="pay")] == [3]
    player = {f"l1-{name}": text for name, text in ANA.items()}
    paid_at_the_cage(**cash(house, 1, 2), **player, **{"l2-without": "on"})
    assert Action.objects.filter(kind="pay").count() == 3
    assert Identification.objects.get().seat == 2


def test_who_has_acted_before_is_told_so_first(house: SixPayees) -> None:
    assert logged_in("mere").get(CAGE).status_code == 403
    assert "Pay 6 payees" in page_of("aroha")
    reply("aroha", "/claims/main/1/stop/", kind="dispute", reason="Seat 5 says that he won")
    house.post()
    page = page_of("aroha", CAGE)
    assert "You cannot pay this claim now." in page
    assert "Pay seat" not in page


def test_the_page_costs_the_same_however_many_are_paid(
    house: SixPayees, django_assert_max_num_queries: Any
) -> None:
    client, costs = logged_in("aroha"), []
    for lines in ((), (1,), (2, 3, 4, 5, 6)):
        if lines:
            paid_at_the_cage(**cash(house, *lines))
            house.post()
        client.get(CAGE)
        with django_assert_max_num_queries(20) as captured:
            client.get(CAGE)
        costs.append(len(captured))
    assert len(set(costs[1:])) == 1, costs
