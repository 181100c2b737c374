"""Reading terms from JSON values, with a sentence for whatever cannot be terms."""

from collections.abc import Mapping
from typing import Any

from rules.hands import Category
from rules.phrases import Phrase
from rules.weakest import TermsError, Weakest
from rules.wording import quoted, series


def require_whole(number: object, name: str, least: int, most: int) -> None:
    """Raise TermsError unless the number is a whole one within the limits.

    >>> require_whole(11, "players_dealt_min", 2, 10)
    Traceback (most recent call last):
    rules.weakest.TermsError: players_dealt_min must be a whole number from 2 to 10.
    """
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise TermsError(
            "%(field)s must be a whole number from %(least)s to %(most)s.",
            field=name,
            least=least,
            most=most,
        )


def require_flag(flag: object, name: str) -> None:
    """Raise TermsError unless the flag is true or false.

    >>> require_flag(1, "flop_seen")
    Traceback (most recent call last):
    rules.weakest.TermsError: flop_seen must be true or false.
    """
    if not isinstance(flag, bool):
        raise TermsError("%(field)s must be true or false.", field=name)


def read_object(data: object, name: str, keys: set[str]) -> dict[str, Any]:
    """Read a JSON object that has no other fields than the known ones.

    >>> read_object({"suit": "s"}, "The terms", {"suit"})
    {'suit': 's'}
    """
    if not isinstance(data, Mapping):
        raise TermsError("%(object)s must be an object with named fields.", object=name)
    for key in data:
        if key not in keys:
            raise TermsError(
                "%(object)s have no field %(field)s: take it out.",
                object=name,
                field=quoted(str(key)),
            )
    return dict(data)


def read_texts(data: object, name: str) -> tuple[str, ...]:
    """Read a JSON list of texts.

    >>> read_texts(["holdem"], "games")
    ('holdem',)
    """
    if not isinstance(data, list | tuple) or not all(isinstance(each, str) for each in data):
        raise TermsError("%(field)s must be a list of texts.", field=name)
    return tuple(data)


def read_numbers(data: object, name: str) -> tuple[int, ...]:
    """Read a JSON list of whole numbers.

    >>> read_numbers([52, 32], "decks")
    (52, 32)
    """
    if not isinstance(data, list | tuple) or not all(type(each) is int for each in data):
        raise TermsError("%(field)s must be a list of whole numbers.", field=name)
    return tuple(data)


def read_weakest(data: object) -> Weakest:
    """Read the lowest hand that is asked for.

    >>> read_weakest({"category": "full_house", "ranks": ["A"]}).label
    'full house, aces full'
    """
    read = read_object(data, Phrase("The terms of the weakest hand"), {"category", "ranks"})
    names = {category.name.lower(): category for category in reversed(Category)}
    category = read.get("category")
    if not isinstance(category, str) or category not in names:
        raise TermsError(
            "The category of the weakest hand must be %(allowed)s.", allowed=series([*names], "or")
        )
    ranks = read_texts(read.get("ranks", []), Phrase("The ranks of the weakest hand"))
    return Weakest(names[category], ranks)


def write_weakest(weakest: Weakest) -> dict[str, Any]:
    """Write the lowest hand as ``read_weakest`` reads it.

    >>> write_weakest(Weakest(Category.FULL_HOUSE, ("A",)))
    {'category': 'full_house', 'ranks': ['A']}
    """
    return {"category": weakest.category.name.lower(), "ranks": list(weakest.ranks)}
