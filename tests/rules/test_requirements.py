"""What card rooms post of hole cards by kind of hand (19.5, 19.6), and what nothing can meet."""

import pytest

from rules.bad_beat import BadBeat
from rules.hands import Category
from rules.high_hand import HighHand
from rules.requirements import Requirement
from rules.terms import Qualifying, TermsError, Weakest
from rules.tiers import read_terms
from rules.verdict import judge
from tests.support.play.rules.rules_floor import report, seat

QUADS = {"category": "four_of_a_kind"}
PAIR, BOTH = {"pair_in_hole": True}, {"hole_cards_playing": 2}
NO_KICKER = {"hole_cards_playing": 2, "kicker_counts": False}
JACKPOT = {"weakest": QUADS, "by_category": {"four_of_a_kind": PAIR, "straight_flush": BOTH}}
"""Four of a kind with a pocket pair, or any straight flush with both hole cards playing."""


def wins(terms, *hands, board, **changes) -> tuple[int, ...]:
    """The seats that win, from 1 on."""
    seats = [seat(number, hole) for number, hole in enumerate(hands, start=1)]
    verdict = judge(report(*seats, board=board, **changes), {"tier": read_terms(terms)})
    assert not verdict.faults
    return tuple(each.seat for each in verdict.qualifying("tier"))


@pytest.mark.parametrize(
    ("hole", "board", "is_so"),
    [
        ("Th Td", "Ts Tc 2d 3c 4h", True),
        ("Th Ad", "Ts Tc Td 3c 4h", False),  # one ten and the kicker
        ("9s 8s", "Ts 7s 6s 3c 4h", True),
        ("9s 2h", "Ts 8s 7s 6s 4h", False),  # one of them
        ("Ah Ad", "As Kd Kh Ks 4h", False),  # a full house
        ("As Ks", "Qs Js Ts 3c 4h", True),
        ("As 2h", "Ks Qs Js Ts 4h", True),  # nothing is asked of a royal flush
    ],
)
def test_four_of_a_kind_with_a_pocket_pair_or_a_straight_flush_with_both_cards(hole, board, is_so):
    assert wins(JACKPOT, hole, board=board) == ((1,) if is_so else ())


def test_the_reason_says_what_this_kind_of_hand_lacks():
    hand = report(seat(3, "Th Ad"), board="Ts Tc Td 3c 4h")
    (reason,) = judge(hand, {"tier": read_terms(JACKPOT)}).reasons
    assert reason.text == (
        "Seat 3, tier tier: four of a kind, tens does not qualify: two hole cards that are a pair "
        "must play."
    )


@pytest.mark.parametrize(
    ("hole", "board", "with_kicker", "without"),
    [
        ("Ah Kd", "As Ad Ac 7d 2c", True, False),  # the king plays as a kicker
        ("Ah Ad", "As Ac Kd 7d 2c", True, True),
        ("Ah 7d", "As Ad Ac Kd 2c", False, False),  # the seven does not play
    ],
)
def test_a_kicker_counts_as_playing_or_not(hole, board, with_kicker, without):
    for requirement, is_so in ((BOTH, with_kicker), (NO_KICKER, without)):
        posted = {"weakest": QUADS, "by_category": {"four_of_a_kind": requirement}}
        assert wins(posted, hole, board=board) == ((1,) if is_so else ())
        high = {"kind": "high_hand", "floor": QUADS, "period_minutes": 60}
        high |= {"by_category": {"four_of_a_kind": requirement}}
        assert wins(high, hole, board=board) == ((1,) if is_so else ())


@pytest.mark.parametrize(
    ("requirement", "is_so"),
    [({}, True), ({"four_of_a_kind": PAIR}, False), ({"full_house": PAIR}, True)],
)
def test_a_bad_beat_may_ask_for_a_pocket_pair_of_four_of_a_kind_in_either_hand(requirement, is_so):
    """Aces full with a pair of aces, beaten by four kings: one in the hole, with an ace."""
    beat = {"kind": "bad_beat", "losing": {"category": "full_house"}, "beaten_by": QUADS}
    winners = wins(beat | {"by_category": requirement}, "Ac Ad", "Ks Ah", board="As Kh Kd Kc 2c")
    assert winners == ((1,) if is_so else ())
    pair = {"full_house": PAIR, "four_of_a_kind": BOTH}
    one_ace = wins(beat | {"by_category": pair}, "Ac Qd", "Ks Ah", board="As Ad Kd Kc Kh")
    assert one_ace == ()


def test_a_bad_beat_says_which_hand_lacks_it():
    beat = read_terms(
        {
            "kind": "bad_beat",
            "losing": {"category": "full_house"},
            "beaten_by": QUADS,
            "by_category": {"four_of_a_kind": PAIR},
        }
    )
    hands = (seat(1, "Ac Ad"), seat(2, "Ks Ah"))
    verdict = judge(report(*hands, board="As Kh Kd Kc 2c"), {"beat": beat})
    text = " ".join(reason.text for reason in verdict.reasons)
    assert "two hole cards that are a pair must play in the hand that beats it" in text


QUADS_OR_BETTER = Weakest(Category.FOUR_OF_A_KIND)
ROYAL, FULL = Weakest(Category.ROYAL_FLUSH), Weakest(Category.FULL_HOUSE)


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        (lambda: Qualifying(ROYAL, pair_in_hole=True), "a royal flush holds no pair"),
        (
            lambda: Qualifying(Weakest(Category.FLUSH), suit="s", pair_in_hole=True),
            "a flush holds no pair",
        ),
        (lambda: BadBeat(ROYAL, ROYAL), "Nothing beats a royal flush"),
        (
            lambda: BadBeat(Weakest(Category.STRAIGHT_FLUSH, ("K",)), ROYAL),
            "no royal flush beats a king-high straight flush",
        ),
        (
            lambda: Qualifying(ROYAL, games=("omaha",), decks=(32,), players_dealt_min=10),
            "Omaha with the 32-card deck can have six players at most (5.1), and ten players",
        ),
        (
            lambda: HighHand(FULL, 60, games=("omaha",), decks=(40,), players_dealt_min=9),
            "can have eight players at most",
        ),
        (
            lambda: BadBeat(FULL, QUADS_OR_BETTER, games=("omaha",), decks=(36,), losers_min=7),
            "can have seven players at most (5.1), and eight players",
        ),
        (
            lambda: Qualifying(ROYAL, by_category=((Category.STRAIGHT_FLUSH, Requirement(2)),)),
            "A straight flush is too low to win",
        ),
        (
            lambda: HighHand(
                FULL, 60, by_category=((Category.STRAIGHT_FLUSH, Requirement(pair_in_hole=True)),)
            ),
            "A straight flush holds no pair",
        ),
        (
            lambda: Qualifying(
                FULL, by_category=((Category.FULL_HOUSE, Requirement(2, kicker_counts=False)),)
            ),
            "A full house has no kicker",
        ),
        (
            lambda: Qualifying(
                FULL, by_category=((Category.FULL_HOUSE, Requirement(2, pair_in_hole=True)),)
            ),
            "A pair in the hole already means two hole cards",
        ),
        (lambda: Requirement(kicker_counts=False), "matters only where"),
        (lambda: Requirement(2, pair_in_hole=True, kicker_counts=False), "matters only where"),
    ],
)
def test_what_nothing_can_meet_is_refused_with_the_reason(terms, why):
    with pytest.raises(TermsError) as refused:
        terms()
    assert why in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "terms",
    [
        lambda: Qualifying(ROYAL, games=("omaha",), decks=(32,), players_dealt_min=6),
        lambda: Qualifying(ROYAL, games=("omaha",), decks=(32, 52), players_dealt_min=6),
        lambda: BadBeat(Weakest(Category.STRAIGHT_FLUSH, ("Q",)), ROYAL),
        lambda: BadBeat(Weakest(Category.STRAIGHT_FLUSH, ("K",)), ROYAL, hole_cards_playing=1),
        lambda: Qualifying(
            ROYAL, pair_in_hole=True, by_category=((Category.ROYAL_FLUSH, Requirement(2)),)
        ),
        lambda: Qualifying(
            Weakest(Category.FLUSH),
            pair_in_hole=True,
            decks=(36,),
            by_category=((Category.FLUSH, Requirement(1)),),
        ),
    ],
)
def test_what_can_just_be_met_is_posted(terms):
    assert terms().notice().endswith(".")


@pytest.mark.parametrize(
    ("requirement", "why"),
    [
        ([], "must be an object"),
        ({"royal": {}}, "have no field"),
        ({"straight_flush": {"suit": "s"}}, "have no field"),
        ({"straight_flush": {"hole_cards_playing": 3}}, "whole number from 0 to 2"),
        ({"straight_flush": {"kicker_counts": 1}}, "must be true or false"),
        ({"straight_flush": None}, "must be an object"),
    ],
)
def test_what_is_no_requirement_is_refused(requirement, why):
    with pytest.raises(TermsError, match=why):
        read_terms({"weakest": QUADS, "by_category": requirement})


def test_without_such_terms_their_json_is_what_it_was():
    assert "by_category" not in Qualifying(ROYAL).to_json()
    document = read_terms(JACKPOT).to_json()
    assert document["by_category"] == JACKPOT["by_category"]
    assert [*document["by_category"]] == ["straight_flush", "four_of_a_kind"]  # highest first
