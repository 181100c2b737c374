"""Decks of 40, 36 and 32 cards: their order of hands (9.2, 9.3) and jackpots won with them."""

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.bad_beat import BadBeat
from rules.beat_examples import strongest_beat_that_does_not, weakest_beat_that_wins
from rules.best import best_hand
from rules.decks import DECKS
from rules.examples import strongest_that_does_not, weakest_that_wins
from rules.games import GAMES
from rules.hands import Category, HandValue, describe
from rules.high_hand import HighHand
from rules.order import evaluate_five, hand_order
from rules.terms import Qualifying, Weakest
from rules.verdict import judge
from tests.support.play.rules.rules_floor import FOURS, cards, report, seat

SHORT = (40, 36, 32)
DESCENDING = [
    "As Ks Qs Js Ts",
    "Kd Qd Jd Td 9d",
    "As Ah Ad Ac 9s",
    "Ts Th Td Tc As",
    "Ah Jh 9h 8h 7h",
    "Kd Qd Jd Td 8d",
    "As Ah Ad Ts Tc",
    "9s 9h 9d As Ac",
    "As Kh Qd Jc Ts",
    "Js Th 9d 8c 7s",
    "As Ah Ad Kc Qs",
    "8s 8h 8d Ac Ks",
    "As Ah Kd Kc Qs",
    "As Ah Kd Kc Js",
    "As Ah Kd Qc Js",
    "As Kh Qd Jc 9s",
]


@pytest.mark.parametrize("size", SHORT)
@pytest.mark.parametrize(("higher", "lower"), list(itertools.pairwise(DESCENDING)))
def test_9_3_hands_descend_with_the_flush_above_the_full_house(size, higher, lower):
    order = hand_order(DECKS[size])
    assert evaluate_five(cards(higher), order) > evaluate_five(cards(lower), order)


@pytest.mark.parametrize(
    ("size", "smallest", "name"),
    [
        (52, "As 2h 3d 4c 5s", "straight, five high"),
        (40, "As 5h 6d 7c 8s", "straight, eight high"),
        (36, "As 6h 7d 8c 9s", "straight, nine high"),
        (32, "As 7h 8d 9c Ts", "straight, ten high"),
    ],
)
def test_9_1_f_and_9_3_f_the_ace_is_low_in_the_smallest_straight_of_each_deck(size, smallest, name):
    order = hand_order(DECKS[size])
    value = evaluate_five(cards(smallest), order)
    assert describe(value) == name
    others = [run for run, top in order.straights.items() if top < value.ranks[0]]
    assert others == []


@pytest.mark.parametrize("size", SHORT)
def test_9_3_f_in_the_manilas_the_ace_is_high_only(size):
    low = {40: "5h 6d 7c 8s", 36: "6h 7d 8c 9s", 32: "7h 8d 9c Ts"}[size].split()
    hole, board = cards(" ".join(["As", low[0]])), cards(" ".join([*low[1:], "Kc", "Qs"]))
    deck = DECKS[size]
    assert best_hand(GAMES["holdem"], hole, board, deck).value.category is Category.STRAIGHT
    manila = best_hand(GAMES["two_card_manila"], hole, board, deck)
    assert manila.value.category is Category.NO_PAIR


def test_9_1_f_with_the_full_deck_the_exception_of_9_3_f_is_not_made():
    best = best_hand(GAMES["two_card_manila"], cards("As 2h"), cards("3d 4c 5s Kc Kd"))
    assert describe(best.value) == "straight, five high"


@pytest.mark.parametrize(("size", "missing"), [(40, "4c"), (36, "5c"), (32, "6c")])
def test_4_1_a_card_that_the_deck_has_not_makes_no_hand(size, missing):
    with pytest.raises(ValueError, match=r"not in the \d\d-card deck"):
        best_hand(GAMES["holdem"], cards(f"As {missing}"), cards("Ks Qs Js Td 9d"), DECKS[size])
    with pytest.raises(ValueError, match="is not in the"):
        evaluate_five(cards(f"As Ks Qs Js {missing}"), hand_order(DECKS[size]))


@given(st.sampled_from(SHORT), st.data())
def test_9_3_the_order_is_total_and_transitive(size, data):
    order = hand_order(DECKS[size])
    five = st.lists(st.sampled_from(order.deck.cards), min_size=5, max_size=5, unique=True)
    values = [evaluate_five(data.draw(five), order) for _ in range(3)]
    low, middle, high = sorted(values)
    assert low <= middle <= high
    assert low <= high
    assert [low < high, low == high].count(True) == 1
    for value in values:
        assert order.value(order.pack(value.category, *value.ranks)) == value


def test_9_3_a_full_house_or_higher_takes_in_every_flush_of_a_short_deck():
    house = Weakest(Category.FULL_HOUSE, ("A",))
    assert house.reached_by(HandValue(Category.FLUSH, (13, 12, 11, 9, 8), short=True))
    assert not house.reached_by(HandValue(Category.FLUSH, (13, 12, 11, 9, 8)))


def test_4_1_a_jackpot_may_be_posted_for_another_deck():
    short = dataclasses.replace(FOURS, decks=(36,))
    hand = report(seat(3, "Th Td"), board="Ts Tc 7d 8c 9h", deck=36)
    verdict = judge(hand, {"short": short, "full": FOURS})
    assert verdict.seats[0].tiers == ("short",)
    against = [reason for reason in verdict.reasons if reason.against]
    assert [(reason.code, reason.tier) for reason in against] == [("deck_not_eligible", "full")]
    assert short.notice().startswith(
        "Four of a kind, tens, or any higher hand, qualifies in Hold-em, Pineapple, Crazy "
        "Pineapple and Omaha with the 36-card deck."
    )


def test_4_1_a_card_that_the_posted_deck_has_not_is_a_fault():
    short = dataclasses.replace(FOURS, decks=(36,))
    hand = report(seat(3, "Th Td"), board="Ts Tc 2d 8c 9h", deck=36)
    verdict = judge(hand, {"short": short})
    assert verdict.faults
    assert [reason.code for reason in verdict.reasons if reason.rule == "4.1"] == ["not_in_deck"]


@pytest.mark.parametrize(("players", "fault"), [(6, False), (7, True)])
def test_5_1_omaha_with_32_cards_has_six_players_at_most(players, fault):
    terms = Qualifying(Weakest(Category.ONE_PAIR), decks=(32,))
    hole, board = "Th Td As Kc", "Ts Tc 7d 8c 9h"
    hand = report(seat(3, hole), board=board, deck=32, game="omaha", players_dealt=players)
    assert judge(hand, {"pair": terms}).faults is fault


@pytest.mark.parametrize(("on_request", "qualifies"), [(True, False), (False, True)])
def test_19_5_terms_may_ask_that_the_flop_was_seen_in_play(on_request, qualifies):
    terms = dataclasses.replace(FOURS, flop_seen=True)
    hand = report(seat(3, "Th Td"), board="Ts Tc 2d", flop_on_request=on_request)
    verdict = judge(hand, {"fours": terms})
    assert bool(verdict.qualifying("fours")) is qualifies
    assert ("no_flop" in {reason.code for reason in verdict.reasons}) is not qualifies


@pytest.mark.parametrize("size", SHORT)
def test_a_deck_that_no_tier_is_played_for_with_is_not_eligible(size):
    verdict = judge(report(seat(3, "Th Td"), board="Ts Tc 7d 8c 9h", deck=size), {"f": FOURS})
    assert [reason.code for reason in verdict.reasons] == ["deck_not_eligible"]


@pytest.mark.parametrize("size", SHORT)
def test_4_1_examples_are_drawn_from_the_posted_deck(size):
    quads, house = Weakest(Category.FOUR_OF_A_KIND), Weakest(Category.FULL_HOUSE, ("A",))
    beat = BadBeat(house, quads, decks=(size,))
    hands = [
        *(draw(beat) for draw in (weakest_beat_that_wins, strongest_beat_that_does_not)),
        *(
            draw(terms)
            for draw in (weakest_that_wins, strongest_that_does_not)
            for terms in (Qualifying(quads, decks=(size,)), HighHand(house, 60, decks=(size,)))
        ),
    ]
    for example in hands:
        assert example is not None
        assert {*example.hole, *example.board} <= {*DECKS[size].cards}
