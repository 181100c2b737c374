"""Playing cards and the way they are written: ``As``, ``Td``, ``7c``."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.phrases import Phrase, PhrasedError
from rules.tally import card_tally
from rules.wording import RANK_NAMES, SUIT_NAMES, quoted

RANKS = "23456789TJQKA"
"""Ranks from lowest to highest (rule 9.1)."""

SUITS = "shdc"
"""Suits from highest to lowest: spades, hearts, diamonds, clubs (rule 16.5(e)).

Suits order cards only where a rule says so (4.4): they never rank hands.
"""

_RANK_VALUES = {rank: value for value, rank in enumerate(RANKS, start=2)}


class CardError(PhrasedError):
    """A text that is not a card (rule 9.1); the message says how to write it.

    >>> issubclass(CardError, ValueError)
    True
    """


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One playing card. Cards sort by rank, then by suit with spades highest (rule 16.5(e)).

    >>> max(Card("K", "s"), Card("A", "c"), Card("A", "h"))
    Card(rank='A', suit='h')
    """

    place: int = field(init=False, repr=False)
    """Where the card stands in that order: a number, higher for the higher card."""
    rank: str = field(compare=False)
    suit: str = field(compare=False)
    tally: int = field(init=False, repr=False, compare=False)
    """The card as a number to be added up: see ``rules.tally``."""

    def __post_init__(self) -> None:
        """Find the card's place in the order; raise CardError for an unknown rank or suit."""
        if self.rank not in _RANK_VALUES or self.suit not in SUIT_NAMES:
            raise _no_card(f"{self.rank}{self.suit}")
        suit = SUITS.index(self.suit)
        object.__setattr__(self, "place", 4 * _RANK_VALUES[self.rank] + 3 - suit)
        object.__setattr__(self, "tally", card_tally(_RANK_VALUES[self.rank], suit))

    def __str__(self) -> str:
        """Write the card as the wire protocol does."""
        return self.rank + self.suit

    @property
    def rank_value(self) -> int:
        """The rank as a number: two is 2, ace is 14."""
        return _RANK_VALUES[self.rank]

    @property
    def name(self) -> Phrase:
        """The card as it is spoken: "ten of hearts"."""
        rank, suit = RANK_NAMES[self.rank_value], SUIT_NAMES[self.suit]
        return Phrase("%(rank)s of %(suit)s", rank=rank, suit=suit)


_CARDS = {rank + suit: Card(rank, suit) for rank in RANKS for suit in SUITS}


def parse_card(text: str) -> Card:
    """Read one card, written as the wire protocol does.

    Raises CardError, whose sentence says how the card should be written.

    >>> str(parse_card("Td"))
    'Td'
    >>> parse_card("10d")
    Traceback (most recent call last):
    rules.cards.CardError: "10d" is not a card. Write Td for the ten of diamonds.
    """
    card = _CARDS.get(text)
    if card is None:
        raise _no_card(text)
    return card


def parse_cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Read several cards: one text with spaces between them, or a list of texts.

    Raises CardError for the first that is not a card.

    >>> [card.name for card in parse_cards("As 7c")]
    ['ace of spades', 'seven of clubs']
    """
    texts = text.split() if isinstance(text, str) else text
    return tuple(parse_card(each) for each in texts)


def _no_card(text: str) -> CardError:
    """Say how to write the card that was probably meant, or any card."""
    stripped = text.strip()
    suggestion = _CARDS.get(stripped[:-1].upper().replace("10", "T") + stripped[-1:].lower())
    if suggestion is not None:
        return CardError(
            "%(typed)s is not a card. Write %(card)s for the %(name)s.",
            typed=quoted(text),
            card=suggestion,
            name=suggestion.name,
        )
    return CardError(
        "%(typed)s is not a card. Write the rank (2 to 9, T, J, Q, K or A), "
        "then the suit (s, h, d or c), as in Td.",
        typed=quoted(text),
    )
