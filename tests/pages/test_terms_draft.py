"""Drafting terms on a page: the form, what follows from it, the document, the second person."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from jackpot.models import Terms
from jackpot.money import MICROS
from jackpot.terms import parse
from settlement.drafts import posted_form
from settlement.models import Proposal
from settlement.pages.terms_document import document_of, typed_from
from settlement.pages.terms_forms import JackpotForm, PrizeForms
from tests.jackpot.books import royal_terms
from tests.jackpot.test_several_prizes import each_terms
from tests.pages.staff import logged_in, refused, shown, told, words
from tests.settlement.cast import PASSWORD, ClaimHouse
from tests.verifier.evening import terms as evening_terms

pytestmark = pytest.mark.django_db
KEY = "9f1c3c1a-7b1f-4d9e-8a51-0d8fbb4c8a11"
DRAFT = "/drafts/main/house/"


@pytest.fixture
def house(settings: Settings) -> ClaimHouse:
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return ClaimHouse()


def typed(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """What a browser sends for a document, but for these fields."""
    jackpot, prizes = typed_from(posted_form(parse(document)), 2)
    sent = {
        "prize-TOTAL_FORMS": len(prizes),
        "prize-INITIAL_FORMS": len(prizes),
        "force": "",
        **jackpot,
    }
    for number, prize in enumerate(prizes):
        given = {name: value for name, value in prize.items() if value not in (None, False)}
        sent |= {f"prize-{number}-{name}": value for name, value in given.items()}
    return sent | changes


@pytest.mark.parametrize(
    "document", [royal_terms(), each_terms(), evening_terms(), evening_terms(limit=10**10)]
)
def test_a_document_survives_the_form(document: dict[str, Any]) -> None:
    terms = parse(document)
    sent = typed(document, key=KEY)
    form = JackpotForm(_post(sent), tables=[], is_new=False)
    prizes = PrizeForms(_post(sent), prefix="prize", form_kwargs={"digits": 2})
    assert form.is_valid(), form.errors
    assert prizes.is_valid(), prizes.errors
    again = parse(document_of(form, prizes, 2))
    assert again == terms  # also for the fold, which asks which tiers change


def _post(sent: dict[str, Any]) -> Any:
    from django.http import QueryDict

    data = QueryDict(mutable=True)
    for name, value in sent.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data


def test_proposed_then_agreed_by_somebody_else_with_the_password(house: ClaimHouse) -> None:
    assert "Reset amount" in shown("sione", DRAFT)
    page = told("sione", DRAFT, **typed(royal_terms(), **{"prize-0-reset": "2,000.00"}))
    assert "nothing changes until somebody else agrees" in page
    assert "Royal Flush: reset amount NZD 1,000.00 NZD 2,000.00" in page
    assert "the pool starts again at NZD 2,000.00" in page
    assert "You proposed this: somebody else must agree." in page
    assert Terms.objects.count() == 1
    assert "sione proposes to put terms into effect" in shown("mere", "/")
    proposal = Proposal.objects.get()
    agree = f"/proposals/{proposal.pk}/agree/"
    assert "not your password" in told("mere", agree, password="guess")
    assert "Agreed and queued" in told("mere", agree, password=PASSWORD)
    house.post()
    assert Terms.objects.get(number=2).document["tiers"][0]["reset"] == 2000 * MICROS
    page = shown("tane", f"/terms-proposals/{proposal.pk}/")
    assert "In effect from entry 2" in page
    assert "Royal Flush: reset amount NZD 1,000.00 NZD 2,000.00" in page
    assert "Terms No. 2" in shown("tane", "/terms/main/house/")


def test_the_notice_and_the_difference_follow_while_it_is_typed(house: ClaimHouse) -> None:
    sent = typed(royal_terms(), preview="fragment", key=KEY, **{"prize-0-share": "50"})
    answer = logged_in("sione").post(DRAFT, sent)
    text = " ".join(answer.content.decode().split())
    assert "Royal Flush pays 50% of the prize pool" in text
    assert "100% of the prize pool" in text
    assert "<html" not in text
    sent["prize-0-reset"] = "lots"
    answer = logged_in("sione").post(DRAFT, sent)
    assert "Complete the form" in answer.content.decode()
    assert not Proposal.objects.exists()


def test_terms_that_cannot_be_posted_are_refused_beside_the_form(house: ClaimHouse) -> None:
    given = typed(royal_terms(), **{"prize-0-pot_pool": "1"})
    assert "must be marked player-funded" in refused("sione", DRAFT, **given)
    given = typed(royal_terms(), **{"prize-0-code": "other"})
    assert "The tier royal has a pool" in refused("sione", DRAFT, **given)
    given = typed(royal_terms(), **{"prize-0-reset": "much"})
    assert "This is not an amount" in refused("sione", DRAFT, **given)
    given = typed(royal_terms(), drop_steps="two from fifty")
    assert "Write each step like 1 from 20" in refused("sione", DRAFT, **given)
    assert not Proposal.objects.exists()


def test_while_a_claim_is_open_a_reason_is_asked_for(house: ClaimHouse) -> None:
    house.hit_royal()
    given = typed(royal_terms(), **{"prize-0-reset": "500"})
    assert "Claim 1 on a prize that changes is open" in refused("sione", DRAFT, **given)
    page = told("sione", DRAFT, **given | {"force": "The poster was misprinted"})
    assert "Also while a claim is open. The poster was misprinted" in page
    told("mere", f"/proposals/{Proposal.objects.get().pk}/agree/", password=PASSWORD)
    house.post()
    assert Terms.objects.count() == 2


def test_one_draft_at_a_time_and_it_can_be_withdrawn(house: ClaimHouse) -> None:
    given = typed(royal_terms(), **{"prize-0-reset": "500"})
    told("sione", DRAFT, **given)
    assert "New terms wait already" in shown("sione", DRAFT)
    assert "wait already" in refused("anahera", DRAFT, **given)
    proposal = Proposal.objects.get()
    page = told("sione", f"/proposals/{proposal.pk}/withdraw/", note="The sum is wrong")
    assert "Withdrawn. sione" in page
    assert "The sum is wrong" in page
    assert 'value="500.00"' in _html("sione", f"{DRAFT}?from={proposal.pk}")


def _html(name: str, address: str) -> str:
    text: str = logged_in(name).get(address).content.decode()
    return text


def test_a_new_jackpot_with_a_prize_more(house: ClaimHouse) -> None:
    address = "/drafts/main/"
    assert "A new jackpot" in shown("mere", address)
    document = royal_terms(code="quads", name="Quads") | {"code": "second", "name": "Second"}
    given = typed(document)
    page = words(logged_in("mere").post(address, given | {"add": "prize"}))
    assert "Prize 2" in page
    told("mere", address, **given)  # a table may play for two jackpots
    told("david", f"/proposals/{Proposal.objects.latest('pk').pk}/agree/", password=PASSWORD)
    house.post()
    assert house.balance("quads:pool") == 1000 * MICROS


def test_the_document_goes_out_and_comes_in(house: ClaimHouse) -> None:
    answer = logged_in("tane").get("/terms/main/house/terms.json?version=1")
    assert answer["Content-Disposition"] == 'attachment; filename="terms-main-house-1.json"'
    document = json.loads(answer.content)
    assert parse(document) == parse(royal_terms())
    assert logged_in("tane").get("/terms/main/house/terms.json?version=9").status_code == 404
    document["tiers"][0]["reset"] = 777 * MICROS
    file = SimpleUploadedFile("terms.json", json.dumps(document).encode())
    given = typed(royal_terms(), **{"import": "yes"})
    answer = logged_in("sione").post(DRAFT, given | {"file": file})
    assert 'value="777.00"' in answer.content.decode()
    answer = logged_in("sione").post(DRAFT, given | {"document": "{"})
    assert "This is no JSON document" in words(answer)
    answer = logged_in("sione").post(DRAFT, given | {"document": '{"surprise": 1}'})
    assert "The terms cannot be read" in words(answer)
    other = json.dumps(royal_terms() | {"code": "other"})
    assert "open the page of that one" in words(
        logged_in("sione").post(DRAFT, given | {"document": other})
    )


def test_only_those_who_may(house: ClaimHouse) -> None:
    assert logged_in("aroha").get(DRAFT).status_code == 403
    assert logged_in("mere").get("/drafts/main/none/").status_code == 404
    assert logged_in("mere").get("/terms-proposals/9/").status_code == 404
    told("mere", DRAFT, **typed(royal_terms(), name="Another name"))
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "You proposed this" in told("mere", agree, password=PASSWORD)
    assert "Your role does not allow this" in told("sione", agree, password=PASSWORD)
