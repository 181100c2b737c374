"""Who won the pot, as reported, beside what the cards say (16.5(d), 17.5(d), 19.16, 19.17)."""

import pytest

from rules.verdict import judge
from tests.support.play.rules.rules_floor import ROYAL, report, seat

BOARD = "Ah Kh Kc 7d 2s"


def remarks(reported) -> dict[str, str]:
    """What is said of the pot; it speaks against nobody and faults nothing."""
    verdict = judge(reported, {"royal": ROYAL})
    assert not verdict.faults
    by_code = {reason.code: reason for reason in verdict.reasons if reason.code.startswith("pot_")}
    assert not any(reason.against for reason in by_code.values())
    return {code: reason.text for code, reason in by_code.items()}


def test_16_5_d_the_highest_hand_shown_wins_the_pot():
    lower = seat(3, "As Ad", won_pot=True)
    by_code = remarks(report(lower, seat(5, "Ks Kd", won_pot=False), board=BOARD))
    assert by_code == {
        "pot_to_lower_hand": "Seat 3 is reported to have won the pot, and seat 5 to have shown the"
        " higher hand. Cards speak: look at the layout and at the pots, and amend the report if"
        " a card, a fold or the winner was typed wrong."
    }


@pytest.mark.parametrize(
    "hands",
    [
        (seat(3, "As Ad", won_pot=False), seat(5, "Ks Kd")),
        (seat(3, "As Ad"), seat(5, "Ks Kd")),  # the side pot
        (seat(3, "As Ad"), seat(5, "Ks Kd", folded=True)),
        (seat(3, "As Ad"), seat(5, "Ks Kd", dead="mixed", won_pot=False)),
        (seat(3, "As Ad"), seat(5, "Ks Kd", exposed="refused", won_pot=False)),
        (seat(3, "As Ad", won_pot=False), seat(5, "Qs Qd", won_pot=False)),  # by nobody reported
        (seat(3, "As 9d"), seat(5, "Ac 8d")),  # they share it
    ],
)
def test_what_may_well_be(hands):
    assert remarks(report(*hands, board=BOARD)) == {}


def test_18_8_5_with_several_boards_a_lower_hand_wins_a_part():
    hands = (seat(3, "As Ad"), seat(5, "Ks Kd", won_pot=False))
    assert remarks(report(*hands, boards=(BOARD, "3h 4h 5h 6h 8c"))) == {}


def test_19_17_a_folded_hand_that_won_the_pot():
    by_code = remarks(report(seat(3, "Js Ts", folded=True, won_pot=True)))
    assert list(by_code) == ["pot_to_folded_hand"]
    assert "Seat 3" in by_code["pot_to_folded_hand"]


def test_19_16_whoever_asks_for_the_flop_has_the_pot():
    for won, codes in ((False, ["pot_not_to_last"]), (True, [])):
        tabled = seat(3, "Js Ts", won_pot=won)
        assert list(remarks(report(tabled, board="As Ks Qs", flop_on_request=True))) == codes
