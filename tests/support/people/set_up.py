"""A casino that is set up by its administrator, as the web process does it."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User

from settlement.models import (
    SetUpProposal,
)
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.staff import invitations
from settlement.people.staff.invitations import Guest
from settlement.set_up import casinos, first_run, proposals
from settlement.set_up.casinos import CasinoFacts
from tables.models import Casino
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import acting_as

HARBOUR = CasinoFacts("harbour", "Harbour Casino", "Pacific/Auckland", "NZD", 2, dt.time(6))


def user(name: str) -> Any:
    return User.objects.get(username=name)


def join(by: str, name: str, role: str, casino: Casino | None = None, **more: Any) -> Any:
    """Somebody is invited and comes."""
    guest = Guest(name, name.title(), "Reti", "", role, casino, **more)
    with acting_as("web"):
        invitation, secret = invitations.invite(user(by), guest)
        if not invitation.alone:
            agree("mere")
        invitations.accept(secret, PASSWORD)
    return user(name)


def agree(name: str, number: int = -1) -> None:
    proposal = list(SetUpProposal.objects.order_by("id"))[number]
    with acting_as("web"):
        proposals.agree(proposal, Reauthenticated(user(name)))


@pytest.fixture
def hana() -> Any:
    """The first administrator, by the code of the first run."""
    code = first_run.make_code()
    with acting_as("web"):
        first_run.begin(code, "hana", ("Hana", "Reti"), "", PASSWORD)
    return user("hana")


@pytest.fixture
def harbour(hana: Any) -> Casino:
    """A casino with a manager, whom the administrator invited alone."""
    with acting_as("web"):
        casino = casinos.make_casino(hana, HARBOUR)
    join("hana", "mere", "Casino manager")
    return casino
