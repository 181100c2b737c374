"""Packs of rules: one YAML file for each place, every rule with its dates and its source.

Two people choose a casino's pack, from a gaming day on (`settlement.jurisdiction.choices`); before
that it has the one that the server names (JURISDICTIONS). A house may add its own folder
(JURISDICTION_DIR), whose files go before those of the project. Files are read again when they
change: a new threshold takes effect by its date, without a release. How to write one:
docs/packs.md.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from settlement.core.gaming_day import today
from settlement.core.printing.paper import Paper
from settlement.jurisdiction.holidays import Holiday, Holidays
from settlement.jurisdiction.kinds import fault_of
from settlement.jurisdiction.pack import Kind, Pack, Records, Rule
from settlement.jurisdiction.yaml_file import FileFault, read
from settlement.models import JurisdictionChoice
from tables.models import Casino

__all__ = ["Pack", "PackError", "Rule", "RulesOfDay", "load", "packs", "rules_at"]

OWN = Path(__file__).parent / "packs"
NEUTRAL = "neutral"
_USABLE: dict[Path, Pack] = {}  # by file what this process last read of it without a fault
log = logging.getLogger(__name__)


class PackError(FileFault):
    """A pack cannot be used; the message names the file, the rule and what to correct."""


@dataclass(frozen=True, slots=True)
class RulesOfDay:
    """What holds in a casino on a gaming day."""

    pack: str
    name: str
    rules: tuple[Rule, ...]
    country: str = ""
    paper: Paper = "a4"
    holidays: Holidays | None = None

    @property
    def asks_of_payments(self) -> bool:
        return any(each.at_least is not None or each.above is not None for each in self.rules)

    def of(self, kind: Kind) -> list[Rule]:
        return [each for each in self.rules if each.rule == kind]


def packs() -> dict[str, Path]:
    """Every pack there is, by its name; the house's own go first."""
    folders = [OWN, *([Path(settings.JURISDICTION_DIR)] if settings.JURISDICTION_DIR else [])]
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.yaml"))}


def load(name: str) -> Pack:
    """PackError for one that is not there or says what nobody understands.

    Where a file that this process has read before becomes one that nobody understands, what it
    said before holds on: a slip of the pen stops no payment. `settlement.jurisdiction.watch`
    raises an alarm.
    """
    file = _file(name)
    try:
        pack = _read(file, file.stat().st_mtime_ns)
    except PackError as fault:
        if file not in _USABLE:
            raise
        log.error("%s What it said before holds on.", fault)
        return _USABLE[file]
    _USABLE[file] = pack
    return pack


def read_again(name: str) -> Pack:
    """What the file says now. PackError as of `load`, whatever it said before."""
    file = _file(name)
    return _read(file, file.stat().st_mtime_ns)


def _file(name: str) -> Path:
    file = packs().get(name)
    if file is None:
        names = ", ".join(sorted(packs()))
        raise PackError(
            _("There is no jurisdiction pack %(name)s: choose one of %(known)s.")
            % {"name": name, "known": names}
        )
    return file


@lru_cache(maxsize=32)
def _read(file: Path, _changed: int) -> Pack:
    pack, wrong = read(file, Pack, {"rules": Rule, "days": Holiday})
    if pack is None:
        raise PackError(
            _("The jurisdiction pack %(file)s cannot be read: %(fault)s.")
            % {"file": file.name, "fault": wrong}
        )
    if wrong := fault_of(pack):
        raise PackError(
            _("The jurisdiction pack %(file)s cannot be used: %(fault)s.")
            % {"file": file.name, "fault": wrong}
        )
    return pack


def digest_of(name: str) -> str:
    """SHA-256 of the pack's file as it is now, in small hexadecimal digits. PackError: no file."""
    return hashlib.sha256(_file(name).read_bytes()).hexdigest()


def is_of_house(name: str) -> bool:
    """Whether the pack's file is the house's own; those of the project change by releases alone."""
    return _file(name).parent != OWN


def default_pack(casino: Casino) -> str:
    """The pack that the server names for the casino, which holds until people choose one."""
    return str(settings.JURISDICTIONS.get(casino.code, NEUTRAL))


@dataclass(frozen=True, slots=True)
class PacksOfCasino:
    """Which pack a casino has on which gaming day. `choices`: the newest decision first. Whoever
    asks for many days has each file as it was at first."""

    casino: Casino
    choices: tuple[JurisdictionChoice, ...]
    _files: dict[str, Pack] = field(default_factory=dict, compare=False, repr=False)

    def choice_on(self, day: dt.date) -> JurisdictionChoice | None:
        """Of the decisions that have begun the newest; None: the server's setting holds."""
        return next((each for each in self.choices if each.since <= day), None)

    def name_on(self, day: dt.date) -> str:
        choice = self.choice_on(day)
        return default_pack(self.casino) if choice is None else choice.pack

    def planned_after(self, day: dt.date) -> list[JurisdictionChoice]:
        """Decisions that begin later, the next first, without those that a newer one replaced."""
        planned: list[JurisdictionChoice] = []
        for each in self.choices:
            if each.since > day and all(each.since < other.since for other in planned):
                planned.append(each)
            if each.since <= day:
                break
        return planned[::-1]

    @property
    def in_use(self) -> list[str]:
        """Packs of any gaming day: of days before the first choice that of the server's setting."""
        return list(dict.fromkeys([default_pack(self.casino), *(e.pack for e in self.choices)]))

    def is_changed(self, name: str) -> bool:
        """Whether the pack's file is another than two people agreed to last. PackError: no file."""
        newest = next((each for each in self.choices if each.pack == name), None)
        return newest is not None and newest.digest != digest_of(name)

    def rules_on(self, day: dt.date, date: dt.date | None = None) -> RulesOfDay:
        """The rules that hold on a gaming day; for a payment those of tax of its calendar `date`.
        PackError where the pack cannot be used."""
        name = self.name_on(day)
        if name not in self._files:
            self._files[name] = load(name)
        pack = self._files[name]
        require_currency(name, pack, self.casino)
        rules = pack.on(day, date)
        return RulesOfDay(name, pack.name, rules, pack.country, pack.paper, pack.holidays)


def packs_of(casino: Casino) -> PacksOfCasino:
    rows = JurisdictionChoice.objects.filter(casino=casino.pk).order_by("-id")
    return PacksOfCasino(casino, tuple(rows))


def rules_at(casino: Casino, day: dt.date, date: dt.date | None = None) -> RulesOfDay:
    """The rules of the casino's pack as `PacksOfCasino.rules_on`; who asks for many days reads them
    once by `packs_of`."""
    return packs_of(casino).rules_on(day, date)


def paper_of(casino: Casino) -> Paper:
    """What the casino prints on today, by its pack; A4 where that cannot be read: a slip waits for
    no correction of a file."""
    try:
        return rules_at(casino, today(casino)).paper
    except PackError as fault:
        log.error("%s A4 is taken.", fault)
        return "a4"


def require_currency(name: str, pack: Pack, casino: Casino) -> None:
    """PackError where the amounts of the pack are in another currency."""
    if pack.currency and pack.currency != casino.currency:
        raise PackError(
            _("The jurisdiction pack %(name)s is in %(currency)s, and %(casino)s is not.")
            % {"name": name, "currency": pack.currency, "casino": casino.name}
        )


def retention_years(casino: Casino, records: Records, day: dt.date) -> int | None:
    """How many years records of that kind are kept at least; None: no rule lets them go.

    The rule that names the kind counts, else the one for all records.
    """
    rules = rules_at(casino, day).of("retention")
    by_kind = {each.records: each.years for each in rules}
    return by_kind.get(records, by_kind.get(None))
