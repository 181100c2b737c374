"""Excluded persons: what is read, what is sent. Who they are is in `ExcludedSerializer` alone."""

from __future__ import annotations

from rest_framework import serializers

from settlement.core.input import LONGEST_TEXT
from settlement.models import Exclusion, Identification
from settlement.models.exclusions import LIST_LENGTH, REFERENCE_LENGTH
from settlement.models.identification import LONGEST

MOST_PERSONS = 500  # of one request

DOCUMENTS = ["", *Identification.Document.values]


class _PersonSerializer(serializers.Serializer):
    """A person, as on the list."""

    name = serializers.CharField(max_length=LONGEST["name"])
    born = serializers.DateField()
    document = serializers.ChoiceField(DOCUMENTS, default="", help_text="Empty: not known.")
    document_number = serializers.CharField(
        max_length=LONGEST["document_number"], default="", allow_blank=True
    )
    kind = serializers.ChoiceField(Exclusion.Kind.choices)
    since = serializers.DateField(help_text="The first day.")
    until = serializers.DateField(
        allow_null=True, default=None, help_text="The last day; null: no end is set."
    )
    reference = serializers.CharField(
        max_length=REFERENCE_LENGTH, help_text="The order number or the form number."
    )


class ExcludedListSerializer(serializers.Serializer):
    """Persons of a list who are taken in together, or not at all."""

    list = serializers.CharField(max_length=LIST_LENGTH, help_text="Its name, each time the same.")
    is_whole = serializers.BooleanField(
        default=False, help_text="True: what stands of the list and is not in it ends today."
    )
    persons = serializers.ListField(
        child=_PersonSerializer(), min_length=1, max_length=MOST_PERSONS
    )


class ImportSerializer(serializers.Serializer):
    """A list that was taken in, by whom."""

    number = serializers.IntegerField(source="pk")
    list = serializers.CharField(source="name")
    is_whole = serializers.BooleanField(source="replaces")
    file = serializers.CharField(help_text="SHA-256 of the file; empty: it came another way.")
    added = serializers.IntegerField()
    known = serializers.IntegerField()
    ended = serializers.IntegerField(help_text="More than 5,000 end step by step: see the files.")
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()


class EntrySerializer(serializers.Serializer):
    """An entry without who it is."""

    entry = serializers.IntegerField(source="pk")
    list = serializers.CharField(source="origin.name")
    kind = serializers.ChoiceField(Exclusion.Kind.choices)
    since = serializers.DateField()
    until = serializers.DateField(allow_null=True)
    reference = serializers.CharField()
    ended = serializers.DateField(
        source="end.last_day", allow_null=True, default=None, help_text="Null: nobody ended it."
    )


class SoughtSerializer(serializers.Serializer):
    """Whom to look for: beginnings of words of a name, a document, a date of birth, a reference."""

    sought = serializers.CharField(max_length=LONGEST["name"])


class ExcludedSerializer(_PersonSerializer):
    """An entry with who it is; the look is recorded."""

    entry = serializers.IntegerField(source="id")
    list = serializers.CharField()
    ended = serializers.DateField(allow_null=True)


class FoundSerializer(serializers.Serializer):
    """Who was sought, the newest first."""

    persons = ExcludedSerializer(many=True)
    has_more = serializers.BooleanField(help_text="Seek by more: only the first are given.")


class EndSerializer(serializers.Serializer):
    """Why an entry ends today."""

    reason = serializers.CharField(max_length=LONGEST_TEXT)


class ReleaseSerializer(serializers.Serializer):
    """Why the player of a seat is paid, who is on a list."""

    seat = serializers.IntegerField(min_value=1, max_value=23)
    reason = serializers.CharField(max_length=LONGEST_TEXT)
