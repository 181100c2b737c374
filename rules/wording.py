"""The words in which cards, seats and amounts are spoken of on the floor."""

from collections.abc import Sequence

RANK_NAMES = {
    14: "ace",
    13: "king",
    12: "queen",
    11: "jack",
    10: "ten",
    9: "nine",
    8: "eight",
    7: "seven",
    6: "six",
    5: "five",
    4: "four",
    3: "three",
    2: "two",
}

SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_LONGEST_QUOTE = 20


def plural_rank(rank_value: int) -> str:
    """Name several cards of one rank.

    >>> plural_rank(14), plural_rank(6)
    ('aces', 'sixes')
    """
    name = RANK_NAMES[rank_value]
    return name + ("es" if name.endswith("x") else "s")


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Join parts as a sentence does.

    >>> listed(["seat 3", "seat 5", "the board"])
    'seat 3, seat 5 and the board'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def counted(number: int, noun: str) -> str:
    """Say how many there are of something.

    >>> counted(1, "card"), counted(3, "card"), counted(12, "card")
    ('one card', 'three cards', '12 cards')
    """
    spoken = _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)
    return f"{spoken} {noun}" if number == 1 else f"{spoken} {noun}s"


def quoted(text: str) -> str:
    """Quote what somebody typed, shortened and without characters that cannot be shown.

    >>> quoted("10h"), quoted("A" * 30), quoted("a" + chr(0))
    ('"10h"', '"AAAAAAAAAAAAAAAAAAAA..."', '"a?"')
    """
    shown = "".join(char if char.isprintable() else "?" for char in text[:_LONGEST_QUOTE])
    return f'"{shown}..."' if len(text) > _LONGEST_QUOTE else f'"{shown}"'


def amount(minor: int, decimals: int) -> str:
    """Write an amount of minor units as people read it; ``decimals`` is the currency's, 0 to 2.

    >>> amount(200050, 2), amount(2000, 0), amount(-5, 2)
    ('2,000.50', '2,000', '-0.05')
    """
    whole, part = divmod(abs(minor), 10**decimals)
    sign = "-" if minor < 0 else ""
    return f"{sign}{whole:,}.{part:0{decimals}d}" if decimals else f"{sign}{whole:,}"
