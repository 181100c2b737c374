"""High hands: the best hand of a period (19.5, 19.6, 19.14(b))."""

import pytest

from rules.hands import Category
from rules.high_hand import HighHand
from rules.terms import TermsError, Weakest
from rules.verdict import judge
from tests.support.play.rules.rules_floor import report, seat

TERMS = HighHand(Weakest(Category.FULL_HOUSE, ("A", "K")), 30, hole_cards_playing=1)


def code_of(hole, board, terms=TERMS):
    """The one finding about a hand."""
    (reason,) = judge(report(seat(3, hole), board=board), {"high": terms}).reasons
    return reason.code


@pytest.mark.parametrize(
    ("hole", "board", "code"),
    [
        ("As Ad", "Ah Kh Ks 7d 2c", "qualifies"),
        ("As Ad", "Ah Qh Qs 7d 2c", "below_terms"),
        ("2s 3d", "Ah Ad As Kd Kc", "below_terms"),
        ("2s 2d", "2h 2c As Kd Kc", "qualifies"),
    ],
)
def test_19_5_nothing_below_the_floor_hand_is_a_candidate(hole, board, code):
    assert code_of(hole, board) == code


def test_hands_of_different_decks_do_not_compare():
    with pytest.raises(TermsError, match="name one deck"):
        HighHand(Weakest(Category.FLUSH), 60, decks=(52, 32))
    assert HighHand(Weakest(Category.FLUSH), 60, decks=(32,)).decks == (32,)


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"kind": "hand"}, "must be high_hand"),
        ({"period_minutes": 0}, "period_minutes must be a whole number"),
        ({"ties": "last"}, "ties must be first or shared"),
        ({"ties": None}, "ties must be first or shared"),
        ({"hole_cards_playing": -1}, "hole_cards_playing"),
        ({"floor": {"category": "pair"}}, "category of the weakest hand"),
    ],
)
def test_terms_that_cannot_be_posted_are_refused(change, advice):
    with pytest.raises(TermsError, match=advice):
        HighHand.from_json(TERMS.to_json() | change)
    with pytest.raises(TermsError, match="Name the floor hand"):
        HighHand.from_json({"kind": "high_hand"})
