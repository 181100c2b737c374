"""Which posted criteria follow from others, whatever the hand (rule 19.5).

Only what is certain is said: where nothing is found, one hand may still meet both.
"""

from rules.bad_beat import BadBeat
from rules.conditions import Conditions
from rules.decks import Deck
from rules.hands import Category, HandValue
from rules.requirements import WITH_KICKER, Requirement
from rules.terms import Qualifying
from rules.tiers import TierTerms
from rules.weakest import Weakest


def cards_imply(met: TierTerms, other: TierTerms, deck: Deck) -> bool:
    """Say whether a report that wins by ``met`` wins by ``other``, whatever its round.

    The round is the game, the deck, the players dealt in and the pot; ``deck`` was played with.

    >>> from rules.decks import FULL_DECK
    >>> royal, aces = Weakest(Category.ROYAL_FLUSH), Weakest(Category.FULL_HOUSE, ("A",))
    >>> cards_imply(Qualifying(royal), Qualifying(aces), FULL_DECK)
    True
    >>> cards_imply(Qualifying(aces), Qualifying(royal), FULL_DECK)
    False
    """
    if (other.flop_seen or other.showdown_needed) and not (
        met.showdown_needed or (met.flop_seen and not other.showdown_needed)
    ):
        return False
    if isinstance(other, BadBeat):
        return isinstance(met, BadBeat) and _beat_implies(met, other, deck)
    suits = [terms.suit if isinstance(terms, Qualifying) else None for terms in (met, other)]
    if suits[1] not in (None, suits[0]):
        return False
    return _hand_implies(met, lowest(met), other, lowest(other), deck)


def never_both(one: TierTerms, other: TierTerms) -> bool:
    """Say whether no report wins by both: the flushes asked for are of different suits.

    Three cards of the board are of the suit of a flush, so no two players have different ones.

    >>> spades, hearts = (Qualifying(Weakest(Category.ROYAL_FLUSH), suit=suit) for suit in "sh")
    >>> never_both(spades, hearts), never_both(spades, spades)
    (True, False)
    """
    suits = [terms.suit for terms in (one, other) if isinstance(terms, Qualifying)]
    return len(suits) == 2 and None not in suits and suits[0] != suits[1]


def minimums_imply(met: Conditions, other: Conditions) -> tuple[bool, bool]:
    """Say of the players dealt in, and of the pot, whether what ``met`` asks is enough.

    >>> minimums_imply(Conditions(pot_min_minor=900), Conditions(players_dealt_min=4))
    (False, True)
    """
    players, pot = (
        least is None or (minimum is not None and minimum >= least)
        for minimum, least in (
            (met.players_dealt_min, other.players_dealt_min),
            (met.pot_min_minor, other.pot_min_minor),
        )
    )
    return players, pot


def lowest(terms: TierTerms) -> Weakest:
    """The lowest hand that a player who wins by the terms has; of a bad beat the beaten one.

    >>> lowest(Qualifying(Weakest(Category.ROYAL_FLUSH))).label
    'royal flush'
    """
    if isinstance(terms, Qualifying):
        return terms.weakest
    return terms.losing if isinstance(terms, BadBeat) else terms.floor


def _beat_implies(met: BadBeat, other: BadBeat, deck: Deck) -> bool:
    return (
        met.losers_min >= other.losers_min
        and _hand_implies(met, met.losing, other, other.losing, deck)
        and _hand_implies(met, met.beaten_by, other, other.beaten_by, deck)
    )


def _hand_implies(
    met: Conditions, weakest: Weakest, other: Conditions, needed: Weakest, deck: Deck
) -> bool:
    """Say whether each hand that is as high as ``weakest``, and has what ``met`` asks of the hole
    cards, is as high as ``needed`` and has what ``other`` asks."""
    low = HandValue(weakest.category, weakest.values, deck.is_short)
    if not needed.reached_by(low):
        return False
    return all(
        _requirement_implies(met.asked_of(kind), other.asked_of(kind), kind)
        for kind in Category
        if HandValue(kind, (), deck.is_short).strength >= low.strength[:1]
    )


def _requirement_implies(met: Requirement, other: Requirement, kind: Category) -> bool:
    if met.why_impossible(kind) is not None:
        return True  # no such hand meets it
    if other.pair_in_hole or met.pair_in_hole:
        return met.pair_in_hole  # two cards, and neither is a kicker
    kicker = other.kicker_counts or not met.kicker_counts or kind not in WITH_KICKER
    return other.hole_cards_playing <= (met.hole_cards_playing if kicker else 0)
