"""Words of the trade and rules by number, from docs/glossary.md and docs/domain.md, so that no text
stands twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import gettext

DOCS = settings.BASE_DIR / "docs"
_DECISION = re.compile(r" \(\[\d{4}\]\([^)]*\)\)")  # why it is so, for who builds the console
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKS = re.compile(r"\*\*|`")
_NUMBERS = re.compile(r"\d+\.\d+(?:\([a-z]\))*")
_NUMBER = re.compile(r"(?<![\w.])(\d{1,2}\.\d{1,2}(?:\([a-z]\))?)(?![\d.]\d|\d)")
_RULES_IN = "## Section 19, untangled"


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the console: what it means, and what the floor or the rules call it."""

    name: str
    meaning: str
    elsewhere: str

    @property
    def anchor(self) -> str:
        return f"term-{slugify(self.name)}"

    @property
    def words(self) -> tuple[str, str, str]:
        """All three in the language of now."""
        return _now(self.name), _now(self.meaning), _now(self.elsewhere)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by its number: what is in force, and what the console does about it."""

    number: str
    in_force: str
    console: str

    @property
    def anchor(self) -> str:
        return f"rule-{slugify(self.number.replace('.', '-'))}"

    @property
    def words(self) -> tuple[str, str, str]:
        """All three in the language of now."""
        return _now(self.number), _now(self.in_force), _now(self.console)


def _now(english: str) -> str:
    return gettext(english) if english else ""


@cache
def terms() -> tuple[Term, ...]:
    """Every term of the glossary, in its order."""
    return tuple(
        Term(name, meaning, elsewhere)
        for name, meaning, _file, elsewhere in _rows((DOCS / "glossary.md").read_text(), 4)
    )


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule of section 19 that the documents explain, in their order."""
    section = (DOCS / "domain.md").read_text().split(_RULES_IN)[1].split("\n## ")[0]
    return tuple(Rule(*cells) for cells in _rows(section, 3) if _NUMBERS.match(cells[0]))


def texts() -> dict[str, tuple[str, ...]]:
    """What is to be translated, by the document that keeps it: all texts above that have a word.

    Numbers of rules and signs alone read the same in every language.
    """
    return {
        "docs/glossary.md": _worded(
            text for each in terms() for text in (each.name, each.meaning, each.elsewhere)
        ),
        "docs/domain.md": _worded(
            text for each in rules() for text in (each.number, each.in_force, each.console)
        ),
    }


def _worded(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if _WORD.search(text)))


def term_of(name: str) -> Term:
    """The term of that name, or the one beside which it stands: `overflow` is in that of the pool.

    A KeyError, where the glossary has no such word.
    """
    return _terms_by_name()[name]


@cache
def _terms_by_name() -> dict[str, Term]:
    return {name: each for each in terms() for name in (each.name, *each.name.split(", "))}


@lru_cache(maxsize=512)
def _rules_by(number: str) -> tuple[Rule, ...]:
    def is_meant(rule: str) -> bool:
        begins = rule.startswith(number if number.endswith(".") else f"{number}(")
        return rule == number or begins or number.startswith(f"{rule}(")

    return tuple(
        rule for rule in rules() if number and any(map(is_meant, _NUMBERS.findall(rule.number)))
    )


def numbers_in(text: str) -> tuple[str, ...]:
    """The rules that a text names and the documents explain.

    >>> numbers_in("Folded (19.17), Decks (4.1), 19.10 (previous rules), 119.17 or 19.17.5")
    ('19.17', '19.10')
    """
    numbers = (match.group(1) for match in _NUMBER.finditer(text))
    return tuple(dict.fromkeys(number for number in numbers if _rules_by(number)))


def rules_by(number: str) -> list[Rule]:
    """The rules of that number: of 19.14 both parts, of 19.7(d) all of 19.7, of `19.` all."""
    return list(_rules_by(number))


def _rows(text: str, width: int) -> list[list[str]]:
    """The rows of tables of so many columns, without their heads, as plain text."""
    lines = text.splitlines()
    rows = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("| ") and not following.startswith("|---"):
            cells = [_plain(cell) for cell in line.strip("|").split("|")]
            if len(cells) == width:
                rows.append(cells)
    return rows


def _plain(cell: str) -> str:
    """Without decisions, links and marks.

    >>> _plain(" see [Shares](#shares), **always**, in `rules` ([0117](decisions/0117-x.md)) ")
    'see Shares, always, in rules'
    """
    return _MARKS.sub("", _LINK.sub(r"\1", _DECISION.sub("", cell))).strip()
