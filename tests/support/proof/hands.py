"""Random hands and terms from a small deck, so that rare hands become frequent."""

import random
from typing import Any

from verifier.fold.terms import cards
from verifier.fold.terms.misdeals import DEAD_HANDS


def dealt(dice: random.Random, size: int, number: int) -> list[str]:
    """Cards of a deck of which few ranks are left: rare hands become frequent."""
    deck = [rank + suit for rank in cards.DECK_RANKS[size] for suit in cards.SUITS]
    deck = [card for card in deck if dice.random() < 0.6 or card[0] in "AKQJT"]
    return dice.sample(deck, number)


def asked_of_a_hand(dice: random.Random) -> dict[str, Any]:
    """What a tier asks of a hand; perhaps nothing can meet it."""
    weakest = dice.choice(
        [
            ("flush", []),
            ("straight_flush", ["9"]),
            ("full_house", ["A"]),
            ("two_pair", ["Q"]),
            ("one_pair", []),
        ]
    )
    qualifying: dict[str, Any] = {
        "weakest": {"category": weakest[0], "ranks": weakest[1]},
        "hole_cards_playing": dice.choice((0, 0, 1, 2)),
        "pair_in_hole": dice.random() < 0.1,
        "flop_seen": dice.random() < 0.1,
        "showdown_needed": dice.random() < 0.1,
        "games": dice.choice((["holdem", "omaha"], list(cards.JACKPOT_GAMES))),
        "decks": dice.choice(([52], [52, 40, 36, 32], [36, 40])),
    }
    if dice.random() < 0.3:
        qualifying["by_category"] = {
            kind: dice.choice(
                (
                    {"pair_in_hole": True},
                    {"hole_cards_playing": 2},
                    {"hole_cards_playing": 2, "kicker_counts": False},
                    {},
                    {"hole_cards_playing": 1, "pair_in_hole": True},
                )
            )
            for kind in dice.sample(cards.CATEGORIES, 2)
        }
    if "flush" in weakest[0]:
        qualifying["suit"] = dice.choice((None, None, "s"))
    qualifying["players_dealt_min"] = dice.choice((None, None, 4))
    qualifying["pot_min_minor"] = dice.choice((None, None, 2000))
    return qualifying


def reported(dice: random.Random, game: str, size: int) -> dict[str, Any]:
    """A report as it may be typed, right or wrong."""
    count = cards.JACKPOT_GAMES[game][1] + (dice.random() < 0.05)
    board = dice.choice((3, 4, *(5,) * 8, 2))
    deal = dealt(dice, size, board + 2 * count + 4)
    if dice.random() < 0.05:
        deal[0] = dice.choice(("10s", deal[1], "2c", ""))
    hands: list[dict[str, Any]] = [
        {
            "seat": seat if dice.random() < 0.95 else 1,
            "hole": deal[board + seat * count - count : board + seat * count],
            "exposed": dice.choice(("yes", "yes", "yes", "refused", "not_requested")),
            "folded": dice.random() < 0.15,
            "participating": dice.random() < 0.9,
            "won_pot": seat == 1,
        }
        for seat in (1, 2)
    ]
    if dice.random() < 0.05:
        hands[0] |= {"hole": [], "folded": True}
    for hand in hands:
        if dice.random() < 0.15:
            hand["dead"] = dice.choice([*DEAD_HANDS, None])
            hand["hole"] = hand["hole"][: dice.choice((9, 9, 9, 1, 0))]
    if dice.random() < 0.1:  # half seen
        hands[1] |= {"hole": deal[board + count : board + count + 1]}
    first, more = deal[:board], deal[-4:]
    later = [first[:3], first[:3] + more[:2], first[:4] + more[2:3], more[:3], first, more[1:]]
    return {
        "boards": [first, *dice.sample(later, dice.choice((0, 0, 0, 0, 0, 1, 2)))],
        "hands": hands[: dice.choice((1, 2))],
        "flop_on_request": dice.random() < 0.1,
        "seats_dealt": dice.choice(
            (None, None, [1, 2], [1, 2, 3, 4, 5], [1, 2, 3], list(range(1, 12)))
        ),
        "pot": dice.choice((None, 1999, 2000)),
    }
