"""What a round adds, by two programs written apart: random terms, rounds and figures."""

import random
from typing import Any

from jackpot import contributions
from jackpot.fed_by import Deal
from jackpot.money import MICROS
from jackpot.terms import parse
from tests.jackpot.books import royal_terms
from verifier.fold import rounds
from verifier.fold.story import unposted
from verifier.fold.terms import read

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
    (found,) = royal_terms(increments=parts)["tiers"]
    asked: dict[str, Any] = {"games": some(dice, GAMES), "decks": some(dice, DECKS)}
    if asked["decks"] != [32]:
        asked["players_dealt_min"] = dice.choice((None, 2))
    found |= {"code": f"tier{rank}", "rank": rank}
    found["qualifying"] = {**found["qualifying"], **asked}
    posted = {
        "games": some(dice, GAMES),
        "decks": some(dice, DECKS),
        "stakes": ["2/5"],
        "players_min": 3,
        "flop_dealt": True,
    }
    fed = {name: said for name, said in posted.items() if dice.random() < 0.2}
    return found | ({"fed_by": fed} if fed else {})


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
    steps = [{"pot_from": 20 * MICROS, "take": MICROS}] if with_drop or dice.random() < 0.5 else []
    return {
        **royal_terms(),
        "games": list(GAMES),
        "funding": "players",
        "drop_steps": steps,
        "tiers": tiers,
        "suspended": suspended,
    }


def figures(dice: random.Random) -> dict[str, int]:
    """What a dealer may type, in cents; some of it."""
    said = {
        "pot": dice.choice((0, 1999, 2000, 6111)),
        "uncalled": dice.choice((0, 500, 7000)),
        "commission": dice.choice((0, 105)),
        "jackpot_drop": dice.choice((0, 100, 200)),
    }
    return {name: amount for name, amount in said.items() if dice.random() < 0.7}


def test_any_round_adds_the_same() -> None:
    dice = random.Random(SEED)
    heard, returned = set(), 0
    for _ in range(4000):
        terms, said = document(dice), figures(dice)
        odd = {name: dice.random() < 0.5 for name in ("blinds_only", "tied_alone")}
        round_: dict[str, Any] = {
            "game": dice.choice(GAMES),
            "deck": dice.choice(DECKS),
            "stakes": dice.choice((None, "2/5", "5/10")),
            "players": dice.choice((2, 6)),
            "flop": dice.choice((None, True, False)),
        }
        deal, dealing = Deal(**round_), rounds.Dealing(**round_)
        micros: dict[str, Any] = {name: amount * UNIT for name, amount in said.items()}
        drop = micros.pop("jackpot_drop", None)
        found, flags = contributions.at_completion(
            contributions.feeds(parse(terms), deal),
            contributions.Figures(**micros, drop=drop, flop=round_["flop"], **odd),
        )
        given, left_out = rounds.figures(said, UNIT)
        mine = rounds.Figures(*given)
        added, missing = rounds.at_completion(read(terms), mine, dealing)
        case = SEED, terms, said, odd, round_
        due = [(part.tier, part.into, part.source, part.amount) for part in found]
        assert [each for each in added if each[3]] == due, case
        assert missing | rounds.odd(read(terms), mine, odd, dealing) == set(flags), case
        start = contributions.at_start(parse(terms), deal)
        begun = [(part.tier, part.into, part.source, part.amount) for part in start]
        assert [*rounds.at_start(read(terms), dealing)] == begun, case
        credited = sum(part.amount for part in found if part.source == "drop")
        if drop and any(p["source"] == "drop" for t in terms["tiers"] for p in t["increments"]):
            assert credited == drop, case  # every chip of it
            assert unposted([read(terms)], drop) == [], case
        elif drop:
            assert unposted([read(terms)], drop) == [("to_return", "pool", "drop", drop)], case
        assert not left_out
        heard |= set(flags)
        returned += any(part.tier == "to_return" for part in found)
    assert returned > 100
    assert heard == {
        "pot_missing",
        "commission_missing",
        "drop_missing",
        "uncalled_above_pot",
        "drop_variance",
        "drop_not_posted",
        "commission_on_blinds_only",
        "commission_on_tie",
    }
