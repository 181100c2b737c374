"""The rest of the deck, ticked off card by card (19.10, previous rules)."""

import pytest

from settlement.claims import services as claims
from settlement.claims import workbench
from settlement.core.errors import BadCount, ChecklistIncomplete, NotPermitted, WrongState
from settlement.evidence import checklist, deck
from settlement.evidence.assessment import examine
from settlement.models import Claim, DeckTick
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def build_house() -> ClaimHouse:
    """A royal flush in spades with 2d and 3c on the board: seven cards are face up."""
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house)


def the_claim() -> Claim:
    return Claim.objects.get()


def rest_of_the_deck(house: ClaimHouse) -> list[str]:
    return [str(card) for suit in examine(house.hit(1)).remaining.values() for card in suit]


def count(house: ClaimHouse) -> deck.Count:
    return deck.count_of(the_claim(), examine(house.hit(1)).remaining)


def tick(*cards: str, name: str = "sione", back: tuple[str, ...] = ()) -> int:
    return workbench.count_deck(the_claim(), person(name), cards, back)


def answer() -> tuple[str, str]:
    row = checklist.answers_of(the_claim())[deck.POINT]
    return row.answer, row.note


def test_forty_five_cards_remain_beside_seven(house: ClaimHouse) -> None:
    first_count = count(house)
    assert len(first_count.remaining) == 45
    assert first_count.remaining[:3] == ("9s", "8s", "7s")
    assert not {"As", "2d", "3c"} & set(first_count.remaining)
    assert not first_count.is_begun


def test_each_tick_is_kept_with_who_and_when(house: ClaimHouse) -> None:
    assert tick("9s", "8s") == 2
    assert tick("7s", "8s", name="anahera") == 1  # sione has found the 8s already
    rows = DeckTick.objects.order_by("card").values_list("card", "person__username")
    assert list(rows) == [("7s", "anahera"), ("8s", "sione"), ("9s", "sione")]
    assert count(house).ticked == 3


def test_a_tick_is_taken_back_and_both_stay_on_record(house: ClaimHouse) -> None:
    tick("9s", "8s")
    assert tick(back=("9s", "7s")) == 1  # nobody had found the 7s
    assert set(count(house).ticks) == {"8s"}
    assert list(DeckTick.objects.filter(card="9s").values_list("found", flat=True)) == [True, False]


def test_a_card_that_lies_face_up_is_not_ticked(house: ClaimHouse) -> None:
    with pytest.raises(BadCount, match="As: by the report"):
        tick("9s", "As")
    with pytest.raises(BadCount, match="Zz"):
        tick("Zz")
    assert not DeckTick.objects.exists()


def test_a_whole_count_answers_its_point_of_the_checklist(house: ClaimHouse) -> None:
    cards = rest_of_the_deck(house)
    tick(*cards[:-1])
    assert deck.POINT not in checklist.answers_of(the_claim())
    tick(cards[-1], name="anahera")
    words = "All 45 cards ticked off: 8 spades, 13 hearts, 12 diamonds, 12 clubs"
    assert answer() == ("yes", words)
    assert checklist.answers_of(the_claim())[deck.POINT].person.username == "anahera"
    tick(back=("9s",))
    assert answer() == ("no", "The count is open again: 9s not found")
    tick("9s")
    assert answer() == ("yes", words)


def test_an_amended_report_leaves_a_card_astray(house: ClaimHouse) -> None:
    tick(*rest_of_the_deck(house))
    hole, board = ["Kh", "Ks"], ["Qs", "Js", "Ts", "2d", "3c"]
    report = {**(house.hit(1).report or {}), "boards": [board]}
    report["hands"] = [{**report["hands"][0], "hole": hole}]
    claims.amend(the_claim(), person("anahera"), report)
    house.post()
    new_count = count(house)
    assert new_count.stray == ("Kh",)
    assert new_count.missing == ("As",)
    assert not new_count.is_whole
    assert tick("As", back=("Kh",)) == 2
    assert count(house).is_whole
    assert answer()[0] == "yes"


def test_verification_takes_no_deck_that_was_counted_halfway(house: ClaimHouse) -> None:
    cards = rest_of_the_deck(house)
    tick(*cards[:-2])
    claims.answer_checklist(the_claim(), person("sione"), ALL_YES, {})
    suits = {deck.POINT: {"s": 8, "h": 13, "d": 12, "c": 12}}
    with pytest.raises(ChecklistIncomplete, match=f"not found: {cards[-2]}, {cards[-1]}"):
        claims.answer_checklist(the_claim(), person("sione"), {deck.POINT: "yes"}, {}, suits)
    note = {deck.POINT: "Two cards are missing"}
    claims.answer_checklist(the_claim(), person("sione"), {deck.POINT: "no"}, note)
    claims.verify(the_claim(), person("sione"))


def test_a_count_begun_after_the_answer_is_ticked_to_its_end(house: ClaimHouse) -> None:
    suits = {deck.POINT: {"s": 8, "h": 13, "d": 12, "c": 12}}
    answers = {**ALL_YES, deck.POINT: "yes"}
    claims.answer_checklist(the_claim(), person("sione"), answers, {}, suits)
    tick("9s")
    with pytest.raises(ChecklistIncomplete, match="not counted to its end"):
        claims.verify(the_claim(), person("sione"))


def test_a_deck_that_nobody_ticked_off_here_is_typed_suit_by_suit(house: ClaimHouse) -> None:
    answers = {**ALL_YES, deck.POINT: "yes"}
    with pytest.raises(ChecklistIncomplete, match="type how many of each suit"):
        claims.answer_checklist(the_claim(), person("sione"), answers, {})
    for wrong in ({"s": 9, "h": 12, "d": 12, "c": 12}, {"s": -8, "h": 13, "d": 12, "c": 12}):
        with pytest.raises(ChecklistIncomplete):
            claims.answer_checklist(the_claim(), person("sione"), answers, {}, {deck.POINT: wrong})
    suits = {"s": 8, "h": "13", "d": 12, "c": 12}
    claims.answer_checklist(the_claim(), person("sione"), answers, {}, {deck.POINT: suits})
    claims.verify(the_claim(), person("sione"))
    evidence = checklist.answers_of(the_claim())[deck.POINT].evidence
    assert evidence == {"suits": {"s": 8, "h": 13, "d": 12, "c": 12}}


@pytest.mark.parametrize("name", ["mere", "aroha", "tane", "ines"])
def test_only_who_verifies_counts(house: ClaimHouse, name: str) -> None:
    with pytest.raises(NotPermitted):
        tick("9s", name=name)


def test_a_decided_claim_is_counted_no_more(house: ClaimHouse) -> None:
    claims.answer_checklist(the_claim(), person("sione"), ALL_YES, {})
    claims.verify(the_claim(), person("sione"))
    claims.confirm(the_claim(), Reauthenticated(person("mere")), house.hit(1).held)
    house.post()
    with pytest.raises(WrongState, match="decided"):
        tick("9s")


def test_a_call_has_no_deck_yet() -> None:
    house = ClaimHouse()
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.post()
    claims.catch_up(house.system)
    with pytest.raises(WrongState, match="There is only a call"):
        tick("9s")
