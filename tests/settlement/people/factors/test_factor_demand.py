"""A role that needs no second factor any more takes two people; one that needs one takes one."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.utils import DatabaseError
from pytest_django import Settings

from settlement.audit import trail
from settlement.models import FactorDemand, SetUpChange, SetUpDecision, SetUpProposal
from tables.models import Alarm
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.access.factors import events, gives_password
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def house() -> None:
    hire()


def post_form(name: str, address: str, **form: Any) -> None:
    client = logged_in(name)
    with acting_as("web"):
        client.post(address, form)


def proposed_for_the_cage() -> str:
    """Mere proposes that a cashier needs no second factor; the address at which one approves."""
    form = {"needed": "Cashier", "password": PASSWORD}
    post_form("mere", "/second-factors/roles/", **form)
    return f"/house-rules/proposals/{SetUpProposal.objects.get().pk}/agree/"


def test_a_second_person_approves_that_a_role_needs_none(settings: Settings) -> None:
    agree = proposed_for_the_cage()
    post_form("mere", agree, password=PASSWORD)
    assert not FactorDemand.objects.exists(), "nobody is two people"
    assert "Cashier needs no second factor any more" in page_of("ines", "/house-rules/")
    post_form("ines", agree, password=PASSWORD)
    settings.SECOND_FACTOR_DEMANDED = True
    assert gives_password("aroha").get("/").status_code == 200
    assert events("mere")[-1] == "factor_demand: Cashier: not needed; by mere and ines"
    alarm = Alarm.objects.get(kind="factor_demand")
    assert (alarm.subject, "mere and ines said so" in alarm.message) == ("Cashier", True)
    with pytest.raises(DatabaseError), transaction.atomic():
        FactorDemand.objects.all().delete()


def test_both_ways_are_changes_of_set_up_with_before_and_after() -> None:
    agree = proposed_for_the_cage()
    post_form("ines", agree, password=PASSWORD)
    form = {"free": "Cashier", "role": "Cashier", "password": PASSWORD}
    post_form("david", "/second-factors/roles/", **form)
    changes = SetUpChange.objects.filter(kind="factor_demand").order_by("id")
    assert [(each.by, each.subject, each.before, each.after) for each in changes] == [
        ("mere and ines", "Cashier", {"needed": True}, {"needed": False}),
        ("david", "Cashier", {"needed": False}, {"needed": True}),
    ]
    rows = trail.page(trail.Question(areas=("set_up",), subject="Cashier"), 9)
    assert [(row["who"], row["words"]) for row in reversed(rows)] == [
        ("mere", "Proposed: exempt a role from the second factor"),
        ("mere and ines", "Changed: Second factor of a role"),
        ("ines", "Agreed: exempt a role from the second factor"),
        ("david", "Changed: Second factor of a role"),
    ]


def test_the_database_wants_the_approval_of_that_role_once() -> None:
    cashier, surveillance = (Group.objects.get(name=each) for each in ("Cashier", "Surveillance"))
    agree = proposed_for_the_cage()
    mere = User.objects.get(username="mere")

    def put(role: Group, decision: SetUpDecision | None) -> None:
        with acting_as("web"), transaction.atomic():
            FactorDemand.objects.create(role=role, demanded=False, person=mere, decision=decision)

    with pytest.raises(DatabaseError, match="nobody agreed"):
        put(cashier, None)
    post_form("ines", agree, password=PASSWORD)
    decision = SetUpDecision.objects.get()
    assert FactorDemand.objects.get().decision == decision
    with pytest.raises(DatabaseError, match="nobody agreed"):
        put(surveillance, decision)
    with pytest.raises(DatabaseError, match="decision_id"):
        put(cashier, decision)
