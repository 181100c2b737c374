"""Drafting terms on a page: the form, what follows from it, the document, the second person."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from jackpot.models import Terms
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import parse
from settlement.models import Proposal
from settlement.pages.terms.document import document_of, typed_from
from settlement.pages.terms.forms import JackpotForm, PrizeForms
from settlement.terms.differences import differences
from settlement.terms.templates import TEMPLATES
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.cases.hands.bad_beats import bad_beat
from tests.support.houses.evening_terms import terms as evening_terms
from tests.support.pages.page_staff import logged_in, page_of, post, refused, reply, words
from tests.support.pages.terms_draft import DRAFT, KEY, as_posted, fragment, house, typed
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.play.fixed_high_hands import fixed_terms

__all__ = ["house"]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "document",
    [
        royal_terms(),
        each_terms(),
        evening_terms(),
        evening_terms(limit=10**10),
        royal_terms() | {"evidence": {"sealed": 12_340_000, "witness": 0}},
        royal_terms() | {"evidence": {}},
        bad_beat(),
        bad_beat(plan={"loser": 6_000, "winner": 3_000, "table": 1_000}),
        bad_beat(
            qualifying={
                "kind": "bad_beat",
                "losing": {"category": "four_of_a_kind", "ranks": ["8"]},
                "beaten_by": {"category": "straight_flush", "ranks": []},
                "hole_cards_playing": 1,
                "losers_min": 2,
                "every_loser": True,
                "games": ["holdem"],
                "pot_min_minor": 1_050,
            }
        ),
        royal_terms(prize=500 * MICROS, plan={"winner": 7_500, "table": 2_500}),
        royal_terms(
            qualifying={
                "kind": "high_hand",
                "floor": {"category": "full_house", "ranks": ["T"]},
                "period_minutes": 30,
                "hole_cards_playing": 2,
                "ties": "shared",
                "games": ["holdem"],
                "decks": [32],
            }
        ),
        fixed_terms(requirements={"unclaimed": "added", "hole_cards_playing": 0, "decks": [52]}),
        royal_terms(fed_by={"decks": [52, 36], "stakes": ["2-5", "5/10"], "flop_dealt": True}),
        royal_terms(fed_by={"games": ["holdem"], "players_min": 4}),
        royal_terms() | {"commission": {"form": "per_time", "amount_per_hour": 12 * 10**6}},
        royal_terms() | {"commission": {"form": "percentage", "basis_points": 750}},
        *(template.document for template in TEMPLATES),
    ],
)
def test_a_document_survives_the_form(document: dict[str, Any]) -> None:
    terms = parse(document)
    values = typed(document, key=KEY)
    form = JackpotForm(as_posted(values), tables=[], is_new=False, digits=2)
    prizes = PrizeForms(as_posted(values), prefix="prize", form_kwargs={"digits": 2})
    assert form.is_valid(), form.errors
    assert prizes.is_valid(), prizes.errors
    again = parse(document_of(form, prizes, 2))
    assert again == terms  # also for the fold, which asks which tiers change


def test_a_new_jackpot_begins_from_a_template(house: ClaimHouse) -> None:
    for template in TEMPLATES:
        page = page_of("sione", f"/drafts/main/?template={template.code}")
        assert template.label in page
        assert "Complete the form" not in page
        assert all(tier["name"] in page for tier in template.document["tiers"])
        code = f"new-{template.code}"
        tiers = [
            tier | {"code": f"{code}-{number}"}
            for number, tier in enumerate(template.document["tiers"])
        ]
        reply("sione", "/drafts/main/", **typed(template.document | {"code": code, "tiers": tiers}))
        assert Proposal.objects.get(body__terms__code=code).body["terms"]["tiers"]


def test_proposed_then_agreed_by_somebody_else_with_the_password(house: ClaimHouse) -> None:
    assert "Reset amount" in page_of("sione", DRAFT)
    page = reply("sione", DRAFT, **typed(royal_terms(), **{"prize-0-reset": "2,000.00"}))
    assert "nothing changes until somebody else approves it" in page
    assert "Royal Flush: reset amount NZD 1,000.00 NZD 2,000.00" in page
    assert "the pool starts again at NZD 2,000.00" in page
    assert "You proposed this: somebody else must approve it." in page
    assert Terms.objects.count() == 1
    assert "sione proposes to put terms into effect" in page_of("mere", "/")
    proposal = Proposal.objects.get()
    agree = f"/proposals/{proposal.pk}/agree/"
    assert "not your password" in reply("mere", agree, password="guess")
    assert "Agreed and queued" in reply("mere", agree, password=PASSWORD)
    house.post()
    assert Terms.objects.get(number=2).document["tiers"][0]["reset"] == 2000 * MICROS
    page = page_of("tane", f"/terms-proposals/{proposal.pk}/")
    assert "In effect from sequence no. 2" in page
    assert "Royal Flush: reset amount NZD 1,000.00 NZD 2,000.00" in page
    assert "Terms No. 2" in page_of("tane", "/terms/main/house/")


def test_the_notice_and_the_difference_follow_while_it_is_typed(house: ClaimHouse) -> None:
    values = typed(royal_terms(), preview="fragment", key=KEY, **{"prize-0-share": "50"})
    answer = logged_in("sione").post(DRAFT, values)
    text = " ".join(answer.content.decode().split())
    assert "Royal Flush pays 50% of the prize pool" in text
    assert "100% of the prize pool" in text
    assert "<html" not in text
    values["prize-0-reset"] = "lots"
    answer = logged_in("sione").post(DRAFT, values)
    assert "Complete the form" in answer.content.decode()
    assert not Proposal.objects.exists()


def test_terms_that_cannot_be_posted_are_refused_beside_the_form(house: ClaimHouse) -> None:
    fields = typed(royal_terms(), **{"prize-0-pot_pool": "1"})
    assert "must be marked player-funded" in refused("sione", DRAFT, **fields)
    fields = typed(royal_terms(), **{"prize-0-code": "other"})
    assert "The tier royal has a pool" in refused("sione", DRAFT, **fields)
    fields = typed(royal_terms(), **{"prize-0-reset": "much"})
    assert "This is not an amount" in refused("sione", DRAFT, **fields)
    fields = typed(royal_terms(), drop_steps="two from fifty")
    assert "Write each step like 1 from 20" in refused("sione", DRAFT, **fields)
    assert not Proposal.objects.exists()


def test_a_bad_beat_is_typed_with_what_follows_from_it(house: ClaimHouse) -> None:
    beat = {
        "kind": "bad_beat",
        "losing_category": "full_house",
        "losing_ranks": "A J",
        "beaten_category": "four_of_a_kind",
        "beat_hole_cards": "2",
        "losers_min": "1",
        "plan_loser": "50",
        "plan_winner": "25",
        "plan_table": "25",
    }
    fields = typed(royal_terms(), **{f"prize-0-{name}": value for name, value in beat.items()})
    html, text = fragment(DRAFT, fields)
    assert "Full house, aces full of jacks, or any higher hand, wins in Hold-em" in text
    assert "when it is beaten by four of a kind or any higher hand" in text
    assert "of the amount 50% to the beaten hand, 25% to the winning hand and 25% to the" in text
    assert "Weakest that wins Beaten hand: full house, aces full of jacks" in text
    assert "Beaten by: four of a kind, twos" in text
    assert "Strongest that does not Beaten hand: full house, aces full of tens" in text
    assert "The lowest losing hand is full house, aces full of jacks." in text
    assert 'aria-label="ace of spades"' in html
    page = refused("sione", DRAFT, **fields)
    assert "part of the winning hand (100% to 25%, ÷ 4)" in page
    reply("sione", DRAFT, **fields, **{"again-royal.plan.winner": "25"})
    tier = parse(Proposal.objects.get().body["terms"]).tiers[0]
    assert tier.plan == {"loser": 5000, "winner": 2500, "table": 2500}
    assert tier.qualifying["losing"] == {"category": "full_house", "ranks": ["A", "J"]}
    page = page_of("mere", f"/terms-proposals/{Proposal.objects.get().pk}/")
    assert "Strongest that does not Beaten hand" in page


def test_a_high_hand_is_typed_with_what_follows_from_it(house: ClaimHouse) -> None:
    high = {
        "kind": "high_hand",
        "code": "high",
        "name": "High Hand",
        "floor_category": "full_house",
        "floor_ranks": "10",
        "period_minutes": "30",
        "floor_hole_cards": "1",
        "ties": "shared",
    }
    fields = typed(
        royal_terms(code="high", name="High Hand") | {"code": "second", "name": "Second"},
        **{f"prize-0-{name}": value for name, value in high.items()},
    )
    _, text = fragment("/drafts/main/", fields)
    assert "High Hand: The highest hand of each period of 30 minutes wins in Hold-em" in text
    assert "Of equal hands each wins a share" in text
    assert "Weakest that can win Full house, tens full of twos" in text
    assert "Strongest that does not Royal flush" in text
    assert "At least one hole card must play." in text
    reply("sione", "/drafts/main/", **fields)
    tier = parse(Proposal.objects.get().body["terms"]).tiers[0]
    high_hand = tier.high_hand()
    assert high_hand is not None
    assert (high_hand.period_minutes, high_hand.ties, high_hand.hole_cards_playing) == (
        30,
        "shared",
        1,
    )


def test_a_high_hand_may_have_a_fixed_prize_a_period(house: ClaimHouse) -> None:
    high = {
        "kind": "high_hand",
        "code": "high",
        "name": "High Hand",
        "floor_category": "full_house",
        "period_minutes": "30",
        "prize": "500",
        "unclaimed": "added",
    }
    fields = typed(
        royal_terms(code="high", name="High Hand") | {"code": "second", "name": "Second"},
        **{f"prize-0-{name}": value for name, value in high.items()},
    )
    _, text = fragment("/drafts/main/", fields)
    assert "High Hand pays NZD 500.00 for each period, from its pool first" in text
    assert "A prize that nobody wins is added to that of the next period." in text
    reply("sione", "/drafts/main/", **fields)
    (tier,) = parse(Proposal.objects.get().body["terms"]).tiers
    assert (tier.prize, tier.qualifying["unclaimed"]) == (500 * 10**6, "added")
    proposed = Proposal.objects.get().body["terms"]
    assert typed_from(proposed, 2)[1][0]["unclaimed"] == "added"


WRONG = [
    ({"kind": "bad_beat", "losing_ranks": "X"}, "losing_ranks", "X is no rank"),
    ({"kind": "bad_beat", "beaten_ranks": "2 2"}, "beaten_ranks", "name each only once"),
    ({"kind": "bad_beat", "losing_category": ""}, "losing_category", "Choose the hand"),
    ({"kind": "bad_beat", "losers_min": "10"}, "losers_min", "less than or equal to 9"),
    ({"kind": "bad_beat", "plan_loser": ""}, "plan_loser", "The beaten hand needs a part."),
    ({"kind": "bad_beat", "plan_loser": "50"}, "plan_loser", "add up to 50%: they must make 100%"),
    ({"kind": "high_hand", "period_minutes": ""}, "period_minutes", "Enter the minutes"),
    ({"kind": "high_hand", "period_minutes": "1441"}, "period_minutes", "equal to 1440"),
    ({"kind": "high_hand", "floor_ranks": "A A"}, "floor_ranks", "name each only once"),
    ({"kind": "high_hand", "decks": ["52", "32"]}, "decks", "choose one"),
    ({"kind": "high_hand", "unclaimed": "added"}, "unclaimed", "Only a fixed prize"),
    ({"kind": "high_hand", "prize": "500.50"}, "prize", "whole units"),
    ({"prize": "10.50"}, "prize", "whole units"),
    ({"prize": "500", "share": "50"}, "share", "this stays 100%"),
    ({"plan_table": "50"}, "plan_winner", "The winning hand needs a part."),
    ({"plan_table": "50", "plan_winner": "40"}, "plan_winner", "add up to 90%"),
]


@pytest.mark.parametrize(("changes", "field", "fault"), WRONG)
def test_what_is_wrong_with_a_prize_stands_at_its_field(
    changes: dict[str, Any], field: str, fault: str
) -> None:
    values = {"losing_category": "full_house", "beaten_category": "four_of_a_kind"}
    values |= {"plan_loser": "100", "floor_category": "full_house", "period_minutes": "30"}
    form_fields = typed(royal_terms(), **{f"prize-0-{n}": v for n, v in (values | changes).items()})
    prizes = PrizeForms(as_posted(form_fields), prefix="prize", form_kwargs={"digits": 2})
    assert not prizes.is_valid()
    assert list(prizes.forms[0].errors) == [field]
    assert fault in str(prizes.forms[0].errors[field])
    assert prizes.forms[0].further_errors == (field == "decks")


def test_what_is_out_of_sight_is_not_wrong() -> None:
    """Begun as a bad beat, then made a plain hand: its other fields are shown no more."""
    left = {"losing_ranks": "X", "losers_min": "99", "period_minutes": "0", "plan_loser": "500"}
    values = typed(royal_terms(), key=KEY, **{f"prize-0-{n}": v for n, v in left.items()})
    form = JackpotForm(as_posted(values), tables=[], is_new=False, digits=2)
    prizes = PrizeForms(as_posted(values), prefix="prize", form_kwargs={"digits": 2})
    assert form.is_valid()
    assert prizes.is_valid(), prizes.errors
    assert parse(document_of(form, prizes, 2)) == parse(royal_terms())


def test_while_a_claim_is_open_a_reason_is_asked_for(house: ClaimHouse) -> None:
    house.hit_royal()
    fields = typed(royal_terms(), **{"prize-0-reset": "500"})
    assert "Claim 1 on a prize that changes is open" in refused("sione", DRAFT, **fields)
    page = reply("sione", DRAFT, **fields | {"force": "The poster was misprinted"})
    assert "Also while a claim is open. The poster was misprinted" in page
    reply("mere", f"/proposals/{Proposal.objects.get().pk}/agree/", password=PASSWORD)
    house.post()
    assert Terms.objects.count() == 2


def test_a_refusal_keeps_every_game_and_table_that_was_chosen(house: ClaimHouse) -> None:
    house.hit_royal()
    document = {**royal_terms(payable_unit=5 * MICROS), "games": ["holdem", "pineapple", "omaha"]}
    fields = typed(document, tables=["t3", "t7"])
    answer = post("sione", DRAFT, **fields)
    assert answer.status_code == 422
    assert answer.context["form"]["games"].value() == ["holdem", "pineapple", "omaha"]
    assert answer.context["form"]["tables"].value() == ["t3", "t7"]
    assert str(answer.context["form"]["key"].value()) != KEY


def test_the_parts_of_a_prize_are_the_same_in_any_order(house: ClaimHouse) -> None:
    casino = house.system.casino
    plans = [{"loser": 5_000, "winner": 2_500, "table": 2_500}]
    plans.append(dict(reversed(plans[0].items())))
    old, new = (parse(bad_beat(plan=plan)) for plan in plans)
    assert {line.state for line in differences(old, new, casino)} == {"same"}
    other = parse(bad_beat(plan={"loser": 10_000}))
    (line,) = [each for each in differences(old, other, casino) if each.state != "same"]
    assert line.before == "beaten hand 50%, winning hand 25%, table share 25%"


def test_one_draft_at_a_time_and_it_can_be_withdrawn(house: ClaimHouse) -> None:
    fields = typed(royal_terms(), **{"prize-0-reset": "500"})
    reply("sione", DRAFT, **fields)
    assert "New terms are already waiting" in page_of("sione", DRAFT)
    assert "wait already" in refused("anahera", DRAFT, **fields)
    proposal = Proposal.objects.get()
    page = reply("sione", f"/proposals/{proposal.pk}/withdraw/", note="The sum is wrong")
    assert "Withdrawn. sione" in page
    assert "The sum is wrong" in page
    assert 'value="500.00"' in _html("sione", f"{DRAFT}?from={proposal.pk}")


def _html(name: str, address: str) -> str:
    text: str = logged_in(name).get(address).content.decode()
    return text


def test_a_new_jackpot_with_a_prize_more(house: ClaimHouse) -> None:
    address = "/drafts/main/"
    assert "A new jackpot" in page_of("mere", address)
    document = royal_terms(code="quads", name="Quads") | {"code": "second", "name": "Second"}
    fields = typed(document)
    page = words(logged_in("mere").post(address, fields | {"add": "prize"}))
    assert "Prize 2" in page
    reply("mere", address, **fields)  # a table may play for two jackpots
    reply("david", f"/proposals/{Proposal.objects.latest('pk').pk}/agree/", password=PASSWORD)
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
    fields = typed(royal_terms(), **{"import": "yes"})
    answer = logged_in("sione").post(DRAFT, fields | {"file": file})
    assert 'value="777.00"' in answer.content.decode()
    answer = logged_in("sione").post(DRAFT, fields | {"document": "{"})
    assert "This is not a JSON document" in words(answer)
    answer = logged_in("sione").post(DRAFT, fields | {"document": '{"surprise": 1}'})
    assert "The terms cannot be read" in words(answer)
    other = json.dumps(royal_terms() | {"code": "other"})
    assert "open the page of that one" in words(
        logged_in("sione").post(DRAFT, fields | {"document": other})
    )


def test_only_those_who_may(house: ClaimHouse) -> None:
    assert logged_in("aroha").get(DRAFT).status_code == 403
    assert logged_in("mere").get("/drafts/main/none/").status_code == 404
    assert logged_in("mere").get("/terms-proposals/9/").status_code == 404
    reply("mere", DRAFT, **typed(royal_terms(), name="Another name"))
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "You proposed this" in reply("mere", agree, password=PASSWORD)
    assert "Your role does not allow this" in reply("sione", agree, password=PASSWORD)
