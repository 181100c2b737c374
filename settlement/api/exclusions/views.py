"""GET: entries and imports, without who it is; POST: take a list in, look, end, propose to pay."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from settlement.api.claims.actions import once
from settlement.api.exclusions.serializers import (
    EndSerializer,
    EntrySerializer,
    ExcludedListSerializer,
    FoundSerializer,
    ImportSerializer,
    ReleaseSerializer,
    SoughtSerializer,
)
from settlement.api.payments.answers import answer_with
from settlement.api.payments.serializers import ProposedSerializer
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.claims.lookup import claim_named
from settlement.core.errors import BadExclusion
from settlement.exclusions import entries, release
from settlement.exclusions.entries import ExclusionList, Person
from settlement.models import Exclusion, ExclusionEnd
from settlement.people.rights.scopes import PERSON
from tables.models import Casino

TAGS = ["excluded persons"]


class Exclusions(ListView):
    get_scope = "read:exclusions"
    post_scope = PERSON
    order = ("-id",)
    post_permission = "import_exclusions"

    @extend_schema(operation_id="exclusions", responses=EntrySerializer(many=True), tags=TAGS)
    def get(self, request: Request, casino: str) -> Response:
        """Entries of a casino's lists without who it is, the newest first."""
        house = casino_of(casino)
        entries.require_in(house, request.user, "view_exclusions")
        rows = Exclusion.objects.filter(casino=house).select_related("origin", "end")
        return self.list_answer(rows, EntrySerializer)

    @extend_schema(
        operation_id="import_exclusions",
        request=ExcludedListSerializer,
        responses={201: ImportSerializer},
        tags=TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request, casino: str) -> Response:
        """Take in persons of a list: all of them, or none."""
        house, body = casino_of(casino), checked(ExcludedListSerializer, request)
        persons = [Person(**row) for row in body["persons"]]
        for number, person in enumerate(persons, start=1):
            try:
                entries.judge(person)
            except BadExclusion as refusal:
                raise BadExclusion(
                    _("Person %(number)s: %(why)s") % {"number": number, "why": refusal}
                ) from refusal
        exclusions = ExclusionList(body["list"], persons, body["is_whole"])
        row = entries.take_in(house, request.user, exclusions, key=key_of(request))
        return Response(ImportSerializer(row).data, HTTP_201_CREATED)


class Imports(ListView):
    get_scope = "read:exclusions"
    order = ("-id",)

    @extend_schema(
        operation_id="exclusion_imports", responses=ImportSerializer(many=True), tags=TAGS
    )
    def get(self, request: Request, casino: str) -> Response:
        """Who imported what, the newest first."""
        house = casino_of(casino)
        entries.require_in(house, request.user, "view_exclusions")
        return self.list_answer(entries.imports_of(house), ImportSerializer)


class Look(JsonView):
    post_scope = PERSON
    takes_key = False
    post_permission = "view_exclusions"

    @extend_schema(
        operation_id="look_at_exclusions",
        request=SoughtSerializer,
        responses=FoundSerializer,
        tags=TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request, casino: str) -> Response:
        """Look for somebody on the lists; the look is recorded with your name."""
        house, sought = casino_of(casino), checked(SoughtSerializer, request)["sought"]
        people, has_more = entries.look(house, request.user, sought)
        return Response(FoundSerializer({"persons": people, "has_more": has_more}).data)


class End(JsonView):
    post_scope = PERSON
    post_permission = "import_exclusions"

    @extend_schema(
        operation_id="end_exclusion",
        request=EndSerializer,
        responses=EntrySerializer,
        tags=TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """End an entry with today; what it stops already stays stopped."""
        rows = Exclusion.objects.select_related("casino", "origin", "end")
        entry = rows.filter(pk=number).first()
        if entry is None:
            raise Http404
        reason = checked(EndSerializer, request)["reason"]
        same = ExclusionEnd.objects.filter(exclusion=entry, person=request.user.pk, reason=reason)
        with once(request, same.exists):
            entries.end(entry, request.user, reason)
        return Response(EntrySerializer(rows.get(pk=number)).data)


class ProposeRelease(JsonView):
    post_scope = "write:proposals"
    post_permission = "propose_excluded"

    @extend_schema(
        operation_id="propose_release_of_excluded",
        request=ReleaseSerializer,
        responses={201: ProposedSerializer},
        tags=["claims"],
    )
    def post(self, request: Request, system: str, number: int) -> Response:
        """Propose to pay a player who is on a list of excluded persons."""
        claim = claim_named(request.method, system, number)
        body = checked(ReleaseSerializer, request)
        proposal = release.propose(
            claim, request.user, body["seat"], body["reason"], key=key_of(request)
        )
        return answer_with(proposal)


def casino_of(code: str) -> Casino:
    """The casino of an address; Http404."""
    casino = Casino.objects.filter(code=code).first()
    if casino is None:
        raise Http404
    return casino
