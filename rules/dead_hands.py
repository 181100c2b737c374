"""Misdeals and dead hands (rule 20; Robert's section 3): closed lists with their rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One thing that can go wrong with a deal or a hand, and what it does to a jackpot.

    >>> MISDEALS["defective_deck"].rule
    '20.1(h)'
    """

    code: str
    rule: str
    text: str
    """What happened, in a few words."""
    games: tuple[str, ...] | None = None
    """The games that it can happen in; None for all."""
    until_substantial_action: bool = False
    """It counts only if noticed before two players have acted on their hands."""


_MANILAS = ("two_card_manila", "three_card_manila")
_FLOP_GAMES = ("holdem", "pineapple", "crazy_pineapple", "omaha")
_FIVE, _SEVEN = ("five_card_stud",), ("seven_card_stud",)
_PINEAPPLES = ("pineapple", "crazy_pineapple")


def _listed(*irregularities: Irregularity) -> Mapping[str, Irregularity]:
    """Irregularities by their code."""
    return MappingProxyType({each.code: each for each in irregularities})


MISDEALS: Mapping[str, Irregularity] = _listed(
    Irregularity("exposed_in_cut", "20.1(a)", "a card was exposed in the cut"),
    Irregularity("not_shuffled", "20.1(b)", "the cards were not shuffled or cut", None, True),
    Irregularity("out_of_order", "20.1(c)", "the cards were dealt out of order", None, True),
    Irregularity("missed_or_extra", "20.1(d)", "a player was left out or dealt in", None, True),
    Irregularity("wrong_count", "20.1(e)", "a player has a wrong number of cards", None, True),
    Irregularity("defective_deck", "20.1(h)", "the deck is defective and the pot not yet pushed"),
    Irregularity("exposed_in_deal", "20.1(i)", "several cards were exposed", ("draw",)),
    Irregularity("wrong_face_up", "20.1(j)", "a wrong card was dealt face up", _FIVE),
    Irregularity("two_face_up", "20.1(k)", "several players have two cards up", _FIVE),
    Irregularity("wrong_face_up_seven", "20.1(l)", "a wrong card was dealt face up", _SEVEN),
    Irregularity("two_face_up_seven", "20.1(m)", "several players have two cards up", _SEVEN),
    Irregularity("three_face_up", "20.1(n)", "a player has three cards up", _SEVEN),
    Irregularity("exposed_holes_manila", "20.1(o)", "several hole cards were exposed", _MANILAS),
    Irregularity("exposed_holes", "20.1(p)", "several cards were exposed", _FLOP_GAMES),
)
"""When the round is void and dealt again; only a supervisor decides (20.1)."""

DEAD_HANDS: Mapping[str, Irregularity] = _listed(
    Irregularity("acted_on_wrong_count", "20.1(f)", "acted on a hand of too many or few cards"),
    Irregularity("last_with_wrong_count", "20.1(g)", "is the last in with a wrong number of cards"),
    Irregularity("shown_from_the_muck", "20.4", "folded, and was shown to a player who lost"),
    Irregularity("not_discarded", "20.33", "did not discard in time", _PINEAPPLES),
    Irregularity("folded_facing_bet", "Robert's 3, dead hands 1(a)", "folded when facing a bet"),
    Irregularity("thrown_away", "Robert's 3, dead hands 1(b)", "threw the hand away"),
    Irregularity(
        "picked_up_upcards",
        "Robert's 3, dead hands 1(c)",
        "picked up or turned the upcards when facing a bet",
        (*_FIVE, *_SEVEN),
    ),
    Irregularity("wrong_number", "Robert's 3, dead hands 1(d)", "holds a wrong number of cards"),
    Irregularity("joker", "Robert's 3, dead hands 1(e)", "acted on a hand with a joker"),
    Irregularity("out_of_time", "Robert's 3, dead hands 1(f)", "ran out of the time allowed"),
    Irregularity("in_the_muck", "Robert's 3, dead hands 2", "has cards lost in the muck"),
    Irregularity("mixed", "Robert's 3, dead hands 3", "threw cards into another player's hand"),
)
"""When a player's hand has no claim to the pot, nor to a jackpot."""


def can_happen(irregularity: Irregularity, game: str) -> bool:
    """Say whether it can happen in the game.

    >>> can_happen(DEAD_HANDS["not_discarded"], "holdem")
    False
    """
    return irregularity.games is None or game in irregularity.games
