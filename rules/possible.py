"""Terms that nothing can meet are refused when they are read, with the reason (19.5)."""

from collections.abc import Iterable

from rules.conditions import Conditions
from rules.decks import DECKS
from rules.games import GAMES
from rules.hands import Category, category_place
from rules.phrases import Phrase
from rules.requirements import with_article
from rules.weakest import TermsError, Weakest
from rules.wording import series


def kinds_from(terms: Conditions, lowest: Category) -> list[Category]:
    """The kinds of hand that are at least this with a deck that the terms post, lowest first.

    >>> [kind.label for kind in kinds_from(Conditions(), Category.FOUR_OF_A_KIND)]
    ['four of a kind', 'straight flush', 'royal flush']
    """
    orders = {DECKS[size].is_short for size in terms.decks}
    return [
        kind
        for kind in Category
        if any(
            category_place(kind, short=short) >= category_place(lowest, short=short)
            for short in orders
        )
    ]


def require_kinds(terms: Conditions, lowest: Weakest) -> None:
    """Raise TermsError where the terms ask something of a kind of hand that is too low to win.

    >>> from rules.requirements import Requirement
    >>> pairs = ((Category.ONE_PAIR, Requirement(2)),)
    >>> require_kinds(Conditions(by_category=pairs), Weakest(Category.FLUSH))
    Traceback (most recent call last):
    rules.weakest.TermsError: One pair is too low to win: remove what is asked of it.
    """
    high_enough = kinds_from(terms, lowest.category)
    for kind, _ in terms.by_category:
        if kind not in high_enough:
            raise TermsError(
                "%(hand)s is too low to win: remove what is asked of it.",
                hand=with_article(kind).with_capital(),
            )


def require_winnable(terms: Conditions, kinds: Iterable[Category]) -> None:
    """Raise TermsError unless a hand of one of these kinds can have what is asked of its cards.

    >>> from rules.requirements import Requirement
    >>> royal = (Category.ROYAL_FLUSH, Requirement(2))
    >>> require_winnable(Conditions(by_category=(royal,)), [Category.ROYAL_FLUSH])
    """
    reasons = [terms.asked_of(kind).why_impossible(kind) for kind in kinds]
    if all(reasons):
        raise TermsError("No hand can win this: %(reason)s. Ask for less.", reason=reasons[0])


def require_players(terms: Conditions) -> None:
    """Raise TermsError where a posted game or deck never has the players that are asked for (5.1).

    >>> require_players(Conditions(games=("omaha",), decks=(32,), players_dealt_min=10))
    Traceback (most recent call last):
    rules.weakest.TermsError: Omaha with the 32-card deck can have six players at most (5.1), and \
ten players are asked for: ask for fewer, or leave it out.
    """
    least = terms.players_needed
    games, decks = [GAMES[code] for code in terms.games], [DECKS[size] for size in terms.decks]
    for some_games, some_decks in (
        *(([game], decks) for game in games),
        *((games, [deck]) for deck in decks),
    ):
        most = max(game.most_players(deck) for game in some_games for deck in some_decks)
        if most < least:
            raise TermsError(
                "%(games)s with the %(decks)s can have %(most)s at most (5.1), and %(least)s are"
                " asked for: ask for fewer, or leave it out.",
                games=series([game.label for game in some_games]),
                decks=series([deck.name for deck in some_decks], "or"),
                most=Phrase.counted(most, "%(number)s player", "%(number)s players"),
                least=Phrase.counted(least, "%(number)s player", "%(number)s players"),
            )
