"""Terms that cannot be posted are refused with the name of the field and what may stand there."""

from typing import Any

import pytest

from rules.conditions import Conditions
from rules.hands import Category
from rules.high_hand import HighHand
from rules.requirements import Requirement, require_by_category
from rules.terms import Qualifying
from rules.weakest import TermsError, Weakest

ROYAL = Weakest(Category.ROYAL_FLUSH)
TRIPS = Weakest(Category.THREE_OF_A_KIND)
KINDS = (
    "royal_flush, straight_flush, four_of_a_kind, full_house, flush, straight, three_of_a_kind,"
    " two_pair, one_pair or no_pair"
)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "The terms must be an object with named fields."),
        ({}, "Name the weakest hand that qualifies."),
        ({"prize": 1}, "The terms have no field 'prize': take it out."),
        ({"weakest": 7}, "The terms of the weakest hand must be an object with named fields."),
        (
            {"weakest": {"rank": 1}},
            "The terms of the weakest hand have no field 'rank': take it out.",
        ),
        ({"weakest": {}}, f"The category of the weakest hand must be {KINDS}."),
        ({"weakest": {"category": "five"}}, f"The category of the weakest hand must be {KINDS}."),
        (
            {"weakest": {"category": "flush", "ranks": "A"}},
            "The ranks of the weakest hand must be a list of texts.",
        ),
        (
            {"weakest": {"category": "royal_flush"}, "games": "holdem"},
            "games must be a list of texts.",
        ),
        (
            {"weakest": {"category": "royal_flush"}, "decks": ["52"]},
            "decks must be a list of whole numbers.",
        ),
    ],
)
def test_json_that_is_no_terms(data: Any, why: str) -> None:
    with pytest.raises(TermsError) as refused:
        Qualifying.from_json(data)
    assert str(refused.value).replace("“", "'").replace("”", "'").replace('"', "'") == why


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"flop_seen": 1}, "flop_seen must be true or false."),
        ({"showdown_needed": None}, "showdown_needed must be true or false."),
        (
            {"players_dealt_min": 1},
            "players_dealt_min must be a whole number from 2 to 10.",
        ),
        (
            {"players_dealt_min": 11},
            "players_dealt_min must be a whole number from 2 to 10.",
        ),
        (
            {"pot_min_minor": 0},
            "pot_min_minor must be a whole number from 1 to 1000000000000.",
        ),
        (
            {"pot_min_minor": 10**12 + 1},
            "pot_min_minor must be a whole number from 1 to 1000000000000.",
        ),
        ({"games": ()}, "Name at least one game."),
        ({"games": ("holdem", "holdem")}, "Name each game only once."),
        (
            {"games": ("draw",)},
            '"draw" carries no jackpot (19.7(a)): name holdem, pineapple, crazy_pineapple or'
            " omaha.",
        ),
        ({"decks": ()}, "Name at least one deck."),
        ({"decks": (52, 52)}, "Name each deck only once."),
        (
            {"decks": (51,)},
            "There is no deck of 51 cards (4.1): name 52, 40, 36 or 32.",
        ),
    ],
)
def test_conditions_that_no_round_meets(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(TermsError) as refused:
        Conditions(**fields)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    "fields",
    [
        {"players_dealt_min": 2},
        {"players_dealt_min": 10},
        {"pot_min_minor": 1},
        {"pot_min_minor": 10**12},
    ],
)
def test_what_is_just_possible_is_posted(fields: dict[str, Any]) -> None:
    assert Conditions(**fields).round_json().items() >= fields.items()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"period_minutes": 0}, "period_minutes must be a whole number from 1 to 527040."),
        ({"period_minutes": 527_041}, "period_minutes must be a whole number from 1 to 527040."),
        ({"ties": "both"}, "ties must be first or shared."),
        ({"unclaimed": "lost"}, "unclaimed must be stays or added."),
        ({"decks": (52, 36)}, "Hands of different decks do not compare: name one deck."),
    ],
)
def test_a_high_hand_that_nobody_can_win(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(TermsError) as refused:
        HighHand(TRIPS, **{"period_minutes": 60, **fields})
    assert str(refused.value) == why


def test_a_kind_of_hand_has_one_requirement() -> None:
    twice = ((Category.FLUSH, Requirement(1)), (Category.FLUSH, Requirement(2)))
    with pytest.raises(TermsError, match=r"^Name each kind of hand only once\.$"):
        require_by_category(twice)
    both = ((Category.THREE_OF_A_KIND, Requirement(2, pair_in_hole=True)),)
    with pytest.raises(TermsError, match=r"^A pair in the hole already means two hole cards"):
        require_by_category(both)


@pytest.mark.parametrize(
    ("players", "game", "deck", "can"),
    [
        (6, "omaha", 32, True),  # the deck suffices for six
        (7, "omaha", 32, False),
        (10, "omaha", 52, True),
        (None, "omaha", 32, True),
        (None, "omaha", 36, False),
        (None, "draw", 32, False),
    ],
)
def test_5_1_as_many_players_as_are_asked_for_must_fit(
    players: int | None, game: str, deck: int, can: bool
) -> None:
    terms = Conditions(players_dealt_min=players, games=("omaha",), decks=(52, 32))
    assert terms.can_be_won_with(game, deck) is can


def test_terms_are_read_as_they_were_written() -> None:
    requirements = (
        (Category.FLUSH, Requirement(1)),
        (Category.THREE_OF_A_KIND, Requirement(2, kicker_counts=False)),
    )
    terms = Qualifying(
        TRIPS, by_category=requirements, flop_seen=True, games=("holdem",), decks=(52, 36)
    )
    assert Qualifying.from_json(terms.to_json()) == terms
    assert "by_category" not in Qualifying(TRIPS).to_json()


def test_what_is_asked_of_a_round_is_posted() -> None:
    terms = Conditions(players_dealt_min=4, pot_min_minor=12_345, showdown_needed=True)
    assert terms.round_notice(2) == [
        "at least 4 players must have been dealt in",
        "the pot must be at least 123.45",
        "all community cards must have been dealt in play, not on request",
    ]
    notice = "the flop must have been dealt in play, not on request"
    assert Conditions(flop_seen=True).round_notice(2) == [notice]
    assert Conditions().round_notice(2) == []


def test_decks_are_posted_unless_it_is_the_full_one_alone() -> None:
    games: dict[str, Any] = {"games": ("holdem", "omaha")}
    assert Conditions(**games).where == "Hold-em and Omaha"
    several = Conditions(**games, decks=(52, 40, 36)).where
    assert several == "Hold-em and Omaha with the 52-card deck, 40-card deck or 36-card deck"
