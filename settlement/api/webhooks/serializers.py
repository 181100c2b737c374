"""Endpoints and deliveries in JSON."""

from __future__ import annotations

from rest_framework import serializers

from settlement.events.kinds import KINDS
from settlement.models import WebhookDelivery
from settlement.webhooks.endpoints import LONGEST_NAME, LONGEST_URL

_MOST = 2**62


class NewEndpointSerializer(serializers.Serializer):
    """Where to, what of, and for which systems."""

    casino = serializers.SlugField(max_length=32)
    name = serializers.CharField(max_length=LONGEST_NAME)
    url = serializers.CharField(max_length=LONGEST_URL, help_text="It begins with https://.")
    events = serializers.ListField(
        child=serializers.ChoiceField(list(KINDS)), min_length=1, max_length=len(KINDS)
    )
    systems = serializers.ListField(
        child=serializers.SlugField(max_length=32),
        required=False,
        min_length=1,
        max_length=100,
        help_text="Codes; without it all of the casino, those made later too.",
    )


class EndpointSerializer(serializers.Serializer):
    """An endpoint, and how it stands with it."""

    webhook = serializers.IntegerField(source="pk")
    casino = serializers.CharField(source="casino.code")
    name = serializers.CharField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField())
    last_number = serializers.IntegerField(help_text="Of its deliveries.")
    failures = serializers.IntegerField(help_text="In a row.")
    made_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class MadeEndpointSerializer(EndpointSerializer):
    """The same with the secret, here and never again; sent again it is empty."""

    secret = serializers.CharField()


class DeliverySerializer(serializers.Serializer):
    """What is sent under a number."""

    number = serializers.IntegerField()
    type = serializers.CharField(source="event.kind")
    at = serializers.DateTimeField(source="event.at")
    state = serializers.ChoiceField(WebhookDelivery.State.choices)
    attempts = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="Of the last answer.")
    fault = serializers.CharField(help_text="What went wrong last; else empty.")


class ReplaySerializer(serializers.Serializer):
    """From which number on, and to which."""

    first = serializers.IntegerField(min_value=1, max_value=_MOST)
    last = serializers.IntegerField(
        min_value=1, max_value=_MOST, required=False, help_text="Without it: the newest."
    )


class ReplayedSerializer(serializers.Serializer):
    """How many are sent again."""

    deliveries = serializers.IntegerField()


class OverlapSerializer(serializers.Serializer):
    """For how long the secret before signs, too."""

    hours = serializers.IntegerField(min_value=0, max_value=168, help_text="0: it ends now.")


class SecretSerializer(serializers.Serializer):
    """The new secret, here and never again."""

    secret = serializers.CharField()


class NumberSerializer(serializers.Serializer):
    """The number of a delivery."""

    number = serializers.IntegerField()


class NothingSerializer(serializers.Serializer):
    """A body without fields, or none."""
