"""Who feeds a pool (19.2, 19.3): rounds that can win it, or those that are posted."""

from typing import Any

import pytest

from jackpot.terms.document import to_json
from jackpot.terms.fed_by import in_play
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from rules.terms import TermsError
from tests.support.play.books import ROYAL, Floor, royal_terms

CENT = MICROS // 100
RESET = 1000 * MICROS
HALF = MICROS // 2
OPERATOR = {"source": "per_round", "amount": HALF}
POT = {"source": "pot", "basis_points": 100}
STEPS = [
    {"pot_from": 20 * MICROS, "take": MICROS},
    {"pot_from": 50 * MICROS, "take": 2 * MICROS},
]


def tier(code: str, rank: int, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Won with Hold-em and the deck of 52 cards unless `asked` says otherwise."""
    qualifying = more.pop("requirements", {})
    (template,) = royal_terms()["tiers"]
    return {
        **template,
        "code": code,
        "name": code.title(),
        "rank": rank,
        "increments": list(parts),
        "qualifying": {**ROYAL, "games": ["holdem"], **qualifying},
        **more,
    }


def jackpot(*tiers: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        **royal_terms(),
        "games": ["holdem", "omaha"],
        "funding": "players",
        "tiers": list(tiers),
        **more,
    }


def played(floor: Floor, **figures: Any) -> dict[str, int]:
    """What one round at t3 adds, by account."""
    before = dict(floor.books.balances)
    floor.press("t3")
    floor.complete("t3", **figures)
    now = floor.books.balances
    return {code: now[code] - was for code, was in before.items() if now[code] != was}


BOTH = {"games": ["holdem", "omaha"]}


def test_a_36_card_table_feeds_no_pool_that_it_can_never_win() -> None:
    """The operator's part does not happen; what was taken of the players is kept for them."""
    floor = Floor(jackpot(tier("royal", 1, OPERATOR, POT)))
    floor.open("t3", deck=36)
    assert played(floor, pot=100_00) == {"pot": -MICROS, "to_return": MICROS}
    assert floor.complete("t3", pot=1) == {"flags": ["repeat"]}


def test_the_entry_says_that_money_is_to_be_returned() -> None:
    floor = Floor(jackpot(tier("royal", 1, POT)))
    floor.open("t3", deck=36)
    floor.press("t3")
    assert floor.complete("t3", pot=100_00) == {"flags": ["not_in_play", "to_return"]}


def test_omaha_feeds_no_tier_that_only_hold_em_wins() -> None:
    """1% for a prize of Hold-em and 0.5% for one of both: Omaha feeds the second with 1.5%."""
    half = {"source": "pot", "basis_points": 50}
    quads = tier("quads", 2, half, requirements=BOTH)
    floor = Floor(jackpot(tier("royal", 1, OPERATOR, POT), quads))
    floor.open("t3", game="omaha")
    assert played(floor, pot=100_00) == {"pot": -150 * CENT, "quads:pool": 150 * CENT}
    floor.open("t3", game="holdem")
    assert played(floor, pot=100_00) == {
        "operator": -HALF,
        "pot": -150 * CENT,
        "royal:pool": 150 * CENT,
        "quads:pool": 50 * CENT,
    } | {"royal:pool": HALF + MICROS}


def test_a_drop_is_split_as_posted_over_those_that_can_be_won() -> None:
    """50 : 30 : 20; without the first 60 : 40, and what that leaves is of the highest."""

    def part(points: int) -> dict[str, Any]:
        return {"source": "drop", "basis_points": points}

    floor = Floor(
        jackpot(
            tier("royal", 1, part(5000)),
            tier("quads", 2, part(3000), requirements=BOTH),
            tier("full", 3, part(2000), requirements=BOTH),
            drop_steps=STEPS,
        )
    )
    floor.open("t3", game="omaha")
    assert played(floor, pot=60_00, jackpot_drop=200) == {
        "drop": -2 * MICROS,
        "quads:pool": 120 * CENT,
        "full:pool": 80 * CENT,
    }
    floor = Floor(
        jackpot(
            tier("royal", 1, part(9_997)),
            tier("quads", 2, part(1), requirements=BOTH),
            tier("full", 3, part(2), requirements=BOTH),
            drop_steps=STEPS,
        )
    )
    floor.open("t3", game="omaha")
    changes = played(floor, pot=60_00, jackpot_drop=200)
    assert changes == {"drop": -2 * MICROS, "quads:pool": 666_667, "full:pool": 1_333_333}


def test_without_a_part_of_the_source_the_highest_that_can_be_won_has_it() -> None:
    floor = Floor(
        jackpot(
            tier("royal", 1, POT),
            tier("full", 3, requirements=BOTH),
            tier("quads", 2, requirements=BOTH),
        )
    )
    floor.open("t3", game="omaha")
    assert played(floor, pot=100_00) == {"pot": -MICROS, "quads:pool": MICROS}


def test_a_drop_that_nobody_posted_is_returned() -> None:
    """A game that the jackpot does not name, terms without a drop, a table out of play."""
    floor = Floor(royal_terms())
    floor.open("t3", game="omaha")
    assert played(floor, jackpot_drop=200) == {"drop": -2 * MICROS, "to_return": 2 * MICROS}
    floor.open("t3")
    changes = played(floor, jackpot_drop=200)
    assert (changes["to_return"], changes["operator"]) == (2 * MICROS, -HALF)
    floor.decide("suspend", second=None, jackpot="house", table="t3", reason="dark")
    assert played(floor, jackpot_drop=200) == {"drop": -2 * MICROS, "to_return": 2 * MICROS}


def test_a_void_round_gives_back_what_was_to_be_returned() -> None:
    floor = Floor(jackpot(tier("royal", 1, POT)))
    floor.open("t3", deck=36)
    played(floor, pot=100_00)
    outcome = floor.decide(
        "void_round", table="t3", round=1, reason="cards_exposed", note="seen", second=None
    )
    assert outcome["taken_back"] == {"to_return": MICROS}
    assert (floor.books.balances["to_return"], floor.books.balances["pot"]) == (0, 0)


def test_what_is_to_be_returned_can_be_moved_by_two_people_and_no_more_of_it() -> None:
    floor = Floor(jackpot(tier("royal", 1, POT)))
    floor.open("t3", deck=36)
    played(floor, pot=100_00)
    body = {"tier": "royal", "source": "to_return", "reason": "A10", "evidence": "letter 4"}
    assert "1.00: 1.01 cannot" in floor.decide("adjust_pool", amount=101 * CENT, **body)["refused"]
    assert floor.decide("adjust_pool", amount=MICROS, **body)["adjusted"] == MICROS
    assert (floor.pool(), floor.books.balances["to_return"]) == (RESET + MICROS, 0)
    # Void after that: nothing is there any more, so the operator gives.
    floor.decide("void_round", table="t3", round=1, reason="cards_exposed", note="s", second=None)
    assert floor.books.balances["operator"] == -RESET - MICROS
    assert floor.books.balances["pot"] == 0


@pytest.mark.parametrize(
    ("posted", "opened", "feeds"),
    [
        ({"games": ["holdem", "omaha"]}, {"game": "omaha"}, True),  # though it cannot win it
        ({"games": ["omaha"]}, {"game": "holdem"}, False),
        ({"decks": [52, 36]}, {"deck": 36}, True),
        ({"decks": [36]}, {"deck": 52}, False),
        ({"stakes": ["5/10", "2/5"]}, {"stakes": "2/5"}, True),
        ({"stakes": ["5/10"]}, {"stakes": "1/2"}, False),
        ({"stakes": ["5/10"]}, {}, False),
        ({"players_min": 6}, {"seats": 6}, True),
        ({"players_min": 7}, {"seats": 6}, False),
    ],
)
def test_terms_post_who_feeds_a_tier(
    posted: dict[str, Any], opened: dict[str, Any], feeds: bool
) -> None:
    """Of a round that is not one of those nothing is taken, neither of operator nor players."""
    floor = Floor(jackpot(tier("royal", 1, OPERATOR, POT, fed_by=posted)))
    floor.open("t3", **opened)
    assert played(floor, pot=100_00).get("royal:pool", 0) == (HALF + MICROS if feeds else 0)
    assert floor.books.balances["to_return"] == 0


@pytest.mark.parametrize(("flop", "pot"), [(True, MICROS), (None, MICROS), (False, 0)])
def test_no_flop_no_drop(flop: bool | None, pot: int) -> None:
    """Of what players put in; the operator's part came with the start."""
    floor = Floor(jackpot(tier("royal", 1, OPERATOR, POT, fed_by={"flop_dealt": True})))
    floor.open("t3")
    assert played(floor, pot=100_00, flop_dealt=flop)["royal:pool"] == HALF + pot
    floor.decide("void_round", table="t3", round=1, reason="cards_exposed", note="s", second=None)
    assert floor.pool() == RESET + HALF


def test_chips_that_were_dropped_without_a_flop_stay_in_the_pool() -> None:
    """They were taken, whatever is posted: nothing was due, so the drop is a variance."""
    whole = {"source": "drop", "basis_points": 10_000}
    posted = tier("royal", 1, whole, fed_by={"flop_dealt": True})
    floor = Floor(jackpot(posted, drop_steps=STEPS))
    floor.open("t3")
    floor.press("t3")
    outcome = floor.complete("t3", pot=60_00, jackpot_drop=200, flop_dealt=False)
    assert outcome == {"flags": ["drop_variance"]}
    assert floor.pool() == RESET + 2 * MICROS


def test_players_count_as_when_the_figures_came() -> None:
    """A report that names fewer seats later takes nothing out of the void round's money."""
    floor = Floor(jackpot(tier("royal", 1, POT, fed_by={"players_min": 6})))
    floor.open("t3")
    played(floor, pot=100_00)
    floor.report("t3", "As Ks", "Qs Js Ts 2d 3c", seats_dealt=[1, 2, 3])
    outcome = floor.decide(
        "void_round", table="t3", round=1, reason="cards_exposed", note="s", second=None
    )
    assert outcome["taken_back"] == {"royal": MICROS}


@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"games": []}, "at least one of the games"),
        ({"decks": [52, 52]}, "each once"),
        ({"games": ["pineapple"]}, "no game of the jackpot"),
        ({"decks": [51]}, "no deck of 51"),
        ({"stakes": [""]}, "cannot be read"),
        ({"rain": True}, "cannot be read"),
    ],
)
def test_what_no_round_can_be_is_refused(posted: dict[str, Any], message: str) -> None:
    with pytest.raises(TermsError, match=message):
        parse(jackpot(tier("royal", 1, POT, fed_by=posted)))


def test_a_tier_that_needs_more_players_than_a_deck_deals_is_not_fed_by_it() -> None:
    """Omaha with 32 cards deals to six at most (5.1)."""
    qualifying = {"games": ["holdem", "omaha"], "decks": [52, 32], "players_dealt_min": 7}
    floor = Floor(jackpot(tier("royal", 1, OPERATOR, requirements=qualifying)))
    floor.open("t3", game="omaha", deck=32)
    assert played(floor) == {}
    floor.open("t3", game="omaha")
    assert played(floor) == {"operator": -HALF, "royal:pool": HALF}


def test_the_notice_says_who_feeds_a_tier() -> None:
    posted = {
        "games": ["omaha"],
        "decks": [52, 36],
        "stakes": ["2/5", "5/10"],
        "players_min": 4,
        "flop_dealt": True,
    }
    terms = parse(jackpot(tier("royal", 1, POT, fed_by=posted)))
    lines = notices(terms, 2, "NZD")
    assert (
        "Royal is fed by rounds of Omaha with the 52-card deck or 36-card deck, at stakes of 2/5 or"
        " 5/10, with at least 4 players dealt in, what players put in only if a flop was dealt."
    ) in lines
    assert any("kept to be returned to players" in line for line in lines)
    assert parse(to_json(terms)) == terms
    assert "fed_by" not in to_json(parse(jackpot(tier("royal", 1, POT))))["tiers"][0]


def test_whether_a_table_can_win_anything() -> None:
    terms = parse(jackpot(tier("royal", 1, POT)))
    assert in_play(terms, "t3", "holdem", 52)
    assert not in_play(terms, "t3", "holdem", 36)
    assert not in_play(terms, "t3", "omaha", 52)
    assert not in_play(terms, "t3", None, None)
