"""Misdeals and dead hands (rule 20; Robert's section 3): closed lists with their rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rules.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One thing that can go wrong with a deal or a hand, and what it does to a jackpot.

    >>> MISDEALS["defective_deck"].rule
    '20.1(h)'
    """

    code: str
    rule: Phrase
    text: Phrase
    """What happened, in a few words."""
    games: tuple[str, ...] | None = None
    """The games that it can happen in; None for all."""
    until_substantial_action: bool = False
    """It counts only if noticed before two players have acted on their hands."""
    asked_as: str = ""
    """Of a misdeal: how a dealer asks for it on the handset (`void_requested`)."""

    @property
    def sentence(self) -> Phrase:
        """What happened, to stand by itself."""
        return self.text.with_capital()


_MANILAS = ("two_card_manila", "three_card_manila")
_FLOP_GAMES = ("holdem", "pineapple", "crazy_pineapple", "omaha")
_FIVE, _SEVEN = ("five_card_stud",), ("seven_card_stud",)
_PINEAPPLES = ("pineapple", "crazy_pineapple")


def _by_code(*irregularities: Irregularity) -> Mapping[str, Irregularity]:
    """Irregularities by their code."""
    return MappingProxyType({each.code: each for each in irregularities})


def _misdeal(
    asked_as: str,
    code: str,
    letter: str,
    text: Phrase,
    games: tuple[str, ...] | None = None,
    *,
    early: bool = False,
) -> Irregularity:
    """A misdeal of 20.1; ``early``: only before substantial action."""
    return Irregularity(
        code, Phrase.joined([Phrase.joined(["20.1("]), letter, ")"]), text, games, early, asked_as
    )


def _roberts(place: str) -> Phrase:
    """A rule of Robert's Rules of Poker."""
    return Phrase("Robert's 3, dead hands %(place)s", place=place)


_SEATS = "player_missed_or_extra_hand"
_FACES = "cards_exposed"

MISDEALS: Mapping[str, Irregularity] = _by_code(
    _misdeal("cut_exposed", "exposed_in_cut", "a", Phrase("a card was exposed in the cut")),
    _misdeal(
        "not_shuffled_or_cut",
        "not_shuffled",
        "b",
        Phrase("the cards were not shuffled or cut"),
        early=True,
    ),
    _misdeal(
        "out_of_order", "out_of_order", "c", Phrase("the cards were dealt out of order"), early=True
    ),
    _misdeal(
        _SEATS, "missed_or_extra", "d", Phrase("a player was left out or dealt in"), early=True
    ),
    _misdeal(
        "wrong_count",
        "wrong_count",
        "e",
        Phrase("a player has a wrong number of cards"),
        early=True,
    ),
    _misdeal(
        "defective_deck",
        "defective_deck",
        "h",
        Phrase("the deck is defective and the pot not yet pushed"),
    ),
    _misdeal(_FACES, "exposed_in_deal", "i", Phrase("several cards were exposed"), ("draw",)),
    _misdeal(_FACES, "wrong_face_up", "j", Phrase("a wrong card was dealt face up"), _FIVE),
    _misdeal(_FACES, "two_face_up", "k", Phrase("several players have two cards up"), _FIVE),
    _misdeal(_FACES, "wrong_face_up_seven", "l", Phrase("a wrong card was dealt face up"), _SEVEN),
    _misdeal(_FACES, "two_face_up_seven", "m", Phrase("several players have two cards up"), _SEVEN),
    _misdeal(_FACES, "three_face_up", "n", Phrase("a player has three cards up"), _SEVEN),
    _misdeal(
        _FACES, "exposed_holes_manila", "o", Phrase("several hole cards were exposed"), _MANILAS
    ),
    _misdeal(_FACES, "exposed_holes", "p", Phrase("several cards were exposed"), _FLOP_GAMES),
)
"""When the round is void and dealt again; only a supervisor decides (20.1)."""

DEAD_HANDS: Mapping[str, Irregularity] = _by_code(
    Irregularity(
        "acted_on_wrong_count",
        Phrase.joined(["20.1(f)"]),
        Phrase("acted on a hand of too many or few cards"),
    ),
    Irregularity(
        "last_with_wrong_count",
        Phrase.joined(["20.1(g)"]),
        Phrase("is the last in with a wrong number of cards"),
    ),
    Irregularity(
        "shown_from_the_muck",
        Phrase.joined(["20.4"]),
        Phrase("folded, and was shown to a player who lost"),
    ),
    Irregularity(
        "not_discarded", Phrase.joined(["20.33"]), Phrase("did not discard in time"), _PINEAPPLES
    ),
    Irregularity("folded_facing_bet", _roberts("1(a)"), Phrase("folded when facing a bet")),
    Irregularity("thrown_away", _roberts("1(b)"), Phrase("threw the hand away")),
    Irregularity(
        "picked_up_upcards",
        _roberts("1(c)"),
        Phrase("picked up or turned the upcards when facing a bet"),
        (*_FIVE, *_SEVEN),
    ),
    Irregularity("wrong_number", _roberts("1(d)"), Phrase("holds a wrong number of cards")),
    Irregularity("joker", _roberts("1(e)"), Phrase("acted on a hand with a joker")),
    Irregularity("out_of_time", _roberts("1(f)"), Phrase("ran out of the time allowed")),
    Irregularity("in_the_muck", _roberts("2"), Phrase("has cards lost in the muck")),
    Irregularity("mixed", _roberts("3"), Phrase("threw cards into another player's hand")),
)
"""When a player's hand has no claim to the pot, nor to a jackpot."""


def can_happen(irregularity: Irregularity, game: str) -> bool:
    """Say whether it can happen in the game.

    >>> can_happen(DEAD_HANDS["not_discarded"], "holdem")
    False
    """
    return irregularity.games is None or game in irregularity.games


def misdeals_asked_as(reason: str, game: str | None = None) -> tuple[Irregularity, ...]:
    """The misdeals that a dealer asks for by this reason, in that game if it is known.

    >>> [each.code for each in misdeals_asked_as("cards_exposed", "omaha")]
    ['exposed_holes']
    """
    return tuple(
        each
        for each in MISDEALS.values()
        if each.asked_as == reason and (game is None or can_happen(each, game))
    )


def _void_reason(reason: str) -> tuple[str, Phrase]:
    """The rule and the words of a dealer's reason: those of its misdeals."""
    first, *others = misdeals_asked_as(reason)
    if not others:
        return first.rule, first.sentence
    return f"{first.rule}-({others[-1].rule[-2]})", Phrase("Cards were exposed in the deal")


VOID_REASONS: Mapping[str, tuple[str, Phrase]] = MappingProxyType(
    {
        reason: _void_reason(reason)
        for reason in dict.fromkeys(m.asked_as for m in MISDEALS.values())
    }
)
"""What a dealer can ask a round to be void for, with rule and words: the misdeals, in groups."""
