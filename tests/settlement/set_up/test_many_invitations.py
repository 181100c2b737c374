"""Invitations that wait, decided several at once: each its own record, with its own guards."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from settlement.core.errors import BadSetUp, NotPermitted
from settlement.models import Invitation, SetUpDecision, SetUpProposal
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.staff import invitations
from settlement.people.staff.invitations import Guest
from settlement.set_up import many_invitations, proposals
from tables.models import Casino
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.people.set_up import user

pytestmark = pytest.mark.django_db
PAGE = "/house-rules/invitations/"


@pytest.fixture(autouse=True)
def house() -> ClaimHouse:
    return ClaimHouse()


def invite(count: int, by: str = "hana") -> list[int]:
    """The numbers of the proposals, the oldest first."""
    before, in_a_year = SetUpProposal.objects.count(), timezone.now() + dt.timedelta(days=365)
    with acting_as("web"):
        for number in range(before, before + count):
            guest = Guest(
                f"guest-{number}", "Rua", f"Ngata {number}", "", "Cashier", until=in_a_year
            )
            invitations.invite(user(by), guest)
    return list(SetUpProposal.objects.order_by("pk").values_list("pk", flat=True))[before:]


def sends(name: str, numbers: list[int], **fields: str) -> Any:
    client = logged_in(name)
    with acting_as("web"):
        return client.post(PAGE, {"proposal": numbers, **fields}, follow=True)


def approves(name: str, numbers: list[int], password: str = PASSWORD) -> Any:
    return sends(name, numbers, do="approve", password=password)


def decisions() -> list[tuple[int, bool, str]]:
    rows = SetUpDecision.objects.order_by("proposal_id")
    return list(rows.values_list("proposal_id", "agreed", "person__username"))


def test_what_is_ticked_is_approved_by_one_password_each_as_its_own_record() -> None:
    numbers = invite(4)
    page = logged_in("david").get(PAGE).content.decode()
    assert page.count('name="proposal"') == 4
    assert "Decide 4 invitations at once" in words(logged_in("david").get("/house-rules/"))
    answer = approves("david", numbers[:3])
    assert answer.status_code == 200
    assert "Approved: 3 invitations." in words(answer)
    assert decisions() == [(number, True, "david") for number in numbers[:3]]
    assert Invitation.objects.filter(second=user("david")).count() == 3
    assert answer.content.decode().count('name="proposal"') == 1


def test_all_that_the_page_shows_can_be_ticked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest that may be decided at once; the rest follows."""
    monkeypatch.setattr(many_invitations, "MOST", 3)
    numbers = invite(5)
    answer = logged_in("david").get(PAGE)
    boxes = list(map(int, re.findall(r'name="proposal"\s+value="(\d+)"', answer.content.decode())))
    assert boxes == numbers[:3]
    assert "These are the oldest: 2 more invitations wait." in words(answer)
    answer = approves("david", boxes)
    assert "Approved: 3 invitations." in words(answer)
    assert "These are the oldest" not in words(answer)
    assert answer.content.decode().count('name="proposal"') == 2


def test_a_wrong_password_decides_nothing_and_keeps_what_is_ticked() -> None:
    numbers = invite(3)
    answer = approves("david", numbers[:2], "guess")
    assert answer.status_code == 422
    assert "That is not your password" in words(answer)
    assert answer.content.decode().count(" checked") == 2
    assert not SetUpDecision.objects.exists()


def test_one_that_is_refused_stops_no_other_and_says_why() -> None:
    """Of these one is over, and one was decided by somebody else, since the page was opened."""
    numbers = invite(4)
    Invitation.objects.filter(username="guest-0").update(expires_at=timezone.now())
    with acting_as("web"):
        proposals.withdraw(SetUpProposal.objects.get(pk=numbers[1]), user("mere"), "Left again")
    answer = approves("david", numbers)
    text = words(answer)
    assert answer.status_code == 422
    assert "Approved: 2 invitations." in text
    assert "1 of those that you ticked does not wait any more." in text
    assert "guest-0" in text
    assert "invite the person again" in text
    assert answer.content.decode().count(" checked") == 1
    assert [each for each in decisions() if each[1]] == [(n, True, "david") for n in numbers[2:]]


def test_several_are_refused_with_one_note() -> None:
    numbers = invite(3)
    answer = sends("david", numbers[:2], do="withdraw")
    assert answer.status_code == 422
    assert "Enter why the proposal is withdrawn." in words(answer)
    answer = sends("david", numbers[:2], do="withdraw", note="They start in May")
    assert "Withdrawn: 2 invitations." in words(answer)
    assert decisions() == [(number, False, "david") for number in numbers[:2]]
    assert set(SetUpDecision.objects.values_list("note", flat=True)) == {"They start in May"}
    assert Invitation.objects.filter(revoked_at=None).count() == 1


def test_whoever_invited_approves_none_and_may_take_back_their_own() -> None:
    numbers = invite(2)
    assert 'value="approve"' not in logged_in("hana").get(PAGE).content.decode()
    answer = approves("hana", numbers)
    assert "Your role does not allow this" in words(answer)
    waiting = many_invitations.among(numbers)
    with acting_as("web"), pytest.raises(NotPermitted):
        many_invitations.approve(waiting, Reauthenticated(user("hana")))
    assert not SetUpDecision.objects.exists()
    assert "Withdrawn: 2 invitations." in words(sends("hana", numbers, do="withdraw", note="Wrong"))
    assert logged_in("aroha").get(PAGE).status_code == 403


def test_nobody_approves_what_gives_another_casino_roles() -> None:
    """Who agrees in one casino sees no invitation of every casino, and ticks none."""
    numbers = invite(2)
    casino = Casino.objects.create(code="alpine", name="Alpine", currency="NZD")
    roles.grant(user("nobody"), "Casino manager", casino)
    answer = approves("nobody", numbers)
    assert answer.status_code == 422
    assert not SetUpDecision.objects.exists()


def test_nothing_or_too_much_is_refused() -> None:
    invite(1)
    assert "Choose at least one invitation" in words(approves("david", []))
    assert sends("david", [], do="approve", proposal="x").status_code == 400
    with pytest.raises(BadSetUp, match="at most 100"):
        many_invitations.among(range(101))


def test_queries_grow_by_those_of_a_record_alone() -> None:
    """Opening the list asks as often for many as for few; a decision asks for its own record."""
    few, client = invite(2), logged_in("david")
    with CaptureQueriesContext(connection) as page_of_few:
        client.get(PAGE)
    many = invite(18)
    with CaptureQueriesContext(connection) as page_of_many:
        client.get(PAGE)
    assert len(page_of_many) <= len(page_of_few)
    counts = []
    for numbers in (few, many):
        waiting = many_invitations.among(numbers)
        with acting_as("web"), CaptureQueriesContext(connection) as queries:
            assert not many_invitations.approve(waiting, Reauthenticated(user("david")))
        counts.append(len(queries))
    # Of each: whether it is signed, the transaction, the act and its answer.
    assert (counts[1] - counts[0]) / (len(many) - len(few)) <= 7
