"""What the list of claims can be narrowed to."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet

from jackpot.models import Tier
from settlement.claims.status import OPEN, STATES, hits, urgent_first
from settlement.pages.claims.queue.rows import tier_names
from tables.models import GamingTable, JackpotSystem

STANDINGS = (
    ("open", "All open"),
    *((state, state.capitalize()) for state in STATES),
    ("all", "All"),
)


class ClaimFilter(forms.Form):
    """By standing, system, table and prize; what is not a choice narrows nothing."""

    standing = forms.ChoiceField(label="State", choices=STANDINGS, required=False)
    system = forms.ChoiceField(label="System", required=False)
    table = forms.ChoiceField(label="Table", required=False)
    tier = forms.ChoiceField(label="Prize", required=False)

    def __init__(self, data: Any) -> None:
        super().__init__({"standing": "open", **{key: data[key] for key in data}})
        systems = list(JackpotSystem.objects.order_by("name"))
        self.several_systems = len(systems) > 1
        names = {system.pk: tier_names(system.pk) for system in systems}
        tables = GamingTable.objects.select_related("system").order_by("system__name", "code")
        tiers = Tier.objects.select_related("system").order_by("system__name", "code")
        self.fields["system"].choices = [  # type: ignore[attr-defined]
            ("", "All systems"),
            *((system.code, system.name) for system in systems),
        ]
        self.fields["table"].choices = [  # type: ignore[attr-defined]
            ("", "All tables"),
            *((str(table.pk), self._in(table.system, table.name)) for table in tables),
        ]
        self.fields["tier"].choices = [  # type: ignore[attr-defined]
            ("", "All prizes"),
            *(
                (
                    str(tier.pk),
                    self._in(tier.system, names[tier.system_id].get(tier.code, tier.code)),
                )
                for tier in tiers
            ),
        ]
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    @property
    def previous(self) -> str:
        """The word for the page before: open claims stand the largest first."""
        return "Larger" if self.asked["standing"] == "open" else "Newer"

    @property
    def next(self) -> str:
        """The word for the page after."""
        return "Smaller" if self.asked["standing"] == "open" else "Older"

    @property
    def narrows(self) -> bool:
        """Whether anything but the usual view was asked for."""
        asked = self.asked
        return asked["standing"] != "open" or any(asked[key] for key in ("system", "table", "tier"))

    @property
    def asked(self) -> dict[str, str]:
        """The choices that are valid."""
        self.is_valid()
        found = {key: self.cleaned_data.get(key) or "" for key in self.fields}
        found["standing"] = found["standing"] or "open"
        return found

    def hits(self) -> QuerySet[Any]:
        """The hits that were asked for: open ones by urgency, else the newest first."""
        asked = self.asked
        found: QuerySet[Any] = hits().order_by("-at", "-number", "system")
        if asked["standing"] == "open":
            found = urgent_first(found.filter(standing__in=OPEN))
        elif asked["standing"] != "all":
            found = found.filter(standing=asked["standing"])
        if asked["system"]:
            found = found.filter(system__code=asked["system"])
        if asked["table"]:
            found = found.filter(table=asked["table"])
        if asked["tier"]:
            found = found.filter(tier=asked["tier"])
        return found

    def _in(self, system: JackpotSystem, name: str) -> str:
        return f"{name}, {system.name}" if self.several_systems else name
