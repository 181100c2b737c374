"""How a simulated table plays: seats, pots, commission, drop and the rare strong hand.

Pure: a seeded random generator in, plausible figures out. Amounts in minor units.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.commission import DropSteps, Percentage, RoundMoney

GAMES = ("holdem", "holdem", "holdem", "omaha")
DEALERS = ("Mere", "Sione", "Anahera", "Tom", "Priya", "Wei")
# Posted steps of the drop: from a called pot of (key) on, (value) is taken.
DROP_STEPS: Mapping[int, int] = {20_00: 1_00, 50_00: 2_00}
COMMISSION_BASIS_POINTS = 500
COMMISSION_CAP = 10_00

BAD_BEATS = 0.2  # of the hands that are reported

_RANKS = "23456789TJQKA"
_SUITS = "shdc"
_POT_MEDIAN = 60_00
_CHIP = 1_00


@dataclass(frozen=True)
class HouseTerms:
    """What the simulated house posts; each table has its own."""

    drop_steps: Mapping[int, int] = field(default_factory=lambda: dict(DROP_STEPS))
    commission_basis_points: int = COMMISSION_BASIS_POINTS
    commission_cap: int = COMMISSION_CAP


def session(dice: random.Random) -> dict[str, Any]:
    """Game, dealer, stakes and seats of a session."""
    seats = sorted(dice.sample(range(1, 11), dice.randint(5, 9)))
    return {
        "game": dice.choice(GAMES),
        "deck": 52,
        "dealer": dice.choice(DEALERS),
        "stakes": dice.choice(("2-5", "5-5", "5-10")),
        "seats_in_play": seats,
    }


def figures(dice: random.Random, terms: HouseTerms) -> dict[str, Any]:
    """The figures of one round at its completion."""
    if dice.random() < 0.05:
        return {
            "pot": 10_00, "uncalled": 3_00, "commission": 0, "jackpot_drop": 0,
            "flop_dealt": False, "blinds_only": True, "tied_alone": False,
        }  # fmt: skip
    called = max(15_00, int(dice.lognormvariate(0, 0.9) * _POT_MEDIAN) // _CHIP * _CHIP)
    uncalled = dice.choice((0, 0, 0, 10_00, 25_00))
    commission = Percentage(terms.commission_basis_points, terms.commission_cap)
    return {
        "pot": called + uncalled,
        "uncalled": uncalled,
        "commission": commission.due(RoundMoney(called)),
        "jackpot_drop": drop(called, terms),
        "flop_dealt": dice.random() < 0.85,
        "blinds_only": False,
        "tied_alone": False,
    }


def drop(called: int, terms: HouseTerms) -> int:
    """The chips taken for the jackpot from a called pot, by the posted steps."""
    return DropSteps(tuple(sorted(terms.drop_steps.items()))).due(RoundMoney(called))


def reported(
    dice: random.Random, seats: list[int], game: str
) -> tuple[list[str], list[dict[str, Any]]]:
    """A board of five and what is reported on it: a strong hand, or a bad beat."""
    if dice.random() < BAD_BEATS:
        return bad_beat(dice, seats, game)
    board, hand = strong_hand(dice, seats, game)
    return board, [hand]


def strong_hand(
    dice: random.Random, seats: list[int], game: str
) -> tuple[list[str], dict[str, Any]]:
    """A board of five and the hand of one seat that makes four of a kind or better with it."""
    hand = _straight_flush(dice) if dice.random() < 0.4 else _four_of_a_kind(dice)
    deck = [rank + suit for rank in _RANKS for suit in _SUITS]
    rest = [card for card in deck if card not in hand]
    dice.shuffle(rest)
    hole, board = hand[:2], hand[2:]
    if game == "omaha":
        hole += [rest.pop(), rest.pop()]
    while len(board) < 5:
        board.append(rest.pop())
    return board, {"seat": dice.choice(seats), "hole": hole}


def bad_beat(
    dice: random.Random, seats: list[int], game: str
) -> tuple[list[str], list[dict[str, Any]]]:
    """Aces full, beaten by four of a kind; both play their two hole cards."""
    pair = dice.choice("JQK")
    aces, fours = (dice.sample([rank + suit for suit in _SUITS], 4) for rank in ("A", pair))
    rest = [rank + suit for rank in _RANKS if rank not in {"A", pair} for suit in _SUITS]
    dice.shuffle(rest)
    board = [aces.pop(), fours.pop(), fours.pop(), rest.pop(), rest.pop()]
    dice.shuffle(board)
    more = 2 if game == "omaha" else 0
    beaten, winner = dice.sample(seats, 2)
    return board, [
        {"seat": seat, "hole": cards[:2] + [rest.pop() for _ in range(more)], "won_pot": won}
        for seat, cards, won in ((beaten, aces, False), (winner, fours, True))
    ]


def _straight_flush(dice: random.Random) -> list[str]:
    top = dice.randint(4, len(_RANKS) - 1)
    suit = dice.choice(_SUITS)
    cards = [rank + suit for rank in _RANKS[top - 4 : top + 1]]
    dice.shuffle(cards)
    return cards


def _four_of_a_kind(dice: random.Random) -> list[str]:
    rank = dice.choice(_RANKS)
    cards = [rank + suit for suit in _SUITS]
    dice.shuffle(cards)
    return cards
