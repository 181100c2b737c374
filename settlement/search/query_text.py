"""What a person typed, read the way people of the floor name things. Pure: no query."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext

LONGEST = 80  # characters; what is longer is no name of anything
_SYSTEM = r"(?P<system>[a-z0-9][a-z0-9-]{0,31}?)"
_NUMBER = r"\d{1,18}"
_CLAIM = re.compile(rf"(?:{_SYSTEM}[ -]+)?#?(?P<number>{_NUMBER})")
_SLIP = re.compile(
    rf"{_SYSTEM}[ -]+(?P<number>{_NUMBER})[ -](?P<line>\d{{1,4}})(?:[ -](?P<part>\d{{1,4}}))?"
)
_ROUND = re.compile(rf"(?P<table>.*\S)[ /]+(?P<round>{_NUMBER})")
_ENTRY = re.compile(rf"(?:{_SYSTEM} )?#?(?P<number>{_NUMBER})")
_RULE = re.compile(r"\d{1,2}\.\d{0,2}(?:\([a-z]\))*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


@dataclass(frozen=True, slots=True)
class SlipNumber:
    """`MAIN-2-1-1`; without a part all of a line."""

    system: str
    claim: int
    line: int
    part: int | None


class Typed:
    """A text to look for. Its parts are None or empty where it is no such name.

    >>> Typed("MAIN-14").claim, Typed("claim 1,204").claim, Typed("t3 round 1204").round
    (('main', 14), (None, 1204), ('t3', 1204))
    """

    def __init__(self, text: str) -> None:
        cleaned = " ".join(text.replace("\x00", "").split())[:LONGEST]
        self.text = cleaned
        self.folded = _THOUSANDS.sub("", cleaned.casefold().replace("–", "-"))

    def __bool__(self) -> bool:
        return bool(self.text)

    @cached_property
    def words(self) -> list[str]:
        """Letters and digits alone, as an index of words has them."""
        return re.findall(r"[^\W_]+", self.folded)

    @cached_property
    def claim(self) -> tuple[str | None, int] | None:
        """The system's code, if one was typed, and the number of a claim."""
        match = _CLAIM.fullmatch(self._without("claim", gettext("Claim")))
        return (match["system"], int(match["number"])) if match else None

    @cached_property
    def slip(self) -> SlipNumber | None:
        match = _SLIP.fullmatch(self._without("slip", gettext("Slip")))
        if match is None:
            return None
        part = int(match["part"]) if match["part"] else None
        return SlipNumber(match["system"], int(match["number"]), int(match["line"]), part)

    @cached_property
    def round(self) -> tuple[str, int] | None:
        """What the table was called, and the number of a round."""
        match = _ROUND.fullmatch(self.folded)
        if match is None:
            return None
        table, last = match["table"], gettext("Round").casefold()
        for word in ("round", last):
            table = table.removesuffix(f" {word}")
        return table, int(match["round"])

    @cached_property
    def entry(self) -> tuple[str | None, int] | None:
        """The system's code, if one was typed, and a sequence number: only where it is said."""
        translated = gettext("Sequence no.").casefold()
        for word in ("entry", "sequence no.", "sequence", "seq", translated):
            before, middle, after = self.folded.partition(word)
            match = _ENTRY.fullmatch(f"{before.strip()} {after.strip()}".strip())
            if middle and match:
                return match["system"], int(match["number"])
        return None

    @cached_property
    def rule(self) -> str:
        """A rule's number, or how one begins: `19.`, `19.14(b)`."""
        text = self._without("rule", gettext("Rule"))
        return text if _RULE.fullmatch(text) else ""

    def names(self, label: str) -> bool:
        """Whether every word that was typed begins a word of the label."""
        parts = re.findall(r"[^\W_]+", label.casefold())
        return bool(self.words) and all(
            any(each.startswith(word) for each in parts) for word in self.words
        )

    def _without(self, *leading: str) -> str:
        """What is left behind a word that says what it is."""
        for word in leading:
            if self.folded.startswith(f"{word.casefold()} "):
                return self.folded[len(word) + 1 :]
        return self.folded
