"""The best hand that a player can make by the rules of his game."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from operator import attrgetter

from rules.cards import Card
from rules.decks import DECKS, FULL_DECK, Deck
from rules.games import Game
from rules.hands import HandValue
from rules.order import HandOrder, hand_order
from rules.phrases import Phrase
from rules.tally import (
    CARD_SHIFT,
    FLUSH_SHIFTS,
    RANK_SET,
    SUIT_BITS,
    SUIT_COUNTS,
    are_different,
    rank_count,
)

_PLACE = attrgetter("place")


class BestHand:
    """The best five cards of a player, and which of them came from his hole cards.

    The value is known at once; which cards make it is worked out when it is first asked for.
    Two are equal when value and cards are. Made by ``best_hand``; nothing in it changes.

    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> board = parse_cards("As Ah Ts 9d 2c")
    >>> better, worse = (
    ...     best_hand(GAMES["holdem"], parse_cards(hole), board) for hole in ("Ad Th", "Ad 9h")
    ... )
    >>> better.value > worse.value, better.strength > worse.strength
    (True, True)
    >>> " ".join(map(str, worse.cards))
    'As Ah Ad 9h 9d'
    """

    __slots__ = ("_board", "_chosen", "_game", "_hole", "_order", "_strength")

    def __init__(
        self,
        strength: int,
        game: Game,
        order: HandOrder,
        hole: tuple[Card, ...],
        board: tuple[Card, ...],
    ) -> None:
        """Remember the cards that were ranked."""
        self._strength = strength
        self._game = game
        self._order = order
        self._hole = hole
        self._board = board
        self._chosen: tuple[tuple[Card, ...], tuple[Card, ...]] | None = None

    @property
    def strength(self) -> int:
        """The value as a number, higher for the higher hand of the same deck."""
        return self._strength

    @property
    def value(self) -> HandValue:
        """What the hand is worth."""
        return self._order.value(self._strength)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The five that count, from the highest down."""
        hole_used, board_used = self._choice()
        return tuple(sorted(hole_used + board_used, key=_PLACE, reverse=True))

    @property
    def hole_used(self) -> tuple[Card, ...]:
        """Those of the five that are hole cards, from the highest down."""
        return self._choice()[0]

    def __eq__(self, other: object) -> bool:
        """Say whether the other hand is worth the same with the same cards."""
        if not isinstance(other, BestHand):
            return NotImplemented
        mine = (self.value, self.cards, self.hole_used)
        return mine == (other.value, other.cards, other.hole_used)

    def __hash__(self) -> int:
        """A number that is the same for equal hands."""
        return hash((self.value, self.cards))

    def __repr__(self) -> str:
        """Show the value and the cards."""
        five, used = (" ".join(map(str, cards)) for cards in (self.cards, self.hole_used))
        return f"BestHand({self.value!r}, cards='{five}', hole_used='{used}')"

    def _choice(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """The hole cards and the community cards that make the hand."""
        if self._chosen is None:
            hole, board = (
                sorted(cards, key=_PLACE, reverse=True) for cards in (self._hole, self._board)
            )
            if _may_play_freely(self._game, len(hole)):
                self._chosen = _needs_of(self._order, self._strength, hole, board)
            else:
                self._chosen = next(
                    (hole_cards, board_cards)
                    for hole_cards, board_cards in _choices(self._game, hole, board)
                    if self._order.strength_of(hole_cards + board_cards) == self._strength
                )
        return self._chosen


def best_hand(
    game: Game, hole: Sequence[Card], board: Sequence[Card], deck: Deck = FULL_DECK
) -> BestHand:
    """Find the highest hand that the rules of the game let a player make.

    Hold-em, Pineapple and Crazy Pineapple: any five of hole and community cards, but never
    three hole cards (16.5(d), 19.16); Omaha: exactly two hole cards (17.5(d)); Manila: exactly
    two (14.4(d), 15.4(d)); Draw and the studs: any five of the player's own, with the community
    card that stands for everybody's last (11.4(c), 12.4, 13.4). Where there are community cards
    the board has three to five.

    Of several choices of the same value the one with the most hole cards is returned, then the
    one with the highest of them, so that the order in which cards were reported never matters:
    whether "both hole cards play" asks whether the value can be made with both. Raises
    ValueError for more or fewer cards than the game can have, for cards that occur twice, and
    for cards that the deck has not.

    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> best = best_hand(GAMES["holdem"], parse_cards("Js Ts"), parse_cards("As Ks Qs 2d 2c"))
    >>> [str(card) for card in best.hole_used]
    ['Js', 'Ts']
    """
    tally = 0
    for card in hole:
        tally += card.tally
    for card in board:
        tally += card.tally
    shape = len(hole), len(board)
    order, absent = _TABLES[deck.ranks, game.ace_high_only]
    if (
        shape not in game.shapes
        or (tally >> CARD_SHIFT).bit_count() != shape[0] + shape[1]
        or tally & absent
    ):
        raise ValueError(_why_not(game, hole, board, deck))
    if _may_play_freely(game, shape[0]):
        strength = order.strength(tally)
    else:
        strength = best_strength(order, game, hole, board)
    return BestHand(strength, game, order, tuple(hole), tuple(board))


def best_strength(order: HandOrder, game: Game, hole: Sequence[Card], board: Sequence[Card]) -> int:
    """The strength of the best choice that the game allows of these cards, taken as they are.

    There may be fewer than the game deals: more of them never make it lower. 0 when there are
    too few for a hand.

    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> from rules.order import FULL_ORDER
    >>> five, six = parse_cards("As Ah Ad"), parse_cards("As Ah Ad Kd")
    >>> pair = parse_cards("Kc Ks")
    >>> [best_strength(FULL_ORDER, GAMES["holdem"], pair, board) for board in (five[:2], five)] < [
    ...     best_strength(FULL_ORDER, GAMES["holdem"], pair, board) for board in (five, six)
    ... ]
    True
    """
    if _may_play_freely(game, len(hole)) and len(hole) + len(board) >= 5:
        return order.strength(sum(card.tally for card in (*hole, *board)))
    most = game.most_hole_cards_playing()
    fewest = most if game.hole_cards_exactly else max(5 - len(board), 0)
    hole_tallies, board_tallies = ([card.tally for card in cards] for cards in (hole, board))
    return max(
        (
            order.strength(held + shared)
            for playing in range(most, fewest - 1, -1)
            for held in map(sum, combinations(hole_tallies, playing))
            for shared in map(sum, combinations(board_tallies, 5 - playing))
        ),
        default=0,
    )


def _may_play_freely(game: Game, hole_cards: int) -> bool:
    """Say whether any five of a player's cards may be his hand."""
    return game.hole_cards_exactly is None and (hole_cards == 2 or not game.community_cards)


def _needs_of(
    order: HandOrder, strength: int, hole: Iterable[Card], board: Iterable[Card]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Take what the hand needs, hole cards before community cards and higher before lower."""
    cards = [*hole, *board]
    shift = FLUSH_SHIFTS[sum(card.tally for card in cards) & SUIT_COUNTS]
    suited = RANK_SET << shift if shift else -1
    needed = order.needs(strength)

    def take(offered: Iterable[Card]) -> Iterable[Card]:
        nonlocal needed
        for card in offered:
            one = rank_count(card.rank_value)
            if card.tally & suited and needed // one & 7:
                needed -= one
                yield card

    return tuple(take(hole)), tuple(take(board))


def _choices(
    game: Game, hole: Sequence[Card], board: Sequence[Card]
) -> Iterable[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Every choice of hole and community cards that the game allows, the most hole cards first."""
    most = game.most_hole_cards_playing()
    fewest = most if game.hole_cards_exactly else max(5 - len(board), 0)
    for playing in range(most, fewest - 1, -1):
        for hole_cards in combinations(hole, playing):
            for board_cards in combinations(board, 5 - playing):
                yield hole_cards, board_cards


def _why_not(game: Game, hole: Sequence[Card], board: Sequence[Card], deck: Deck) -> str:
    """Say why these cannot be cards of the game."""
    cards = [*hole, *board]
    if (len(hole), len(board)) not in game.shapes:
        return f"A {game.label} hand cannot have {len(hole)} hole and {len(board)} community cards."
    if not are_different(sum(card.tally for card in cards), len(cards)):
        return "A card occurs twice."
    return f"A card is not in the {deck.name} (4.1)."


class _Tables(dict[tuple[str, bool], tuple[HandOrder, int]]):
    """By the ranks of a deck and whether its ace is high only: the order of hands, and the rank
    counts that must all be zero because the deck has no such ranks."""

    def __missing__(self, key: tuple[str, bool]) -> tuple[HandOrder, int]:
        """Make them for a deck that is played with for the first time."""
        deck = Deck(Phrase("deck of %(ranks)s", ranks=key[0]), key[0])
        missing = set(FULL_DECK.rank_values).difference(deck.rank_values)
        absent = sum(7 * rank_count(rank) for rank in missing) << SUIT_BITS
        posted_deck = next((each for each in DECKS.values() if each.ranks == key[0]), deck)
        self[key] = hand_order(posted_deck, ace_high_only=key[1]), absent
        return self[key]


_TABLES = _Tables()
