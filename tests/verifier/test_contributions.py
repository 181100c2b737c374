"""What a completed round adds, by two programs written apart: random terms and figures."""

import random
from typing import Any

from jackpot import contributions
from jackpot.money import MICROS
from jackpot.terms import parse
from tests.jackpot.books import royal_terms
from verifier.fold import rounds
from verifier.fold.terms import read

SEED = 19_10
UNIT = 10_000  # micros of a cent


def document(dice: random.Random) -> dict[str, Any]:
    """Terms with some of the sources."""
    parts: list[dict[str, Any]] = [
        {"source": "per_round", "amount": 7, "players_min": dice.choice((0, 3))}
    ]
    for source in ("pot", "commission"):
        if dice.random() < 0.5:
            part = {"source": source, "basis_points": dice.choice((1, 333, 10_000))}
            parts.append({**part, "cap": dice.choice((None, MICROS))})
    with_drop = dice.random() < 0.5
    if with_drop:
        parts.append({"source": "drop", "basis_points": 10_000, "into": "reserve"})
    steps = [{"pot_from": 20 * MICROS, "take": MICROS}] if with_drop or dice.random() < 0.5 else []
    return {**royal_terms(increments=parts), "funding": "players", "drop_steps": steps}


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
    heard = set()
    for _ in range(2000):
        terms, said = document(dice), figures(dice)
        odd = {name: dice.random() < 0.5 for name in ("blinds_only", "tied_alone")}
        micros: dict[str, Any] = {name: amount * UNIT for name, amount in said.items()}
        drop = micros.pop("jackpot_drop", None)
        found, flags = contributions.at_completion(
            parse(terms), contributions.Figures(**micros, drop=drop, **odd)
        )
        given, left_out = rounds.figures(said, UNIT)
        mine = rounds.Figures(*given)
        added, missing = rounds.at_completion(read(terms), mine)
        case = SEED, terms, said, odd
        due = [(part.tier, part.into, part.source, part.amount) for part in found]
        assert [each for each in added if each[3]] == due, case
        assert missing | rounds.odd(read(terms), mine, odd) == set(flags), case
        assert not left_out
        heard |= set(flags)
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
