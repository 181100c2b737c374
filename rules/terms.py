"""What a jackpot tier asks of one hand (rule 19.5), as data from which the notice is written."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.best import BestHand
from rules.cards import SUITS
from rules.conditions import Conditions, read_round, sentences
from rules.hands import Category
from rules.phrases import Phrase
from rules.possible import kinds_from, require_kinds, require_players, require_winnable
from rules.reading import read_object, read_weakest, write_weakest
from rules.requirements import Requirement, with_article
from rules.weakest import TermsError, Weakest
from rules.wording import SUIT_NAMES, series

__all__ = ["Qualifying", "TermsError", "Weakest"]


@dataclass(frozen=True, slots=True)
class Qualifying(Conditions):
    """The posted criteria of one tier (rule 19.5). Raises TermsError for what cannot be met."""

    weakest: Weakest
    suit: str | None = None
    """All five cards must be of this suit; only for the three kinds of flush."""
    hole_cards_playing: int = 0
    """At least so many hole cards must be among the five."""
    pair_in_hole: bool = False
    """Two hole cards that are a pair must be among the five."""

    def __post_init__(self) -> None:
        """Refuse criteria that contradict the rules or each other."""
        Conditions.__post_init__(self)
        _require_suit_fits(self.suit, self.weakest.category)
        require_kinds(self, self.weakest)
        require_winnable(self, self._kinds)
        require_players(self)

    @property
    def of_every_hand(self) -> Requirement:
        """What is asked of the hole cards of every hand that ``by_category`` does not name."""
        return Requirement(self.hole_cards_playing, self.pair_in_hole)

    @property
    def _kinds(self) -> list[Category]:
        """The kinds of hand that are high enough, and of the suit."""
        kinds = kinds_from(self, self.weakest.category)
        return kinds if self.suit is None else [kind for kind in kinds if kind in _SUITED]

    def shortfall(self, hand: BestHand) -> Phrase | None:
        """Say what the terms ask for that the hand has not; None if it lacks nothing."""
        if not self.weakest.reached_by(hand.value):
            return Phrase("the lowest hand that qualifies is %(hand)s", hand=self.weakest.label)
        if self.suit is not None and any(card.suit != self.suit for card in hand.cards):
            return Phrase("all five cards must be %(suit)s", suit=SUIT_NAMES[self.suit])
        return self.asked_of(hand.value.category).shortfall(hand)

    def to_json(self) -> dict[str, Any]:
        """The terms as plain JSON values; ``from_json`` reads them back."""
        return {
            "weakest": write_weakest(self.weakest),
            "suit": self.suit,
            "hole_cards_playing": self.hole_cards_playing,
            "pair_in_hole": self.pair_in_hole,
            **self.round_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Qualifying":
        """Read terms written by ``to_json``; what is left out has its default.

        Raises TermsError for anything that is not such terms.
        """
        read = read_object(data, Phrase("The terms"), {field.name for field in fields(cls)})
        if "weakest" not in read:
            raise TermsError("Name the weakest hand that qualifies.")
        read["weakest"] = read_weakest(read["weakest"])
        return cls(**read_round(read))

    def notice(self, decimals: int = 2) -> Phrase:
        """The sentences to be posted (rule 19.5); ``decimals`` are those of the currency.

        >>> Qualifying(Weakest(Category.ROYAL_FLUSH), suit="s", games=("holdem",)).notice()
        'A royal flush in spades qualifies in Hold-em.'
        """
        hand = hand_or_higher(self.weakest, self.suit)
        texts = [Phrase("%(hand)s qualifies in %(games)s", hand=hand, games=self.where)]
        texts += self.hole_card_notice()
        if out := [each for each in self._kinds if self.asked_of(each).why_impossible(each)]:
            hands = series([with_article(kind) for kind in out], "and")
            if len(out) == 1:
                texts.append(Phrase("%(hand)s cannot win: no pair plays in it", hand=hands))
            else:
                texts.append(Phrase("%(hands)s cannot win: no pair plays in them", hands=hands))
        return sentences([*texts, *self.round_notice(decimals)])


_SUITED = frozenset({Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})


def hand_or_higher(weakest: Weakest, suit: str | None = None) -> Phrase:
    """Name a hand and all that are higher, as the subject of a sentence.

    >>> hand_or_higher(Weakest(Category.FOUR_OF_A_KIND))
    'four of a kind, or any higher hand,'
    """
    hand = with_article(weakest.category, weakest.label)
    if suit is not None:
        hand = Phrase("%(hand)s in %(suit)s", hand=hand, suit=SUIT_NAMES[suit])
    if weakest.category is Category.ROYAL_FLUSH:
        return hand
    if suit is not None:
        return Phrase("%(hand)s, or any higher hand in that suit,", hand=hand)
    return Phrase("%(hand)s, or any higher hand,", hand=hand)


def _require_suit_fits(suit: object, category: Category) -> None:
    """Raise TermsError unless the suit is none, or one that the hand can be of."""
    if suit is None:
        return
    if not isinstance(suit, str) or suit not in SUIT_NAMES:
        raise TermsError(
            "The suit must be one of %(allowed)s, or none.", allowed=series(SUITS, "or")
        )
    if category not in _SUITED:
        raise TermsError("A %(hand)s is not of one suit: ask for no suit.", hand=category.label)
