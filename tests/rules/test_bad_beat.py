"""Bad beats: a strong hand that is beaten (19.5, 19.6)."""

import pytest

from rules.bad_beat import BadBeat
from rules.hands import Category
from rules.terms import TermsError, Weakest
from rules.verdict import judge
from tests.support.play.rules.rules_floor import ROYAL, report, seat

QUADS = Weakest(Category.FOUR_OF_A_KIND)
ACES_FULL = Weakest(Category.FULL_HOUSE, ("A", "T"))
TERMS = BadBeat(ACES_FULL, QUADS)
BOARD = "Ah Kh Ks 7d 7c"


def beaten(*seats, terms=TERMS, **changes):
    """The verdict on these hands."""
    return judge(report(*seats, **({"board": BOARD} | changes)), {"beat": terms, "royal": ROYAL})


def losers_and_winners(verdict):
    """The seats that win as beaten, and those that beat them."""
    losers = [each.seat for each in verdict.qualifying("beat")]
    return losers, [each.seat for each in verdict.seats if "beat" in each.beats]


def test_19_5_a_beaten_hand_as_asked_for_wins():
    verdict = beaten(seat(2, "As Ad", won_pot=False), seat(5, "Kd Kc"))
    assert losers_and_winners(verdict) == ([2], [5])
    beats = next(reason for reason in verdict.reasons if reason.code == "beats")
    assert (beats.rule, beats.against, beats.seat) == ("19.5", False, 5)
    assert beats.text == "Seat 5, tier beat: four of a kind, kings beats the hand of seat 2."


@pytest.mark.parametrize(
    ("board", "loser", "winner", "code"),
    [
        ("Ah Kh Ks 7d 7c", "As Ad", "Kd Kc", "qualifies"),
        ("Ah 9h 9s 7d 7c", "As Ad", "9d 9c", "below_terms"),  # aces full of nines is too low
        ("Ah Th Ts 7d 7c", "As Ad", "Td Tc", "qualifies"),  # of tens just reaches it
    ],
)
def test_19_5_the_losing_hand_has_a_lowest_value(board, loser, winner, code):
    verdict = beaten(seat(2, loser), seat(5, winner), board=board)
    codes = [r.code for r in verdict.reasons if r.seat == 2 and r.tier == "beat"]
    assert codes == [code]


def test_19_5_the_hand_that_beats_it_has_a_lowest_value_too():
    higher_house = BadBeat(Weakest(Category.FULL_HOUSE), QUADS)
    verdict = beaten(seat(2, "7h Kd"), seat(5, "As Ad"), terms=higher_house)
    assert losers_and_winners(verdict) == ([], [])
    reason = next(r for r in verdict.reasons if r.seat == 2 and r.tier == "beat")
    assert "beaten by full house, aces full of kings, lower than four of a kind" in reason.text


def test_19_5_both_hole_cards_of_either_hand_must_play():
    one = beaten(seat(2, "As Ad"), seat(5, "Kd 2c"), board="Ah Kh Ks Kc 7c")
    assert losers_and_winners(one) == ([], [])
    either = BadBeat(ACES_FULL, QUADS, hole_cards_playing=0)
    loose = beaten(seat(2, "As Ad"), seat(5, "Kd 2c"), board="Ah Kh Ks Kc 7c", terms=either)
    assert losers_and_winners(loose) == ([2], [5])
    loser = beaten(seat(2, "As 2d"), seat(5, "Kd Kc"), board="Ah Ad Ks Kh 7c")
    assert losers_and_winners(loser) == ([], [])


def test_19_5_of_several_losers_the_highest_wins_or_each_as_posted():
    hands = seat(2, "As Ad"), seat(3, "7h 7s"), seat(5, "Kd Kc")
    low = BadBeat(Weakest(Category.FULL_HOUSE), QUADS)
    # Four sevens and aces full are both beaten by four kings.
    assert losers_and_winners(beaten(*hands, terms=low)) == ([3], [5])
    every = BadBeat(Weakest(Category.FULL_HOUSE), QUADS, every_loser=True)
    assert losers_and_winners(beaten(*hands, terms=every)) == ([2, 3], [5])


@pytest.mark.parametrize(("least", "losers"), [(1, [2, 3]), (2, [2, 3]), (3, [])])
def test_19_5_several_beaten_hands_may_be_asked_for(least, losers):
    terms = BadBeat(Weakest(Category.FULL_HOUSE), QUADS, losers_min=least, every_loser=True)
    verdict = beaten(seat(2, "As Ad"), seat(3, "7h 7s"), seat(5, "Kd Kc"), terms=terms)
    assert losers_and_winners(verdict)[0] == losers


def test_equal_hands_do_not_beat_each_other():
    verdict = beaten(seat(2, "Kd Qs"), seat(5, "Kc Qd"), board="Ah Kh Ks 7d 7c")
    assert losers_and_winners(verdict) == ([], [])


@pytest.mark.parametrize(
    "state", [{"folded": True}, {"exposed": "refused"}, {"dead": "wrong_number"}]
)
def test_19_17_a_hand_that_was_not_shown_beats_nobody_and_does_not_lose(state):
    assert losers_and_winners(beaten(seat(2, "As Ad"), seat(5, "Kd Kc", **state))) == ([], [])
    assert losers_and_winners(beaten(seat(2, "As Ad", **state), seat(5, "Kd Kc"))) == ([], [])


def test_1_0_only_participating_players_win_but_others_beat_a_hand():
    loser = beaten(seat(2, "As Ad", participating=False), seat(5, "Kd Kc"))
    assert losers_and_winners(loser) == ([], [])
    assert losers_and_winners(beaten(seat(2, "As Ad"), seat(5, "Kd Kc", participating=False)))[
        0
    ] == [2]


def test_19_18_later_boards_beat_nobody():
    verdict = beaten(seat(2, "As Ad"), seat(5, "Kd Kc"), boards=("Ah 9h 9s 7d 7c", BOARD))
    assert losers_and_winners(verdict) == ([], [])


def test_cards_speak_whatever_was_said_of_the_pot():
    verdict = beaten(seat(2, "As Ad", won_pot=True), seat(5, "Kd Kc", won_pot=False))
    assert losers_and_winners(verdict) == ([2], [5])


def test_19_5_the_notice_says_all_that_is_asked_for():
    terms = BadBeat(
        ACES_FULL,
        QUADS,
        losers_min=2,
        every_loser=True,
        players_dealt_min=4,
        games=("holdem",),
        decks=(32,),
        flop_seen=True,
    )
    assert terms.notice() == (
        "Full house, aces full of tens, or any higher hand, wins in Hold-em with the "
        "32-card deck when it is beaten by four of a kind or any higher hand. Two hole cards "
        "must play in either hand. At least two such hands must be beaten. Of several beaten "
        "hands each wins. At least 4 players must have been dealt in. The flop must have been "
        "dealt in play, not on request."
    )


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"kind": "hand"}, "must be bad_beat"),
        ({"losing": None}, "must be an object"),
        ({"losers_min": 0}, "losers_min must be a whole number from 1 to 9"),
        ({"losers_min": 10}, "losers_min must be a whole number from 1 to 9"),
        ({"every_loser": 1}, "every_loser must be true or false"),
        ({"hole_cards_playing": 3}, "hole_cards_playing"),
        ({"decks": [48]}, r"no deck of 48 cards \(4.1\)"),
        ({"decks": []}, "at least one deck"),
        ({"decks": [32, 32]}, "each deck only once"),
        ({"decks": ["32"]}, "list of whole numbers"),
        ({"other": 1}, 'no field "other"'),
    ],
)
def test_terms_that_cannot_be_posted_are_refused(change, advice):
    with pytest.raises(TermsError, match=advice):
        BadBeat.from_json(TERMS.to_json() | change)
    with pytest.raises(TermsError, match="Name the losing hand"):
        BadBeat.from_json({"kind": "bad_beat"})
