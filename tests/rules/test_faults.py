"""Reports of what cannot have happened: faults that must be amended before anything qualifies."""

import dataclasses

import pytest

from rules.verdict import judge
from tests.support.play.rules.rules_floor import HOUSE, ROYAL, ROYAL_BOARD, best_tier, report, seat

TIERS = {"royal": ROYAL, "house": HOUSE}


def faults(reported):
    """Judge the report: its faults by code, having made sure that nothing qualifies."""
    verdict = judge(reported, TIERS)
    assert verdict.faults
    assert best_tier(verdict, list(TIERS)) is None
    by_code = {reason.code: reason for reason in verdict.reasons if reason.against}
    assert all(reason.text.endswith(".") for reason in verdict.reasons)
    return by_code


def test_a_report_without_fault_has_none():
    assert not judge(report(seat(3, "Js Ts")), TIERS).faults


def test_3_3_a_a_card_in_a_hand_and_on_the_board():
    fault = faults(report(seat(3, "Th Js"), board="As Ks Qs Th 2c"))["card_twice"]
    assert fault.seat == 3
    assert fault.rule == "3.3(a)"
    assert fault.text == (
        "The ten of hearts is reported twice: seat 3 and the board. "
        "Look at the layout and amend the report. "
        "If the card does lie there more than once the deck is defective (20.1(h))."
    )


@pytest.mark.parametrize(
    ("hands", "board", "where"),
    [
        (["Th Th"], "As Ks Qs 3h 2c", "reported twice at seat 1."),
        (["Js Ts"], "As As Qs 3h 2c", "reported twice at the board."),
        (["Th Js", "Th 4s"], "As Ks Qs 3h 2c", "twice: seat 1 and seat 2."),
        (["Th Js", "Th 4s"], "As Ks Qs Th 2c", "3 times: seat 1, seat 2 and the board."),
    ],
)
def test_3_3_a_a_card_at_two_places(hands, board, where):
    seats = [seat(number, hand) for number, hand in enumerate(hands, start=1)]
    assert where in faults(report(*seats, board=board))["card_twice"].text


def test_3_3_a_a_folded_hand_counts_among_the_cards_on_the_table():
    hand = report(seat(3, "Js Ts"), seat(4, "Ts 4d", folded=True))
    assert "card_twice" in faults(hand)


def test_9_1_what_is_no_card_is_named_with_the_way_to_write_it():
    fault = faults(report(seat(3, "Js 10s")))["not_a_card"]
    assert fault.seat == 3
    assert fault.text == (
        'Seat 3: "10s" is not a card. Write Ts for the ten of spades. Amend the report.'
    )


def test_9_1_what_is_no_card_is_a_fault_on_later_boards_too():
    hand = report(seat(3, "Js Ts"), boards=("As Ks Qs 2d 2c", "As Ks Qs 1d 2c"))
    assert faults(hand)["not_a_card"].text.startswith('Board 2: "1d" is not a card.')


@pytest.mark.parametrize(
    ("game", "hole"),
    [
        ("holdem", ""),
        ("holdem", "Js"),
        ("holdem", "Js Ts 9s"),
        ("omaha", "Js Ts 9s"),
        ("omaha", "Js Ts 9s 8s 7s"),
        ("pineapple", "Js"),
        ("pineapple", "Js Ts 9s"),
        ("crazy_pineapple", "Js Ts 9s"),
    ],
)
def test_16_and_17_a_live_hand_has_its_number_of_hole_cards(game, hole):
    fault = faults(report(seat(3, hole), game=game))["hole_count"]
    assert fault.seat == 3
    assert fault.rule == ("17.1(c)" if game == "omaha" else "16.1(c)")
    assert ("20.33" in fault.text) == (game.endswith("pineapple") and len(hole.split()) == 3)


@pytest.mark.parametrize("state", [{"folded": True}, {"exposed": "refused"}])
def test_hole_cards_that_nobody_saw_may_be_missing(state):
    verdict = judge(report(seat(3, "Js Ts"), seat(4, "", **state)), TIERS)
    assert not verdict.faults
    assert verdict.seats[1].hand is None


@pytest.mark.parametrize("state", [{"folded": True}, {"exposed": "refused"}])
def test_a_hand_that_was_half_seen_is_no_fault_of_the_others(state):
    verdict = judge(report(seat(3, "Js Ts"), seat(4, "9s", **state)), TIERS)
    assert not verdict.faults
    assert best_tier(verdict, list(TIERS)) == "royal"
    assert verdict.seats[1].hand is None
    assert "hole_count" in faults(report(seat(3, "Js Ts"), seat(4, "9s 8s 7s", **state)))


@pytest.mark.parametrize("board", ["", "As", "As Ks", "As Ks Qs 2d 2c 3c"])
def test_16_3_to_16_5_the_first_board_has_three_to_five_cards(board):
    assert "board_count" in faults(report(seat(3, "Js Ts"), board=board))


def test_the_first_board_must_be_there():
    assert "board_count" in faults(report(seat(3, "Js Ts"), boards=()))


@pytest.mark.parametrize("board", ["As Ks", "As Ks Qs 2d 2c 3c"])
def test_19_16_a_flop_on_request_has_three_cards_at_least(board):
    assert "board_count" in faults(report(seat(3, "Js Ts"), board=board, flop_on_request=True))


def test_19_16_the_flop_is_on_request_only_when_all_others_have_folded():
    hand = report(seat(3, "Js Ts"), seat(5, "7h 7d"), board="As Ks Qs", flop_on_request=True)
    fault = faults(hand)["others_not_folded"]
    assert fault.rule == "19.16"
    assert "seat 3 and seat 5 had not folded" in fault.text


def test_19_16_the_hand_that_was_tabled_is_live():
    fault = faults(report(seat(3, "Js Ts", folded=True), board="As Ks Qs", flop_on_request=True))
    assert fault["nobody_live"].rule == "19.16"


BEAT_BOARD, QUADS, ACES_FULL = "Ah Kh Kc 7d 2s", "Ks Kd", "As Ad"


@pytest.mark.parametrize(("game", "rule"), [("holdem", "16.5(a)"), ("omaha", "17.5(a)")])
@pytest.mark.parametrize("cards", [3, 4])
def test_16_5_two_live_hands_go_to_the_river(game, rule, cards):
    """So nobody is beaten on a flop or a turn (16.3 to 16.5, 17.3 to 17.5)."""
    more = " 3c 4c" if game == "omaha" else ""
    board = " ".join(BEAT_BOARD.split()[:cards])
    hands = (seat(3, ACES_FULL + more, won_pot=False), seat(5, QUADS + more.replace("c", "h")))
    fault = faults(report(*hands, board=board, game=game))["no_river"]
    assert fault.rule == rule
    assert "seat 3 and seat 5" in fault.text
    assert not judge(report(*hands, board=BEAT_BOARD, game=game), TIERS).faults


@pytest.mark.parametrize("state", [{"folded": True}, {"dead": "out_of_time"}])
def test_16_5_one_live_hand_may_end_the_round_before(state):
    hands = (seat(3, "Js Ts"), seat(5, QUADS, **state))
    assert not judge(report(*hands, board="As Kh Qs 2d"), TIERS).faults


def test_5_1_eleven_players_are_too_many_and_ten_are_not():
    fault = faults(report(seat(3, "Js Ts"), players_dealt=11))["too_many_players"]
    assert fault.rule == "5.1"
    assert not judge(report(seat(3, "Js Ts"), players_dealt=10), TIERS).faults


def test_5_1_eleven_reported_hands_are_too_many():
    seats = [seat(number, "", folded=True) for number in range(1, 12)]
    assert "too_many_players" in faults(report(*seats, players_dealt=None))


@pytest.mark.parametrize("dealt", [-1, 0, 1])
def test_nobody_plays_alone(dealt):
    assert "too_few_dealt" in faults(report(seat(3, "Js Ts"), players_dealt=dealt))
    assert not judge(report(seat(3, "Js Ts"), players_dealt=2), TIERS).faults


def test_a_pot_is_not_negative():
    assert "pot_negative" in faults(report(seat(3, "Js Ts"), pot_minor=-1))
    assert not judge(report(seat(3, "Js Ts"), pot_minor=0), TIERS).faults


def boards(number):
    """So many boards that share nothing, the first of them royal."""
    rest = [rank + suit for suit in "hdc" for rank in "3456789TJQKA"]
    return (ROYAL_BOARD, *(" ".join(rest[5 * n : 5 * n + 5]) for n in range(number - 1)))


def test_18_8_2_seven_boards_at_most():
    fault = faults(report(seat(3, "Js Ts"), boards=boards(8)))["too_many_boards"]
    assert fault.rule == "18.8.2"
    assert not judge(report(seat(3, "Js Ts"), boards=boards(7)), TIERS).faults


@pytest.mark.parametrize(
    ("later", "where"),
    [
        ("Js 3h 4h 5h 6h", "seat 3 and board 2"),  # a hole card
        ("3h 4h 5h 6h 2c", "the board and board 2"),  # the river again, of another flop
        ("As Ks Qs 3h 2c", "the board and board 2"),  # the river again
        ("As Ks Qs 3h 2d", "the board and board 2"),  # the turn again, as the river
        ("As Ks Qs 2d 2c", "the board and board 2"),  # the same board
        ("As 3h 4h 5h 6h", "the board and board 2"),  # a part of the flop
        ("3h 4h 5h 6h 6h", "twice at board 2"),
    ],
)
def test_18_8_4_a_later_board_has_cards_of_its_own(later, where):
    fault = faults(report(seat(3, "Js Ts"), boards=(ROYAL_BOARD, later)))["card_twice"]
    assert where in fault.text
    assert "(20.1(h))" in fault.text


@pytest.mark.parametrize(
    "later",
    [
        ("3h 4h 5h 6h 7h",),  # from the flop on
        ("As Ks Qs 3h 4h", "Qs As Ks 5h 6h"),  # from the turn on; the flop in any order
        ("As Ks Qs 2d 3h", "As Ks Qs 2d 4h"),  # the river alone
        ("As Ks Qs",),
        ("3h 4h",),  # the two cards that were dealt again
    ],
)
def test_18_8_4_boards_may_share_what_lay_there_before(later):
    verdict = judge(report(seat(3, "Js Ts"), boards=(ROYAL_BOARD, *later)), TIERS)
    assert not verdict.faults
    assert best_tier(verdict, list(TIERS)) == "royal"


@pytest.mark.parametrize("later", ["As Ks Qs 3h 4h", "As Ks Qs 2d 5h"])
def test_18_8_4_two_later_boards_share_no_card_of_their_own(later):
    by_code = faults(report(seat(3, "Js Ts"), boards=(ROYAL_BOARD, later, "As Ks Qs 4h 5h")))
    assert "board 2 and board 3" in by_code["card_twice"].text


@pytest.mark.parametrize("dead", ["not_discarded", "picked_up_upcards"])
def test_20_what_cannot_happen_in_the_game_made_no_hand_dead(dead):
    fault = faults(report(seat(3, "Js Ts", dead=dead)))["dead_hand_of_another_game"]
    assert fault.seat == 3
    assert "Hold-em" in fault.text


def test_20_1_what_cannot_happen_in_the_game_is_no_misdeal_of_it():
    hand = dataclasses.replace(report(seat(3, "Js Ts")), round_void=True, misdeal="two_face_up")
    assert faults(hand)["misdeal_of_another_game"].rule == "20.1(k)"


@pytest.mark.parametrize("dealt", [-1, 0, 1])
def test_fewer_players_dealt_in_than_hands_reported(dealt):
    hand = report(seat(3, "Js Ts"), seat(5, "7h 7d"), players_dealt=dealt)
    assert "fewer_dealt_than_reported" in faults(hand)
    assert not judge(report(seat(3, "Js Ts"), seat(5, "7h 7d"), players_dealt=2), TIERS).faults


def test_a_seat_that_is_reported_twice():
    fault = faults(report(seat(3, "Js Ts"), seat(3, "7h 7d")))["seat_twice"]
    assert fault.seat == 3
    assert "Seat 3 is reported two times" in fault.text


@pytest.mark.parametrize("number", [0, -1])
def test_a_seat_that_does_not_exist(number):
    assert faults(report(seat(number, "Js Ts")))["not_a_seat"].seat == number
    assert not judge(report(seat(1, "Js Ts")), TIERS).faults


def test_a_report_without_a_hand():
    assert "no_hands" in faults(report())


def test_a_game_that_is_not_in_the_rule_book():
    fault = faults(report(seat(3, "Js Ts"), game="texas"))["unknown_game"]
    assert fault.text.startswith('The game "texas" is not known.')


def test_seats_and_cards_are_looked_at_in_every_game():
    by_code = faults(report(seat(3, "Js Js"), seat(3, "1s 2s"), game="draw"))
    assert {"seat_twice", "card_twice", "not_a_card", "game_not_eligible"} == set(by_code)
