"""Two judgements of poker hands, written apart, agree: the verifier's and the rule book's."""

import random
from collections import Counter
from contextlib import suppress
from typing import Any

from jackpot.domain.state.books import Round
from jackpot.domain.state.verdicts import hand_report
from rules.best import best_hand
from rules.cards import parse_cards
from rules.decks import DECKS
from rules.games import GAMES
from rules.hands import category_place
from rules.terms import TermsError
from rules.tiers import read_terms
from rules.verdict import judge
from tests.rules.floor import best_tier
from verifier.fold import cards
from verifier.fold.hands import Known, prizes
from verifier.fold.misdeals import DEAD_HANDS
from verifier.fold.shapes import Refusal
from verifier.fold.terms import Tier, qualifying_shape

SEED = 190_11
DEALS = 1500
REPORTS = 6000


def dealt(dice: random.Random, size: int, number: int) -> list[str]:
    """Cards of a deck of which few ranks are left: rare hands become frequent."""
    deck = [rank + suit for rank in cards.DECK_RANKS[size] for suit in cards.SUITS]
    deck = [card for card in deck if dice.random() < 0.6 or card[0] in "AKQJT"]
    return dice.sample(deck, number)


def test_any_hand_of_any_game_and_deck_is_worth_the_same() -> None:
    """Also which cards make it, and which of them are hole cards (decision 0008)."""
    dice = random.Random(SEED)
    for _ in range(DEALS):
        game, size = dice.choice(list(cards.JACKPOT_GAMES)), dice.choice(list(DECKS))
        count = dice.choice(cards.JACKPOT_GAMES[game][:2])
        drawn = dealt(dice, size, count + dice.choice((3, 4, 5)))
        case = SEED, game, size, drawn
        hole, board = drawn[:count], drawn[count:]
        theirs = best_hand(GAMES[game], parse_cards(hole), parse_cards(board), DECKS[size])
        (category, ranks), used, held = cards.best(game, hole, board, size)
        assert category == theirs.value.category.name.lower(), case
        assert tuple(ranks[: len(theirs.value.ranks)]) == theirs.value.ranks, case
        assert sorted(used) == sorted(map(str, theirs.cards)), case
        assert sorted(held) == sorted(map(str, theirs.hole_used)), case
        place = category_place(theirs.value.category, short=size != 52)
        assert cards.place(category, size) == place - 1, case


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
    found: dict[str, Any] = {
        "weakest": {"category": weakest[0], "ranks": weakest[1]},
        "hole_cards_playing": dice.choice((0, 0, 1, 2)),
        "pair_in_hole": dice.random() < 0.1,
        "flop_seen": dice.random() < 0.1,
        "showdown_needed": dice.random() < 0.1,
        "games": dice.choice((["holdem", "omaha"], list(cards.JACKPOT_GAMES))),
        "decks": dice.choice(([52], [52, 40, 36, 32], [36, 40])),
    }
    if dice.random() < 0.3:
        found["by_category"] = {
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
        found["suit"] = dice.choice((None, None, "s"))
    found["players_dealt_min"] = dice.choice((None, None, 4))
    found["pot_min_minor"] = dice.choice((None, None, 2000))
    return found


def asked(dice: random.Random) -> dict[str, Any]:
    """What a tier of any kind asks for."""
    found = asked_of_a_hand(dice)
    if dice.random() < 0.3:
        found |= {"kind": "bad_beat", "losing": found.pop("weakest")}
        found["beaten_by"] = {"category": dice.choice(("full_house", "royal_flush"))}
        found["losers_min"] = dice.choice((1, 1, 1, 2, 7))
        found["every_loser"] = dice.random() < 0.5
        for name in ("pair_in_hole", "suit"):
            found.pop(name, None)
    elif dice.random() < 0.2:
        found |= {"kind": "high_hand", "floor": found.pop("weakest"), "period_minutes": 30}
        for name in ("pair_in_hole", "suit"):
            found.pop(name, None)
    return found


def posted(dice: random.Random) -> dict[str, Any]:
    """Terms that somebody can win."""
    while True:
        found = asked(dice)
        with suppress(TermsError):
            read_terms(found)
            return found


def test_terms_that_nothing_can_meet_are_refused_alike() -> None:
    dice, counted = random.Random(SEED), Counter[bool]()
    for _ in range(REPORTS):
        found, refusals = asked(dice), []
        if dice.random() < 0.3:
            royal = {"category": "royal_flush"}
            found |= {name: royal for name in ("weakest", "losing", "floor") if name in found}
        if dice.random() < 0.2:
            found |= {"players_dealt_min": dice.choice((6, 8, 10)), "games": ["omaha"]}
        for read, refusal in ((read_terms, TermsError), (qualifying_shape, Refusal)):
            try:
                read(found)
                refusals.append(False)
            except refusal:
                refusals.append(True)
        assert refusals[0] == refusals[1], (SEED, found)
        counted[refusals[0]] += 1
    assert min(counted.values()) > REPORTS / 10, counted


def reported(dice: random.Random, game: str, size: int) -> dict[str, Any]:
    """A report as it may be typed, right or wrong."""
    count = cards.JACKPOT_GAMES[game][1] + (dice.random() < 0.05)
    board = dice.choice((3, 4, *(5,) * 8, 2))
    drawn = dealt(dice, size, board + 2 * count + 4)
    if dice.random() < 0.05:
        drawn[0] = dice.choice(("10s", drawn[1], "2c", ""))
    hands: list[dict[str, Any]] = [
        {
            "seat": seat if dice.random() < 0.95 else 1,
            "hole": drawn[board + seat * count - count : board + seat * count],
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
        hands[1] |= {"hole": drawn[board + count : board + count + 1]}
    first, more = drawn[:board], drawn[-4:]
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


def test_any_report_is_for_the_same_prize() -> None:
    dice, counted = random.Random(SEED), Counter[str | None]()
    for _ in range(REPORTS):
        game = dice.choice(list(cards.JACKPOT_GAMES))
        size = dice.choice((52, 52, 52, 40, 36, 32))
        tiers = [Tier(code, 1, 0, 1, 10_000, (), posted(dice)) for code in ("high", "low")]
        report = reported(dice, game, size)
        known = Known(
            game, size, dice.choice((None, None, 1, 3, 6, 6)), dice.choice((None, None, 5000))
        )
        round_ = Round(1, game, size, known.dealt)
        round_.pot = None if known.pot_minor is None else known.pot_minor * 10_000
        theirs = best_tier(
            judge(
                hand_report(report, round_, 2),
                {tier.code: read_terms(tier.qualifying) for tier in tiers},
            ),
            ["high", "low"],
        )
        ours = next(iter(prizes(report, known, tiers)), None)
        assert ours == theirs, (SEED, game, size, known, report, tiers)
        counted[theirs] += 1
    assert min(counted["high"], counted["low"], counted[None]) > REPORTS / 75, counted
