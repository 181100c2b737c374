"""Counted drop and bank balances: what is read, what is sent. Amounts in micros."""

from __future__ import annotations

from rest_framework import serializers

from jackpot.domain.command_handlers.counts import MOST
from settlement.core.input import LONGEST_TEXT
from settlement.drop.imports import MOST_LINES


class _RowSerializer(serializers.Serializer):
    """A gaming day's count against what the books expect."""

    day = serializers.DateField(help_text="The gaming day.")
    expected_micros = serializers.IntegerField(source="expected")
    counted_micros = serializers.IntegerField(
        source="counted", allow_null=True, help_text="Null: nobody has entered it."
    )
    variance_micros = serializers.IntegerField(source="variance", allow_null=True)
    explanation = serializers.CharField(help_text="Of the variance; empty where there is none.")
    not_counted_since = serializers.DateField(
        source="stopped_since",
        allow_null=True,
        help_text="Of a day that is not counted by rule of the house: from when on; else null.",
    )
    is_after_close = serializers.BooleanField(
        help_text="The count came after the close of its day: reports show the one of the close."
    )
    counted_at_close_micros = serializers.IntegerField(
        source="late.at_close",
        default=None,
        allow_null=True,
        help_text="Of a count after the close, the one that stood then; null: none, or no such.",
    )


class DropSerializer(_RowSerializer):
    """The drop of a table and gaming day."""

    table = serializers.CharField(source="table.code")
    expected_micros = serializers.IntegerField(
        source="shown_expected",
        allow_null=True,
        help_text="Null to whoever may count, until somebody has: a count is made blind.",
    )


class BankSerializer(_RowSerializer):
    """The balance at the bank against what is kept for players and tax when a gaming day ends."""

    expected_micros = serializers.IntegerField(source="liability")
    counted_micros = serializers.IntegerField(source="bank", allow_null=True)


class _CountSerializer(serializers.Serializer):
    day = serializers.DateField(help_text="A gaming day that is over.")
    note = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_TEXT,
        help_text="Why the count before was wrong, of a correction.",
    )


class DropCountSerializer(_CountSerializer):
    """The counted drop of a table."""

    table = serializers.SlugField(max_length=32)
    amount_micros = serializers.IntegerField(min_value=0, max_value=MOST)


class DropCountsSerializer(serializers.Serializer):
    """Counts that are entered together, or not at all."""

    counts = serializers.ListField(child=DropCountSerializer(), min_length=1, max_length=MOST_LINES)


class BalanceSerializer(_CountSerializer):
    """The balance at the bank; below zero it is overdrawn."""

    amount_micros = serializers.IntegerField(min_value=-MOST, max_value=MOST)


class EnteredCountSerializer(serializers.Serializer):
    """A count as it was entered."""

    count = serializers.IntegerField(source="pk")
    day = serializers.DateField()
    amount_micros = serializers.IntegerField(source="amount")
    expected_micros = serializers.IntegerField(source="expected")
    variance_micros = serializers.IntegerField(source="variance")
    corrects = serializers.IntegerField(source="corrects_id", allow_null=True)
    person = serializers.CharField(source="person.username")


class EnteredCountsSerializer(serializers.Serializer):
    """What was entered by one request."""

    entered = EnteredCountSerializer(many=True)
