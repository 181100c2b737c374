"""The weakest hand that wins a tier and the strongest that does not, as they would be drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from rules.best import BestHand, best_hand, best_strength
from rules.cards import RANKS, SUITS, Card
from rules.decks import DECKS, Deck
from rules.games import GAMES, Game
from rules.hands import Category, describe
from rules.high_hand import HighHand
from rules.order import HandOrder, hand_order
from rules.phrases import Phrase
from rules.tally import LOWEST_RANK, RANKS_OF_ALL_DECKS
from rules.terms import Qualifying

SUITED = frozenset({Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})


_MOST_TRIES = 600
"""So many fillers are tried for each choice of five cards: enough for every pair of them in
Hold-em. In Omaha, with four, a hand that only rare fillers leave standing may be passed over."""


@dataclass(frozen=True, slots=True)
class Example:
    """A deal that shows what the terms mean.

    >>> from rules.weakest import Weakest
    >>> example = weakest_that_wins(Qualifying(Weakest(Category.STRAIGHT_FLUSH)))
    >>> example.label, example.shortfall
    ('straight flush, five high', None)
    """

    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    hand: BestHand
    shortfall: Phrase | None
    """What the hand lacks; None if it wins."""

    @property
    def label(self) -> Phrase:
        """The hand in words."""
        return describe(self.hand.value)

    @property
    def sentence(self) -> str:
        """The example as it is posted beside the notice."""
        hole, board = (" ".join(map(str, cards)) for cards in (self.hole, self.board))
        outcome = "wins" if self.shortfall is None else f"does not win: {self.shortfall}"
        return f"{hole} with {board} ({self.label}) {outcome}."


def weakest_that_wins(
    terms: Qualifying | HighHand, game: Game | None = None, deck: Deck | None = None
) -> Example | None:
    """Draw the lowest hand that wins; None if no hand of the game can win.

    Without game and deck they are the first that the terms post. Hold-em and its variations and
    Omaha.

    >>> from rules.weakest import Weakest
    >>> terms = Qualifying(Weakest(Category.FULL_HOUSE, ("A", "T")), hole_cards_playing=2)
    >>> weakest_that_wins(terms, GAMES["holdem"]).sentence
    'As Ah with Ad Ts Th 2s 3s (full house, aces full of tens) wins.'
    """
    game, deck = game or GAMES[terms.games[0]], deck or DECKS[terms.decks[0]]
    order = hand_order(deck)
    for strength in sorted(set(strengths(order))):
        if order.value(strength).reaches(*_threshold(terms)):
            for example in _deals(terms, game, order, strength):
                if example.shortfall is None:
                    return example
    return None


def strongest_that_does_not(
    terms: Qualifying | HighHand, game: Game | None = None, deck: Deck | None = None
) -> Example | None:
    """Draw the highest hand that does not win; None if every hand wins.

    >>> from rules.weakest import Weakest
    >>> terms = Qualifying(Weakest(Category.FULL_HOUSE, ("A", "T")))
    >>> strongest_that_does_not(terms, GAMES["holdem"]).label
    'full house, aces full of nines'
    """
    game, deck = game or GAMES[terms.games[0]], deck or DECKS[terms.decks[0]]
    order = hand_order(deck)
    only_the_value_counts = not (
        terms.asks_of_hole_cards or (isinstance(terms, Qualifying) and terms.suit is not None)
    )
    for strength in sorted(set(strengths(order)), reverse=True):
        if only_the_value_counts and order.value(strength).reaches(*_threshold(terms)):
            continue
        for example in _deals(terms, game, order, strength):
            if example.shortfall is not None:
                return example
    return None


def _threshold(terms: Qualifying | HighHand) -> tuple[Category, tuple[int, ...]]:
    """The lowest hand that the terms ask for."""
    weakest = terms.weakest if isinstance(terms, Qualifying) else terms.floor
    return weakest.category, weakest.values


def strengths(order: HandOrder) -> Iterator[int]:
    """Yield the strength of every different five-card hand of a deck, in no order.

    >>> len(set(strengths(hand_order(DECKS[52]))))
    7462
    """
    ranks = sorted(value - LOWEST_RANK for value in order.deck.rank_values)
    for run in combinations(ranks, 5):
        yield order.strength_of_suit(sum(1 << rank for rank in run))
        yield order.strength_of_counts(sum(1 << 3 * rank for rank in run))
    for sizes in ((4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1)):
        for chosen in product(ranks, repeat=len(sizes)):
            if len(set(chosen)) == len(chosen):
                counts = sum(n << 3 * rank for n, rank in zip(sizes, chosen, strict=True))
                yield order.strength_of_counts(counts)


def _deals(
    terms: Qualifying | HighHand, game: Game, order: HandOrder, strength: int
) -> Iterator[Example]:
    """Yield deals of the game whose best hand has this strength, the most hole cards first."""
    most = game.most_hole_cards_playing()
    fewest = most if game.hole_cards_exactly else 0
    for five in fives(order, strength):
        for playing in range(most, fewest - 1, -1):
            for held in combinations(five, playing):
                shared = tuple(card for card in five if card not in held)
                deal = _filled(game, order, strength, held, shared)
                if deal is not None:
                    hand = best_hand(game, *deal, order.deck)
                    yield Example(*deal, hand, terms.shortfall(hand))


def fives(order: HandOrder, strength: int) -> Iterator[tuple[Card, ...]]:
    """Yield five cards of this strength: in each suit for a flush, else in mixed suits.

    >>> order = hand_order(DECKS[52])
    >>> " ".join(map(str, next(fives(order, max(strengths(order))))))
    'As Ks Qs Js Ts'
    """
    needs = order.needs(strength)
    numbers = {rank: needs >> 3 * rank & 7 for rank in range(RANKS_OF_ALL_DECKS - 1, -1, -1)}
    ranks = [(RANKS[rank], number) for rank, number in numbers.items() if number]
    ranks.sort(key=lambda each: -each[1])
    if order.value(strength).category in SUITED:
        for suit in SUITS:
            yield tuple(Card(rank, suit) for rank, _ in ranks)
        return
    if len(ranks) == 5:
        yield tuple(Card(rank, suit) for (rank, _), suit in zip(ranks, "shdcs", strict=True))
        return
    yield tuple(Card(rank, suit) for rank, number in ranks for suit in SUITS[:number])


def _filled(
    game: Game,
    order: HandOrder,
    strength: int,
    held: Sequence[Card],
    shared: Sequence[Card],
) -> tuple[tuple[Card, ...], tuple[Card, ...]] | None:
    """Add cards that change nothing, until the player has his hole cards and the board is full."""
    hole, board = list(held), list(shared)
    spare = [card for card in order.deck.cards if card not in (*held, *shared)]
    spare.sort(key=lambda card: (card.rank_value, SUITS.index(card.suit)))
    fillers: list[Card] = []
    tries = iter(range(_MOST_TRIES))

    def fill(start: int) -> bool:
        if len(hole) + len(board) == game.hole_cards + game.community_cards:
            return best_strength(order, game, hole, board) == strength
        target, first = (hole, start) if len(hole) < game.hole_cards else (board, 0)
        offered = [card for card in spare[first:] if card not in fillers]
        offered.sort(key=lambda card: card.rank in {filler.rank for filler in fillers})
        for card in offered:
            if next(tries, None) is None:
                return False
            target.append(card)
            fillers.append(card)
            fits = best_strength(order, game, hole, board) <= strength
            if fits and fill(spare.index(card) + 1):
                return True
            fillers.pop()
            target.pop()
        return False

    return (tuple(hole), tuple(board)) if fill(0) else None
