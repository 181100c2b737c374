"""English words that another language can say as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping


class Figure(str):
    """A figure as English writes it, perhaps with the code of its currency before it. Whoever shows
    a phrase in another language may write it as that language does.

    >>> Figure("1,234.50", "NZD"), Figure("12.5%").plain
    ('NZD 1,234.50', '12.5%')
    """

    __slots__ = ("code", "plain")

    code: str
    """Of its currency; empty where it has none."""
    plain: str
    """Without that code."""

    def __new__(cls, plain: str, code: str = "") -> Figure:
        """Write the code before the figure."""
        figure = super().__new__(cls, f"{code} {plain}" if code else plain)
        figure.code, figure.plain = code, plain
        return figure


class Phrase(str):
    """English words, with the pattern and the values that they are made of.

    It is a text as any other, to be compared and stored. Whoever shows it to people may look the
    pattern up in their language. A pattern is written out where the phrase is made: the tools of
    translators find it there. What is joined or cut as text is no phrase any more.

    >>> folded = Phrase("Seat %(seat)s folded: %(hand)s.", seat=3, hand=Phrase("two pair"))
    >>> folded
    'Seat 3 folded: two pair.'
    >>> folded.looked_up("<{}>".format, lambda one, many, number: one)
    '<Seat 3 folded: <two pair>.>'
    """

    __slots__ = ("_counted", "_has_capital", "_is_pattern", "pattern", "values")

    pattern: str
    values: Mapping[str, object]
    """What fills the pattern: text, numbers and phrases."""
    _counted: tuple[str, int] | None
    """The pattern for several, and how many there are."""
    _has_capital: bool
    """It begins a sentence or stands by itself."""
    _is_pattern: bool
    """There are words to be looked up, not only phrases that were joined."""

    def __new__(cls, pattern: str, /, **values: object) -> Phrase:
        """Fill the pattern, if there are values."""
        return cls._of(pattern, values)

    @classmethod
    def _of(
        cls,
        pattern: str,
        values: Mapping[str, object],
        counted: tuple[str, int] | None = None,
        *,
        has_capital: bool = False,
        is_pattern: bool = True,
    ) -> Phrase:
        english = pattern if counted is None or counted[1] == 1 else counted[0]
        phrase = super().__new__(cls, _filled(english, values, has_capital=has_capital))
        phrase.pattern, phrase.values, phrase._counted = pattern, values, counted
        phrase._has_capital, phrase._is_pattern = has_capital, is_pattern
        return phrase

    @classmethod
    def counted(cls, number: int, one: str, several: str) -> Phrase:
        """Say how many there are of something; `%(number)s` is the number in words.

        >>> Phrase.counted(1, "%(number)s card", "%(number)s cards")
        'one card'
        >>> Phrase.counted(12, "%(number)s card", "%(number)s cards")
        '12 cards'
        """
        spoken = _NUMBERS[number] if 0 <= number < len(_NUMBERS) else number
        return cls._of(one, {"number": spoken}, (several, number))

    @classmethod
    def joined(cls, parts: Iterable[str], separator: str = "") -> Phrase:
        """Phrases or texts one after the other.

        >>> Phrase.joined([Phrase("One thing."), Phrase("Another.")], " ")
        'One thing. Another.'
        """
        values = {str(place): part for place, part in enumerate(parts)}
        return cls._of(separator.join(f"%({n})s" for n in values), values, is_pattern=False)

    def with_capital(self) -> Phrase:
        """The same with a capital, to begin a sentence or to stand by itself.

        >>> Phrase("full house").with_capital()
        'Full house'
        """
        return self._of(
            self.pattern,
            self.values,
            self._counted,
            has_capital=True,
            is_pattern=self._is_pattern,
        )

    def looked_up(
        self,
        lookup: Callable[[str], str],
        lookup_counted: Callable[[str, str, int], str],
        write: Callable[[Figure], str] = str,
    ) -> str:
        """The same in another language: the lookups are those of `gettext` and `ngettext`, and
        `write` writes a figure.
        """
        pattern = self.pattern
        if self._counted is not None:
            pattern = lookup_counted(pattern, *self._counted)
        elif self._is_pattern:
            pattern = lookup(pattern)

        def look_up(value: object) -> object:
            """As the language of who reads has it."""
            if isinstance(value, Phrase):
                return value.looked_up(lookup, lookup_counted, write)
            return write(value) if isinstance(value, Figure) else value

        values = {name: look_up(value) for name, value in self.values.items()}
        return _filled(pattern, values, has_capital=self._has_capital)


class PhrasedError(ValueError):
    """Something that people are asked to correct; `phrase` says what.

    >>> str(PhrasedError("There is no seat %(seat)s.", seat=12))
    'There is no seat 12.'
    """

    def __init__(self, pattern: str, /, **values: object) -> None:
        """Fill the pattern, as a `Phrase` does."""
        self.phrase = Phrase(pattern, **values)
        super().__init__(self.phrase)


def _filled(pattern: str, values: Mapping[str, object], *, has_capital: bool) -> str:
    text = pattern % values if values else pattern
    return text[:1].upper() + text[1:] if has_capital else text


_NUMBERS = (
    Phrase("no"),
    Phrase("one"),
    Phrase("two"),
    Phrase("three"),
    Phrase("four"),
    Phrase("five"),
    Phrase("six"),
    Phrase("seven"),
    Phrase("eight"),
    Phrase("nine"),
    Phrase("ten"),
)
