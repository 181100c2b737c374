"""What the list of claims can be narrowed to."""

from __future__ import annotations

from django_filters import rest_framework as filters

from jackpot.models import Hit
from settlement.claims.status import STATES


class ClaimFilter(filters.FilterSet):
    """By the codes of system, table and tier, and by where the claim stands (any of several)."""

    system = filters.CharFilter(field_name="system__code", label="Code of the system.")
    table = filters.CharFilter(field_name="table__code", label="Code of the table.")
    tier = filters.CharFilter(field_name="tier__code", label="Code of the tier.")
    standing = filters.MultipleChoiceFilter(
        choices=[(state, state) for state in STATES],
        label="Where the claim stands; may be given several times.",
    )

    class Meta:
        model = Hit
        fields = ("system", "table", "tier", "standing")
