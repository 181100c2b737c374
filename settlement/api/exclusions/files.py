"""Long files of excluded persons: sent, judged line by line, confirmed, stopped, continued
or left.

A file is sent as one text. Who it is about is not read back: a fault names its line.
"""

from __future__ import annotations

import io
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from settlement.api.exclusions.views import TAGS, casino_of
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.exclusions import entries, long_files
from settlement.models import ExclusionFile, ExclusionStop
from settlement.models.exclusions import LIST_LENGTH
from settlement.people.rights.scopes import PERSON

MOST_BYTES = long_files.MOST_BYTES + 512 * 1024  # each end of a line is two letters of JSON


class SentFileSerializer(serializers.Serializer):
    """A list as a CSV file, whose first line names the columns as on the page."""

    list = serializers.CharField(max_length=LIST_LENGTH, help_text="Its name, each time the same.")
    csv = serializers.CharField(
        max_length=long_files.MOST_BYTES,
        trim_whitespace=False,
        help_text="The whole file: `name,born,kind,from,reference` and, where known,"
        " `document,number,until`; one line a person.",
    )


class ConfirmedFileSerializer(serializers.Serializer):
    """How the file is to be taken in."""

    is_whole = serializers.BooleanField(
        default=False, help_text="True: what stands of the list and is not in it ends."
    )


class LineFaultSerializer(serializers.Serializer):
    """What is wrong with a line."""

    line = serializers.IntegerField(source="number", help_text="As an editor counts.")
    problem = serializers.CharField()


class ImportStopSerializer(serializers.Serializer):
    """Who stopped the import, continued it or left out the rest."""

    kind = serializers.ChoiceField(ExclusionStop.Kind.choices)
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()


class ExclusionFileSerializer(serializers.Serializer):
    """A file on its way into a list."""

    number = serializers.IntegerField(source="pk")
    list = serializers.CharField(source="name")
    state = serializers.ChoiceField(
        ExclusionFile.State.choices,
        help_text="`preview`: it waits for its confirmation; `running`, `stopped`, `done`: it was"
        " confirmed; `failed`: see `fault`.",
    )
    sha256 = serializers.CharField(source="digest")
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()
    lines = serializers.IntegerField()
    problems = serializers.IntegerField(help_text="Lines that have one: none of it is taken in.")
    added = serializers.IntegerField(help_text="New entries, as it was compared.")
    standing = serializers.IntegerField(help_text="Lines that are in force already.")
    missing = serializers.IntegerField(help_text="Entries of the list that are not in it.")
    is_whole = serializers.BooleanField(source="replaces")
    lines_done = serializers.IntegerField(help_text="Lines that are in force.")
    to_end = serializers.IntegerField(help_text="Entries that end once all lines are in force.")
    ends_done = serializers.IntegerField()
    fault = serializers.CharField(source="fault_in_words", help_text="Empty: none.")


class ExclusionFileDetailSerializer(ExclusionFileSerializer):
    """The same with what is wrong, and who stopped it."""

    faults = LineFaultSerializer(many=True, help_text="The first 100, for who sent the file.")
    stops = ImportStopSerializer(many=True, help_text="The newest first.")


class Files(ListView):
    get_scope = "read:exclusions"
    post_scope = PERSON
    order = ("-id",)
    post_permission = "import_exclusions"

    @extend_schema(
        operation_id="exclusion_files", responses=ExclusionFileSerializer(many=True), tags=TAGS
    )
    def get(self, request: Request, casino: str) -> Response:
        """Files on their way into a casino's lists and those that were taken in, the newest
        first."""
        house = casino_of(casino)
        entries.require_in(house, request.user, "view_exclusions")
        return self.list_answer(long_files.seen_by(request.user, house), ExclusionFileSerializer)

    @extend_schema(
        operation_id="send_exclusion_file",
        request=SentFileSerializer,
        responses={202: ExclusionFileDetailSerializer},
        tags=TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request, casino: str) -> Response:
        """Have a file judged and compared with its list; nothing of it counts before it is
        confirmed. `Location` says where to read what came of it."""
        house, body = casino_of(casino), checked(SentFileSerializer, request)
        content = io.BytesIO(body["csv"].encode())
        file = long_files.read(house, request.user, body["list"], content, key_of(request))
        return _answer(request, file, HTTP_202_ACCEPTED)


class File(JsonView):
    get_scope = "read:exclusions"
    get_permission = "view_exclusions"

    @extend_schema(
        operation_id="exclusion_file", responses=ExclusionFileDetailSerializer, tags=TAGS
    )
    def get(self, request: Request, number: int) -> Response:
        """How far a file is, and which lines are wrong."""
        return _answer(request, _file_of(request, number))


class Confirm(JsonView):
    post_scope = PERSON
    post_permission = "import_exclusions"

    @extend_schema(
        operation_id="confirm_exclusion_file",
        request=ConfirmedFileSerializer,
        responses={202: ExclusionFileDetailSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Have your file taken in, step by step; the same again changes nothing."""
        file = _file_of(request, number)
        is_whole = checked(ConfirmedFileSerializer, request)["is_whole"]
        long_files.confirm(file, request.user, is_whole=is_whole, key=key_of(request))
        return _answer(request, _file_of(request, number), HTTP_202_ACCEPTED)


class Stop(JsonView):
    post_scope = PERSON
    post_permission = "import_exclusions"

    @extend_schema(
        operation_id="stop_exclusion_file",
        request=None,
        responses=ExclusionFileDetailSerializer,
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Stop the import of a file: what is imported stays in force, the rest is not."""
        long_files.stop(_file_of(request, number), request.user, key=key_of(request))
        return _answer(request, _file_of(request, number))


class Continue(JsonView):
    post_scope = PERSON
    post_permission = "import_exclusions"

    @extend_schema(
        operation_id="continue_exclusion_file",
        request=None,
        responses={202: ExclusionFileDetailSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Have the rest of a file taken in that was stopped."""
        long_files.go_on(_file_of(request, number), request.user, key=key_of(request))
        return _answer(request, _file_of(request, number), HTTP_202_ACCEPTED)


class Leave(JsonView):
    post_scope = PERSON
    post_permission = "import_exclusions"

    @extend_schema(
        operation_id="leave_exclusion_file",
        request=None,
        responses=ExclusionFileDetailSerializer,
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Leave out the rest of a file that was stopped: what is imported stays in force."""
        long_files.leave(_file_of(request, number), request.user, key=key_of(request))
        return _answer(request, _file_of(request, number))


def _file_of(request: Request, number: int) -> ExclusionFile:
    file = long_files.seen_by(request.user).filter(pk=number).first()
    if file is None:
        raise Http404
    entries.require_in(file.casino, request.user, "view_exclusions")
    return file


@sensitive_variables()
def _answer(request: Request, file: ExclusionFile, status: int = 200) -> Response:
    lines: list[Any] = []
    if file.problems and file.person_id == request.user.pk:
        lines = long_files.first_lines(file, request.user)
    vars(file).update(faults=lines, stops=long_files.stops_of(file))
    there = reverse("api-exclusion-file", args=[file.pk])
    return Response(ExclusionFileDetailSerializer(file).data, status, headers={"Location": there})
