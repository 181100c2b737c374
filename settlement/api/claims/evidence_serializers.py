"""What people gathered on a claim in JSON, and what they send to add to it."""

from __future__ import annotations

from rest_framework import serializers

from settlement.models.evidence import FINDING_LENGTH, NAME_LENGTH, NOTE_LENGTH

_DECK = 52


class CardList(serializers.ListField):
    """Cards as `As`, `Td`."""

    child = serializers.CharField(max_length=2)


class DeckCountSerializer(serializers.Serializer):
    """The rest of the deck, ticked off (19.10)."""

    found = CardList()
    missing = CardList(help_text="They must be in the rest of the deck, and nobody found them.")
    stray = CardList(help_text="Found in the deck, though the report has them face up.")
    is_whole = serializers.BooleanField()


class FootageSerializer(serializers.Serializer):
    """A review of footage (19.12)."""

    reviewer = serializers.CharField(max_length=NAME_LENGTH)
    reference = serializers.CharField(max_length=NAME_LENGTH, help_text="Of the copy kept.")
    camera = serializers.CharField(max_length=NAME_LENGTH)
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    finding = serializers.CharField(max_length=FINDING_LENGTH)
    person = serializers.CharField(read_only=True)
    at = serializers.DateTimeField(read_only=True)


class NoteSerializer(serializers.Serializer):
    """Something that whoever reads the claim next should know."""

    text = serializers.CharField(max_length=NOTE_LENGTH)
    person = serializers.CharField(read_only=True)
    at = serializers.DateTimeField(read_only=True)


class FileSerializer(serializers.Serializer):
    """A photograph, scan or PDF; its content is given on the claim's page."""

    number = serializers.IntegerField()
    caption = serializers.CharField()
    media = serializers.CharField(help_text="By its content: image/jpeg, image/png or PDF.")
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    person = serializers.CharField()
    at = serializers.DateTimeField()


class TicksSerializer(serializers.Serializer):
    """Cards that were found in the rest of the deck, and ticks that are taken back."""

    found = serializers.ListField(
        child=serializers.CharField(max_length=2), default=list, max_length=_DECK
    )
    taken_back = serializers.ListField(
        child=serializers.CharField(max_length=2), default=list, max_length=_DECK
    )


class GatheredSerializer(serializers.Serializer):
    """What people gathered on a claim."""

    deck_count = DeckCountSerializer()
    footage = FootageSerializer(many=True)
    notes = NoteSerializer(many=True)
    files = FileSerializer(many=True)
    identified_seats = serializers.ListField(
        child=serializers.IntegerField(), help_text="Seats whose player is identified."
    )
