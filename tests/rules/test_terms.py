"""Qualifying terms as data (19.5): checks, notices and their JSON form."""

import json

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from rules.best import best_hand
from rules.cards import RANKS
from rules.games import GAMES, JACKPOT_GAMES
from rules.hands import Category, HandValue
from rules.requirements import Requirement
from rules.terms import Qualifying, TermsError, Weakest
from tests.support.play.rules.rules_floor import FOURS, HOUSE, ROYAL, cards
from tests.support.play.rules.terms import json_values


def admits(terms, hole, board, game="holdem"):
    """Say whether the terms admit the best hand that these cards make."""
    hand = best_hand(GAMES[game], cards(hole), cards(board))
    return game in terms.games and terms.shortfall(hand) is None


@pytest.mark.parametrize(
    ("hole", "admitted"),
    [("Ad Th", True), ("Ad 9c", False), ("Ad Ac", True), ("Td Th", False)],
)
def test_19_5_a_full_house_of_aces_full_of_tens_or_any_higher_hand_qualifies(hole, admitted):
    assert admits(HOUSE, hole, "As Ah Ts 9d 9h") is admitted


def test_19_5_fewer_ranks_ask_less():
    aces_full = Qualifying(Weakest(Category.FULL_HOUSE, ("A",)))
    assert admits(aces_full, "Ad 2c", "As Ah 2s 7d 8h")
    assert not admits(aces_full, "Kd Kc", "Ks As Ah 7d 8h")
    any_house = Qualifying(Weakest(Category.FULL_HOUSE))
    assert admits(any_house, "2d 2c", "2s 3s 3h 7d 8h")
    assert not admits(any_house, "As Ks", "Qs 3s 2s 7d 8h")


def test_19_5_four_tens_qualify_and_four_nines_do_not():
    assert admits(FOURS, "Ts Th", "Td Tc 2s 3s 4h")
    assert not admits(FOURS, "9s 9h", "9d 9c As Ks 4h")


def test_19_5_a_kicker_counts_where_the_terms_name_one():
    with_king = Qualifying(Weakest(Category.FOUR_OF_A_KIND, ("T", "K")))
    assert admits(with_king, "Ts Th", "Td Tc Ks 3s 4h")
    assert not admits(with_king, "Ts Th", "Td Tc Qs 3s 4h")
    assert admits(with_king, "Js Jh", "Jd Jc Qs 3s 4h")


def test_19_5_a_royal_flush_in_another_suit_does_not_qualify():
    in_spades = Qualifying(Weakest(Category.ROYAL_FLUSH), suit="s")
    assert admits(in_spades, "As Ks", "Qs Js Ts 3d 4h")
    assert not admits(in_spades, "Ah Kh", "Qh Jh Th 3d 4h")


@pytest.mark.parametrize(
    ("hole_cards", "hole", "admitted"),
    [
        (2, "Js Ts", True),
        (1, "Js Ts", True),
        (2, "9s 2h", False),
        (1, "9s 2h", False),
        (0, "9s 2h", True),
    ],
)
def test_19_5_so_many_hole_cards_must_play(hole_cards, hole, admitted):
    terms = Qualifying(Weakest(Category.STRAIGHT), hole_cards_playing=hole_cards)
    board = "As Ks Qs 3d 4h" if hole == "Js Ts" else "Ac Kd Qh Jd Ts"
    assert admits(terms, hole, board) is admitted


def test_19_5_one_hole_card_playing_meets_one_and_not_two():
    one, two = (Qualifying(Weakest(Category.ROYAL_FLUSH), hole_cards_playing=n) for n in (1, 2))
    assert admits(one, "Ts 2d", "As Ks Qs Js 3h")
    assert not admits(two, "Ts 2d", "As Ks Qs Js 3h")


def test_19_5_a_pair_in_the_hole_must_be_held_and_must_play():
    pair = Qualifying(Weakest(Category.FOUR_OF_A_KIND), pair_in_hole=True)
    assert admits(pair, "Ts Th", "Td Tc As 3s 4h")
    assert not admits(pair, "Ts Ah", "Th Td Tc 3s 4h")
    assert not admits(pair, "2s 2h", "Ts Th Td Tc 4h")
    assert admits(pair, "Ts Th 2c 3c", "Td Tc As 5s 4h", game="omaha")


def test_19_5_a_game_that_is_not_posted_does_not_qualify():
    terms = Qualifying(Weakest(Category.ROYAL_FLUSH), games=("holdem", "pineapple"))
    assert admits(terms, "As Ks", "Qs Js Ts 3d 4h")
    assert not admits(terms, "As Ks 2d 2c", "Qs Js Ts 3d 4h", game="omaha")


@pytest.mark.parametrize(
    ("terms", "notice"),
    [
        (
            ROYAL,
            "A royal flush qualifies in Hold-em, Pineapple, Crazy Pineapple and Omaha.",
        ),
        (
            Qualifying(
                Weakest(Category.STRAIGHT_FLUSH, ("9",)),
                suit="h",
                hole_cards_playing=2,
                players_dealt_min=4,
                pot_min_minor=2050,
                games=("holdem", "omaha"),
                showdown_needed=True,
            ),
            "A straight flush, nine high in hearts, or any higher hand in that suit, qualifies in "
            "Hold-em and Omaha. Two hole cards must play. At least 4 players must have been dealt "
            "in. The pot must be at least 20.50. All community cards must have been dealt in play, "
            "not on request.",
        ),
        (
            Qualifying(
                Weakest(Category.FOUR_OF_A_KIND, ("T", "K")), pair_in_hole=True, games=("holdem",)
            ),
            "Four of a kind, tens, then king, or any higher hand, qualifies in Hold-em. "
            "Two hole cards that are a pair must play. A straight flush and a royal flush cannot "
            "win: no pair plays in them.",
        ),
        (
            Qualifying(
                Weakest(Category.FOUR_OF_A_KIND),
                by_category=(
                    (Category.ROYAL_FLUSH, Requirement(2)),
                    (Category.STRAIGHT_FLUSH, Requirement(2)),
                    (Category.FOUR_OF_A_KIND, Requirement(pair_in_hole=True)),
                ),
                games=("holdem",),
            ),
            "Four of a kind, or any higher hand, qualifies in Hold-em. For a royal flush or a "
            "straight flush two hole cards must play. For four of a kind two hole cards that are "
            "a pair must play.",
        ),
    ],
)
def test_19_5_the_notice_is_written_from_the_terms(terms, notice):
    assert terms.notice() == notice


def test_19_5_the_notice_writes_the_pot_in_the_currency_of_the_casino():
    terms = Qualifying(Weakest(Category.ROYAL_FLUSH), pot_min_minor=2000)
    assert "at least 2,000." in terms.notice(decimals=0)


@pytest.mark.parametrize(
    ("category", "ranks", "advice"),
    [
        (Category.ROYAL_FLUSH, "A", "compared by no ranks at most"),
        (Category.FULL_HOUSE, "ATK", "compared by two ranks at most"),
        (Category.FULL_HOUSE, "AA", "name each only once"),
        (Category.FULL_HOUSE, ["10"], '"10" is not a rank'),
        (Category.FULL_HOUSE, ["1"], "write one of 2 3"),
        (Category.FLUSH, "9K", "from the highest down"),
        (Category.TWO_PAIR, "TK", "from the highest down"),
        (Category.ONE_PAIR, "TQK", "from the highest down"),
        (Category.STRAIGHT, "4", "lowest straight is five high"),
        (Category.STRAIGHT_FLUSH, "A", "is a royal flush"),
    ],
)
def test_ranks_that_the_hand_cannot_have_are_refused(category, ranks, advice):
    with pytest.raises(TermsError, match=advice):
        Weakest(category, tuple(ranks))


@pytest.mark.parametrize(
    ("category", "ranks"),
    [
        (Category.STRAIGHT, "5"),
        (Category.STRAIGHT_FLUSH, "K"),
        (Category.FULL_HOUSE, "2A"),
        (Category.TWO_PAIR, "K2A"),
        (Category.ONE_PAIR, "2AKQ"),
        (Category.FLUSH, "AKQJ9"),
    ],
)
def test_ranks_on_the_edge_are_accepted(category, ranks):
    assert Weakest(category, tuple(ranks)).reached_by(HandValue(Category.ROYAL_FLUSH, ()))


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"weakest": None}, "must be an object"),
        ({"weakest": {"category": "flushes"}}, "category of the weakest hand must be royal_flush"),
        ({"weakest": {"category": ["royal_flush"]}}, "category of the weakest hand must be"),
        ({"weakest": {"category": "flush", "ranks": "A"}}, "must be a list of texts"),
        ({"weakest": {"category": "flush", "ranks": [14]}}, "must be a list of texts"),
        ({"weakest": {"category": "flush", "rank": "A"}}, 'no field "rank"'),
        ({"suit": "spades"}, "suit must be one of s, h, d or c"),
        ({"suit": ["s"]}, "suit must be one of"),
        ({"weakest": {"category": "full_house"}, "suit": "s"}, "full house is not of one suit"),
        ({"hole_cards_playing": 3}, "whole number from 0 to 2"),
        ({"hole_cards_playing": True}, "whole number from 0 to 2"),
        ({"hole_cards_playing": None}, "whole number from 0 to 2"),
        ({"pair_in_hole": "yes"}, "pair_in_hole must be true or false"),
        ({"showdown_needed": 1}, "showdown_needed must be true or false"),
        ({"players_dealt_min": 1}, "whole number from 2 to 10"),
        ({"players_dealt_min": 11}, "whole number from 2 to 10"),
        ({"pot_min_minor": 0}, "pot_min_minor must be a whole number"),
        ({"pot_min_minor": 20.5}, "pot_min_minor must be a whole number"),
        ({"games": []}, "at least one game"),
        ({"games": ["holdem", "holdem"]}, "each game only once"),
        ({"games": ["draw"]}, '"draw" carries no jackpot'),
        ({"games": "holdem"}, "must be a list of texts"),
        ({"games": [["holdem"]]}, "must be a list of texts"),
        ({"pot": 20}, 'no field "pot"'),
    ],
)
def test_terms_that_cannot_be_posted_are_refused_with_advice(change, advice):
    with pytest.raises(TermsError, match=advice):
        Qualifying.from_json(ROYAL.to_json() | change)


@pytest.mark.parametrize("data", [None, [], "royal_flush", 7, {}])
def test_what_is_not_terms_is_refused(data):
    with pytest.raises(TermsError):
        Qualifying.from_json(data)


@pytest.mark.parametrize(
    "edge",
    [
        {"players_dealt_min": 2},
        {"players_dealt_min": 10},
        {"pot_min_minor": 1},
        {"hole_cards_playing": 0},
        {"hole_cards_playing": 2},
        {"games": ["omaha"]},
    ],
)
def test_terms_on_the_edge_are_accepted(edge):
    assert Qualifying.from_json(ROYAL.to_json() | edge).to_json() == ROYAL.to_json() | edge


def test_what_is_left_out_has_its_default():
    assert Qualifying.from_json({"weakest": {"category": "royal_flush"}}) == ROYAL


@st.composite
def terms(draw):
    """Any terms that can be posted."""
    category = draw(st.sampled_from(Category))
    ranks = draw(
        st.just(())
        if category is Category.ROYAL_FLUSH
        else st.sampled_from([(rank,) for rank in RANKS[3:-1]])
    )
    suited = category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
    fields = {
        "suit": draw(st.sampled_from([None, *"shdc"])) if suited else None,
        "hole_cards_playing": draw(st.integers(0, 2)),
        "pair_in_hole": draw(st.booleans()),
        "players_dealt_min": draw(st.none() | st.integers(2, 10)),
        "pot_min_minor": draw(st.none() | st.integers(1, 10**12)),
        "games": tuple(draw(st.lists(st.sampled_from(JACKPOT_GAMES), min_size=1, unique=True))),
        "showdown_needed": draw(st.booleans()),
    }
    try:
        return Qualifying(Weakest(category, ranks), **fields)
    except TermsError:  # a pair in the hole of a flush
        reject()


@given(terms())
def test_terms_come_back_from_json_as_they_were(posted):
    assert Qualifying.from_json(json.loads(json.dumps(posted.to_json()))) == posted


@given(terms())
def test_every_term_stands_in_the_notice(posted):
    notice = posted.notice()
    assert notice.endswith(".")
    assert posted.weakest.category.label in notice.lower()
    assert all(GAMES[code].label in notice for code in posted.games)
    assert (" players must have been dealt in." in notice) == (posted.players_dealt_min is not None)
    assert ("The pot must be at least " in notice) == (posted.pot_min_minor is not None)
    assert (" hole card" in notice) == (posted.hole_cards_playing > 0 or posted.pair_in_hole)
    assert ("not on request" in notice) == posted.showdown_needed
    assert (" in that suit" in notice or " in spades" in notice) or posted.suit != "s"


@given(st.dictionaries(st.sampled_from([*ROYAL.to_json(), "other"]), json_values))
def test_any_json_is_terms_or_refused(change):
    try:
        read = Qualifying.from_json(ROYAL.to_json() | change)
    except TermsError:
        return
    assert Qualifying.from_json(read.to_json()) == read
