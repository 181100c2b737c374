"""People and rules of the house: two people, links that open once, who leaves."""

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone
from pytest_django import Settings

from settlement.audit import trail
from settlement.audit.trail import Question
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
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated, may
from settlement.people.shared.database_calls import ask
from settlement.people.staff import invitations, persons
from settlement.people.staff.invitations import Guest
from settlement.set_up import casinos, change_log, proposals
from settlement.set_up.casinos import CasinoFacts
from tables.models import Casino
from tables.visibility.scope import Visible, only
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.people.set_up import HARBOUR, agree, hana, harbour, join, user

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
    david = join("hana", "david", "Casino manager")
    with acting_as("web"):
        proposals.propose_amount(david, harbour, 5)
    with pytest.raises(SamePerson):
        agree("david")
    (held,) = persons.roles_of([david.pk])[david.pk]
    with acting_as("web"):
        persons.take_role(hana, david, held.role_id, None)
    with pytest.raises(SamePerson):
        agree("mere")  # who proposed it may no longer


def test_who_proposed_with_another_spelling_of_a_person_is_not_two(
    harbour: Casino, hana: Any
) -> None:
    mere = user("mere")
    cashier = Group.objects.get(name="Cashier").pk
    body = json.dumps({"person": f"0{mere.pk}", "role": cashier, "until": None})
    with acting_as("web"):
        ask("propose_set_up", hana.pk, "give_role", None, body)
    with pytest.raises(SamePerson):
        agree("mere")


def test_a_role_is_for_somebody_active_and_ends_later_than_now(harbour: Casino, hana: Any) -> None:
    aroha = join("hana", "aroha", "Cashier")
    soon = timezone.now() + dt.timedelta(hours=1)
    with acting_as("web"):
        persons.give_role(hana, aroha, "Surveillance", None)
        persons.give_role(hana, user("mere"), "Surveillance", None)
        invitations.invite(hana, Guest("eve", "", "E", "", "Cashier", until=soon))
        persons.lock(hana, aroha)
    join("hana", "david", "Casino manager")
    with pytest.raises(WrongState, match="may not log in"):
        agree("david", 1)
    with owner_without_guards("settlement_setupproposal"):
        SetUpProposal.objects.filter(body__person=user("mere").pk).update(
            body={
                "person": user("mere").pk,
                "role": Group.objects.get(name="Surveillance").pk,
                "until": timezone.now().isoformat(),
            }
        )
    with pytest.raises(BadSetUp, match="later than now"):
        agree("david", 2)
    Invitation.objects.filter(username="eve").update(until=timezone.now())
    with pytest.raises(WrongState, match="invite the person again"):
        agree("david", 3)


def test_nobody_administers_people_and_agrees(harbour: Casino, hana: Any) -> None:
    lena = join("hana", "lena", "Administrator")
    with acting_as("web"):
        persons.give_role(hana, user("mere"), "Administrator", harbour)
        persons.give_role(hana, lena, "Compliance", harbour)
    join("hana", "david", "Casino manager")
    for number in (1, 2):
        with pytest.raises(WrongState, match="cannot be held with another one"):
            agree("david", number)


def test_an_administrator_alone_gets_nobody_who_agrees_and_is_them(hana: Any) -> None:
    """Who holds a role that agrees ends the time alone, whoever it is: here the one who asks."""
    roles.grant(hana, "Casino manager")
    with acting_as("web"):
        assert not invitations.invite(hana, Guest("eve", "", "E", "", "Cashier"))[0].alone


def test_an_invitation_given_alone_ends_with_the_time_alone(hana: Any) -> None:
    with acting_as("web"):
        invitation, secret = invitations.invite(hana, Guest("eve", "", "E", "", "Casino manager"))
        assert invitation.alone
        assert invitations.by_secret(secret) == invitation
    join("hana", "mere", "Casino manager")
    with acting_as("web"):
        assert invitations.by_secret(secret) is None
        with pytest.raises(WrongState):
            invitations.accept(secret, PASSWORD)


def test_an_invitation_needs_its_inviter_to_its_end(harbour: Casino, hana: Any) -> None:
    lena = join("hana", "lena", "Administrator")
    with acting_as("web"):
        _invitation, secret = invitations.invite(lena, Guest("eve", "", "E", "", "Cashier"))
    agree("mere")
    (held,) = persons.roles_of([lena.pk])[lena.pk]
    with acting_as("web"):
        persons.take_role(hana, lena, held.role_id, None)
        with pytest.raises(WrongState):
            invitations.accept(secret, PASSWORD)


def test_the_second_person_reads_who_gets_the_link(
    harbour: Casino, hana: Any, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    with acting_as("web"):
        invitations.invite(hana, Guest("eve", "", "E", "eve@example.com", "Cashier"))
        invitations.invite(hana, Guest("aroha", "", "A", "", "Cashier"))
    mailed, by_hand = map(proposals.in_words, proposals.open_proposals())
    assert "eve@example.com" in mailed
    assert "handed over by the inviter" in by_hand
    assert "reset by this address" not in by_hand
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    later = proposals.in_words(SetUpProposal.objects.earliest("id"))
    assert "handed over by the inviter" in later
    assert "Passwords are reset by this address: eve@example.com" in later


def test_the_last_administrator_of_every_casino_stays(harbour: Casino, hana: Any) -> None:
    """One of a casino, or with a last day, does not count."""
    later = timezone.now() + dt.timedelta(days=1)
    lena = join("hana", "lena", "Administrator", until=later)
    (held,) = persons.roles_of([hana.pk])[hana.pk]
    with acting_as("web"):
        for wrong in (
            lambda: persons.lock(lena, hana),
            lambda: persons.leave(lena, hana),
            lambda: persons.take_role(lena, hana, held.role_id, None),
        ):
            with pytest.raises(WrongState, match="nobody would administer"):
                wrong()
    ines = join("hana", "ines", "Administrator")
    with acting_as("web"):
        persons.lock(ines, hana)


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
    with acting_as("web"):
        proposals.propose_amount(hana, harbour, None)
    agree("mere")
    last = SetUpChange.objects.latest("id")
    assert last.what == "changed"
    words = {
        each.name: each.words
        for each in change_log.fields_of(last.kind, last.before, last.after, {})
    }
    assert words["amount"] == "amount: NZD 25,000.00 → never"
    assert words["rule"] == "rule: Two managers confirm above"
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
        _other, _secret = invitations.invite(hana, Guest("eve", "", "E", "", "Cashier"))
        assert invitations.revoke(hana, _other.pk)
        assert not proposals.open_proposals().exists()
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
    until = timezone.now() + dt.timedelta(days=1)
    AccessToken.objects.create(
        person=aroha, name="x", scopes=["read:floor"], digest="x", expires_at=until
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
        assert not persons.unlock(hana, aroha)  # who locked them takes a second person
    assert "may log in again" in proposals.in_words(SetUpProposal.objects.latest("id"))
    agree("mere")
    assert may(user("aroha"), "pay_claim")
    assert persons.open_work(aroha) == []  # the token ended with the lock
    lena = join("hana", "lena", "Administrator")
    with acting_as("web"):
        persons.leave(hana, aroha)
        assert persons.unlock(lena, aroha)
    aroha = user("aroha")
    assert not roles.held(aroha).allowed
    assert persons.open_work(aroha) == []
    trail = SetUpChange.objects.filter(subject="aroha").order_by("id")
    assert [(each.kind, each.what, each.after.get("is_active")) for each in trail][-6:] == [
        ("person", "log_ins_ended", None),
        ("person", "changed", False),
        ("person", "changed", True),
        ("role", "removed", None),
        ("person", "changed", False),
        ("person", "changed", True),
    ]
    with acting_as("web"), pytest.raises(SamePerson):
        persons.lock(hana, hana)


def test_a_last_day_is_that_of_the_casino(harbour: Casino, hana: Any) -> None:
    until = dt.datetime(2999, 1, 2, tzinfo=ZoneInfo("Pacific/Auckland"))
    aroha = join("hana", "aroha", "Cashier", harbour, until=until)
    assert "until 2999-01-01" in proposals.in_words(SetUpProposal.objects.get())
    assert persons.roles_of([aroha.pk])[aroha.pk][0].last_day == dt.date(2999, 1, 1)


def test_a_role_is_taken_by_one_person(harbour: Casino, hana: Any) -> None:
    aroha = join("hana", "aroha", "Cashier", harbour)
    (held,) = persons.roles_of([aroha.pk])[aroha.pk]
    with acting_as("web"):
        persons.take_role(hana, aroha, held.role_id, harbour.pk)
        with pytest.raises(SamePerson):
            persons.take_role(hana, hana, held.role_id, None)
    assert persons.roles_of([aroha.pk]) == {}
    change = SetUpChange.objects.latest("id")
    assert (change.kind, change.what, change.after) == ("role", "removed", {})
    assert change.before["role_id"] == held.role_id


def test_who_administers_one_casino_administers_no_other(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        alpine = casinos.make_casino(
            hana, CasinoFacts("alpine", "Alpine", "UTC", "NZD", 2, dt.time(6))
        )
    lena = join("hana", "lena", "Administrator", alpine)
    join("hana", "han", "Cashier", alpine)
    with only(Visible(frozenset({alpine.pk}), frozenset(), all_casinos=False)):
        rows = trail.page(Question(areas=("set_up",)), 100)
        persons_seen = {row["subject"] for row in rows if row["kind"] == "set_up:person"}
        assert persons_seen == {"han", "lena"}
    assert not trail.page(Question(areas=("set_up",), person="han"), 1)
    assert trail.page(Question(areas=("set_up",), person="mere"), 1)
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
