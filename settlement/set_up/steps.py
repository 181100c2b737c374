"""The way from an empty installation to an open casino: each step is done when its rows say so."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext_noop as _

from jackpot.models import Terms
from settlement.core.words.translation import Labels
from settlement.models import (
    JurisdictionChoice,
    SecondFactor,
    SecondManagerLimit,
    SetUpChange,
    SignaturePolicy,
)
from settlement.people.factors.demand import needs_one
from settlement.people.rights.permissions import name_of
from settlement.people.rights.role_holders import holders
from settlement.set_up.rehearsal_steps import is_passed, is_waived
from settlement.signatures import policy
from tables.models import Casino, DisplayReading, GamingTable, JackpotSystem

OPEN = "open"
# How many people must be able to do what no casino can be without.
LEAST_PEOPLE = {"confirm_claim": 2, "verify_claim": 1, "pay_claim": 1}
STEPS = Labels(
    {
        "casino": _("Casino: zone, currency and start of the day"),
        "systems": _("Jackpot systems"),
        "tables": _("Tables"),
        "people": _("People: two managers, a supervisor and a cashier"),
        "jurisdiction": _("Jurisdiction pack: proposed by one, agreed to by another"),
        "amount": _(
            "Amount above which two managers confirm: proposed by one, agreed to by another"
        ),
        "keys": _("Keys to sign with: passkeys of two people, or a decision to sign nothing"),
        "terms": _("Terms: proposed by one, put into effect by two"),
        "displays": _("Displays: open one at a table"),
        "rehearsal": _("Rehearsal: from press to paid, without money"),
        OPEN: _("Open"),
    }
)

# What a casino may open without, and what holds until then.
LATER = Labels(
    {
        "amount": _("Can be done later. Until then one manager confirms any amount."),
        "keys": _("Can be done later. Until then nothing is signed."),
    }
)
LACKING = Labels(
    {
        "factors": _("People without the second factor that their role needs"),
        "units": _("Tables whose unit never connected"),
    }
)


@dataclass(frozen=True)
class Step:
    """A step of the way; `is_done` by what is there now."""

    code: str
    is_done: bool

    @property
    def label(self) -> str:
        return STEPS[self.code]

    @property
    def may_wait(self) -> bool:
        """Whether a casino may open without it."""
        return self.code in LATER

    @property
    def later(self) -> str:
        """What holds until it is done, of one that may wait; empty where it waits for nothing."""
        return LATER[self.code] if self.may_wait and not self.is_done else ""


def steps(casino: Casino | None) -> list[Step]:
    """The steps of a casino in their order; without one, all are open."""
    if casino is None:
        return [Step(code, is_done=False) for code in STEPS]
    systems = JackpotSystem.objects.for_money().filter(casino=casino)
    of_casino = {"system__in": systems}
    states = {
        "casino": True,
        "systems": systems.exists(),
        "tables": GamingTable.objects.filter(**of_casino).exists(),
        "people": _has_people(casino),
        "jurisdiction": _has_pack(casino),
        "amount": SecondManagerLimit.objects.filter(casino=casino).exists(),
        "keys": _is_signing_decided(casino),
        "terms": Terms.objects.filter(**of_casino).exists(),
        "displays": DisplayReading.objects.filter(table__system__in=systems).exists(),
        "rehearsal": is_passed(casino) or is_waived(casino),
        OPEN: is_open(casino),
    }
    return [Step(code, states[code]) for code in STEPS]


@dataclass(frozen=True)
class Lacking:
    """What the first evening would miss, with the names of whom or what; it stops nobody."""

    code: str
    names: tuple[str, ...]

    @property
    def label(self) -> str:
        return LACKING[self.code]


def lacking(casino: Casino) -> list[Lacking]:
    """What is missing besides the steps, to be read before a casino opens."""
    with_role = holders("view_claim", casino.pk) | holders("view_set_up", casino.pk)
    has_factor = SecondFactor.objects.filter(ended_at=None).values("person")
    people = [each for each in with_role.exclude(pk__in=has_factor).distinct() if needs_one(each)]
    silent = GamingTable.objects.filter(
        system__in=JackpotSystem.objects.for_money().filter(casino=casino),
        in_service=True,
        moved_to=None,
        presence=None,
    ).select_related("system")
    names_by_code = {
        "factors": tuple(name_of(each) for each in people),
        "units": tuple(f"{each.system.name}: {each.name}" for each in silent),
    }
    return [Lacking(code, names) for code, names in names_by_code.items() if names]


def is_open(casino: Casino) -> bool:
    """Whether somebody wrote down that the set-up is done."""
    return SetUpChange.objects.filter(kind="casino", casino=casino, what="opened").exists()


def _has_pack(casino: Casino) -> bool:
    """Whether people chose one, or whoever runs the server did."""
    is_chosen = JurisdictionChoice.objects.filter(casino=casino).exists()
    return is_chosen or casino.code in settings.JURISDICTIONS


def _is_signing_decided(casino: Casino) -> bool:
    """Whether acts are signed, or two people decided that none is."""
    is_decided = SignaturePolicy.objects.filter(casino=casino).exists()
    return is_decided or policy.of_casino(casino.pk) != SignaturePolicy.Acts.NONE


def _has_people(casino: Casino) -> bool:
    return all(holders(code, casino.pk).count() >= count for code, count in LEAST_PEOPLE.items())
