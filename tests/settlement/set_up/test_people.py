"""People and rules of the house: two people, links that open once, who leaves."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from settlement.core.errors import (
    BadReason,
    BadSetUp,
    NotPermitted,
    SamePerson,
    WrongState,
)
from settlement.models import (
    AccessToken,
    Invitation,
    MissedRoundsLimit,
    RoleChange,
    SecondManagerLimit,
    SetUpChange,
    SetUpProposal,
    TermsFactor,
    VarianceLimit,
)
from settlement.models.access import ConsoleSession
from settlement.people import invitations, persons, roles
from settlement.people.invitations import Guest
from settlement.people.permissions import Reauthenticated, may
from settlement.set_up import casinos, proposals
from settlement.set_up.casinos import CasinoFacts
from tables.models import Casino
from tests.support.cast import PASSWORD
from tests.support.roles import acting_as, owner_without_guards
from tests.support.set_up import HARBOUR, agree, hana, harbour, join, user

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def test_the_second_role_takes_a_second_person(harbour: Casino, hana: Any) -> None:
    """The first manager was invited alone; from then on a manager agrees, and the trail says so."""
    with acting_as("web"):
        invitation, secret = invitations.invite(hana, Guest("aroha", "", "A", "", "Cashier"))
        assert not invitation.alone
        assert invitations.by_secret(secret) is None
        with pytest.raises(WrongState):
            invitations.accept(secret, PASSWORD)
        with pytest.raises(NotPermitted):
            proposals.agree(SetUpProposal.objects.get(), Reauthenticated(hana))
    assert "Cashier" in proposals.in_words(SetUpProposal.objects.get())
    agree("mere")
    with acting_as("web"):
        assert invitations.by_secret(secret) == invitation
        invitations.accept(secret, PASSWORD)
        with pytest.raises(WrongState):
            invitations.accept(secret, PASSWORD)
    aroha = user("aroha")
    assert RoleChange.objects.get(person=aroha).by == "hana and mere"
    assert may(aroha, "pay_claim")
    with acting_as("web"):
        assert not persons.give_role(hana, aroha, "Casino manager", harbour)
        with pytest.raises(SamePerson):
            persons.give_role(hana, hana, "Casino manager", None)
    assert not may(user("aroha"), "confirm_claim")
    agree("mere")
    assert may(user("aroha"), "confirm_claim")


def test_nobody_agrees_for_themselves(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        assert not persons.give_role(hana, user("mere"), "Cashier", None)
    with pytest.raises(SamePerson):
        agree("mere")
    join_manager = join("hana", "david", "Casino manager")
    with acting_as("web"):
        proposals.propose_amount(join_manager, harbour, 5)
    with pytest.raises(SamePerson):
        agree("david")
    with acting_as("web"):
        persons.lock(hana, join_manager)
    with pytest.raises(SamePerson):
        agree("mere")  # who proposed it may not log in any more


def test_locking_the_others_gives_nobody_alone(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        persons.lock(hana, user("mere"))
        assert not invitations.invite(hana, Guest("eve", "", "E", "", "Cashier"))[0].alone


def test_rules_of_the_house_take_two_people(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        proposals.propose_amount(hana, harbour, 25_000_000_000)
        proposals.propose_count(hana, harbour, "missed_rounds", 4)
        proposals.propose_count(hana, harbour, "terms_factor", 3)
        proposals.propose_variance(hana, harbour, "count_drop", 5)
        with pytest.raises(BadSetUp):
            proposals.propose_count(hana, harbour, "terms_factor", 0)
    assert not SecondManagerLimit.objects.exists()
    sentences = [proposals.in_words(each) for each in proposals.open_proposals()]
    assert sentences[0] == "Two managers confirm above NZD 25,000.00"
    for number in range(4):
        agree("mere", number)
    assert SecondManagerLimit.objects.get().amount == 25_000_000_000
    assert MissedRoundsLimit.objects.get().count == 4
    assert TermsFactor.objects.get().factor == 3
    assert VarianceLimit.objects.values_list("kind", "first", "second").get() == (
        "count_drop",
        "hana",
        "mere",
    )
    assert SetUpChange.objects.filter(kind="rule", by="hana and mere").count() == 4
    with pytest.raises(WrongState):
        agree("mere", 0)


def test_a_proposal_is_withdrawn_with_a_note_and_its_link_with_it(
    harbour: Casino, hana: Any
) -> None:
    with acting_as("web"):
        _invitation, secret = invitations.invite(hana, Guest("aroha", "", "A", "", "Cashier"))
        proposal = SetUpProposal.objects.get()
        with pytest.raises(BadReason):
            proposals.withdraw(proposal, hana, " ")
        proposals.withdraw(proposal, hana, "Typed wrong")
        assert Invitation.objects.latest("id").revoked_at is not None
        with pytest.raises(WrongState):
            invitations.accept(secret, PASSWORD)
        invitations.invite(hana, Guest("aroha", "", "A", "", "Cashier"))  # the name is free again


def test_a_link_ends(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        invitation, secret = invitations.invite(hana, Guest("aroha", "", "A", "", "Cashier"))
        with pytest.raises(BadSetUp, match="taken"):
            invitations.invite(hana, Guest("Aroha", "", "A", "", "Cashier"))
    agree("mere")
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())
    with acting_as("web"), pytest.raises(WrongState):
        invitations.accept(secret, PASSWORD)
    Invitation.objects.filter(pk=invitation.pk).update(
        expires_at=timezone.now() + dt.timedelta(hours=1)
    )
    with acting_as("web"):
        assert invitations.revoke(user("mere"), invitation.pk)
        with pytest.raises(WrongState):
            invitations.accept(secret, PASSWORD)


def test_a_role_ends_by_its_time(harbour: Casino, hana: Any) -> None:
    """At once for whoever asks, and written down when the worker comes by."""
    later = timezone.now() + dt.timedelta(hours=1)
    for name, casino in (("aroha", None), ("kiri", harbour)):
        join("hana", name, "Cashier", casino, until=later)
        assert may(user(name), "pay_claim")
        with owner_without_guards("settlement_rolechange"):
            RoleChange.objects.filter(person=user(name)).update(until=timezone.now())
        assert not may(user(name), "pay_claim")
    with acting_as("worker"):
        assert persons.end_roles_past_their_time() == 2
        assert persons.end_roles_past_their_time() == 0
    last = RoleChange.objects.latest("id")
    assert (last.granted, last.by) == (False, "its time")
    assert not user("aroha").groups.exists()


def test_who_is_locked_or_leaves_is_out_at_once(harbour: Casino, hana: Any) -> None:
    aroha = join("hana", "aroha", "Cashier", harbour)
    AccessToken.objects.create(
        person=aroha, name="x", digest="x", expires_at=timezone.now() + dt.timedelta(days=1)
    )
    with acting_as("web"):
        sessions = ConsoleSession.objects.filter(person=aroha)
        assert sessions.count() == 1
        assert persons.end_log_ins(hana, aroha, sessions.values_list("pk", flat=True)[0]) == 1
        assert not sessions.exists()
    with acting_as("web"):
        persons.lock(hana, aroha)
        assert not sessions.exists()
        assert not may(user("aroha"), "pay_claim")
        persons.unlock(hana, aroha)
        assert may(user("aroha"), "pay_claim")
        assert persons.open_work(aroha) == ["1 access token"]
        persons.leave(hana, aroha)
        persons.unlock(hana, aroha)
    aroha = user("aroha")
    assert not roles.held(aroha).allowed
    assert persons.open_work(aroha) == []
    trail = SetUpChange.objects.filter(subject="aroha").order_by("id")
    assert [(each.kind, each.what, each.after.get("is_active")) for each in trail][-6:] == [
        ("person", "log_ins_ended", None),
        ("person", "changed", False),
        ("person", "changed", True),
        ("role", "made", None),
        ("person", "changed", False),
        ("person", "changed", True),
    ]
    with acting_as("web"), pytest.raises(SamePerson):
        persons.lock(hana, hana)


def test_a_role_is_taken_by_one_person(harbour: Casino, hana: Any) -> None:
    aroha = join("hana", "aroha", "Cashier", harbour)
    (held,) = persons.roles_of([aroha.pk])[aroha.pk]
    with acting_as("web"):
        persons.take_role(hana, aroha, held.role_id, harbour.pk)
        with pytest.raises(SamePerson):
            persons.take_role(hana, hana, held.role_id, None)
    assert persons.roles_of([aroha.pk]) == {}


def test_who_administers_one_casino_administers_no_other(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        alpine = casinos.make_casino(
            hana, CasinoFacts("alpine", "Alpine", "UTC", "NZD", 2, dt.time(6))
        )
    lena = join("hana", "lena", "Administrator", alpine)
    with acting_as("web"):
        casinos.make_system(lena, alpine, "alp", "Alpine floor")
        with pytest.raises(NotPermitted):
            casinos.make_system(lena, harbour, "x", "X")
        with pytest.raises(NotPermitted):
            casinos.make_casino(lena, HARBOUR)
        with pytest.raises(NotPermitted):
            persons.lock(lena, user("mere"))
        with pytest.raises(NotPermitted):
            invitations.invite(lena, Guest("eve", "", "E", "", "Cashier"))
