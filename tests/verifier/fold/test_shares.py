"""The verifier divides a prize as the product does, by code of its own."""

import random
from collections import Counter
from contextlib import suppress
from typing import Any

from jackpot.domain.payout.division import UndividedError, divide
from jackpot.domain.state.books import Round
from jackpot.domain.state.verdicts import hand_report
from jackpot.hits.payees import new_line
from jackpot.terms.awards import ROLES
from jackpot.terms.document import TierTerms
from rules.terms import TermsError
from rules.tiers import read_terms
from rules.verdict import judge
from tests.support.proof.hands import asked_of_a_hand, reported
from tests.support.suite.run_length import share
from verifier.fold.books.rounds import Session
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.claims.shares import due
from verifier.fold.terms import cards
from verifier.fold.terms.payees import Line
from verifier.fold.terms.shapes import Refusal
from verifier.fold.terms.terms import Terms, Tier

SEED = 20_261_121
REPORTS = share(4_000)


def plan(dice: random.Random) -> dict[str, int] | None:
    part = dice.choice((1, 2_500, 3_333))
    return dice.choice((None, {"winner": 10_000 - part, "table": part}, {"winner": 10_000}))


def beaten(dice: random.Random) -> tuple[dict[str, Any], dict[str, int]]:
    """A bad beat for hands as they come, and its plan."""
    asked_for = {
        name: value for name, value in asked_of_a_hand(dice).items() if name not in _OF_A_HAND
    }
    low = dice.choice(("no_pair", "no_pair", "one_pair", "two_pair"))
    asked_for |= {
        "kind": "bad_beat",
        "losing": {"category": low, "ranks": dice.choice(([], ["7"]))},
        "beaten_by": {"category": dice.choice(("no_pair", "one_pair"))},
        "losers_min": dice.choice((1, 1, 2)),
        "every_loser": dice.random() < 0.5,
    }
    part = dice.choice((1, 2_500, 3_333))
    plans = (
        {"loser": 10_000 - 2 * part, "winner": part, "table": part},
        {"loser": 10_000 - part, "winner": part},
        {"loser": 10_000},
        {"loser": part, "table": 10_000 - part},
    )
    return asked_for, dice.choice(plans)


_OF_A_HAND = ("weakest", "suit", "pair_in_hole")


def add_a_hand(dice: random.Random, report: dict[str, Any], size: int) -> None:
    """A third player shows his cards; now and then as good as another."""
    used = {card for hand in report["hands"] for card in hand["hole"]}
    used |= {card for board in report["boards"] for card in board}
    free = [rank + suit for rank in cards.DECK_RANKS[size] for suit in cards.SUITS]
    free = [card for card in free if card not in used]
    first = report["hands"][0]
    alike = [card for card in free if card[0] in {each[:1] for each in first["hole"]}]
    hole = dice.sample(alike if len(alike) >= len(first["hole"]) else free, len(first["hole"]))
    usual = {"exposed": "yes", "folded": False, "participating": True, "won_pot": False}
    report["hands"].append({"seat": 3, "hole": hole, **usual})


def theirs(
    tier: TierTerms, game: str, size: int, report: dict[str, Any], amount: int, had: list[Any]
) -> set[tuple[int, str, int]] | None:
    verdict = judge(hand_report(report, Round(1, game, size, 6), 2), {"high": tier.qualifies()})
    try:
        shares = divide(tier, game, report, verdict, amount, had)
    except UndividedError:
        return None
    return {(each["seat"], each["role"], each["amount"]) for each in shares}


def ours(
    tier: Tier, game: str, size: int, report: dict[str, Any], amount: int, had: list[Any]
) -> set[tuple[int, str, int]] | None:
    state = State(unit=10_000)
    state.terms.append(Terms("house", (game,), None, (), (tier,)))
    state.sessions["t3"] = Session(game, size, 6)
    state.round("t3", 1, None)
    hit = Hit(1, 5, 5, "t3", 1, 1, {}, 0, tier="high", report=report)
    hit.payees = [Line(line["line"], line["seat"], line["role"], line["amount"]) for line in had]
    try:
        return due(state, hit, amount)
    except Refusal:
        return None


def winnable(
    dice: random.Random, game: str, size: int
) -> tuple[dict[str, Any], dict[str, int] | None]:
    """Terms that somebody can win, mostly something that is won now and then, and a plan."""
    while True:
        of_a_hand = asked_of_a_hand(dice), plan(dice)
        qualifying, shares = beaten(dice) if dice.random() < 0.6 else of_a_hand
        if dice.random() < 0.8:
            qualifying |= {"players_dealt_min": None, "pot_min_minor": None, "games": [game]}
            qualifying |= {"decks": [size], "hole_cards_playing": dice.choice((0, 1))}
            if "weakest" in qualifying:
                qualifying |= {"weakest": {"category": "one_pair"}, "suit": None}
        with suppress(TermsError):
            read_terms(qualifying)
            return qualifying, shares


def test_any_report_is_divided_alike() -> None:
    dice, counts = random.Random(SEED), Counter[str]()
    for _ in range(REPORTS):
        game, size = dice.choice(list(cards.JACKPOT_GAMES)), dice.choice((52, 52, 52, 36))
        qualifying, shares = winnable(dice, game, size)
        unit, report = dice.choice((1, 7, 50)), reported(dice, game, size)
        if dice.random() < 0.5:
            add_a_hand(dice, report, size)
        report["button_seat"] = dice.choice((None, 1, 4, 9))
        if dice.random() < 0.8:
            report["seats_dealt"] = dice.choice(([1, 2, 3], [1, 2, 3, 4, 6], [1, 2, 3, 5, 7, 8]))
        posted: dict[str, Any] = {"code": "high", "name": "High", "rank": 1, "reset": 0}
        posted |= {"payable_unit": unit, "increments": (), "qualifying": qualifying, "plan": shares}
        by_role = shares or {"winner": 10_000}
        roles = tuple((role, by_role[role]) for role in ROLES if role in by_role)
        tier = Tier("high", 1, 0, unit, 10_000, (), qualifying, plan=roles)
        had: list[Any] = []
        for amount in (dice.randrange(1, 200) * unit, dice.randrange(1, 9) * unit):
            arguments = (game, size, report, amount, had)
            payouts = ours(tier, *arguments)
            assert payouts == theirs(TierTerms(**posted), *arguments), (SEED, arguments, posted)
            if payouts is None:
                counts["nobody"] += 1
                break
            assert sum(part for _, _, part in payouts) == amount
            counts += Counter({role for _, role, _ in payouts})
            counts["several"] += len(payouts) > 1
            counts["divided"] += 1
            for seat, role, part in sorted(payouts):
                had.append(new_line(len(had) + 1, seat, role, part))
    assert min(counts["divided"], counts["nobody"]) > REPORTS / 20, counts
    assert min(counts["loser"], counts["winner"], counts["table"], counts["several"]) > share(
        100
    ), counts
