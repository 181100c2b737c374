"""The odds of a tier against what is counted by hand, and against all deals of a small deck."""

import copy
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.best import best_hand
from rules.boards import rank_boards, suit_boards
from rules.cards import SUITS
from rules.decks import DECKS, Deck
from rules.games import GAMES
from rules.hands import Category
from rules.hole_graph import HoleGraph
from rules.known_odds import ODDS
from rules.odds import _bounds, _holdem_board, odds_at_table, odds_of_player
from rules.odds_lookup import key_of, odds
from rules.order import hand_order
from rules.phrases import Phrase
from rules.requirements import Requirement
from rules.terms import Qualifying, Weakest
from tests.support.play.rules.hand_counts import seven_card_counts

ALL_DECKS = (52, 40, 36, 32)
HOLDEM, OMAHA = GAMES["holdem"], GAMES["omaha"]

SMALL = Deck(Phrase("deck from nine up"), "AKQJT9")
"""24 cards: its 42,504 boards, alike ones looked at once, can be tried with every hand."""

SMALLER = Deck(Phrase("deck from ten up"), "AKQJT")
"""20 cards: the same for Omaha."""


def tier(category, ranks="", **terms):
    """Terms for any deck."""
    return Qualifying(Weakest(category, tuple(ranks)), decks=ALL_DECKS, **terms)


@pytest.mark.parametrize("size", ALL_DECKS)
def test_every_board_is_in_one_class(size):
    deck = DECKS[size]
    classes = list(rank_boards(deck))
    assert sum(c.plain + sum(n for _, n in c.suited) for c in classes) == comb(size, 5)
    by_suit: Counter[int] = Counter()
    for each in classes:
        by_suit.update(dict(each.suited))
    assert by_suit == dict(suit_boards(deck))


@pytest.mark.parametrize("size", ALL_DECKS)
def test_hold_em_odds_of_every_category_are_those_of_seven_cards(size):
    counts = seven_card_counts(size // 4)
    order = list(Category)
    if size != 52:  # 9.3: a flush beats a full house
        order[5], order[6] = order[6], order[5]
    for place, category in enumerate(order):
        if size == 52 and category < Category.FULL_HOUSE:
            continue  # the longest to count; the other decks show them
        at_least = sum(counts[each] for each in order[place:])
        odds = odds_of_player(tier(category), HOLDEM, DECKS[size])
        assert odds == Fraction(at_least, comb(size, 7)), category


def test_royal_flushes_are_counted_by_hand():
    both, full = Qualifying(Weakest(Category.ROYAL_FLUSH), hole_cards_playing=2), DECKS[52]
    # Two of the five in the hand and three on the board, with any two others of 47.
    deals = comb(52, 2) * comb(50, 5)
    assert odds_of_player(both, HOLDEM, full) == Fraction(4 * comb(5, 2) * comb(47, 2), deals)
    in_spades = tier(Category.ROYAL_FLUSH, suit="s")
    assert odds_of_player(in_spades, HOLDEM) == Fraction(comb(47, 2), comb(52, 7))
    # Omaha: two of four in the hand, three of five on the board, not one more or less.
    good = 4 * comb(5, 2) * comb(47, 2) * comb(45, 2)
    deals = comb(52, 4) * comb(48, 5)
    assert odds_of_player(tier(Category.ROYAL_FLUSH), OMAHA) == Fraction(good, deals)


def canonical_boards(deck):
    """Every board once up to a change of suits, with how many there are."""
    counts: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for cards in combinations(deck.cards, 5):
        ranks = (tuple(sorted(c.rank_value for c in cards if c.suit == suit)) for suit in SUITS)
        counts[tuple(sorted(ranks))] += 1
    by_written = {(card.rank_value, card.suit): card for card in deck.cards}
    for by_suit, number in counts.items():
        suited = zip(SUITS, by_suit, strict=True)
        yield tuple(by_written[rank, suit] for suit, held in suited for rank in held), number


@cache
def small_boards():
    return list(canonical_boards(SMALL))


TIERS = [
    tier(Category.ROYAL_FLUSH, hole_cards_playing=1),
    tier(Category.STRAIGHT_FLUSH, hole_cards_playing=2),
    tier(Category.FOUR_OF_A_KIND, "Q", pair_in_hole=True),
    tier(Category.FLUSH, hole_cards_playing=2),
    tier(Category.FULL_HOUSE, "JA", hole_cards_playing=2),
    tier(Category.THREE_OF_A_KIND, "K", hole_cards_playing=2),
    tier(
        Category.FULL_HOUSE,
        by_category=(
            (Category.STRAIGHT_FLUSH, Requirement(2)),
            (Category.FOUR_OF_A_KIND, Requirement(pair_in_hole=True)),
            (Category.FULL_HOUSE, Requirement(1)),
        ),
    ),
    tier(
        Category.THREE_OF_A_KIND,
        hole_cards_playing=1,
        by_category=(
            (Category.FOUR_OF_A_KIND, Requirement(2, kicker_counts=False)),
            (Category.THREE_OF_A_KIND, Requirement(1, kicker_counts=False)),
        ),
    ),
]


OMAHA_TIERS = [
    tier(Category.ROYAL_FLUSH, suit="d"),
    tier(Category.FLUSH, suit="h"),
    tier(Category.STRAIGHT),
    tier(Category.FULL_HOUSE, "K"),
    tier(Category.FOUR_OF_A_KIND, pair_in_hole=True),
    tier(Category.THREE_OF_A_KIND, "QA", pair_in_hole=True),
    tier(Category.FOUR_OF_A_KIND, "J", hole_cards_playing=2),
    tier(Category.FULL_HOUSE, by_category=((Category.STRAIGHT_FLUSH, Requirement(2)),)),
]


@pytest.mark.slow
def test_hold_em_odds_are_those_of_every_deal_of_a_small_deck():
    good = [0] * len(TIERS)
    for board, number in small_boards():
        left = [card for card in SMALL.cards if card not in board]
        for hole in combinations(left, 2):
            hand = best_hand(HOLDEM, hole, board, SMALL)
            for place, terms in enumerate(TIERS):
                if terms.shortfall(hand) is None:
                    good[place] += number
    deals = comb(24, 5) * comb(19, 2)
    for place, terms in enumerate(TIERS):
        counted = odds_of_player(any_deck(terms), HOLDEM, SMALL)
        assert counted == Fraction(good[place], deals), terms.notice()


@pytest.mark.slow
def test_omaha_odds_are_those_of_every_deal_of_a_smaller_deck():
    good = [0] * len(OMAHA_TIERS)
    rng = random.Random(17)
    for board, number in canonical_boards(SMALLER):
        left = [card for card in SMALLER.cards if card not in board]
        threes = list(combinations(board, 3))
        order = hand_order(SMALLER)
        strengths = {
            pair: max(order.strength_of(pair + three) for three in threes)
            for pair in combinations(sorted(left, reverse=True), 2)
        }
        best_pairs = (
            max(combinations(hole, 2), key=lambda pair: (strengths[pair], pair))
            for hole in combinations(sorted(left, reverse=True), 4)
        )
        for (pair, strength), count in Counter((p, strengths[p]) for p in best_pairs).items():
            for place, terms in enumerate(OMAHA_TIERS):
                if qualifies(terms, order.value(strength), pair):
                    good[place] += count * number
        hole = rng.sample(left, 4)
        pair = max(
            combinations(sorted(hole, reverse=True), 2), key=lambda pair: (strengths[pair], pair)
        )
        assert best_hand(OMAHA, hole, board, SMALLER).hole_used == pair
    deals = comb(20, 5) * comb(15, 4)
    for place, terms in enumerate(OMAHA_TIERS):
        suits = 4 if terms.suit else 1
        counted = odds_of_player(any_deck(terms), OMAHA, SMALLER)
        assert counted == Fraction(good[place], deals * suits), terms.notice()


def qualifies(terms, value, pair):
    """Whether an Omaha hand with this pair of hole cards is asked for, in whatever suit."""
    if not terms.weakest.reached_by(value):
        return False
    if terms.suit is not None:
        return value.category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
    return not terms.pair_in_hole or pair[0].rank == pair[1].rank


def any_deck(terms):
    """Terms that a deck outside the rule book may be asked about."""
    changed = copy.copy(terms)
    object.__setattr__(changed, "decks", (SMALL.size, SMALLER.size))
    return changed


graphs = st.integers(1, 4).flatmap(
    lambda cells: st.tuples(
        st.lists(st.integers(0, 3), min_size=cells, max_size=cells),
        st.sets(st.tuples(st.integers(0, cells - 1), st.integers(0, cells - 1))),
    )
)


@given(graphs)
def test_pairs_fours_and_matchings_are_those_of_every_choice_of_cards(links):
    sizes, edges = links
    graph = HoleGraph(sizes, edges)
    cards = [(cell, card) for cell, size in enumerate(sizes) for card in range(size)]

    def joined(one, other):
        return (one[0], other[0]) in edges or (other[0], one[0]) in edges

    pairs = [pair for pair in combinations(cards, 2) if joined(*pair)]
    fours = [
        four
        for four in combinations(cards, 4)
        if any(joined(*pair) for pair in combinations(four, 2))
    ]
    together = [
        sum(len({c for pair in chosen for c in pair}) == 2 * n for chosen in combinations(pairs, n))
        for n in range(3)
    ]
    assert graph.pairs == len(pairs)
    assert graph.fours == len(fours)
    assert graph.matchings(2) == tuple(together)
    assert graph.two_pairs == together[2]
    if len(cards) >= 8:
        assert graph.two_fours == sum(not {*one} & {*other} for one in fours for other in fours)


@pytest.mark.parametrize("terms", TIERS[:5], ids=lambda terms: terms.notice()[:30])
def test_two_players_at_a_small_table_are_those_of_every_deal(terms):
    rng = random.Random(5)
    for board, _ in rng.sample(small_boards(), 3):
        left = [card for card in SMALL.cards if card not in board]
        good = {
            hole
            for hole in combinations(left, 2)
            if terms.shortfall(best_hand(HOLDEM, hole, board, SMALL)) is None
        }
        both = sum(
            first in good or second in good
            for first in combinations(left, 2)
            for second in combinations([card for card in left if card not in first], 2)
        )
        graph = HoleGraph([1] * 19, {(left.index(one), left.index(other)) for one, other in good})
        least, most = _holdem_board(graph, 2, 19)
        assert least == most == Fraction(both, comb(19, 2) * comb(17, 2))


@pytest.mark.parametrize("players", [1, 2, 5, 10])
def test_of_a_royal_flush_with_both_hole_cards_one_player_excludes_the_others(players):
    terms = tier(Category.ROYAL_FLUSH, hole_cards_playing=2)
    for game in (HOLDEM, OMAHA):
        table = odds_at_table(terms, game, players)
        assert table.is_exact
        assert table.least == players * odds_of_player(terms, game)


def test_a_table_is_exact_where_boards_can_be_counted_and_bounded_where_not():
    exact = odds_at_table(tier(Category.FOUR_OF_A_KIND), HOLDEM, 6, DECKS[32])
    one = odds_of_player(tier(Category.FOUR_OF_A_KIND), HOLDEM, DECKS[32])
    assert exact.is_exact
    assert one < exact.least < 6 * one
    bounded = odds_at_table(tier(Category.FULL_HOUSE), OMAHA, 6, DECKS[32])
    one = odds_of_player(tier(Category.FULL_HOUSE), OMAHA, DECKS[32])
    assert not bounded.is_exact
    assert one <= bounded.least < bounded.most <= min(Fraction(1), 6 * one)
    assert bounded.most - bounded.least < Fraction(9, 100)  # 0.72 to 0.81
    two = odds_at_table(tier(Category.FULL_HOUSE), OMAHA, 2, DECKS[32])
    assert two.is_exact
    assert one < two.least < 2 * one


@pytest.mark.parametrize(
    ("one", "both", "players"),
    [(Fraction(3, 10), Fraction(1, 50), 4), (Fraction(3), Fraction(4), 5)],
)
def test_bounds_of_two_sums_hold_between_them(one, both, players):
    low, high = _bounds(players, one, both)
    assert max(Fraction(0), one - both) <= low <= high <= 1


@pytest.mark.parametrize("players", [0, 11])
def test_5_1_a_table_has_no_more_players_than_the_rules_allow(players):
    with pytest.raises(ValueError, match=r"1 to 10 players \(5\.1\)"):
        odds_at_table(tier(Category.ROYAL_FLUSH), HOLDEM, players)


def test_19_5_odds_of_what_is_not_posted_or_not_counted_are_refused():
    with pytest.raises(ValueError, match="depend on how it is played"):
        odds_of_player(tier(Category.ROYAL_FLUSH), GAMES["pineapple"])
    with pytest.raises(ValueError, match="not among the posted games"):
        odds_of_player(tier(Category.ROYAL_FLUSH, games=("holdem",)), OMAHA)
    pairs = tier(
        Category.FULL_HOUSE,
        by_category=((Category.FOUR_OF_A_KIND, Requirement(pair_in_hole=True)),),
    )
    with pytest.raises(ValueError, match="are not counted where a kind of hand asks for a pair"):
        odds_of_player(pairs, OMAHA)
    with pytest.raises(ValueError, match="not among the posted decks"):
        odds_of_player(Qualifying(Weakest(Category.ROYAL_FLUSH)), HOLDEM, DECKS[32])


def test_the_odds_that_are_shipped_are_those_that_are_counted():
    counted = 0
    for (code, size, category, ranks, suit, playing, pair), shipped in ODDS.items():
        if size > 32 and not (category == "ROYAL_FLUSH" and code == "holdem"):
            continue
        terms = tier(
            Category[category],
            ranks,
            suit=suit or None,
            hole_cards_playing=playing,
            pair_in_hole=pair,
        )
        assert key_of(terms, GAMES[code], DECKS[size]) in ODDS
        assert odds_of_player(terms, GAMES[code], DECKS[size]) == Fraction(*shipped)
        assert odds(terms, GAMES[code], DECKS[size]) == Fraction(*shipped)
        counted += 1
    assert counted >= 44


def test_of_terms_by_kind_of_hand_no_others_are_shipped():
    terms = tier(Category.FULL_HOUSE, by_category=((Category.STRAIGHT_FLUSH, Requirement(2)),))
    assert key_of(terms, HOLDEM, DECKS[32]) is None
    assert odds(terms, HOLDEM, DECKS[32]) == odds_of_player(terms, HOLDEM, DECKS[32])
    assert odds(terms, HOLDEM, DECKS[32]) < odds(tier(Category.FULL_HOUSE), HOLDEM, DECKS[32])


def test_odds_that_are_not_shipped_are_counted():
    terms = tier(Category.STRAIGHT_FLUSH, "9", hole_cards_playing=1)
    assert key_of(terms, HOLDEM, DECKS[32]) not in ODDS
    assert odds(terms, HOLDEM, DECKS[32]) == odds_of_player(terms, HOLDEM, DECKS[32])
