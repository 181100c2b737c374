"""Who leaves: the page names the work that somebody else must take over, and it can be."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from settlement.core.errors import SamePerson
from settlement.models import AccessToken, ConsoleSession, ReportSchedule, SetUpProposal
from settlement.people.staff import persons
from settlement.set_up import proposals
from tables.models import Casino
from tests.support.pages.page_staff import page_of
from tests.support.people.roles import acting_as
from tests.support.people.set_up import agree, hana, harbour, join, user

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db

PAGE = "/people/log-in/lena/"


def page_of_lena() -> str:
    ConsoleSession.objects.filter(expire_date__gt=timezone.now() + dt.timedelta(days=9999)).delete()
    return page_of("hana", PAGE)  # without the log-ins of the tests, which have no end


def test_what_an_administrator_proposed_is_open_work(harbour: Casino, hana: Any) -> None:
    lena = join("hana", "lena", "Administrator")
    assert "No open work." in page_of_lena()
    with acting_as("web"):
        for minutes in (5, 9):
            proposals.propose_count(lena, harbour, SetUpProposal.Kind.MISSED_ROUNDS, minutes)
        proposals.propose_amount(lena, harbour, 1_000_000_000)
    agree("mere")
    page = page_of_lena()
    assert "Open work that somebody else must take over: 2 open set-up proposals" in page
    with acting_as("web"):
        persons.leave(hana, lena)
    assert "2 open set-up proposals" in page_of_lena()
    number = SetUpProposal.objects.filter(decision=None).latest("id").pk
    with pytest.raises(SamePerson, match="must still be permitted"):
        agree("mere", [*SetUpProposal.objects.values_list("pk", flat=True)].index(number))
    with acting_as("web"):  # withdrawn, and proposed by who stays
        for each in SetUpProposal.objects.filter(decision=None):
            proposals.withdraw(each, user("mere"), "Lena left")
        proposals.propose_count(hana, harbour, SetUpProposal.Kind.MISSED_ROUNDS, 9)
    assert "No open work." in page_of_lena()
    agree("mere")


def test_each_kind_of_it_stands_on_the_page(harbour: Casino, hana: Any) -> None:
    lena = join("hana", "lena", "Casino manager")
    later = timezone.now() + dt.timedelta(days=1)
    AccessToken.objects.create(
        person=lena, name="x", scopes=["read:floor"], digest="x", expires_at=later
    )
    ReportSchedule.objects.create(
        casino=harbour, report="payouts", formats=["csv"], person=lena, moment="day"
    )
    with acting_as("web"):
        proposals.propose_amount(lena, harbour, 1_000_000_000)
    assert (
        "Open work that somebody else must take over:"
        " 1 open set-up proposal, 1 scheduled report, 1 access token"
    ) in page_of_lena()
