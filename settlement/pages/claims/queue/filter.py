"""What the list of claims can be narrowed to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from jackpot.hits.states import OPEN_STATES, HitState
from jackpot.models import Tier
from settlement.claims.status import BOOKS, STATES, Standing, hits, urgent_first
from settlement.models import Action
from settlement.pages.claims.queue.rows import tier_names
from settlement.pages.shared.lists.narrowing import Narrowing, within
from settlement.pages.shared.lists.order import Column, Sort
from tables.models import Casino, GamingTable, JackpotSystem

STANDINGS = (
    ("open", gettext_lazy("All open")),
    (HitState.HELD.value, gettext_lazy("Amount reserved")),
    *((state, gettext_lazy(state.capitalize())) for state in STATES),
    ("all", gettext_lazy("All")),
)


# Upwards; `settlement.claims.status.urgent_first` has what the first one asks for.
_HAND = (Column("number", int), Column("system_id", int))  # unique to a claim
SORTS = (
    Sort(
        "urgency",
        gettext_noop("Urgency"),
        (
            *(Column("is_unknown", int), Column("at_stake", int)),
            *(Column("at", dt.datetime, is_down=True), Column("number", int, is_down=True)),
            Column("system_id", int, is_down=True),
        ),
    ),
    Sort("called", gettext_noop("Time of hand"), (Column("at", dt.datetime), *_HAND)),
    Sort("amount", gettext_noop("Amount"), (Column("held", int), *_HAND)),
    Sort("claim", gettext_noop("Claim"), (Column("system__code", str), Column("number", int))),
)


def people() -> QuerySet[Any]:
    """Who did anything to a claim that the person sees."""
    users = get_user_model().objects.defer("password").order_by("username")
    return users.filter(pk__in=Action.objects.order_by().values("person"))


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
    def narrows(self) -> bool:
        """Whether anything but the usual view was asked for."""
        choices = self.criteria
        return choices["standing"] != "open" or any(
            choices[key] for key in ("system", "table", "tier")
        )

    @property
    def usual(self) -> str:
        """The usual order: open claims by urgency, others by time."""
        return "-urgency" if self.criteria["standing"] == "open" else "-called"

    @property
    def criteria(self) -> dict[str, str]:
        """The choices that are valid."""
        self.is_valid()
        choices = {key: self.cleaned_data.get(key) or "" for key in self.fields}
        choices["standing"] = choices["standing"] or "open"
        return choices

    def hits(self, narrowing: Narrowing, casinos: Iterable[Casino]) -> QuerySet[Any]:
        """The hits that were asked for, in no order; days are those of the casino of each."""
        choices = self.criteria
        rows: QuerySet[Any] = urgent_first(hits())
        if choices["standing"] == "open":
            rows = rows.filter(state__in=OPEN_STATES)  # the states behind `OPEN`
        elif choices["standing"] == HitState.HELD:
            rows = rows.filter(state=HitState.HELD)
        elif choices["standing"] != "all":
            standing = Standing(choices["standing"])
            rows = rows.filter(state=BOOKS[standing], standing=standing)
        fields = {"system": "system__code", "table": "table", "tier": "tier"}
        rows = rows.filter(**{fields[name]: choices[name] for name in fields if choices[name]})
        rows = within(rows, "at", narrowing.days, casinos)
        if narrowing.least is not None:
            rows = rows.filter(held__gte=narrowing.least)
        if narrowing.most is not None:
            rows = rows.filter(held__lte=narrowing.most)
        if narrowing.person:
            acts = Action.objects.filter(
                claim__system=OuterRef("system"),
                claim__number=OuterRef("number"),
                person__username=narrowing.person,
            )
            rows = rows.filter(Exists(acts))
        return rows

    def _in(self, system: JackpotSystem, name: str) -> str:
        return f"{name}, {system.name}" if self.several_systems else name
