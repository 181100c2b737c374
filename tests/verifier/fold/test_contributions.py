"""What a round adds, by two independent programs: random terms, rounds and figures."""

import random
from collections.abc import Sequence
from typing import Any

from jackpot.terms import contributions
from jackpot.terms.fed_by import Deal
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import parse
from tests.support.play.books import royal_terms
from tests.support.suite.run_length import share
from verifier.fold.books import rounds
from verifier.fold.entries.device_events import unposted
from verifier.fold.terms.terms import read

SEED = 19_10
UNIT = 10_000  # micros of a cent
GAMES = ("holdem", "omaha")
DECKS = (52, 36, 32)


def some(dice: random.Random, of: tuple[Any, ...]) -> list[Any]:
    """One of them at least."""
    return dice.sample(of, dice.randint(1, len(of)))


def tier(dice: random.Random, rank: int) -> dict[str, Any]:
    """With some of the sources, won and fed by some games and decks."""
    parts: list[dict[str, Any]] = [
        {"source": "per_round", "amount": 7, "players_min": dice.choice((0, 3))}
    ]
    for source in ("pot", "commission"):
        if dice.random() < 0.5:
            part = {"source": source, "basis_points": dice.choice((1, 333, 10_000))}
            parts.append({**part, "cap": dice.choice((None, MICROS))})
    (tier_terms,) = royal_terms(increments=parts)["tiers"]
    qualifying: dict[str, Any] = {"games": some(dice, GAMES), "decks": some(dice, DECKS)}
    if qualifying["decks"] != [32]:
        qualifying["players_dealt_min"] = dice.choice((None, 2))
    tier_terms |= {"code": f"tier{rank}", "rank": rank}
    tier_terms["qualifying"] = {**tier_terms["qualifying"], **qualifying}
    posted = {
        "games": some(dice, GAMES),
        "decks": some(dice, DECKS),
        "stakes": ["2/5"],
        "players_min": 3,
        "flop_dealt": True,
    }
    fed = {name: condition for name, condition in posted.items() if dice.random() < 0.2}
    return tier_terms | ({"fed_by": fed} if fed else {})


def document(dice: random.Random) -> dict[str, Any]:
    """Up to three tiers, in any order, which may share a drop."""
    tiers = [tier(dice, rank) for rank in dice.sample((1, 2, 3), dice.randint(1, 3))]
    with_drop = dice.random() < 0.5
    if with_drop:
        whole = 10_000
        takers = dice.sample(tiers, dice.randint(1, len(tiers)))
        for number, each in enumerate(takers, start=1):
            points = whole if number == len(takers) else dice.choice((1, 3_333))
            part = {"source": "drop", "basis_points": points, "into": "reserve"}
            each["increments"].append(part)
            whole -= points
    suspended = [each["code"] for each in tiers if dice.random() < 0.15]
    steps = [
        {"pot_from": dice.choice((0, 5, 20)) * MICROS, "take": MICROS},
        {"pot_from": 40 * MICROS, "take": dice.choice((MICROS // 2, 2 * MICROS))},
    ]
    if not with_drop and dice.random() < 0.5:
        steps = []
    commissions = [
        None,
        {"form": "percentage", "basis_points": 500, "cap": dice.choice((None, MICROS))},
        {"form": "percentage", "basis_points": 1000, "of_blinds_only": True},
        {"form": "per_hand", "amount": MICROS},
    ]
    return {
        **royal_terms(),
        "commission": dice.choice(commissions),
        "games": list(GAMES),
        "funding": "players",
        "drop_steps": steps,
        "tiers": tiers,
        "suspended": suspended,
    }


def figures(dice: random.Random) -> dict[str, int]:
    """What a dealer may type, in cents; some of it."""
    amounts = {
        "pot": dice.choice((0, 50, 1999, 2000, 6111)),
        "uncalled": dice.choice((0, 500, 7000)),
        "commission": dice.choice((0, 105)),
        "jackpot_drop": dice.choice((0, 100, 200)),
    }
    return {name: amount for name, amount in amounts.items() if dice.random() < 0.7}


def dealt(dice: random.Random) -> dict[str, Any]:
    """What contributions may ask of a round."""
    return {
        "game": dice.choice(GAMES),
        "deck": dice.choice(DECKS),
        "stakes": dice.choice((None, "2/5", "5/10")),
        "players": dice.choice((2, 6)),
        "flop": dice.choice((None, True, False)),
    }


def every_chip_is_somewhere(
    terms: dict[str, Any], drop: int | None, due: Sequence[tuple[str, str, str, int]]
) -> None:
    """Of a drop: in the tiers, or to be returned by the jackpot or by the console."""
    takes = any(part["source"] == "drop" for t in terms["tiers"] for part in t["increments"])
    stray = unposted([read(terms)], drop)
    assert stray == ([] if takes or not drop else [("to_return", "pool", "drop", drop)])
    credited = [amount for _, _, source, amount in [*due, *stray] if source == "drop"]
    assert sum(credited) == (drop or 0), (terms, drop)


def test_any_round_adds_the_same() -> None:
    dice = random.Random(SEED)
    heard, returned = set(), 0
    for _ in range(share(4000)):
        terms, event = document(dice), figures(dice)
        odd = {name: dice.random() < 0.5 for name in ("blinds_only", "tied_alone")}
        round_ = dealt(dice)
        deal, dealing = Deal(**round_), rounds.Dealing(**round_)
        micros: dict[str, Any] = {name: amount * UNIT for name, amount in event.items()}
        drop = micros.pop("jackpot_drop", None)
        added_parts, flags = contributions.at_completion(
            contributions.feeds(parse(terms), deal),
            contributions.Figures(**micros, drop=drop, flop=round_["flop"], **odd),
        )
        amounts, left_out = rounds.figures(event, UNIT)
        mine = rounds.Figures(*amounts)
        added, missing = rounds.at_completion(read(terms), mine, dealing)
        case = SEED, terms, event, odd, round_
        due = [(part.tier, part.into, part.source, part.amount) for part in added_parts]
        assert [each for each in added if each[3]] == due, case
        assert missing | rounds.odd(read(terms), mine, odd, dealing) == set(flags), case
        start = contributions.at_start(parse(terms), deal)
        parts = [(part.tier, part.into, part.source, part.amount) for part in start]
        assert [*rounds.at_start(read(terms), dealing)] == parts, case
        every_chip_is_somewhere(terms, drop, due)
        assert not left_out
        heard |= set(flags)
        returned += any(part.tier == "to_return" for part in added_parts)
    assert returned > share(100)
    assert heard == {
        "pot_missing",
        "commission_missing",
        "drop_missing",
        "uncalled_above_pot",
        "drop_variance",
        "drop_not_posted",
        "commission_on_blinds_only",
        "commission_on_tie",
        "commission_above_posted",
    }
