"""The words in which cards, seats and amounts are spoken of on the floor."""

from collections.abc import Sequence

from rules.phrases import Figure, Phrase

RANK_NAMES = {
    14: Phrase("ace"),
    13: Phrase("king"),
    12: Phrase("queen"),
    11: Phrase("jack"),
    10: Phrase("ten"),
    9: Phrase("nine"),
    8: Phrase("eight"),
    7: Phrase("seven"),
    6: Phrase("six"),
    5: Phrase("five"),
    4: Phrase("four"),
    3: Phrase("three"),
    2: Phrase("two"),
}

PLURAL_RANKS = {
    14: Phrase("aces"),
    13: Phrase("kings"),
    12: Phrase("queens"),
    11: Phrase("jacks"),
    10: Phrase("tens"),
    9: Phrase("nines"),
    8: Phrase("eights"),
    7: Phrase("sevens"),
    6: Phrase("sixes"),
    5: Phrase("fives"),
    4: Phrase("fours"),
    3: Phrase("threes"),
    2: Phrase("twos"),
}
"""Several cards of one rank."""

SUIT_NAMES = {
    "s": Phrase("spades"),
    "h": Phrase("hearts"),
    "d": Phrase("diamonds"),
    "c": Phrase("clubs"),
}

_LONGEST_QUOTE = 20


def series(parts: Sequence[str], last: str = "and") -> Phrase:
    """Join parts as a sentence does; `last`: "and" or "or".

    >>> series(["seat 3", "seat 5", "the board"])
    'seat 3, seat 5 and the board'
    >>> series(["seat 3", "seat 5"], "or")
    'seat 3 or seat 5'
    """
    if len(parts) < 2:
        return Phrase.joined(parts)
    others = Phrase.joined(parts[:-1], ", ")
    if last == "or":
        return Phrase("%(others)s or %(last)s", others=others, last=parts[-1])
    return Phrase("%(others)s and %(last)s", others=others, last=parts[-1])


def quoted(text: str) -> str:
    """Quote what somebody typed, shortened and without characters that cannot be shown.

    >>> quoted("10h"), quoted("A" * 30), quoted("a" + chr(0))
    ('"10h"', '"AAAAAAAAAAAAAAAAAAAA..."', '"a?"')
    """
    printable = "".join(char if char.isprintable() else "?" for char in text[:_LONGEST_QUOTE])
    return f'"{printable}..."' if len(text) > _LONGEST_QUOTE else f'"{printable}"'


def amount(minor: int, decimals: int) -> Figure:
    """Write an amount of minor units as people read it; ``decimals`` is the currency's, 0 to 2.

    >>> amount(200050, 2), amount(2000, 0), amount(-5, 2)
    ('2,000.50', '2,000', '-0.05')
    """
    whole, part = divmod(abs(minor), 10**decimals)
    sign = "-" if minor < 0 else ""
    return Figure(f"{sign}{whole:,}" + (f".{part:0{decimals}d}" if decimals else ""))
