"""Casinos, jackpot systems and tables, as an administrator makes and changes them."""

from __future__ import annotations

import datetime as dt
import functools
import json
import re
import secrets
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.core.errors import BadSetUp, WrongState
from settlement.core.input import clean_text
from settlement.core.words.translation import Labels
from settlement.people.rights.permissions import require
from settlement.people.shared.database_calls import ask
from settlement.people.shared.unit_keys import sealed_key
from settlement.set_up.day_starts import require_steady
from settlement.set_up.steps import OPEN, steps
from tables.models import Casino, GamingTable, JackpotSystem, code_validator, new_display_key
from tables.visibility.rehearsals import REHEARSAL, is_named_as_it_is
from tables.visibility.scope import only

MAY = "set_up_casino"
PUTS_INTO_SERVICE = "second_move"  # a new table where terms are posted
DATES = Labels(
    {
        "": gettext_noop("As each language writes them: 21 Nov 2026"),
        "month_first": gettext_noop("In English the month first: Nov 21, 2026"),
        "year_first": gettext_noop("In every language the year first: 2026-11-21"),
    }
)
CLOCKS = Labels(
    {
        "": gettext_noop("24-hour clock: 21:05"),
        "twelve": gettext_noop("12-hour clock, in languages that have it: 9:05 PM"),
    }
)
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True)
class CasinoFacts:
    """What a casino is; `code` stays. The texts at the end: see `tables.models.Casino`."""

    code: str
    name: str
    timezone: str
    currency: str
    minor_digits: int
    day_starts: dt.time
    language: str = ""
    dates: str = ""
    clock: str = ""
    slip_language: str = ""


@dataclass(frozen=True)
class NewTable:
    """A table that is to be made."""

    code: str
    name: str


@dataclass(frozen=True)
class UnitKeyOnce:
    """The key of a new table's unit, which is shown once."""

    table: str
    key: str


@functools.cache
def zones() -> list[str]:
    """Time zones by name: those that this machine had when first asked, as they are files."""
    return sorted(each for each in zoneinfo.available_timezones() if "/" in each or each == "UTC")


def make_casino(by: Any, facts: CasinoFacts) -> Casino:
    """A new casino; whoever makes it administers every casino."""
    require(by, MAY)
    values = _values(facts)
    require_steady(facts.day_starts, facts.timezone)
    return Casino.objects.get(pk=ask("set_up_casino", by.pk, None, json.dumps(values)))


def change_casino(by: Any, casino: Casino, facts: CasinoFacts) -> None:
    """Other facts of a casino; WrongState where they stay as they are posted.

    And of the start of the day where it takes two people (`day_takes_two`).
    """
    require(by, MAY)
    values = _values(facts)
    if (facts.day_starts, facts.timezone) != (casino.day_starts, casino.timezone):
        require_steady(facts.day_starts, facts.timezone)
    ask("set_up_casino", by.pk, casino.pk, json.dumps(values))


def day_takes_two(casino: Casino) -> bool:
    """Whether somebody could ever agree to another start of the day, so that two people decide."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT NOT decides_alone(%s)", [casino.pk])
        return bool(cursor.fetchone()[0])


def make_system(
    by: Any, casino: Casino, code: str, name: str, *, is_rehearsal: bool = False
) -> JackpotSystem:
    """A new jackpot system, with an order of its own; its code says for ever what it is."""
    require(by, MAY)
    code = good_code(code)
    if code.startswith(REHEARSAL) is not is_rehearsal or f"{code}-" == REHEARSAL:
        raise BadSetUp(_("Such a code is of a rehearsal alone: begin one on its own page."))
    number = ask("set_up_system", by.pk, casino.pk, None, code, _system_name(name, is_rehearsal))
    with only(None):
        return JackpotSystem.objects.get(pk=number)


def rename_system(by: Any, system: JackpotSystem, name: str) -> None:
    """Another name; the code stays."""
    ask(
        "set_up_system",
        by.pk,
        system.casino_id,
        system.pk,
        system.code,
        _system_name(name, system.is_rehearsal),
    )


def make_tables(by: Any, system: JackpotSystem, tables: Sequence[NewTable]) -> list[UnitKeyOnce]:
    """New tables, all or none, and the keys of their units, which are read here and never again."""
    require(by, MAY, system)
    keys = [UnitKeyOnce(each.code, secrets.token_hex(32)) for each in tables]
    rows = [
        {
            "code": good_code(each.code),
            "name": _clean_name(each.name),
            "display_key": new_display_key(),
            **sealed_key(f"{system.code}/{key.table}", key.key),
        }
        for each, key in zip(tables, keys, strict=True)
    ]
    ask("set_up_tables", by.pk, system.pk, json.dumps(rows))
    return keys


def rename_table(by: Any, table: GamingTable, name: str) -> None:
    """Another name; the code stays."""
    ask("rename_table", by.pk, table.pk, _clean_name(name))


def rekey_table(by: Any, table: GamingTable) -> UnitKeyOnce:
    """Another key of the table's unit, which is read here and never again; the old one ends."""
    key = UnitKeyOnce(table.code, secrets.token_hex(32))
    sealed = sealed_key(f"{table.system.code}/{table.code}", key.key)
    ask("rekey_table", by.pk, table.pk, sealed["sealed_key"], sealed["key_digest"])
    return key


def put_into_service(by: Any, table: GamingTable) -> None:
    """A table that was made beside posted terms is in service."""
    ask("put_into_service", by.pk, table.pk)


def open_casino(by: Any, casino: Casino) -> None:
    """Write down that the set-up is done; again: nothing more.

    WrongState while a step before it is open that cannot be done later.
    """
    needed = [step for step in steps(casino) if step.code != OPEN and not step.may_wait]
    if left := [step.label for step in needed if not step.is_done]:
        raise WrongState(_("Still open: %(steps)s.") % {"steps": "; ".join(left)})
    ask("open_casino", by.pk, casino.pk)


def good_code(code: str) -> str:
    """The code as it was typed; BadSetUp where it is none."""
    try:
        code_validator(code)
    except ValidationError as error:
        raise BadSetUp(" ".join(map(str, error.messages))) from error
    return code


def _clean_name(name: str) -> str:
    text = clean_text(name, 100)
    if not text:
        raise BadSetUp(_("Enter the name."))
    return text


def _system_name(name: str, is_rehearsal: bool) -> str:
    text = _clean_name(name)
    if not is_named_as_it_is(text, is_rehearsal=is_rehearsal):
        raise BadSetUp(
            _("The name of a rehearsal begins with REHEARSAL, and that of nothing else does.")
        )
    return text


def _values(facts: CasinoFacts) -> dict[str, Any]:
    good_code(facts.code)
    if facts.timezone not in zones():
        raise BadSetUp(_("Choose a time zone."))
    if not _CURRENCY.fullmatch(facts.currency):
        raise BadSetUp(_("The currency is its code of three letters, such as NZD."))
    for code in (facts.language, facts.slip_language):
        if code and code not in dict(settings.LANGUAGES):
            raise BadSetUp(_("Choose a language from the list."))
    if facts.dates not in DATES:
        raise BadSetUp(_("Choose from the list how dates are written."))
    if facts.clock not in CLOCKS:
        raise BadSetUp(_("Choose a clock from the list."))
    return {
        "code": facts.code,
        "name": _clean_name(facts.name),
        "timezone": facts.timezone,
        "currency": facts.currency,
        "minor_digits": facts.minor_digits,
        "day_starts": facts.day_starts.isoformat(),
        "language": facts.language,
        "dates": facts.dates,
        "clock": facts.clock,
        "slip_language": facts.slip_language,
    }
