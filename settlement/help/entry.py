"""What the help says of one page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageHelp:
    """A page of the console, by the name of its address.

    `title` and `purpose` are English texts that gettext knows, `acts` code names of
    `settlement.people.rights.roles`, `words` terms of the glossary, `rules` numbers of section 19.
    """

    title: str
    purpose: str
    acts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
