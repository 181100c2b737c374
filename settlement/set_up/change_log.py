"""The record of changes of set-up as people read it: who, when, what, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from jackpot.labels.figures import with_code, write_amount
from settlement.core.words.translation import Labels
from settlement.set_up import escalation

KINDS = Labels(
    {
        "casino": _("Casino"),
        "system": _("Jackpot system"),
        "table": _("Table"),
        "person": _("Person"),
        "role": _("Role"),
        "factor_demand": _("Second factor of a role"),
        "invitation": _("Invitation"),
        "rule": _("Rule of the house"),
        "device": _("Device"),
        "webhook": _("Webhook"),
        "screen": _("Screen"),
        "slide": _("Slide"),
        "look": _("Look of the screens"),
        "tablet": _("Shared tablet"),
        "program": _("Program"),
        "report_schedule": _("Scheduled report"),
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
        "moved": _("Moved"),
    }
)


RULES = Labels(
    {
        "second_manager": _("Two managers confirm above"),
        "signatures": _("Signed by people themselves, with a passkey"),
        "missed_rounds": _("Missed rounds of a table and day that one person credits"),
        "terms_factor": _("Figures of terms are typed again above a factor of"),
        "idle_limit": _("Minutes until an untouched screen locks"),
        "variance_limit": _("A finding is opened above a variance"),
        "counting": _("Whether drop and bank are counted"),
        "jurisdiction": _("Jurisdiction pack"),
        "escalation": _("Who is notified of waiting claims"),
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
        name = self.name.removeprefix("is_").replace("_", " ")
        if not self.before:
            return f"{name}: {self.after}"
        return f"{name}: {self.before} → {self.after or '–'}"


def fields_of(
    kind: str, before: Mapping[str, Any], after: Mapping[str, Any], role_names: Mapping[int, str]
) -> list[Field]:
    """What a change of that kind changed, column by column, in the order of their names; roles by
    `role_names`."""
    currency = after if "currency" in after else {}
    texts = (_readable(kind, row, currency, role_names) for row in (before, after))
    before, after = texts
    fields = (
        Field(name, before.get(name, ""), after.get(name, "")) for name in sorted({*before, *after})
    )
    return [field for field in fields if field.before or field.after]


def _readable(
    kind: str, row: Mapping[str, Any], currency: Mapping[str, Any], role_names: Mapping[int, str]
) -> dict[str, str]:
    """Columns that say something beside the subject, as people read them."""
    texts = {}
    for name, value in row.items():
        if name == "amount" and value is None:
            texts[name] = gettext("never")
        if value is None or (name in _LEFT_OUT and (kind == "rule" or name.endswith("_id"))):
            continue
        text = _plain(value)
        if name == "role_id":
            name, text = "role", role_names.get(value, text)
        elif name == "rule":
            text = RULES.get(value, text)
        elif name == "levels":
            text = escalation.in_words(value)
        elif name == "amount" and currency:
            text = with_code(currency["currency"], write_amount(value, currency["minor_digits"]))
        texts[name] = text
    return texts


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(map(str, value)) or gettext("none")
    return str(value)
