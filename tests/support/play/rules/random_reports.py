"""Reports as dealers might have made them, thrown with dice: right ones, and slips of all kinds."""

import random

from rules.cards import RANKS, SUITS
from rules.hands import Category
from rules.report import HandReport, ReportedSeat
from rules.terms import Qualifying, Weakest

TIERS = {
    "royal": Qualifying(Weakest(Category.ROYAL_FLUSH), hole_cards_playing=2, players_dealt_min=3),
    "spades": Qualifying(Weakest(Category.STRAIGHT_FLUSH), suit="s", pot_min_minor=2000),
    "fours": Qualifying(Weakest(Category.FOUR_OF_A_KIND, ("9",)), pair_in_hole=True),
    "house": Qualifying(Weakest(Category.FULL_HOUSE), games=("holdem", "omaha")),
    "trips": Qualifying(Weakest(Category.THREE_OF_A_KIND), hole_cards_playing=1),
    "shown": Qualifying(Weakest(Category.ONE_PAIR, ("T",)), showdown_needed=True),
}

_HOLE = {"holdem": 2, "pineapple": 2, "crazy_pineapple": 2, "omaha": 4, "draw": 5}
_OTHERS = ("two_card_manila", "seven_card_stud", "texas", "")
_FULL = [rank + suit for rank in RANKS for suit in SUITS]
_ROYAL = ["As", "Ks", "Qs", "Js", "Ts"]
_HIGH = [card for card in _FULL if card[0] in "9TJQKA" and card[1] in "sh"]


def random_report(rng: random.Random) -> HandReport:
    """One report; about half are without fault."""
    game = rng.choice((*_HOLE, "holdem", "omaha", rng.choice(_OTHERS)))
    hole_cards = _HOLE.get(game, 3) + (rng.random() < 0.05)
    seats = rng.randint(1, 3)
    pool = rng.choice((_FULL, _HIGH * 2, _ROYAL + _HIGH[:6]))
    dealt = rng.sample(pool, 11)
    if rng.random() < 0.9:
        dealt = list(dict.fromkeys(dealt))
    dealt = rng.sample(_FULL, 16) + dealt
    if rng.random() < 0.9:
        dealt = list(dict.fromkeys(reversed(dealt)))[::-1]
    if rng.random() < 0.1:
        dealt[rng.randrange(8)] = rng.choice(("10h", "as", "Xx", ""))
    board = tuple(dealt.pop() for _ in range(rng.choice((5, 5, 5, 5, 3, 4, 0, 6))))
    holes = [tuple(dealt.pop() for _ in range(hole_cards)) for _ in range(min(seats, 2))]
    return HandReport(
        game=game,
        deck=rng.choice((52, 52, 52, 52, 52, 52, 40, 32, 7)),
        boards=(board, board[:3]) if rng.random() < 0.1 else (board,),
        flop_on_request=rng.random() < 0.1,
        seats=tuple(
            ReportedSeat(
                seat=rng.choice((1, 3, 5, 8)) + (number if rng.random() < 0.9 else 0),
                hole=hole,
                exposed=rng.choices(("yes", "refused", "not_requested"), (8, 1, 1))[0],
                folded=rng.random() < 0.1,
                participating=rng.random() < 0.95,
                won_pot=rng.random() < 0.5,
            )
            for number, hole in enumerate(holes)
        ),
        players_dealt=rng.choice((None, 2, 4, 9, 11)),
        pot_minor=rng.choice((None, 1999, 2000, 50_000)),
        round_void=rng.random() < 0.02,
    )
