"""Forms that payments ask for, through the API: the list, entering a filing, undoing it."""

from __future__ import annotations

import base64
import datetime as dt

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import Unfit, checked
from settlement.api.shared.keys import key_of
from settlement.core.gaming_day import today
from settlement.core.input import LONGEST_TEXT
from settlement.evidence import filed_files
from settlement.evidence.attachments import MOST_BYTES
from settlement.models import FilingFile, FormFiling, Payout
from settlement.models.payouts import LONGEST_REFERENCE
from settlement.payments import form_filings
from settlement.payments.form_filings import STATES
from settlement.people.rights.scopes import PERSON
from tables.models import Casino

TAGS = ["forms"]
MOST_FILE = 4 * MOST_BYTES // 3 + 64 * 1024  # of a body: base64, and what is around it
_DAYS = [
    OpenApiParameter(
        "from",
        dt.date,
        description="First gaming day; else last year, and earlier forms not filed yet.",
    ),
    OpenApiParameter("to", dt.date, description="Last gaming day; else today."),
    OpenApiParameter("state", str, enum=[*STATES]),
]


class FilingFileSerializer(serializers.Serializer):
    """A file that was sent with a filing, without its content."""

    file = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(FilingFile.Kind.choices)
    size = serializers.IntegerField(help_text="In bytes.")
    sha256 = serializers.CharField(source="digest")
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()


class ListedFormSerializer(serializers.Serializer):
    """A form that payments ask for, and its filing where one stands."""

    payout = serializers.IntegerField(
        source="first_payout", help_text="The first payment that it is about; it is filed by it."
    )
    sharer = serializers.IntegerField(
        source="first_sharer", help_text="Of which sharer, who sat nowhere; 0: of the payee."
    )
    form = serializers.CharField(source="due.rule.form")
    day = serializers.DateField(source="due.day", help_text="The gaming day of that payment.")
    player = serializers.IntegerField(source="due.person", help_text="The number: no name.")
    amount_micros = serializers.IntegerField(source="due.amount")
    condition = serializers.CharField(source="due.condition")
    source_of_rule = serializers.CharField(source="due.source")
    deadline = serializers.DateField(allow_null=True)
    deadline_source = serializers.CharField()
    state = serializers.ChoiceField(choices=[*STATES])
    filing = serializers.IntegerField(source="filing.pk", default=None, allow_null=True)
    filed_on = serializers.DateField(source="filing.filed_on", default=None, allow_null=True)
    reference = serializers.CharField(source="filing.reference", default="")
    person = serializers.CharField(source="filing.person.username", default="")
    at = serializers.DateTimeField(source="filing.at", default=None, allow_null=True)
    files = FilingFileSerializer(
        many=True, source="filing.files.all", default=[], help_text="Those that were sent."
    )


class FileFormSerializer(serializers.Serializer):
    """Which form was filed, when and under which reference."""

    form = serializers.CharField(max_length=120)
    sharer = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=2**63 - 1,
        help_text="Of which sharer; 0: of the payee.",
    )
    filed_on = serializers.DateField()
    reference = serializers.CharField(max_length=LONGEST_REFERENCE)


class ReverseFilingSerializer(serializers.Serializer):
    """Why a filing is undone."""

    reason = serializers.CharField(max_length=LONGEST_TEXT)


class FilingSerializer(serializers.Serializer):
    """A row of a form: that it was filed, or the reversal of such a row."""

    filing = serializers.IntegerField(source="pk")
    payout = serializers.IntegerField(source="payout_id")
    sharer = serializers.IntegerField(source="sharer_id", allow_null=True)
    form = serializers.CharField()
    kind = serializers.ChoiceField(FormFiling.Kind.choices)
    amount_micros = serializers.IntegerField(source="amount")
    filed_on = serializers.DateField()
    reference = serializers.CharField()
    reverses = serializers.IntegerField(source="reverses_id", allow_null=True)
    reason = serializers.CharField()
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()
    files = FilingFileSerializer(many=True, source="files.all")


class FiledContentSerializer(serializers.Serializer):
    """A file as it was sent: PDF, or XML without a document type; at most 10 MB."""

    content_base64 = serializers.CharField(max_length=4 * (MOST_BYTES // 3 + 1))


class GivenFileSerializer(FilingFileSerializer):
    """The same with its content."""

    content_base64 = serializers.CharField()


class Forms(ListView):
    get_scope = "read:drop"
    get_permission = "file_form"
    order = ("-due__day", "-first_payout", "-due__rule__form", "-first_sharer")
    narrowed_by = ("from", "to", "state")

    @extend_schema(
        operation_id="forms",
        parameters=_DAYS,
        responses=ListedFormSerializer(many=True),
        tags=TAGS,
    )
    def get(self, request: Request, casino: str) -> Response:
        """Forms that payments of these gaming days ask for, the newest first."""
        house = Casino.objects.filter(code=casino).first()
        if house is None:
            raise Http404
        last = _day(request, "to") or today(house)
        first = _day(request, "from") or form_filings.first_day_of(house)
        state = request.query_params.get("state")
        if state is not None and state not in STATES:
            raise ValidationError({"state": [f"Give {', '.join(STATES)}."]})
        every = form_filings.forms_between(house, first, last)
        rows = [each for each in every if state in (None, each.state)]
        rows.sort(
            key=lambda each: (
                *(each.due.day, each.first_payout, each.due.rule.form),
                each.first_sharer,
            ),
            reverse=True,
        )
        return self.list_answer(rows, ListedFormSerializer)


class FileForm(JsonView):
    post_scope = "write:drop"
    post_permission = "file_form"

    @extend_schema(
        operation_id="file_form",
        request=FileFormSerializer,
        responses={201: FilingSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, payout: int) -> Response:
        """Enter that the form of which this is the first payment was filed."""
        row = Payout.objects.select_related("claim__system__casino").filter(pk=payout).first()
        if row is None:
            raise Http404
        body = checked(FileFormSerializer, request)
        filing = form_filings.file(
            form_filings.FormOf(row, body["form"], body["sharer"]),
            request.user,
            filed_on=body["filed_on"],
            reference=body["reference"],
            key=key_of(request),
        )
        return Response(FilingSerializer(filing).data, HTTP_201_CREATED)


class ReverseFiling(JsonView):
    post_scope = "write:drop"
    post_permission = "file_form"

    @extend_schema(
        operation_id="reverse_filing",
        request=ReverseFilingSerializer,
        responses={201: FilingSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Undo a filing that was entered wrongly, or that is filed anew."""
        rows = FormFiling.objects.select_related("payout__claim__system__casino")
        row = rows.filter(pk=number).first()
        if row is None:
            raise Http404
        body = checked(ReverseFilingSerializer, request)
        filing = form_filings.reverse(row, request.user, body["reason"], key=key_of(request))
        return Response(FilingSerializer(filing).data, HTTP_201_CREATED)


class AttachFile(JsonView):
    post_scope = "write:drop"
    post_permission = "file_form"

    @extend_schema(
        operation_id="attach_filing_file",
        request=FiledContentSerializer,
        responses={201: FilingFileSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Attach a file that was sent to a filing that stands."""
        rows = FormFiling.objects.select_related("payout__claim__system__casino", "reversed_by")
        row = rows.filter(pk=number).first()
        if row is None:
            raise Http404
        text = checked(FiledContentSerializer, request)["content_base64"]
        try:
            content = base64.b64decode(text, validate=True)
        except ValueError as fault:
            raise Unfit({"content_base64": ["Give it in base64."]}) from fault
        file = filed_files.attach(row, request.user, content, key=key_of(request))
        return Response(FilingFileSerializer(file).data, HTTP_201_CREATED)


class OpenFile(JsonView):
    post_scope = PERSON
    post_permission = "file_form"
    takes_key = False

    @extend_schema(
        operation_id="open_filing_file",
        request=None,
        responses=GivenFileSerializer,
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Give a file of a filed form, which says who the player is; the look is recorded."""
        rows = FilingFile.objects.select_related("filing__payout__claim__system__casino", "person")
        row = rows.filter(pk=number).first()
        if row is None:
            raise Http404
        content = filed_files.content_of(row, request.user)
        vars(row)["content_base64"] = base64.b64encode(content).decode()
        return Response(GivenFileSerializer(row).data)


def _day(request: Request, name: str) -> dt.date | None:
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as fault:
        raise ValidationError({name: ["Give a day: 2026-11-28."]}) from fault
