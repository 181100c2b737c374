"""Credentials of devices in JSON; what is secret stands in the answer that makes it, once."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from settlement.api.shared.problems import slug_of
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Kind
from settlement.devices.setup_code import broker_address, setup_code
from settlement.devices.unit_states import UnitState

_AT_TABLES = [each for each in Kind.choices if each[0] != Kind.INTAKE]


class CredentialSerializer(serializers.Serializer):
    """With what a device logs in at the broker, and whether it still does."""

    username = serializers.CharField(source="credential.username")
    kind = serializers.ChoiceField(Kind.choices, source="credential.kind")
    system = serializers.CharField(
        source="credential.table.system.code",
        default=None,
        allow_null=True,
        help_text="Null: of an intake.",
    )
    table = serializers.CharField(source="credential.table.code", default=None, allow_null=True)
    intake = serializers.CharField(source="credential.name", help_text="Empty: of a table.")
    number = serializers.IntegerField(source="credential.number", help_text="Of this device.")
    way = serializers.SerializerMethodField()
    issued_at = serializers.DateTimeField(source="credential.issued_at")
    issued_by = serializers.CharField(source="credential.issued_by")
    not_after = serializers.DateTimeField(
        source="credential.not_after", allow_null=True, help_text="Of a certificate; else null."
    )
    holds = serializers.BooleanField()
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="While it overlaps: at the latest; else null."
    )
    ended_at = serializers.DateTimeField(allow_null=True)
    end = serializers.CharField(help_text="revoked, replaced, moved or expired; empty: it holds.")

    @extend_schema_field(serializers.ChoiceField([PASSWORD, CERTIFICATE]))
    def get_way(self, row: Any) -> str:
        return CERTIFICATE if row.credential.serial else PASSWORD


class IntakeSerializer(serializers.Serializer):
    """An intake, as it was heard last."""

    name = serializers.CharField()
    state = serializers.ChoiceField(
        [UnitState.ONLINE, UnitState.STAND_IN, UnitState.SILENT, UnitState.UNHEARD],
        help_text="stand_in: not heard for a minute, and a stand-in works for it; silent: not"
        " heard for a minute; unheard: never.",
    )
    heard_at = serializers.DateTimeField(
        allow_null=True, help_text="When its own word last came back from the broker."
    )
    release = serializers.CharField(help_text="Of the console that it runs; empty: never heard.")
    username = serializers.CharField(
        help_text="With which it logged in at the broker; empty: with none."
    )
    credentials = serializers.IntegerField(source="holding", help_text="How many hold.")


class DevicesSerializer(serializers.Serializer):
    """Which devices of a system: the units, or the displays, at these tables."""

    kind = serializers.ChoiceField(_AT_TABLES)
    tables = serializers.ListField(
        child=serializers.SlugField(max_length=32), min_length=1, max_length=200
    )


class IssueSerializer(DevicesSerializer):
    """How they log in, and for how long the keys that units have now hold beside the new ones."""

    way = serializers.ChoiceField([PASSWORD, CERTIFICATE])
    hours = serializers.IntegerField(
        min_value=0, max_value=168, required=False, default=0, help_text="0: they end now."
    )


class RotateSerializer(DevicesSerializer):
    """How they log in, and for how long the old ones hold at most."""

    way = serializers.ChoiceField([PASSWORD, CERTIFICATE])
    hours = serializers.IntegerField(min_value=1, max_value=168)


class RevokeSerializer(DevicesSerializer):
    """Why they end."""

    reason = serializers.CharField(max_length=500)


class IssuedSerializer(serializers.Serializer):
    """What a device is set up with: here and never again."""

    table = serializers.CharField(source="credential.table.code")
    username = serializers.CharField(source="credential.username")
    password = serializers.CharField(help_text="Empty: it logs in with a certificate.")
    key = serializers.CharField(help_text="Of the table's unit, hex; empty: of a display.")
    certificate = serializers.CharField(help_text="PEM; empty: it logs in with a password.")
    private_key = serializers.CharField(help_text="PEM, likewise.")
    setup_code = serializers.SerializerMethodField()
    broker = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField(help_text="As the QR code says it."))
    def get_setup_code(self, row: Any) -> str:
        return setup_code(row)

    @extend_schema_field(serializers.CharField(help_text="Empty: the installation names none."))
    def get_broker(self, row: Any) -> str:
        return broker_address(row)


class DeviceRefusalSerializer(serializers.Serializer):
    """A table whose device was left as it was, as a problem would say it."""

    table = serializers.CharField(source="table.code")
    code = serializers.SerializerMethodField()
    detail = serializers.CharField(source="fault")

    @extend_schema_field(serializers.CharField())
    def get_code(self, row: Any) -> str:
        return slug_of(type(row.fault))


class IssuedManySerializer(serializers.Serializer):
    """What was issued, and for which tables nothing was: one refusal stops no other."""

    issued = IssuedSerializer(many=True)
    refused = DeviceRefusalSerializer(many=True)


class RevokedManySerializer(serializers.Serializer):
    """User names that ended, and tables where nothing did: one refusal stops no other."""

    revoked = serializers.ListField(child=serializers.CharField())
    refused = DeviceRefusalSerializer(many=True)
