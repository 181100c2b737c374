"""The log of a system, and its checkpoints, as they are answered."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jackpot.models.transparency import CheckpointCause


class SignerSerializer(serializers.Serializer):
    """A key that signed the newest checkpoint."""

    id = serializers.CharField(help_text="Eight hexadecimal digits.")
    algorithm = serializers.CharField()
    public_key = serializers.CharField(
        source="line", help_text="NAME+ID+KEY; empty where the house does not publish it here."
    )


class LogWitnessSerializer(serializers.Serializer):
    """What a witness last cosigned, and whether it answers."""

    name = serializers.CharField()
    size = serializers.IntegerField(allow_null=True, help_text="Blocks that it last cosigned.")
    algorithms = serializers.ListField(
        child=serializers.CharField(), help_text="Of that cosignature: Ed25519, ML-DSA-44."
    )
    cosigned_at = serializers.DateTimeField(allow_null=True)
    asked_at = serializers.DateTimeField(allow_null=True)
    failing_since = serializers.DateTimeField(allow_null=True)
    fault = serializers.CharField(help_text="Of the last attempt; empty where it cosigned.")


class RefusalSerializer(serializers.Serializer):
    """A checkpoint that a witness did not cosign, and the one that it had."""

    witness = serializers.CharField()
    at = serializers.DateTimeField()
    status = serializers.IntegerField(help_text="Of HTTP, as the witness answered.")
    text = serializers.CharField()
    note = serializers.CharField(source="checkpoint.note", help_text="What it refused.")
    cosigned_note = serializers.CharField(
        source="latest", help_text="What it had cosigned, as it gives it out; may be empty."
    )


class LogSerializer(serializers.Serializer):
    """How it stands with the log of one system."""

    system = serializers.CharField(source="system.code")
    origin = serializers.CharField(help_text="The name of the log.")
    blocks = serializers.IntegerField(help_text="Of the order.")
    size = serializers.IntegerField(
        source="newest.size", default=None, allow_null=True, help_text="Of the newest checkpoint."
    )
    root_hash = serializers.CharField(
        source="root", help_text="In hexadecimal digits; empty before there is one."
    )
    signed_at = serializers.DateTimeField(source="newest.at", default=None, allow_null=True)
    signers = SignerSerializer(many=True)
    witnesses = LogWitnessSerializer(many=True)
    refusals = RefusalSerializer(many=True, help_text="The newest ones.")


class CheckpointSerializer(serializers.Serializer):
    """A checkpoint as it was signed, with the cosignatures that it has by now."""

    size = serializers.IntegerField(help_text="Blocks.")
    at = serializers.DateTimeField()
    cause = serializers.ChoiceField(choices=CheckpointCause.choices)
    note = serializers.SerializerMethodField(help_text="C2SP tlog-checkpoint.")

    def get_note(self, row: Any) -> str:
        return row.note + "".join(answer.text for answer in row.cosignatures)
