"""What the list of claims can be narrowed to."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jackpot.models import Tier
from settlement.claims.status import OPEN, STATES, hits, urgent_first
from settlement.pages.claims.queue.rows import tier_names
from tables.models import GamingTable, JackpotSystem

STANDINGS = (
    ("open", gettext_lazy("All open")),
    *((state, gettext_lazy(state.capitalize())) for state in STATES),
    ("all", gettext_lazy("All")),
)


class ClaimFilter(forms.Form):
    """By standing, system, table and prize; what is not a choice narrows nothing."""

    standing = forms.ChoiceField(label=gettext_lazy("State"), choices=STANDINGS, required=False)
    system = forms.ChoiceField(label=gettext_lazy("System"), required=False)
    table = forms.ChoiceField(label=gettext_lazy("Table"), required=False)
    tier = forms.ChoiceField(label=gettext_lazy("Prize"), required=False)

    def __init__(self, data: Any) -> None:
        super().__init__({"standing": "open", **{key: data[key] for key in data}})
        systems = list(JackpotSystem.objects.order_by("name"))
        self.several_systems = len(systems) > 1
        names = tier_names([system.pk for system in systems])
        tables = GamingTable.objects.select_related("system").order_by("system__name", "code")
        tiers = Tier.objects.select_related("system").order_by("system__name", "code")
        self.fields["system"].choices = [  # type: ignore[attr-defined]
            ("", _("All systems")),
            *((system.code, system.name) for system in systems),
        ]
        self.fields["table"].choices = [  # type: ignore[attr-defined]
            ("", _("All tables")),
            *((str(table.pk), self._in(table.system, table.name)) for table in tables),
        ]
        self.fields["tier"].choices = [  # type: ignore[attr-defined]
            ("", _("All prizes")),
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
        return _("Larger") if self.criteria["standing"] == "open" else _("Newer")

    @property
    def next(self) -> str:
        """The word for the page after."""
        return _("Smaller") if self.criteria["standing"] == "open" else _("Older")

    @property
    def narrows(self) -> bool:
        """Whether anything but the usual view was asked for."""
        choices = self.criteria
        return choices["standing"] != "open" or any(
            choices[key] for key in ("system", "table", "tier")
        )

    @property
    def criteria(self) -> dict[str, str]:
        """The choices that are valid."""
        self.is_valid()
        choices = {key: self.cleaned_data.get(key) or "" for key in self.fields}
        choices["standing"] = choices["standing"] or "open"
        return choices

    def hits(self) -> QuerySet[Any]:
        """The hits that were asked for: open ones by urgency, else the newest first."""
        choices = self.criteria
        rows: QuerySet[Any] = hits().order_by("-at", "-number", "system")
        if choices["standing"] == "open":
            rows = urgent_first(rows.filter(standing__in=OPEN))
        elif choices["standing"] != "all":
            rows = rows.filter(standing=choices["standing"])
        if choices["system"]:
            rows = rows.filter(system__code=choices["system"])
        if choices["table"]:
            rows = rows.filter(table=choices["table"])
        if choices["tier"]:
            rows = rows.filter(tier=choices["tier"])
        return rows

    def _in(self, system: JackpotSystem, name: str) -> str:
        return f"{name}, {system.name}" if self.several_systems else name
