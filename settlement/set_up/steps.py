"""The way from an empty installation to an open casino: each step is done when its rows say so."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext_noop as _

from jackpot.models import Terms
from settlement.core.translation import Labels
from settlement.models import JurisdictionChoice, SetUpChange
from settlement.people.roles import holders
from tables.models import Casino, DisplayReading, GamingTable, JackpotSystem

OPEN = "open"
STEPS = Labels(
    {
        "casino": _("Casino: zone, currency and start of the day"),
        "systems": _("Jackpot systems"),
        "tables": _("Tables"),
        "people": _("People: two managers, a supervisor and a cashier"),
        "jurisdiction": _("Jurisdiction pack: proposed by one, agreed to by another"),
        "terms": _("Terms: proposed by one, put into effect by two"),
        "displays": _("Displays: open one at a table"),
        OPEN: _("Open"),
    }
)


@dataclass(frozen=True)
class Step:
    """A step of the way; `done` by what is there now."""

    code: str
    done: bool

    @property
    def label(self) -> str:
        return STEPS[self.code]


def steps(casino: Casino | None) -> list[Step]:
    """The steps of a casino in their order; without one, all are open."""
    if casino is None:
        return [Step(code, done=False) for code in STEPS]
    of_casino = {"system__casino": casino}
    done = {
        "casino": True,
        "systems": JackpotSystem.objects.filter(casino=casino).exists(),
        "tables": GamingTable.objects.filter(**of_casino).exists(),
        "people": _has_people(casino),
        "jurisdiction": _has_pack(casino),
        "terms": Terms.objects.filter(**of_casino).exists(),
        "displays": DisplayReading.objects.filter(table__system__casino=casino).exists(),
        OPEN: is_open(casino),
    }
    return [Step(code, done[code]) for code in STEPS]


def is_open(casino: Casino) -> bool:
    """Whether somebody wrote down that the set-up is done."""
    return SetUpChange.objects.filter(kind="casino", casino=casino, what="opened").exists()


def _has_pack(casino: Casino) -> bool:
    """Whether people chose one, or whoever runs the server did."""
    is_chosen = JurisdictionChoice.objects.filter(casino=casino).exists()
    return is_chosen or casino.code in settings.JURISDICTIONS


def _has_people(casino: Casino) -> bool:
    least = {"confirm_claim": 2, "verify_claim": 1, "pay_claim": 1}
    return all(holders(code, casino.pk).count() >= count for code, count in least.items())
