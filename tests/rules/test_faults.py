"""Reports of what cannot have happened: faults that must be amended before anything qualifies."""

import pytest

from rules.verdict import judge
from tests.rules.floor import HOUSE, ROYAL, report, seat

TIERS = {"royal": ROYAL, "house": HOUSE}


def faults(reported):
    """Judge the report: its faults by code, having made sure that nothing qualifies."""
    verdict = judge(reported, TIERS)
    assert verdict.faults
    assert verdict.best_tier(list(TIERS)) is None
    found = {reason.code: reason for reason in verdict.reasons if reason.against}
    assert all(reason.text.endswith(".") for reason in verdict.reasons)
    return found


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
def test_hole_cards_that_were_seen_must_be_all_there(state):
    assert "hole_count" in faults(report(seat(3, "Js Ts"), seat(4, "9s", **state)))


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


def test_5_1_eleven_players_are_too_many_and_ten_are_not():
    fault = faults(report(seat(3, "Js Ts"), players_dealt=11))["too_many_players"]
    assert fault.rule == "5.1"
    assert not judge(report(seat(3, "Js Ts"), players_dealt=10), TIERS).faults


def test_5_1_eleven_reported_hands_are_too_many():
    seats = [seat(number, "", folded=True) for number in range(1, 12)]
    assert "too_many_players" in faults(report(*seats, players_dealt=None))


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
    found = faults(report(seat(3, "Js Js"), seat(3, "1s 2s"), game="draw"))
    assert {"seat_twice", "card_twice", "not_a_card", "game_not_eligible"} == set(found)
