"""Accounts of people and invitations in JSON; nothing secret but a link that is shown once."""

from __future__ import annotations

import datetime as dt
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from settlement.api.claims.action_serializers import password_again
from settlement.models import Invitation, SecondFactor, SetUpProposal
from settlement.people.rights.roles import ROLES
from settlement.people.staff.invitation_lists import MOST_LINES
from settlement.people.staff.persons import last_day

_LONGEST_NAME = 150
_EVERYWHERE = "Its code; null: in every casino."


class _LastDay(serializers.DateField):
    """The last day on which a role holds."""

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, help_text="Left out: without an end.", **more)


class HeldRoleSerializer(serializers.Serializer):
    """A role that somebody has."""

    role = serializers.CharField()
    casino = serializers.CharField(
        source="casino.code", default=None, allow_null=True, help_text=_EVERYWHERE
    )
    last_day = serializers.DateField(allow_null=True, help_text="Null: without an end.")


class FactorSerializer(serializers.Serializer):
    """A second factor, without its secret."""

    kind = serializers.ChoiceField(SecondFactor.Kind.choices)
    name = serializers.CharField(help_text="As its person named it.")
    made_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True)


class AccountSerializer(serializers.Serializer):
    """Somebody who can log in, or could. Context `factors`: theirs, by person."""

    username = serializers.CharField(source="person.username")
    first_name = serializers.CharField(source="person.first_name")
    last_name = serializers.CharField(source="person.last_name")
    email = serializers.CharField(source="person.email", help_text="Empty: none.")
    is_active = serializers.BooleanField(
        source="person.is_active", help_text="False: locked, or the person has left."
    )
    roles = HeldRoleSerializer(many=True)
    factors = serializers.SerializerMethodField()
    log_ins = serializers.IntegerField(help_text="How many are open now.")

    @extend_schema_field(FactorSerializer(many=True))
    def get_factors(self, row: Any) -> Any:
        return FactorSerializer(self.context["factors"].get(row.person.pk, []), many=True).data


class PasswordSerializer(serializers.Serializer):
    """The password once more."""

    password = password_again()


class NewRoleSerializer(PasswordSerializer):
    """A role, where it holds, and its last day."""

    role = serializers.ChoiceField(list(ROLES))
    casino = serializers.SlugField(max_length=32, required=False, help_text="Left out: everywhere.")
    last_day = _LastDay()


class RoleSerializer(serializers.Serializer):
    """A role that is taken away where it was given."""

    role = serializers.ChoiceField(list(ROLES))
    casino = serializers.SlugField(max_length=32, required=False, help_text="Left out: everywhere.")


class AccountRefusalSerializer(serializers.Serializer):
    """Why it is refused."""

    note = serializers.CharField(max_length=500)


class AccountProposalSerializer(serializers.Serializer):
    """What a second person decides. Context: by number `usernames`, `roles`, `last_days`."""

    proposal = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField([SetUpProposal.Kind.GIVE_ROLE, SetUpProposal.Kind.UNLOCK])
    username = serializers.SerializerMethodField()
    role = serializers.SerializerMethodField()
    casino = serializers.CharField(
        source="casino.code", default=None, allow_null=True, help_text=_EVERYWHERE
    )
    last_day = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()
    proposed_by = serializers.CharField(source="person.username")
    proposed_at = serializers.DateTimeField(source="at")

    @extend_schema_field(serializers.ChoiceField(["waits", "approved", "withdrawn"]))
    def get_state(self, row: SetUpProposal) -> str:
        decision = getattr(row, "decision", None)
        if decision is None:
            return "waits"
        return "approved" if decision.agreed else "withdrawn"

    @extend_schema_field(serializers.CharField(help_text="Whom it is about."))
    def get_username(self, row: SetUpProposal) -> str:
        username: str = self.context["usernames"][row.pk]
        return username

    @extend_schema_field(serializers.CharField(help_text="Empty: no role is given."))
    def get_role(self, row: SetUpProposal) -> str:
        role: str = self.context["roles"].get(row.pk, "")
        return role

    @extend_schema_field(serializers.DateField(allow_null=True, help_text="Null: without an end."))
    def get_last_day(self, row: SetUpProposal) -> dt.date | None:
        day: dt.date | None = self.context["last_days"].get(row.pk)
        return day


class OutcomeSerializer(serializers.Serializer):
    """The account as it stands now, and whether what was sent waits for a second person."""

    waits = serializers.BooleanField()
    proposal = serializers.IntegerField(
        allow_null=True, help_text="What a second person approves; null: nothing waits."
    )
    account = AccountSerializer()


class GuestSerializer(serializers.Serializer):
    """Who is invited, and as what."""

    username = serializers.CharField(max_length=_LONGEST_NAME)
    first_name = serializers.CharField(
        max_length=_LONGEST_NAME, required=False, default="", allow_blank=True
    )
    last_name = serializers.CharField(max_length=_LONGEST_NAME)
    email = serializers.CharField(
        max_length=254,
        required=False,
        default="",
        allow_blank=True,
        help_text="Left out: the link is in the answer, once.",
    )
    role = serializers.ChoiceField(list(ROLES))
    casino = serializers.SlugField(max_length=32, required=False, help_text="Left out: everywhere.")
    last_day = _LastDay()


class NewInvitationsSerializer(PasswordSerializer):
    """Everybody of the list is invited, or nobody."""

    guests = serializers.ListField(child=GuestSerializer(), min_length=1, max_length=MOST_LINES)


class InvitationSerializer(serializers.Serializer):
    """An invitation whose link was not used and is not over."""

    invitation = serializers.IntegerField(source="pk")
    proposal = serializers.SerializerMethodField()
    username = serializers.CharField()
    first_name = serializers.CharField()
    last_name = serializers.CharField()
    email = serializers.CharField(help_text="Where the link goes; empty: it is handed over.")
    role = serializers.CharField(source="role.name")
    casino = serializers.CharField(
        source="casino.code", default=None, allow_null=True, help_text=_EVERYWHERE
    )
    last_day = serializers.SerializerMethodField()
    invited_by = serializers.CharField(source="person.username")
    approved_by = serializers.CharField(
        source="second.username",
        default=None,
        allow_null=True,
        help_text="Null: nobody yet, or none was needed.",
    )
    opens_until = serializers.DateTimeField(source="expires_at")

    @extend_schema_field(
        serializers.IntegerField(
            allow_null=True, help_text="What a second person approves; null: nothing waits."
        )
    )
    def get_proposal(self, row: Invitation) -> int | None:
        number: int | None = self.context["proposals"].get(row.pk)
        return number

    @extend_schema_field(serializers.DateField(allow_null=True))
    def get_last_day(self, row: Invitation) -> dt.date | None:
        return last_day(row.until, row.casino or self.context["first_casino"])


class MadeInvitationSerializer(InvitationSerializer):
    """The same with its link, where it was not mailed: here and never again."""

    link = serializers.SerializerMethodField()
    is_revoked = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField(help_text="Empty: it was mailed."))
    def get_link(self, row: Invitation) -> str:
        link: str = self.context["links"][row.pk].link
        return link

    @extend_schema_field(
        serializers.BooleanField(help_text="The mail did not go out: invite anew.")
    )
    def get_is_revoked(self, row: Invitation) -> bool:
        is_revoked: bool = self.context["links"][row.pk].is_revoked
        return is_revoked


class MadeInvitationsSerializer(serializers.Serializer):
    """Each as it was made."""

    invitations = MadeInvitationSerializer(many=True)


class NumbersSerializer(serializers.Serializer):
    """Proposals of invitations, by their numbers."""

    proposals = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62), min_length=1, max_length=100
    )


class ApprovalSerializer(NumbersSerializer, PasswordSerializer):
    """Which are approved, with the password."""


class WithdrawalOfManySerializer(NumbersSerializer):
    """Which are refused, and why."""

    note = serializers.CharField(max_length=500)


class InvitationRefusalSerializer(serializers.Serializer):
    """A proposal that was left as it was, as a problem would say it."""

    proposal = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()


class DecidedSerializer(serializers.Serializer):
    """Which were decided, and which were not: one that is refused stops no other."""

    decided = serializers.ListField(child=serializers.IntegerField())
    refused = InvitationRefusalSerializer(many=True)
