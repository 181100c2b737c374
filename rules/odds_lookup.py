"""The odds of customary tiers without waiting: counted before, by the code beside them."""

from fractions import Fraction

from rules.decks import FULL_DECK, Deck
from rules.games import Game
from rules.known_odds import ODDS
from rules.odds import odds_of_player
from rules.terms import Qualifying

Key = tuple[str, int, str, str, str, int, bool]
"""Game, deck, category, ranks, suit, hole cards that must play, pair in the hole."""


def odds(terms: Qualifying, game: Game, deck: Deck = FULL_DECK) -> Fraction:
    """The exact probability that a dealt player qualifies: from the table, or else counted.

    Raises ValueError as ``rules.odds.odds_of_player``.

    >>> from rules.games import GAMES
    >>> from rules.hands import Category
    >>> from rules.weakest import Weakest
    >>> odds(Qualifying(Weakest(Category.ROYAL_FLUSH)), GAMES["holdem"])
    Fraction(1, 30940)
    """
    key = key_of(terms, game, deck)
    chance = ODDS.get(key) if key is not None else None
    if chance is None or game.code not in terms.games or deck.size not in terms.decks:
        return odds_of_player(terms, game, deck)
    return Fraction(*chance)


def key_of(terms: Qualifying, game: Game, deck: Deck) -> Key | None:
    """What the odds depend on; None for terms that ask something of single kinds of hand, as
    nobody counted any before.

    >>> from rules.games import GAMES
    >>> from rules.hands import Category
    >>> from rules.weakest import Weakest
    >>> key_of(Qualifying(Weakest(Category.FULL_HOUSE, ("A", "T"))), GAMES["holdem"], FULL_DECK)
    ('holdem', 52, 'FULL_HOUSE', 'AT', '', 0, False)
    """
    weakest = terms.weakest
    if terms.by_category:
        return None
    return (
        game.code,
        deck.size,
        weakest.category.name,
        "".join(weakest.ranks),
        terms.suit or "",
        terms.hole_cards_playing,
        terms.pair_in_hole,
    )
