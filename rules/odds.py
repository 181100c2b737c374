"""How likely a tier is to be won: exact, by counting every deal and sampling none.

All players stay to the end: five community cards are dealt. Terms about the number of players,
the pot and the flop are taken as met. Hold-em and Omaha only: in the Pineapples it depends on
what a player discards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm, prod

from rules.boards import BOARD_CARDS, SUITS, RankBoard, rank_boards, suit_boards
from rules.decks import FULL_DECK, Deck
from rules.games import Game
from rules.hands import Category
from rules.hole_graph import HoleGraph
from rules.omaha_pairs import holes_with_playing_pair
from rules.relation import Relation, SuitedHands
from rules.tally import RANKS_OF_ALL_DECKS
from rules.terms import Qualifying
from rules.weakest import Weakest

COUNTED_GAMES = ("holdem", "omaha")
"""The codes of the games whose odds can be counted."""


@dataclass(frozen=True, slots=True)
class TableOdds:
    """The chance that at least one player of a table qualifies: exact, or between bounds.

    >>> TableOdds(Fraction(1, 100), Fraction(1, 90)).is_exact
    False
    """

    least: Fraction
    most: Fraction

    @property
    def is_exact(self) -> bool:
        """The bounds meet: this is the chance itself."""
        return self.least == self.most


def odds_of_player(terms: Qualifying, game: Game, deck: Deck = FULL_DECK) -> Fraction:
    """The exact probability that a dealt player qualifies for a tier.

    Raises ValueError for a game other than Hold-em and Omaha, and for a game or a deck that the
    tier does not post.

    >>> from rules.games import GAMES
    >>> odds_of_player(Qualifying(Weakest(Category.ROYAL_FLUSH)), GAMES["holdem"])
    Fraction(1, 30940)
    """
    _require_counted(terms, game, deck)
    if game.hole_cards_exactly == 2:
        deals = comb(deck.size - BOARD_CARDS, 4)
        good = _omaha_deals(terms, game, deck)
    else:
        deals = comb(deck.size - BOARD_CARDS, 2)
        relation = Relation(terms, game, deck)
        good = sum(ways * graph.pairs for ways, graph in _classes(relation, deck))
    return Fraction(good, comb(deck.size, BOARD_CARDS) * deals * _suits_that_count(terms))


def odds_at_table(terms: Qualifying, game: Game, players: int, deck: Deck = FULL_DECK) -> TableOdds:
    """The probability that at least one of the players of a table qualifies for a tier.

    In Hold-em it is exact wherever the pairs that can be dealt together can be counted, board by
    board, and in Omaha for two players; elsewhere it lies between proven bounds, from how often
    one and how often two of the players qualify (see ``_bounds``). Raises ValueError as
    ``odds_of_player``, and for more players than rule 5.1 allows.

    >>> from rules.games import GAMES
    >>> royal = Qualifying(Weakest(Category.ROYAL_FLUSH), hole_cards_playing=2)
    >>> ten = odds_at_table(royal, GAMES["holdem"], 10)
    >>> ten.is_exact, ten.least == 10 * odds_of_player(royal, GAMES["holdem"])
    (True, True)
    """
    _require_counted(terms, game, deck)
    if not 1 <= players <= game.most_players(deck):
        raise ValueError(f"{game.label} has 1 to {game.most_players(deck)} players (5.1).")
    if players == 1 or (game.hole_cards_exactly == 2 and (terms.suit or terms.pair_in_hole)):
        chance = odds_of_player(terms, game, deck)
        return TableOdds(chance, min(players * chance, Fraction(1)))
    least = most = Fraction(0)
    for ways, graph in _classes(Relation(terms, game, deck), deck):
        if graph.edges:
            counted = _omaha_board if game.hole_cards_exactly == 2 else _holdem_board
            low, high = counted(graph, players, deck.size - BOARD_CARDS)
            least += ways * low
            most += ways * high
    boards = comb(deck.size, BOARD_CARDS) * _suits_that_count(terms)
    return TableOdds(least / boards, most / boards)


def _require_counted(terms: Qualifying, game: Game, deck: Deck) -> None:
    """Raise ValueError unless the odds can be counted and the tier can be won so."""
    if game.code not in COUNTED_GAMES:
        raise ValueError(f"The odds of {game.label} depend on how it is played: none are counted.")
    if game.code not in terms.games:
        raise ValueError(f"{game.label} is not among the posted games (19.5).")
    if game.hole_cards_exactly == 2 and any(
        terms.pair_in_hole or requirement.pair_in_hole or not requirement.kicker_counts
        for _, requirement in terms.by_category
    ):
        raise ValueError(
            f"The odds of {game.label} are not counted where a kind of hand asks for a pair in the"
            " hole, or counts no kicker."
        )
    if deck.size not in terms.decks:
        raise ValueError(f"The {deck.name} is not among the posted decks (19.5).")


def _suits_that_count(terms: Qualifying) -> int:
    """By how much a suit that is asked for divides the hands with a flush: all suits are alike."""
    return 1 if terms.suit is None else SUITS


def _omaha_deals(terms: Qualifying, game: Game, deck: Deck) -> int:
    """How many boards and Omaha hands qualify, in any suit."""
    if terms.pair_in_hole:
        if terms.suit is not None:
            return 0  # five cards of one suit hold no pair
        return holes_with_playing_pair(Relation(terms, game, deck), deck)

    # Two hole cards always play, so nothing else that is asked of a kind of hand matters here.
    def at_least(weakest: Weakest) -> int:
        relation = Relation(Qualifying(weakest), game, deck)
        return sum(ways * graph.fours for ways, graph in _classes(relation, deck))

    good = at_least(terms.weakest)
    if terms.suit is not None and terms.weakest.category is Category.FLUSH:
        above = Category.FOUR_OF_A_KIND if deck.is_short else Category.FULL_HOUSE
        good -= at_least(Weakest(above)) - at_least(Weakest(Category.STRAIGHT_FLUSH))
    return good


def _classes(relation: Relation, deck: Deck) -> Iterator[tuple[int, HoleGraph]]:
    """Yield the hole cards that are left by each class of boards, and the number of boards."""
    if relation.is_suited_only:
        ranks = len(deck.ranks)
        for of_suit, ways in suit_boards(deck):
            suited = relation.suited(of_suit)
            if suited:
                others = (SUITS - 1) * ranks - (BOARD_CARDS - of_suit.bit_count())
                yield ways, _suited_graph(relation, of_suit, suited, others)
        return
    for board in rank_boards(deck):
        unsuited = tuple(relation.unsuited(board.counts))
        left = [0] * RANKS_OF_ALL_DECKS
        for rank in relation.ranks:
            left[rank] = SUITS - board.by_rank[rank]
        plain_graph, plain = HoleGraph(left, unsuited), board.plain
        for of_suit, ways in board.suited:
            suited = relation.suited(of_suit)
            if suited or (unsuited and not relation.exactly_two):
                yield ways, _graph(relation, board, of_suit, suited, unsuited)
            else:
                plain += ways
        yield plain, plain_graph


def _suited_graph(relation: Relation, of_suit: int, suited: SuitedHands, others: int) -> HoleGraph:
    """Where only flushes qualify: a cell for each rank of the suit, and one for all others."""
    sizes = [0] * (RANKS_OF_ALL_DECKS + 1)
    for rank in relation.ranks:
        sizes[rank] = 1 - (of_suit >> rank & 1)
    sizes[-1] = others
    rest = RANKS_OF_ALL_DECKS
    edges = {*suited.both, *((rank, rest) for rank in suited.one)}
    return HoleGraph(sizes, edges | {(rest, rest)} if suited.none else edges)


def _graph(
    relation: Relation,
    board: RankBoard,
    of_suit: int,
    suited: SuitedHands,
    unsuited: tuple[tuple[int, int], ...],
) -> HoleGraph:
    """A cell for the others of each rank, and after them one for each rank of the suit."""
    sizes = [0] * (2 * RANKS_OF_ALL_DECKS)
    for rank in relation.ranks:
        free = 1 - (of_suit >> rank & 1)
        sizes[rank] = SUITS - board.by_rank[rank] - free
        sizes[RANKS_OF_ALL_DECKS + rank] = free
    # With so many cards of the suit a flush is made and its rank alone counts; in Omaha two
    # hands can be made of the same four cards, and the better one counts.
    from_suit = 2 if relation.exactly_two else 4 - of_suit.bit_count()
    edges = {
        (low + RANKS_OF_ALL_DECKS * low_suited, high + RANKS_OF_ALL_DECKS * high_suited)
        for low, high in unsuited
        for low_suited in (0, 1)
        for high_suited in (0, 1)
        if low_suited + high_suited <= from_suit
    }
    edges.update((RANKS_OF_ALL_DECKS + low, RANKS_OF_ALL_DECKS + high) for low, high in suited.both)
    for rank in suited.one:
        edges.update((other, RANKS_OF_ALL_DECKS + rank) for other in relation.ranks)
    if suited.none:
        edges.update((one, other) for one in relation.ranks for other in relation.ranks)
    return HoleGraph(sizes, edges)


def _holdem_board(graph: HoleGraph, players: int, cards: int) -> tuple[Fraction, Fraction]:
    """The chance, on one board, that at least one of several Hold-em players qualifies.

    By inclusion and exclusion over the players who do: each set of disjoint pairs is dealt to
    j players with the same chance.
    """
    if graph.pairs == comb(cards, 2):
        return Fraction(1), Fraction(1)
    deals = [prod(comb(cards - 2 * n, 2) for n in range(j)) for j in range(players + 1)]
    ways = graph.matchings(players)
    if ways is not None:
        chance = Fraction(0)
        for j in range(1, players + 1):
            chance -= Fraction((-1) ** j * ways[j] * perm(players, j), deals[j])
        return chance, chance
    one = Fraction(graph.pairs * players, deals[1])
    return _bounds(players, one, Fraction(graph.two_pairs * perm(players, 2), deals[2]))


def _omaha_board(graph: HoleGraph, players: int, cards: int) -> tuple[Fraction, Fraction]:
    """Bounds, on one board, of the chance that at least one of several Omaha players qualifies.

    How often one and how often two of them do is counted. Where no two pairs that qualify can be
    dealt together nobody can be second, and the chances of the players simply add up.
    """
    hands = comb(cards, 4)
    sum_one = Fraction(players * graph.fours, hands)
    if not graph.two_pairs:
        return sum_one, sum_one
    if graph.fours == hands:
        return Fraction(1), Fraction(1)
    both = Fraction(graph.two_fours, hands * comb(cards - 4, 4))
    return _bounds(players, sum_one, comb(players, 2) * both)


def _bounds(players: int, one: Fraction, both: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of the chance of at least one of several events.

    ``one`` is the sum of their chances, ``both`` that of all pairs of them. The lower bound is
    Dawson's and Sankoff's (1967), the upper one Kwerel's (1975): no better ones follow from
    the two sums.
    """
    most_likely = 1 + int(2 * both / one)
    low = Fraction(2, most_likely + 1) * one - Fraction(2, most_likely * (most_likely + 1)) * both
    high = min(one - Fraction(2, players) * both, Fraction(1))
    return low, high
