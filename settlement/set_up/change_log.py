"""The record of changes of set-up as people read it: who, when, what, before and after."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _

from jackpot.terms.money import format_micros
from settlement.core.translation import Labels
from settlement.models import SetUpChange

KINDS = Labels(
    {
        "casino": _("Casino"),
        "system": _("Jackpot system"),
        "table": _("Table"),
        "person": _("Person"),
        "role": _("Role"),
        "invitation": _("Invitation"),
        "rule": _("Rule of the house"),
    }
)
WHAT = Labels(
    {
        "made": _("Made"),
        "changed": _("Changed"),
        "removed": _("Removed"),
        "opened": _("Opened"),
        "log_ins_ended": _("Log-ins ended"),
    }
)


_OF_THE_SUBJECT = ("casino_id", "system_id")


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
    rows = SetUpChange.objects.select_related("casino").order_by("-id")
    if kind:
        rows = rows.filter(kind=kind)
    if by:
        rows = rows.filter(by__contains=by)
    if first is not None:
        rows = rows.filter(at__gte=first)
    if last is not None:
        rows = rows.filter(at__lt=last)
    return rows


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
    for name, value in row.items():
        if value is None or name in _OF_THE_SUBJECT:
            continue
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if name == "role_id":
            name, text = "role", role_names.get(value, text)
        elif name == "amount" and change.casino is not None:
            text = f"{change.casino.currency} {format_micros(value, change.casino.minor_digits)}"
        texts[name] = text
    return texts
