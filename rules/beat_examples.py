"""The weakest bad beat that wins and the strongest that does not, as they would be drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from rules.bad_beat import BadBeat, ShownHand, settle
from rules.best import BestHand, best_hand, best_strength
from rules.cards import RANKS, SUITS, Card
from rules.decks import DECKS, Deck
from rules.examples import SUITED, fives, strengths
from rules.games import GAMES, Game
from rules.hands import describe
from rules.order import HandOrder, hand_order
from rules.phrases import Phrase

_LOSER, _BEATER = 1, 2
_PLAYING = 2
"""Two hole cards of either play: no other way leaves the board more room for both."""
_MOST_PAIRS = 100_000
"""So many ways to share a board between two hands are looked at before none is drawn."""
_MOST_TRIES = 300


@dataclass(frozen=True, slots=True)
class BeatExample:
    """Two hands on one board that show what the terms of a bad beat mean.

    >>> from rules.hands import Category
    >>> from rules.weakest import Weakest
    >>> quads = Weakest(Category.FOUR_OF_A_KIND)
    >>> example = weakest_beat_that_wins(BadBeat(Weakest(Category.FULL_HOUSE), quads))
    >>> describe(example.beater.value), example.shortfall
    ('four of a kind, twos', None)
    """

    hole: tuple[Card, ...]
    """The hole cards of the hand that is beaten."""
    beaten_by: tuple[Card, ...]
    """The hole cards of the hand that beats it."""
    board: tuple[Card, ...]
    hand: BestHand
    beater: BestHand
    shortfall: Phrase | None
    """What the beaten hand lacks; None if it wins."""

    @property
    def sentence(self) -> str:
        """The example as it is posted beside the notice."""
        hole, other, board = (
            " ".join(map(str, cards)) for cards in (self.hole, self.beaten_by, self.board)
        )
        outcome = "wins" if self.shortfall is None else f"does not win: {self.shortfall}"
        return (
            f"{hole} with {board} ({describe(self.hand.value)}),"
            f" beaten by {other} ({describe(self.beater.value)}), {outcome}."
        )


def weakest_beat_that_wins(
    terms: BadBeat, game: Game | None = None, deck: Deck | None = None
) -> BeatExample | None:
    """Draw the lowest beaten hand that wins, and the lowest hand that beats it as asked for.

    None where none was found, and where several hands must be beaten. Without game and deck they
    are the first that the terms post. Hold-em and its variations and Omaha.

    >>> from rules.hands import Category
    >>> from rules.weakest import Weakest
    >>> quads = Weakest(Category.FOUR_OF_A_KIND)
    >>> weakest_beat_that_wins(BadBeat(Weakest(Category.FULL_HOUSE, ("A", "J")), quads)).sentence
    'Ah Ad with As Js Jh 2d 2c (full house, aces full of jacks), beaten by 2s 2h (four of a kind, \
twos), wins.'
    """
    return _example(terms, game, deck, winning=True)


def strongest_beat_that_does_not(
    terms: BadBeat, game: Game | None = None, deck: Deck | None = None
) -> BeatExample | None:
    """Draw the highest hand that is too low to win, though it was beaten as asked for.

    >>> from rules.hands import Category
    >>> from rules.weakest import Weakest
    >>> quads = Weakest(Category.FOUR_OF_A_KIND)
    >>> terms = BadBeat(Weakest(Category.FULL_HOUSE, ("A", "J")), quads)
    >>> strongest_beat_that_does_not(terms).shortfall
    'the lowest losing hand is full house, aces full of jacks'
    """
    return _example(terms, game, deck, winning=False)


def _example(
    terms: BadBeat, game: Game | None, deck: Deck | None, *, winning: bool
) -> BeatExample | None:
    if terms.losers_min > 1:
        return None
    game, deck = game or GAMES[terms.games[0]], deck or DECKS[terms.decks[0]]
    order = hand_order(deck)
    rising = sorted(set(strengths(order)))
    enough = [each for each in rising if terms.losing.reached_by(order.value(each))]
    beating = [each for each in rising if terms.beaten_by.reached_by(order.value(each))]
    losing = enough if winning else sorted(set(rising) - set(enough), reverse=True)
    pairs = iter(range(_MOST_PAIRS))
    for lower in losing:
        for higher in beating:
            if higher <= lower:
                continue
            for hole, other, board in _deals(game, order, lower, higher, pairs):
                hand, beater = (best_hand(game, cards, board, deck) for cards in (hole, other))
                outcome = settle(terms, [ShownHand(_LOSER, hand), ShownHand(_BEATER, beater)])
                if winning == (_LOSER in outcome.losers):
                    lacking = outcome.shortfalls.get(_LOSER)
                    return BeatExample(hole, other, board, hand, beater, lacking)
            if next(pairs, None) is None:
                return None
    return None


Deal = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]


def _deals(
    game: Game, order: HandOrder, losing: int, beating: int, pairs: Iterator[int]
) -> Iterator[Deal]:
    """Yield deals (one player's cards, the other's, the board) with these two best hands."""
    for five in fives(order, losing):
        for theirs in _in_all_suits(order, beating):
            for held in combinations(five, _PLAYING):
                if set(held) & set(theirs):
                    continue
                for other in combinations(theirs, _PLAYING):
                    if next(pairs, None) is None:
                        return
                    shared = [card for card in five if card not in held]
                    shared += [c for c in theirs if c not in other and c not in shared]
                    if set(other) & set(five) or len(shared) > game.community_cards:
                        continue
                    deal = _filled(game, order, (held, losing), (other, beating), shared)
                    if deal is not None:
                        yield deal


def _in_all_suits(order: HandOrder, strength: int) -> Iterator[tuple[Card, ...]]:
    """Yield every five cards of this strength."""
    needs = order.needs(strength)
    numbers = [(rank, needs >> 3 * place & 7) for place, rank in enumerate(RANKS)]
    ranks = [(rank, number) for rank, number in reversed(numbers) if number]
    if order.value(strength).category in SUITED:
        for suit in SUITS:
            yield tuple(Card(rank, suit) for rank, _ in ranks)
        return
    for suits in product(*(combinations(SUITS, number) for _, number in ranks)):
        if len(ranks) == 5 and len(set(suits)) == 1:
            continue  # that is a flush
        yield tuple(
            Card(rank, suit) for (rank, _), each in zip(ranks, suits, strict=True) for suit in each
        )


def _filled(
    game: Game,
    order: HandOrder,
    mine: tuple[Sequence[Card], int],
    theirs: tuple[Sequence[Card], int],
    shared: Sequence[Card],
) -> Deal | None:
    """Add cards that make neither hand better, until board and hole cards are full."""
    hole, other, board = list(mine[0]), list(theirs[0]), list(shared)
    hands = ((hole, mine[1]), (other, theirs[1]))
    used = {*hole, *other, *board}
    spare = [card for card in order.deck.cards if card not in used]
    spare.sort(key=lambda card: (card.rank_value, SUITS.index(card.suit)))
    tries = iter(range(_MOST_TRIES))

    def fill() -> bool:
        places = ((board, game.community_cards), *((each, game.hole_cards) for each, _ in hands))
        target = next((cards for cards, size in places if len(cards) < size), None)
        best = [best_strength(order, game, cards, board) for cards, _ in hands]
        if any(value > limit for value, (_, limit) in zip(best, hands, strict=True)):
            return False
        if target is None:
            return all(value == limit for value, (_, limit) in zip(best, hands, strict=True))
        for card in spare:
            if card in used:
                continue
            if next(tries, None) is None:
                return False
            target.append(card)
            used.add(card)
            if fill():
                return True
            target.pop()
            used.remove(card)
        return False

    return (tuple(hole), tuple(other), tuple(board)) if fill() else None
