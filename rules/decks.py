"""The decks that poker is played with (rule 4.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.cards import RANKS, SUITS, Card
from rules.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of cards: the same ranks in each of the four suits, no jokers (rule 4.1).

    >>> Card("5", "c") in DECKS[40], Card("4", "c") in DECKS[40]
    (True, False)
    """

    name: Phrase
    ranks: str
    """The ranks from highest to lowest, as the rule lists them."""
    cards: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """All cards, suit by suit, each from the highest rank down."""

    def __post_init__(self) -> None:
        """Lay out the cards."""
        cards = tuple(Card(rank, suit) for suit in SUITS for rank in self.ranks)
        object.__setattr__(self, "cards", cards)

    def __contains__(self, card: object) -> bool:
        """Say whether the card belongs to this deck."""
        return isinstance(card, Card) and card.rank in self.ranks

    @property
    def size(self) -> int:
        """How many cards the deck has; the number by which the wire protocol names it."""
        return len(self.cards)

    @property
    def rank_values(self) -> tuple[int, ...]:
        """The ranks as numbers, from highest to lowest; ace is 14."""
        return tuple(RANKS.index(rank) + 2 for rank in self.ranks)

    @property
    def is_short(self) -> bool:
        """It lacks ranks, so that rule 9.3 orders its hands: a flush beats a full house."""
        return len(self.ranks) < len(RANKS)


FULL_DECK = Deck(name=Phrase("52-card deck"), ranks="AKQJT98765432")
"""Rule 4.1(a)."""

DECKS: Mapping[int, Deck] = MappingProxyType(
    {
        deck.size: deck
        for deck in (
            FULL_DECK,
            Deck(name=Phrase("40-card deck"), ranks="AKQJT98765"),
            Deck(name=Phrase("36-card deck"), ranks="AKQJT9876"),
            Deck(name=Phrase("32-card deck"), ranks="AKQJT987"),
        )
    }
)
"""The decks by size (rule 4.1(a) to (d))."""
