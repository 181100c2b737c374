"""A casino's jurisdiction pack: what two people read before they choose it, and the choice.

What is compared are the rules that hold on the day from which the pack is to hold, with those that
would hold then without it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from jackpot.models import Entry, Terms
from settlement.core.errors import BadSetUp, WrongState
from settlement.core.gaming_day import DAY, today
from settlement.core.words.translation import Labels
from settlement.jurisdiction.kinds import KINDS as APART
from settlement.jurisdiction.pack import Pack, Rule
from settlement.jurisdiction.rules import (
    PackError,
    PacksOfCasino,
    digest_of,
    packs_of,
    read_again,
    require_currency,
)
from settlement.jurisdiction.words import KINDS, in_words
from settlement.models import SetUpProposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up import proposals
from tables.models import Casino

FARTHEST = dt.timedelta(days=366)
CHANGES = Labels(
    {
        "new": gettext_noop("New rule"),
        "changed": gettext_noop("Changed"),
        "same": gettext_noop("As now"),
        "gone": gettext_noop("No longer"),
    }
)


@dataclass(frozen=True, slots=True)
class ComparedRule:
    """A rule in words, beside the one of its kind that holds without the change.

    `change`: of `CHANGES`; empty where nothing is compared. `before`: that one in words, where it
    says something else. Of a rule that is gone the words are its own.
    """

    rule: Rule
    kind: str
    words: str
    change: str = ""
    before: str = ""

    @property
    def source(self) -> str:
        return gettext(self.rule.source)

    @property
    def change_label(self) -> str:
        return CHANGES.get(self.change, "")


@dataclass(frozen=True, slots=True)
class LaterChange:
    """A rule of the pack that begins or ends after the day that is looked at."""

    day: dt.date
    words: str
    source: str
    begins: bool


@dataclass(frozen=True, slots=True)
class PackContents:
    """A pack as people read it. `since`: the day of which the rules are. `wrong`: why it cannot be
    chosen for this casino; else empty."""

    name: str
    title: str
    digest: str
    since: dt.date
    rules: tuple[ComparedRule, ...]
    later: tuple[LaterChange, ...]
    wrong: str = ""


def title_of(name: str) -> str:
    """What people call the pack; of one that cannot be read the name of its file."""
    try:
        return gettext(read_again(name).name)
    except PackError:
        return name


def first_day(casino: Casino) -> dt.date:
    """From which gaming day on another pack may hold: once anything is posted, that of tomorrow.

    As the guard asks (`is_unposted`): entries of units are there before the first terms.
    """
    is_posted = any(
        model.objects.filter(system__casino=casino).exists() for model in (Terms, Entry)
    )
    return today(casino) + DAY if is_posted else today(casino)


def contents(casino: Casino, name: str, since: dt.date) -> PackContents:
    """What the pack asks for from that day on, beside what holds then without it.

    PackError for one that is not there or cannot be read.
    """
    pack, digest = read_again(name), digest_of(name)
    packs = packs_of(casino)
    return PackContents(
        name,
        gettext(pack.name),
        digest,
        since,
        tuple(_compared(pack, _rules_without(packs, since), since, casino)),
        tuple(_later(pack, since)),
        _wrong(name, pack, casino),
    )


def propose(by: Any, casino: Casino, contents: PackContents, digest: str) -> None:
    """One person proposes the pack as it was shown, with that digest of its file.

    BadSetUp where it is no pack for this casino, WrongState where its file has changed since.
    """
    if contents.wrong:
        raise BadSetUp(contents.wrong)
    if contents.digest != digest:
        raise WrongState(_("The file of the pack has changed: read it again, then propose it."))
    first = first_day(casino)
    if not first <= contents.since <= first + FARTHEST:
        raise BadSetUp(
            _("Choose a gaming day from %(first)s on, within a year.") % {"first": first}
        )
    pack = {"pack": contents.name, "name": read_again(contents.name).name, "digest": digest}
    proposals.propose_pack(by, casino, pack, contents.since)


def agree(proposal: SetUpProposal, person: Reauthenticated) -> None:
    """The second person agrees to the pack as it was proposed: to the same file."""
    if digest_of(proposal.body["pack"]) != proposal.body["digest"]:
        raise WrongState(
            _("The file of the pack has changed since it was proposed: withdraw it and propose it.")
        )
    proposals.agree(proposal, person)


def _rules_without(packs: PacksOfCasino, since: dt.date) -> tuple[Rule, ...]:
    """Those that hold on that day without a change; none of a pack that cannot be used."""
    try:
        return packs.rules_on(since).rules
    except PackError:
        return ()


def _compared(
    pack: Pack, present: tuple[Rule, ...], since: dt.date, casino: Casino
) -> Iterator[ComparedRule]:
    """The rules of the pack in the order of their kinds, then those that end."""
    before = {_place(rule): rule for rule in present}
    after = sorted(pack.on(since), key=lambda rule: list(APART).index(rule.rule))
    for rule in after:
        other = before.pop(_place(rule), None)
        words = in_words(rule, pack.currency or casino.currency)
        was = "" if other is None else in_words(other, casino.currency)
        change = "new" if other is None else "same" if was == words else "changed"
        yield ComparedRule(
            rule, KINDS[rule.rule], words, change, was if change == "changed" else ""
        )
    for rule in before.values():
        yield ComparedRule(rule, KINDS[rule.rule], in_words(rule, casino.currency), "gone")


def _place(rule: Rule) -> tuple[Any, ...]:
    """What tells it from other rules of a day."""
    return (rule.rule, *(getattr(rule, name) for name in APART[rule.rule].apart))


def _later(pack: Pack, since: dt.date) -> Iterator[LaterChange]:
    for day, rule, begins in pack.changes_after(since):
        words = f"{KINDS[rule.rule]}: {in_words(rule, pack.currency)}"
        yield LaterChange(day, words, gettext(rule.source), begins)


def _wrong(name: str, pack: Pack, casino: Casino) -> str:
    try:
        require_currency(name, pack, casino)
    except PackError as fault:
        return str(fault)
    return ""
