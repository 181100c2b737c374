"""What is asked of the hole cards in a hand that wins: of every hand, or of each kind of hand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.best import BestHand
from rules.hands import NAMED_RANKS, Category
from rules.phrases import Phrase
from rules.reading import read_object, require_flag, require_whole
from rules.weakest import TermsError
from rules.wording import quoted, series

PAIRED = frozenset(
    {
        Category.ONE_PAIR,
        Category.TWO_PAIR,
        Category.THREE_OF_A_KIND,
        Category.FULL_HOUSE,
        Category.FOUR_OF_A_KIND,
    }
)
"""The kinds of hand of which two cards can be a pair in the hole."""

WITH_KICKER = PAIRED - {Category.FULL_HOUSE}
"""The kinds of hand that have cards beside those that name them."""

CODES: Mapping[str, Category] = {each.name.lower(): each for each in reversed(Category)}
"""The kinds of hand as terms name them, the highest first."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What is asked of the hole cards. Raises TermsError for what contradicts itself.

    >>> Requirement(hole_cards_playing=2, kicker_counts=False).words
    'two hole cards must play, not counting a kicker'
    """

    hole_cards_playing: int = 0
    """At least so many hole cards must be among the five."""
    pair_in_hole: bool = False
    """Two hole cards that are a pair must be among the five."""
    kicker_counts: bool = True
    """A hole card that is among the five only as a kicker counts as playing."""

    def __post_init__(self) -> None:
        """Refuse what contradicts itself."""
        require_whole(self.hole_cards_playing, "hole_cards_playing", 0, 2)
        require_flag(self.pair_in_hole, "pair_in_hole")
        require_flag(self.kicker_counts, "kicker_counts")
        if not self.kicker_counts and (self.pair_in_hole or not self.hole_cards_playing):
            raise TermsError(
                "Whether a kicker counts matters only where one or two hole cards must play:"
                " say how many, and ask for no pair besides."
            )

    @property
    def asks(self) -> bool:
        """Something is asked of the hole cards."""
        return self.pair_in_hole or self.hole_cards_playing > 0

    @property
    def words(self) -> Phrase:
        """What is asked, as part of a sentence."""
        if self.pair_in_hole:
            return Phrase("two hole cards that are a pair must play")
        if not self.hole_cards_playing:
            return Phrase("no hole card need play")
        if self.hole_cards_playing == 1:
            if self.kicker_counts:
                return Phrase("at least one hole card must play")
            return Phrase("at least one hole card must play, not counting a kicker")
        if self.kicker_counts:
            return Phrase("two hole cards must play")
        return Phrase("two hole cards must play, not counting a kicker")

    def shortfall(self, hand: BestHand) -> Phrase | None:
        """Say what is asked that the hand has not; None if it lacks nothing.

        >>> from rules.best import best_hand
        >>> from rules.cards import parse_cards
        >>> from rules.games import GAMES
        >>> hole, board = parse_cards("Ah Kd"), parse_cards("As Ad Ac 7d 2c")
        >>> aces = best_hand(GAMES["holdem"], hole, board)
        >>> Requirement(2).shortfall(aces), Requirement(2, kicker_counts=False).shortfall(aces)
        (None, 'two hole cards must play, not counting a kicker')
        """
        used = hand.hole_used
        if self.pair_in_hole and not (len(used) == 2 and used[0].rank == used[1].rank):
            return self.words
        if not self.kicker_counts and hand.value.category in WITH_KICKER:
            naming = hand.value.ranks[: NAMED_RANKS[hand.value.category]]
            used = tuple(card for card in used if card.rank_value in naming)
        return self.words if len(used) < self.hole_cards_playing else None

    def why_impossible(self, category: Category) -> Phrase | None:
        """Say why no hand of this kind can have what is asked; None if one can.

        >>> Requirement(pair_in_hole=True).why_impossible(Category.ROYAL_FLUSH)
        'a royal flush holds no pair, so none of the hole can play'
        """
        if self.pair_in_hole and category not in PAIRED:
            return Phrase(
                "%(hand)s holds no pair, so none of the hole can play", hand=with_article(category)
            )
        return None


ByCategory = tuple[tuple[Category, Requirement], ...]
"""What is asked of single kinds of hand instead of what is asked of every hand, highest first."""


def with_article(category: Category, hand: Phrase | None = None) -> Phrase:
    """Name a kind of hand, or `hand` of that kind, as one of them.

    >>> with_article(Category.STRAIGHT_FLUSH), with_article(Category.FOUR_OF_A_KIND)
    ('a straight flush', 'four of a kind')
    """
    words = category.label if hand is None else hand
    plain = category in WITH_KICKER or category is Category.NO_PAIR
    return words if plain else Phrase("a %(hand)s", hand=words)


def require_by_category(by_category: ByCategory) -> None:
    """Raise TermsError unless each kind of hand is named once and can have what is asked of it.

    >>> require_by_category(((Category.STRAIGHT, Requirement(pair_in_hole=True)),))
    Traceback (most recent call last):
    rules.weakest.TermsError: A straight holds no pair, so none of the hole can play.
    """
    if len({category for category, _ in by_category}) != len(by_category):
        raise TermsError("Name each kind of hand only once.")
    for category, requirement in by_category:
        if requirement.pair_in_hole and requirement.hole_cards_playing:
            raise TermsError(
                "A pair in the hole already means two hole cards: leave the number of hole cards"
                " out."
            )
        if why := requirement.why_impossible(category):
            raise TermsError("%(reason)s.", reason=why.with_capital())
        if not requirement.kicker_counts and category not in WITH_KICKER:
            kind = with_article(category).with_capital()
            raise TermsError("%(hand)s has no kicker: leave that out.", hand=kind)


def read_by_category(data: object) -> ByCategory:
    """Read what is asked of single kinds of hand.

    >>> read_by_category({"four_of_a_kind": {"pair_in_hole": True}})[0][1].words
    'two hole cards that are a pair must play'
    """
    read = read_object(data, Phrase("The terms by kind of hand"), set(CODES))
    keys = {field.name for field in fields(Requirement)}
    return tuple(
        (
            category,
            Requirement(
                **read_object(read[code], Phrase("The terms of %(kind)s", kind=quoted(code)), keys)
            ),
        )
        for code, category in CODES.items()
        if code in read
    )


def write_by_category(by_category: ByCategory) -> dict[str, Any]:
    """Write it as ``read_by_category`` reads it, without what is as usual.

    >>> write_by_category(((Category.FLUSH, Requirement(2)),))
    {'flush': {'hole_cards_playing': 2}}
    """
    usual = Requirement()
    return {
        category.name.lower(): {
            field.name: value
            for field in fields(requirement)
            if (value := getattr(requirement, field.name)) != getattr(usual, field.name)
        }
        for category, requirement in by_category
    }


def requirement_notice(every_hand: Requirement, by_category: ByCategory) -> Iterable[Phrase]:
    """Yield the sentences to be posted about hole cards, without capital and full stop.

    >>> fours = (Category.FOUR_OF_A_KIND, Requirement(pair_in_hole=True))
    >>> list(requirement_notice(Requirement(2), (fours,)))
    ['for four of a kind two hole cards that are a pair must play', 'for any other hand \
two hole cards must play']
    """
    by_words: dict[Phrase, list[Phrase]] = {}
    for category, requirement in by_category:
        by_words.setdefault(requirement.words, []).append(with_article(category))
    for words, hands in by_words.items():
        yield Phrase("for %(hands)s %(requirement)s", hands=series(hands, "or"), requirement=words)
    if every_hand.asks and by_category:
        yield Phrase("for any other hand %(requirement)s", requirement=every_hand.words)
    elif every_hand.asks:
        yield every_hand.words
