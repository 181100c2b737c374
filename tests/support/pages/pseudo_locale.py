"""A language that nobody speaks: every text that goes through gettext stands in brackets.

What people can read of a page outside the brackets was not marked for translation.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from html.parser import HTMLParser

import pytest
from django.utils import translation
from django.utils.translation import trans_real

LANGUAGE = "en-xa"
_OPEN, _CLOSE = "⟦", "⟧"
SPOKEN = ("title", "aria-label", "aria-description", "placeholder", "alt", "data-label")
_UNREAD = ("script", "style", "code", "pre", "template", "noscript")
_INLINE = ("a", "abbr", "b", "code", "em", "i", "small", "span", "strong", "sub", "sup", "time")
_VOID = ("br", "hr", "img", "input", "link", "meta")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_ILL_SET = re.compile(
    r" [.,:;?!](?=\s|$)"  # a space before a point
    r"|[,;:] ?[.,;:](?=\s|$)"  # two points
    r"|\( ?\)|“ ?”|\[ ?\]"  # nothing between brackets
    r"|(?<![\w-])([^\W\d_]{2,}) \1(?![\w-])"  # a word twice
)


class _Pseudo(NullTranslations):
    """Each text in brackets."""

    def gettext(self, message: str) -> str:
        return f"{_OPEN}{message}{_CLOSE}"

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return self.gettext(singular if n == 1 else plural)

    def language(self) -> str:
        return LANGUAGE

    def to_language(self) -> str:
        return LANGUAGE


@contextmanager
def pseudo_locale() -> Iterator[None]:
    """Within it the console speaks the language in brackets."""
    languages = vars(trans_real)["_translations"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(languages, LANGUAGE, _Pseudo())
        # What a browser asks for.
        patch.setattr(trans_real, "get_language_from_request", lambda *_args: LANGUAGE)
        patch.setattr(translation, "_trans", type(vars(translation)["_trans"])())
        with translation.override(LANGUAGE):
            yield


def outside(text: str) -> str:
    """What of a text stands in no brackets."""
    depth, letters = 0, []
    for letter in text:
        depth += (letter == _OPEN) - (letter == _CLOSE)
        letters.append(letter if depth == 0 and letter != _CLOSE else " ")
    return "".join(letters)


class _Reader(HTMLParser):
    """The texts of a page as a person reads or hears them, each as one string.

    A text in brackets may go round tags: the depth is counted over the whole page. Without
    `is_english_read` what a tag says is English (`lang`) is left out, up to the end of that tag.
    """

    def __init__(self, is_english_read: bool = True) -> None:
        super().__init__()
        self._is_english_read = is_english_read
        self._english: list[str] = []  # the tags that are open, from one that is English on
        self.texts: list[str] = []
        self.lines: list[str] = []  # the same as they stand below each other, brackets left out
        self._unread, self._depth = 0, 0
        self._block = ""  # the text since the last tag that begins a line

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in _UNREAD
        self._break(tag)
        if self._english or (not self._is_english_read and ("lang", "en") in attrs):
            self._english += [] if tag in _VOID else [tag]
        spoken = [value for name, value in attrs if name in SPOKEN and value]
        values = dict(attrs)
        if tag == "input" and values.get("type") in ("submit", "button"):
            spoken.append(values.get("value") or "")
        if tag == "meta" and values.get("name") == "description":
            spoken.append(values.get("content") or "")
        self.texts += [outside(value) for value in spoken]

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in _UNREAD
        self._break(tag)
        if self._english and tag == self._english[-1]:
            self._english.pop()

    def _break(self, tag: str) -> None:
        if tag not in _INLINE:
            self.lines.append(" ".join(self._block.split()))
            self._block = ""

    def handle_data(self, data: str) -> None:
        opened = _OPEN * self._depth
        self._depth = max(0, self._depth + data.count(_OPEN) - data.count(_CLOSE))
        if not self._unread:
            self.texts += [] if self._english else [outside(opened + data)]
            self._block += data.replace(_OPEN, "").replace(_CLOSE, "")


def _read(page: str, is_english_read: bool = True) -> _Reader:
    reader = _Reader(is_english_read)
    reader.feed(page)
    reader.close()
    return reader


def unmarked(page: str, data: re.Pattern[str], is_english_read: bool = True) -> list[str]:
    """The texts of an HTML page that nobody marked for translation; `data` are no words."""
    texts = map(str.strip, _read(page, is_english_read).texts)
    return [text for text in texts if _LETTERS.search(data.sub(" ", text))]


def unmarked_lines(text: str, data: re.Pattern[str]) -> list[str]:
    """The same of a text without tags, such as a mail."""
    lines = outside(text).splitlines()
    return [line.strip() for line in lines if _LETTERS.search(data.sub(" ", line))]


def read_lines(page: str) -> list[str]:
    """The texts of an HTML page as they stand below each other."""
    return [line for line in _read(page).lines if line]


def ill_set(page: str) -> list[str]:
    """Lines of an HTML page with a space before a point, a word twice, nothing in brackets."""
    return [line for line in _read(page).lines if _ILL_SET.search(line)]
