"""An earlier hand counts for the prizes that it can still be for, and for no other (rule 5).

Beside the console's books the verifier folds the same entries: it calls the same amounts safe.
"""

from typing import Any

import pytest

from jackpot.domain.state import verdicts
from rules.decks import DECKS
from rules.implications import cards_imply
from rules.tiers import write_terms
from rules.verdict import judge
from tests.support.cases.claims.several_prizes import BOARD, QUEEN_HIGH, ROYAL, stands
from tests.support.play.books import Floor
from tests.support.play.rules.hands_by_name import TERMS
from tests.support.proof.possible_prizes import Room, before, jackpot, money, tier
from verifier.fold.claims.possible_prizes import follows

ACES_FULL = ("Ah Ad", "As Kd Kh 4s 9c")
DEALT: dict[str, Any] = {"seats_dealt": [1, 2, 3, 4, 5, 6]}


def beside(*, reset: int) -> Room:
    """A royal flush in the house jackpot; royal flushes and quads in another, the highest alone."""
    return Room(
        jackpot("house", tier("royal", 1, "royal_flush", reset=reset)),
        jackpot("second", tier("top", 1, "royal_flush"), tier("quads", 2, "four_of_a_kind")),
    )


def test_the_claims_of_another_jackpot_that_never_reach_its_tier_take_nothing_of_it() -> None:
    """Called for quads where a royal flush has a prize of its own: it is none."""
    room = beside(reset=50)
    room.play(98)
    room.rounds["t3"] = 1
    room.call("t3", "quads")
    room.play(6)
    room.report("t7", ROYAL, BOARD, **DEALT)
    assert stands(room)[2] == ("royal", "held", money(154))
    assert room.comes_to(2) == (money(154), money(154), ())  # not 56.00


def test_no_such_claim_fills_up_a_pool_either() -> None:
    """13.00 of 20.00 are there: a hit would have it filled up, and none can be one."""
    room = beside(reset=20)
    body = {"tier": "royal", "source": "operator", "reason": "A04", "evidence": "count"}
    room.decide("adjust_pool", amount=-money(7), below_reset="the jackpot ends", **body)
    room.rounds["t3"] = 1
    room.call("t3", "quads")
    room.play(8)
    room.report("t7", ROYAL, BOARD, **DEALT)
    assert room.comes_to(2) == (money(21), money(21), ())  # not 28.00


@pytest.mark.parametrize(
    "minimums",
    [
        ({"pot_min_minor": 2000}, {"pot_min_minor": 2000}),
        ({"players_dealt_min": 4}, {"players_dealt_min": 5, "pot_min_minor": 10}),
        ({}, {"pot_min_minor": 2000}),
        ({"pot_min_minor": 1999}, {"pot_min_minor": 2000}),
    ],
)
def test_aces_full_depend_on_no_royal_flush_whose_round_is_not_completed(
    minimums: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    """What would bar the hand from the royal flush bars it from the other prize, too."""
    royal, aces = minimums
    room = Room(
        jackpot(
            "house",
            tier("royal", 1, "royal_flush", **royal),
            tier("aces", 2, "full_house", ranks=["A"], **aces),
        )
    )
    room.rounds["t3"] = 1
    for reads in (False, True):
        if reads:
            room.report("t3", ROYAL, BOARD)
        else:
            room.call("t3", "royal")
            room.play(5)
            room.report("t7", *ACES_FULL, **DEALT)
        assert stands(room)[1][0] == "royal"
        assert room.comes_to(2) == (money(25), money(25), ())


@pytest.mark.parametrize(
    ("royal", "aces"),
    [
        ({"pot_min_minor": 2000}, {}),
        ({"pot_min_minor": 2000}, {"pot_min_minor": 1999}),
        ({"pot_min_minor": 2000}, {"players_dealt_min": 5}),
        ({"pot_min_minor": 2000, "players_dealt_min": 4}, {"pot_min_minor": 2000}),
    ],
)
def test_but_they_do_where_the_royal_flush_may_miss_its_own_minimum(
    royal: dict[str, Any], aces: dict[str, Any]
) -> None:
    room = Room(
        jackpot(
            "house",
            tier("royal", 1, "royal_flush", **royal),
            tier("aces", 2, "full_house", ranks=["A"], **aces),
        )
    )
    room.rounds["t3"] = 1
    room.call("t3", "royal")
    room.play(5)
    room.report("t7", *ACES_FULL, **DEALT)
    assert room.before(2) == [1]
    room.report("t3", ROYAL, BOARD)
    assert room.before(2) == [1]


def both() -> Room:
    return Room(
        jackpot("house", tier("royal", 1, "royal_flush")),
        jackpot(
            "second",
            tier("steel", 1, "straight_flush"),
            tier("quads", 2, "four_of_a_kind"),
        ),
    )


@pytest.mark.parametrize(("code", "before"), [("steel", [1]), ("quads", [])])
def test_a_call_for_the_highest_prize_of_one_jackpot_is_for_that_of_the_other(
    code: str, before: list[int]
) -> None:
    """A royal flush is a straight flush, and so it is never for the prize of four of a kind."""
    room = both()
    room.rounds["t3"] = 1
    room.play(5)
    room.call("t3", "royal")
    room.play(3)
    room.call("t7", code)
    assert room.before(2) == before
    assert room.comes_to(2)[0] == (money(23) if before else money(28))
    room.report("t3", ROYAL, BOARD)
    assert stands(room)[2][2] == (money(23) if before else money(28))


def test_a_hand_of_one_suit_is_none_of_the_other() -> None:
    each = [
        tier(name, rank, "royal_flush", suit=name[0])
        for rank, name in enumerate(("spades", "hearts"), start=1)
    ]
    room = Room(jackpot("house", *each, hand_wins="each"))
    room.rounds["t3"] = 1
    room.call("t3", "spades")
    room.play(3)
    room.call("t7", "hearts")
    assert room.comes_to(2) == (money(23), money(23), ())


@pytest.mark.parametrize(("game", "before"), [("holdem", [1]), ("omaha", [])])
def test_a_hand_counts_for_no_prize_of_another_game(game: str, before: list[int]) -> None:
    house = jackpot("house", tier("royal", 1, "royal_flush"))
    other = tier("fours", 1, "four_of_a_kind") | {
        "qualifying": {"weakest": {"category": "four_of_a_kind"}, "games": ["holdem", "omaha"]}
    }
    games = ["holdem", "omaha"]
    room = Room({**house, "games": games}, jackpot("second", other, games=games))
    room.open("t3", game)
    room.play(2)
    room.press("t3")
    room.call("t3", "fours")
    room.play(3)
    room.call("t7", "royal")
    assert room.before(2) == before
    assert room.comes_to(2)[0] == (money(20 + 3) if before else money(20 + 5))


def test_nor_a_hand_of_a_void_round() -> None:
    room = both()
    room.press("t3")
    room.call("t3", "royal")
    room.play(3)
    room.call("t7", "steel")
    assert room.before(2) == [1]
    room.decide("void_round", table="t3", round=1, reason="wrong_count", note="seat 4")
    assert room.before(2) == []


def test_nor_one_whose_pot_is_known_to_be_too_small() -> None:
    room = Room(
        jackpot("house", tier("royal", 1, "royal_flush")),
        jackpot("second", tier("steel", 1, "straight_flush", pot_min_minor=2000)),
    )
    room.press("t3")
    room.call("t3", "royal")
    room.play(3)
    room.report("t7", QUEEN_HIGH, BOARD, pot=2000, **DEALT)
    assert stands(room)[2] == ("steel", "held", money(24))
    assert room.before(2) == [1]
    room.complete("t3", pot=1999)
    assert room.before(2) == []


def test_nor_one_that_would_act_behind_what_is_confirmed() -> None:
    """0006: table 3's hand may be a straight flush; it would act where it is read."""
    room = both()
    room.rounds["t3"] = 1
    room.call("t3", "royal")
    for _ in range(2):
        room.play(3)
        room.report("t7", QUEEN_HIGH, BOARD, **DEALT)
    assert [room.before(number) for number in (2, 3)] == [[1], [1, 2]]
    payees = [{"seat": 3, "amount": money(23)}]
    confirmed = room.decide("confirm_claim", hit=3, amount=money(23), payees=payees)
    assert confirmed["confirmed"] == money(23)
    # It was safe whatever becomes of the others, and 20.00 of the second one's 23.00.
    assert [room.before(number) for number in (2, 3)] == [[], [2]]
    assert room.comes_to(2) == (money(23), money(23), ())
    room.report("t3", ROYAL, BOARD)
    assert stands(room)[2] == ("steel", "held", money(23))
    assert stands(room)[4] == ("steel", "held", money(20))


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that fail on every report of table 3's board."""

    def judged(report: Any, *others: Any) -> Any:
        if report.boards[0][0] == "Qh":
            raise KeyError(report)
        return judge(report, *others)

    monkeypatch.setattr(verdicts, "judge", judged)


@pytest.mark.usefixtures("failing")
def test_of_a_hand_with_several_claims_one_counts_for_each_prize() -> None:
    """The rules fail on an amended report: its claims stay, and it is for no prize twice."""
    floor = Floor(
        jackpot(
            "house",
            tier("royal", 1, "royal_flush"),
            tier("steel", 2, "straight_flush"),
            tier("quads", 3, "four_of_a_kind"),
            hand_wins="each",
        )
    )
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    floor.report("t3", "9s 8s", BOARD, **DEALT)
    assert stands(floor) == {1: ("steel", "held", money(21)), 2: ("quads", "held", money(21))}
    floor.report("t3", "9s 8s", BOARD.replace("Qs", "Qh"), **DEALT)
    for code in ("royal", "steel"):
        floor.press("t7")
        floor.call("t7", code)
    # The first of its claims counts for the royal flush, and each for its own prize alone.
    assert [before(floor, number) for number in (3, 4)] == [[1], [1, 3]]


def test_the_verifier_finds_the_same_criteria_to_follow_from_others() -> None:
    for deck in DECKS.values():
        for met in TERMS.values():
            for other in TERMS.values():
                ours = cards_imply(met, other, deck)
                assert ours == follows(write_terms(met), write_terms(other), deck.size)
