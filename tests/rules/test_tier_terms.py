"""Terms of every kind: their JSON, its published schema, and drawn examples (19.4, 19.5)."""

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.bad_beat import BadBeat
from rules.best import best_hand
from rules.cards import RANKS
from rules.conditions import refuses_19_16
from rules.decks import DECKS
from rules.examples import strongest_that_does_not, weakest_that_wins
from rules.games import GAMES, JACKPOT_GAMES
from rules.hands import Category
from rules.high_hand import HighHand
from rules.requirements import Requirement
from rules.schema import terms_schema
from rules.terms import Qualifying, TermsError, Weakest
from rules.tiers import read_terms, write_terms
from tests.support.play.rules.terms import json_values

PUBLISHED = Path(__file__).parents[2] / "docs" / "terms.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(terms_schema())

weakest = st.sampled_from(Category).flatmap(
    lambda category: st.builds(
        Weakest,
        st.just(category),
        st.just(())
        if category is Category.ROYAL_FLUSH
        else st.sampled_from([(), *((rank,) for rank in RANKS[3:-1])]),
    )
)
about_the_round = {
    "players_dealt_min": st.none() | st.integers(2, 10),
    "pot_min_minor": st.none() | st.integers(1, 10**12),
    "games": st.lists(st.sampled_from(JACKPOT_GAMES), min_size=1, unique=True).map(tuple),
    "decks": st.sampled_from([*DECKS]).map(lambda size: (size,)),
    "flop_seen": st.booleans(),
    "showdown_needed": st.booleans(),
    "hole_cards_playing": st.integers(0, 2),
    "by_category": st.dictionaries(
        st.sampled_from(Category),
        st.sampled_from(
            [
                Requirement(),
                Requirement(1),
                Requirement(2),
                Requirement(2, kicker_counts=False),
                Requirement(pair_in_hole=True),
            ]
        ),
        max_size=3,
    ).map(lambda by_category: tuple(sorted(by_category.items(), key=lambda each: -each[0]))),
}


def posted(kind, **fields):
    """Terms of a kind that can be posted."""

    def create(fields):
        try:
            return kind(**fields)
        except TermsError:
            return None

    return st.fixed_dictionaries(fields).map(create).filter(lambda terms: terms is not None)


any_terms = st.one_of(
    posted(Qualifying, weakest=weakest, pair_in_hole=st.booleans(), **about_the_round),
    posted(
        BadBeat,
        losing=weakest,
        beaten_by=weakest,
        losers_min=st.integers(1, 9),
        every_loser=st.booleans(),
        **about_the_round,
    ),
    posted(
        HighHand,
        floor=weakest,
        period_minutes=st.integers(1, 1440),
        ties=st.sampled_from(["first", "shared"]),
        **about_the_round,
    ),
)


@given(any_terms)
def test_terms_come_back_from_json_as_they_were_and_fit_the_schema(terms):
    document = json.loads(json.dumps(write_terms(terms)))
    assert read_terms(document) == terms
    VALIDATOR.validate(document)


@given(any_terms, st.dictionaries(st.sampled_from(["kind", "weakest", "games", "x"]), json_values))
def test_any_json_is_terms_or_refused(terms, change):
    try:
        read = read_terms(write_terms(terms) | change)
    except TermsError:
        return
    assert read_terms(write_terms(read)) == read


@pytest.mark.parametrize("data", [None, [], "x", {"kind": "other"}, {"kind": None}])
def test_what_is_not_terms_is_refused(data):
    with pytest.raises(TermsError):
        read_terms(data)


def test_the_published_schema_is_the_one_of_the_code():
    assert json.loads(PUBLISHED.read_text()) == terms_schema()
    jsonschema.Draft202012Validator.check_schema(terms_schema())


@given(any_terms)
def test_every_notice_is_of_whole_sentences(terms):
    notice = terms.notice()
    assert notice[0].isupper()
    assert notice.endswith(".")
    assert all(GAMES[code].label in notice for code in terms.games)
    assert ("dealt in play" in notice) == (terms.flop_seen or terms.showdown_needed)


TIERS = [
    (Qualifying(Weakest(Category.ROYAL_FLUSH), suit="s", hole_cards_playing=2), "royal flush"),
    (Qualifying(Weakest(Category.FOUR_OF_A_KIND, ("T",)), pair_in_hole=True), None),
    (Qualifying(Weakest(Category.STRAIGHT_FLUSH, ("9",))), "straight flush, nine high"),
    (Qualifying(Weakest(Category.FLUSH, ("K",)), suit="h"), "flush, king high"),
    (Qualifying(Weakest(Category.NO_PAIR)), "no pair, nine high"),
    (HighHand(Weakest(Category.FULL_HOUSE), 60), "full house, twos full of threes"),
]


@pytest.mark.parametrize(
    ("game", "terms", "label"),
    [
        (game, terms, label)
        for game in ("holdem", "omaha")
        for terms, label in TIERS
        if game == "holdem" or label != "no pair, nine high"  # with nine cards it is lower
    ],
)
def test_19_5_the_weakest_hand_that_wins_wins_and_the_strongest_that_does_not_does_not(
    game, terms, label
):
    wins = weakest_that_wins(terms, GAMES[game])
    assert wins is not None
    loses = strongest_that_does_not(terms, GAMES[game])
    assert wins.shortfall is None
    assert wins.sentence.endswith(" wins.")
    assert wins.label == label or (label is None and wins.label.startswith("four of a kind"))
    for example in (wins, loses):
        if example is not None:
            assert best_hand(GAMES[game], example.hole, example.board) == example.hand
            assert (terms.shortfall(example.hand) is None) == (example is wins)


def test_19_5_every_hand_wins_where_nothing_is_asked_for():
    assert strongest_that_does_not(Qualifying(Weakest(Category.NO_PAIR))) is None


def test_19_5_examples_are_drawn_from_the_deck_that_is_posted():
    terms = Qualifying(Weakest(Category.FULL_HOUSE), decks=(32,))
    wins = weakest_that_wins(terms, GAMES["holdem"], DECKS[32])
    assert wins is not None
    assert wins.label == "full house, sevens full of eights"
    loses = strongest_that_does_not(terms, GAMES["holdem"], DECKS[32])
    assert loses is not None
    assert loses.label == "straight, ace high"


@pytest.mark.parametrize(
    ("weakest_hand", "next_lower"),
    [
        (Weakest(Category.FULL_HOUSE, ("A", "T")), "full house, aces full of nines"),
        (Weakest(Category.FOUR_OF_A_KIND), "full house, aces full of kings"),
        (Weakest(Category.STRAIGHT, ("6",)), "straight, five high"),
    ],
)
def test_19_5_the_strongest_hand_that_does_not_win_is_the_next_lower_one(weakest_hand, next_lower):
    loses = strongest_that_does_not(Qualifying(weakest_hand), GAMES["holdem"])
    assert loses is not None
    assert loses.label == next_lower


def test_examples_are_of_the_full_deck_unless_another_is_named():
    wins = weakest_that_wins(Qualifying(Weakest(Category.STRAIGHT)))
    assert wins is not None
    assert wins.label == "straight, five high"


@pytest.mark.parametrize(
    ("posted", "refusing"),
    [
        ({}, ()),
        ({"flop_seen": True}, ("flop_seen",)),
        ({"showdown_needed": True}, ("showdown_needed",)),
        ({"flop_seen": True, "showdown_needed": True}, ("flop_seen", "showdown_needed")),
    ],
)
def test_19_16_conditions_that_refuse_a_flop_on_request_are_named(posted, refusing):
    royal = Weakest(Category.ROYAL_FLUSH)
    assert refuses_19_16(Qualifying(royal, **posted)) == refusing
    assert refuses_19_16(HighHand(royal, 60, **posted)) == refusing
    assert refuses_19_16(BadBeat(Weakest(Category.FULL_HOUSE), royal, **posted)) == ()
