"""The record of changes of set-up as people read it: who, when, what, before and after."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from jackpot.terms.money import format_micros
from settlement.core.translation import Labels
from settlement.models import SetUpChange
from settlement.people.security_log import people_seen
from tables.visibility import visible

KINDS = Labels(
    {
        "casino": _("Casino"),
        "system": _("Jackpot system"),
        "table": _("Table"),
        "person": _("Person"),
        "role": _("Role"),
        "invitation": _("Invitation"),
        "rule": _("Rule of the house"),
        "device": _("Device"),
        "webhook": _("Webhook"),
    }
)
WHAT = Labels(
    {
        "made": _("Made"),
        "changed": _("Changed"),
        "removed": _("Removed"),
        "opened": _("Opened"),
        "log_ins_ended": _("Log-ins ended"),
        "rekeyed": _("New key"),
        "revoked": _("Revoked"),
        "replaced": _("Replaced"),
    }
)


RULES = Labels(
    {
        "second_manager": _("Two managers confirm above"),
        "signatures": _("Signed by people themselves, with a passkey"),
        "missed_rounds": _("Missed rounds of a table and day that one person credits"),
        "terms_factor": _("Figures of terms are typed again above a factor of"),
        "variance_limit": _("A finding is opened above a variance"),
    }
)

# What the subject says, and in what an amount was then.
_LEFT_OUT = ("casino_id", "system_id", "currency", "minor_digits")


@dataclass(frozen=True)
class Field:
    """A column that changed; `before` empty: it was made."""

    name: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """In one line: `name: Table 2 → Table two`."""
        if not self.before:
            return f"{self.name}: {self.after}"
        return f"{self.name}: {self.before} → {self.after or '–'}"


def changes(
    kind: str = "", by: str = "", first: dt.datetime | None = None, last: dt.datetime | None = None
) -> QuerySet[SetUpChange]:
    """Of the casinos that are seen, the newest first; from `first` until before `last`."""
    rows = _seen().select_related("casino").order_by("-id")
    if kind:
        rows = rows.filter(kind=kind)
    if by:
        first_of_two, second_of_two = Q(by__startswith=f"{by} and "), Q(by__endswith=f" and {by}")
        rows = rows.filter(Q(by=by) | first_of_two | second_of_two)
    if first is not None:
        rows = rows.filter(at__gte=first)
    if last is not None:
        rows = rows.filter(at__lt=last)
    return rows


def _seen() -> QuerySet[SetUpChange]:
    """Of the casinos that are seen; a person's, who is of no casino, by the people seen."""
    seen = visible()
    if seen is None:
        return SetUpChange.objects.all()
    persons = Q(kind="person", subject__in=people_seen().values("username"))
    rows = SetUpChange.objects.exclude(kind="person")
    return SetUpChange._base_manager.filter(Q(pk__in=rows.values("pk")) | persons)


def fields_of(change: SetUpChange, role_names: Mapping[int, str]) -> list[Field]:
    """What changed, column by column, in the order of their names; roles by `role_names`."""
    before, after = (_readable(change, row, role_names) for row in (change.before, change.after))
    return [
        Field(name, before.get(name, ""), after.get(name, "")) for name in sorted({*before, *after})
    ]


def _readable(
    change: SetUpChange, row: Mapping[str, Any], role_names: Mapping[int, str]
) -> dict[str, str]:
    """Columns that say something beside the subject, as people read them."""
    texts = {}
    is_rule = change.kind == "rule"
    for name, value in row.items():
        if name == "amount" and value is None:
            texts[name] = gettext("never")
        if value is None or (name in _LEFT_OUT and (is_rule or name.endswith("_id"))):
            continue
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if name == "role_id":
            name, text = "role", role_names.get(value, text)
        elif name == "rule":
            text = RULES.get(value, text)
        elif name == "amount" and "currency" in change.after:
            digits = change.after["minor_digits"]
            text = f"{change.after['currency']} {format_micros(value, digits)}"
        texts[name] = text
    return texts
