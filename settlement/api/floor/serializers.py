"""Systems, tables and pools in JSON."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from settlement.api.floor.selectors import is_online
from tables.models import GamingTable, JackpotSystem


class PoolSerializer(serializers.Serializer):
    """A tier with its prize pool."""

    system = serializers.CharField()
    currency = serializers.CharField()
    jackpot = serializers.CharField()
    tier = serializers.CharField()
    name = serializers.CharField()
    rank = serializers.IntegerField(help_text="1 is the highest prize of its jackpot.")
    value_micros = serializers.IntegerField(source="value")
    held_micros = serializers.IntegerField(source="held", help_text="Held for open claims.")
    reset_micros = serializers.IntegerField(source="reset")
    terms = serializers.IntegerField(help_text="Number of the terms in effect.")


class SuspensionSerializer(serializers.Serializer):
    """A jackpot that a table takes no part in at present."""

    jackpot = serializers.CharField(source="jackpot.code")
    at = serializers.DateTimeField()
    by = serializers.CharField(help_text="Empty: the console, for a display that was dark.")
    why = serializers.CharField()
    dark_since = serializers.DateTimeField(allow_null=True)
    display_lit = serializers.BooleanField(
        source="is_lit", help_text="Its display reads back at present."
    )


class TableSerializer(serializers.Serializer):
    """A gaming table and whether its unit is there."""

    code = serializers.CharField()
    name = serializers.CharField()
    in_service = serializers.BooleanField()
    online = serializers.SerializerMethodField(help_text="Heard within the last 30 seconds.")
    heard_at = serializers.SerializerMethodField(help_text="Null: its unit was never heard.")

    suspended = serializers.SerializerMethodField()

    @extend_schema_field(SuspensionSerializer(many=True))
    def get_suspended(self, table: GamingTable) -> Any:
        lost = [row for row in self.context["suspensions"] if row.table.pk == table.pk]
        return SuspensionSerializer(lost, many=True).data

    def get_online(self, table: GamingTable) -> bool:
        return is_online(table, timezone.now())

    def get_heard_at(self, table: GamingTable) -> dt.datetime | None:
        presence = getattr(table, "presence", None)
        return None if presence is None else presence.heard_at


class SystemSerializer(serializers.Serializer):
    """A jackpot system: one independently ordered installation."""

    code = serializers.CharField()
    name = serializers.CharField()
    casino = serializers.CharField(source="casino.code")
    currency = serializers.CharField(source="casino.currency")
    timezone = serializers.CharField(source="casino.timezone")
    head_seq = serializers.SerializerMethodField(help_text="The last entry of its order.")
    halted = serializers.SerializerMethodField()
    halted_at = serializers.SerializerMethodField()
    halted_on = serializers.SerializerMethodField(help_text="The entry that could not be taken.")
    tables = TableSerializer(many=True)
    tiers = serializers.SerializerMethodField()

    def get_head_seq(self, system: JackpotSystem) -> int:
        head = getattr(system, "head", None)
        return 0 if head is None else head.seq

    def get_halted(self, system: JackpotSystem) -> bool:
        return self.get_halted_at(system) is not None

    def get_halted_at(self, system: JackpotSystem) -> dt.datetime | None:
        head = getattr(system, "head", None)
        return None if head is None else head.halted_at

    def get_halted_on(self, system: JackpotSystem) -> str:
        head = getattr(system, "head", None)
        return "" if head is None else head.halted_on

    @extend_schema_field(PoolSerializer(many=True))
    def get_tiers(self, system: JackpotSystem) -> Any:
        live = [pool for pool in self.context["pools"] if pool.system == system.code]
        return PoolSerializer(live, many=True).data
