"""Two independent judgements of poker hands agree: the verifier's and the rule book's."""

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
from tests.support.play.rules.rules_floor import best_tier
from tests.support.proof.hands import asked_of_a_hand, dealt, reported
from tests.support.suite.run_length import share
from verifier.fold.claims.hands import Figures, prizes
from verifier.fold.terms import cards
from verifier.fold.terms.shapes import Refusal
from verifier.fold.terms.terms import Tier, qualifying_shape

SEED = 190_11
DEALS = share(1500)
REPORTS = share(6000)


def test_any_hand_of_any_game_and_deck_is_worth_the_same() -> None:
    """Also which cards make it, and which of them are hole cards (decision 0008)."""
    dice = random.Random(SEED)
    for _ in range(DEALS):
        game, size = dice.choice(list(cards.JACKPOT_GAMES)), dice.choice(list(DECKS))
        count = dice.choice(cards.JACKPOT_GAMES[game][:2])
        deal = dealt(dice, size, count + dice.choice((3, 4, 5)))
        case = SEED, game, size, deal
        hole, board = deal[:count], deal[count:]
        theirs = best_hand(GAMES[game], parse_cards(hole), parse_cards(board), DECKS[size])
        (category, ranks), used, held = cards.best(game, hole, board, size)
        assert category == theirs.value.category.name.lower(), case
        assert tuple(ranks[: len(theirs.value.ranks)]) == theirs.value.ranks, case
        assert sorted(used) == sorted(map(str, theirs.cards)), case
        assert sorted(held) == sorted(map(str, theirs.hole_used)), case
        place = category_place(theirs.value.category, short=size != 52)
        assert cards.place(category, size) == place - 1, case


def random_qualifying(dice: random.Random) -> dict[str, Any]:
    """What a tier of any kind asks for."""
    qualifying = asked_of_a_hand(dice)
    if dice.random() < 0.3:
        qualifying |= {"kind": "bad_beat", "losing": qualifying.pop("weakest")}
        qualifying["beaten_by"] = {"category": dice.choice(("full_house", "royal_flush"))}
        qualifying["losers_min"] = dice.choice((1, 1, 1, 2, 7))
        qualifying["every_loser"] = dice.random() < 0.5
        for name in ("pair_in_hole", "suit"):
            qualifying.pop(name, None)
    elif dice.random() < 0.2:
        qualifying |= {
            "kind": "high_hand",
            "floor": qualifying.pop("weakest"),
            "period_minutes": 30,
        }
        for name in ("pair_in_hole", "suit"):
            qualifying.pop(name, None)
    return qualifying


def posted(dice: random.Random) -> dict[str, Any]:
    """Terms that somebody can win."""
    while True:
        qualifying = random_qualifying(dice)
        with suppress(TermsError):
            read_terms(qualifying)
            return qualifying


def test_terms_that_nothing_can_meet_are_refused_alike() -> None:
    dice, counted = random.Random(SEED), Counter[bool]()
    for _ in range(REPORTS):
        qualifying, refusals = random_qualifying(dice), []
        if dice.random() < 0.3:
            royal = {"category": "royal_flush"}
            qualifying |= {
                name: royal for name in ("weakest", "losing", "floor") if name in qualifying
            }
        if dice.random() < 0.2:
            qualifying |= {"players_dealt_min": dice.choice((6, 8, 10)), "games": ["omaha"]}
        for read, refusal in ((read_terms, TermsError), (qualifying_shape, Refusal)):
            try:
                read(qualifying)
                refusals.append(False)
            except refusal:
                refusals.append(True)
        assert refusals[0] == refusals[1], (SEED, qualifying)
        counted[refusals[0]] += 1
    assert min(counted.values()) > REPORTS / 10, counted


def test_any_report_is_for_the_same_prize() -> None:
    dice, counted = random.Random(SEED), Counter[str | None]()
    for _ in range(REPORTS):
        game = dice.choice(list(cards.JACKPOT_GAMES))
        size = dice.choice((52, 52, 52, 40, 36, 32))
        tiers = [Tier(code, 1, 0, 1, 10_000, (), posted(dice)) for code in ("high", "low")]
        report = reported(dice, game, size)
        facts = Figures(
            game, size, dice.choice((None, None, 1, 3, 6, 6)), dice.choice((None, None, 5000))
        )
        round_ = Round(1, game, size, facts.dealt)
        round_.pot = None if facts.pot_minor is None else facts.pot_minor * 10_000
        theirs = best_tier(
            judge(
                hand_report(report, round_, 2),
                {tier.code: read_terms(tier.qualifying) for tier in tiers},
            ),
            ["high", "low"],
        )
        ours = next(iter(prizes(report, facts, tiers)), None)
        assert ours == theirs, (SEED, game, size, facts, report, tiers)
        counted[theirs] += 1
    assert min(counted["high"], counted["low"], counted[None]) > REPORTS / 75, counted
