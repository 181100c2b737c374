"""What people can be notified of: whom it takes, and by which ways, unless they choose others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.approvals.proposals import PERMISSIONS
from settlement.closing import closes
from settlement.events.kinds import ALARM, LATE, PROPOSED, SET_UP_DECIDED, SET_UP_PROPOSED
from settlement.events.sources import Happening
from settlement.people.preferences.saved_views import PAGES, USUAL
from settlement.people.rights.permissions import may
from settlement.set_up.proposals import SECOND
from settlement.set_up.proposals import Kind as SetUp

PAGE, MAIL, PUSH = WAYS = ("page", "mail", "push")
UNCLOSED = "day.open"  # the alarm of a gaming day or month that is not closed
_REJECTION = "second_rejection"


@dataclass(frozen=True, slots=True)
class Kind:
    """`permissions`: somebody needs one of them; none: it is told to the person it concerns, who
    has one of `proposing`, if any are named. `page`: the address's name of what to open."""

    label: str
    permissions: tuple[str, ...]
    ways: tuple[str, ...]
    page: str
    is_urgent: bool = False
    proposing: tuple[str, ...] = ()


_AGREEING = (*dict.fromkeys(seconds for _first, seconds in PERMISSIONS.values()), _REJECTION)

KINDS: dict[str, Kind] = {
    "claim.held": Kind(
        gettext_noop("Claim reported"), ("verify_claim",), (PAGE, PUSH), "claim", is_urgent=True
    ),
    "claim.verified": Kind(
        gettext_noop("Claim ready to confirm"),
        ("confirm_claim",),
        (PAGE, PUSH),
        "claim",
        is_urgent=True,
    ),
    "claim.late": Kind(
        gettext_noop("Claim waits too long"),
        ("verify_claim", "confirm_claim"),
        (PAGE, MAIL, PUSH),
        "claim",
        is_urgent=True,
    ),
    "claim.confirmed": Kind(gettext_noop("Payment due"), ("pay_claim",), (PAGE, PUSH), "claim"),
    "claim.unpaid": Kind(
        gettext_noop("Confirmed, not paid"),
        ("pay_claim",),
        (PAGE, MAIL, PUSH),
        "claim",
        is_urgent=True,
    ),
    "proposal.made": Kind(
        gettext_noop("Approval needed"), _AGREEING, (PAGE, MAIL), "irregularities"
    ),
    UNCLOSED: Kind(
        gettext_noop("Gaming day or month not closed"),
        ("propose_day_close",),
        (PAGE, MAIL),
        "closing",
    ),
    "finding.opened": Kind(
        gettext_noop("Finding opened"), ("explain_finding",), (PAGE,), "findings"
    ),
    "device.silent": Kind(
        gettext_noop("Table unit silent"), ("resolve_incident",), (PAGE,), "tables"
    ),
    "alarm.raised": Kind(
        gettext_noop("Alarm"), ("clear_alarm",), (PAGE,), "reconciliation", is_urgent=True
    ),
    SET_UP_PROPOSED: Kind(
        gettext_noop("Set-up needs a second person"), (SECOND,), (PAGE, MAIL), "house-rules"
    ),
    SET_UP_DECIDED: Kind(
        gettext_noop("Your set-up proposal was decided"),
        (),
        (PAGE,),
        "house-rules",
        proposing=("propose_set_up", "administer_people", "reset_second_factor"),
    ),
    "export.finished": Kind(gettext_noop("Report ready"), (), (PAGE,), "exports"),
    "sign_in.new_device": Kind(
        gettext_noop("Log-in on a new device"), (), (PAGE, MAIL), "account", is_urgent=True
    ),
}

# Raised by devices, by many at once where a switch fails. None is of what people do, or of money:
# those are each told.
DEVICE_ALARMS = frozenset(
    {
        *("quarantine", "quarantine_limit", "repeats", "presses", "event_limit", "reading_limit"),
        *("screen_silent", "unit_key_shut", "certificate_ends"),
    }
)


def kind_of(event: Happening) -> str | None:
    """The kind of notification that an event makes; None: nobody is told."""
    if event.kind == ALARM and event.data["alarm"] in closes.ALARMS:
        return UNCLOSED
    return event.kind if event.kind in KINDS else None


def permission_for(kind: str, event: Happening) -> str:
    """What somebody needs who is notified of it; empty: it is the person's own."""
    if kind == PROPOSED:
        proposed = event.data["proposed"]
        return PERMISSIONS[proposed][1] if proposed in PERMISSIONS else _REJECTION
    if kind == LATE:
        return str(event.data["permission"])
    permissions = KINDS[kind].permissions
    return permissions[0] if permissions else ""


def kinds_for(person: Any) -> dict[str, Kind]:
    """Those that this person can be notified of, by role."""
    return {
        name: kind
        for name, kind in KINDS.items()
        if not (permissions := kind.permissions or kind.proposing)
        or any(may(person, each) for each in permissions)
    }


def title_of(kind: str) -> str:
    """In the reader's language."""
    return _(KINDS[kind].label) if kind in KINDS else kind


def subject_of(data: dict[str, Any]) -> str:
    """What it is about, without amounts and names: a claim, a table, a system; may be empty."""
    if "claim" in data:
        return str(data["claim"]).upper()
    if "table" in data:
        return _("Table %(table)s") % {"table": str(data["table"]).upper()}
    if "set_up" in data:
        what, casino = str(SetUp(data["set_up"]).label), data["casino"]
        if "agreed" in data:
            what += ": " + (_("agreed") if data["agreed"] else _("withdrawn"))
        return f"{str(casino).upper()}, {what}" if casino else what
    if "export" in data:
        return _("Report no. %(number)s") % {"number": data["export"]}
    if "device" in data:
        return str(data["device"])
    return str(data.get("system") or "").upper()


def address_of(kind: str, data: dict[str, Any]) -> str:
    """The path of the page to open."""
    page = KINDS[kind].page if kind in KINDS else "home"
    if "claim" in data:
        system, _dash, number = str(data["claim"]).rpartition("-")
        return reverse("claim", args=[system, int(number)])
    page = "claims" if page == "claim" else page
    # A view that the person keeps as the default might leave out what this is about.
    return reverse(page) + (f"?{USUAL}" if page in PAGES else "")
