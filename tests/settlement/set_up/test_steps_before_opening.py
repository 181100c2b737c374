"""Steps of a new casino, and what its first evening would miss."""

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import WrongState
from settlement.models import (
    SetUpChange,
    SetUpDecision,
    SetUpProposal,
)
from settlement.people.shared.database_calls import ask
from settlement.set_up import casinos, proposals, steps
from settlement.set_up.casinos import NewTable
from tables.models import Casino, GamingTable, UnitPresence
from tests.support.cases.signing import give_key
from tests.support.pages.page_staff import page_of
from tests.support.people.access.factors import give_app
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.roles import acting_as
from tests.support.people.set_up import agree, hana, harbour, join

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def decided(harbour: Casino, person: Any) -> None:
    """To open without a rehearsal, as two people do it on the pages."""
    kind = SetUpProposal.Kind.OPEN_UNREHEARSED
    proposal = SetUpProposal.objects.create(kind=kind, casino=harbour, body={}, person=person)
    SetUpDecision.objects.create(proposal=proposal, agreed=True, person=person)


def test_steps_are_done_when_their_rows_are_there(
    harbour: Casino, hana: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any(step.is_done for step in steps.steps(None))
    with acting_as("web"):
        system = casinos.make_system(hana, harbour, "main", "Main")
        casinos.make_tables(hana, system, [NewTable("t1", "One")])
        with pytest.raises(WrongState, match=r"Still open: People.*; Terms.*; Displays"):
            casinos.open_casino(hana, harbour)
    codes = {step.code for step in steps.steps(harbour) if step.is_done}
    assert codes == {"casino", "systems", "tables"}
    for name, role in (("david", "Casino manager"), ("sione", "Game supervisor")):
        join("hana", name, role)
    assert "people" not in {step.code for step in steps.steps(harbour) if step.is_done}
    join("hana", "aroha", "Cashier")
    assert "people" in {step.code for step in steps.steps(harbour) if step.is_done}
    monkeypatch.setattr(casinos, "steps", lambda casino: steps.steps(casino)[:4])
    # Where the pages are left out, too: a rehearsal has paid, or two people decided.
    with acting_as("web"), pytest.raises(WrongState, match="Nothing was rehearsed"):
        casinos.open_casino(hana, harbour)
    decided(harbour, hana)
    with acting_as("web"):
        casinos.open_casino(hana, harbour)
        casinos.open_casino(hana, harbour)
    assert SetUpChange.objects.filter(what="opened").count() == 1
    assert steps.is_open(harbour)


def test_what_the_first_evening_would_miss_is_read_before_it_opens(
    harbour: Casino, hana: Any, settings: Settings
) -> None:
    with acting_as("web"):
        system = casinos.make_system(hana, harbour, "main", "Main")
        casinos.make_tables(hana, system, [NewTable("t1", "Table 1")])
    page = page_of("hana", "/set-up/casinos/harbour/")
    assert "Tables whose unit never connected: Main: Table 1" in page
    settings.SECOND_FACTOR_DEMANDED = True
    people, _units = steps.lacking(harbour)
    assert (people.code, people.names) == ("factors", ("Hana Reti", "Mere Reti"))
    UnitPresence.objects.create(table=GamingTable.objects.get(), heard_at=timezone.now())
    give_app("mere")
    people = steps.lacking(harbour)[0]
    assert people.names == ("Hana Reti",)
    settings.SECOND_FACTOR_DEMANDED = False
    decided(harbour, hana)
    with acting_as("web"):
        ask("open_casino", hana.pk, harbour.pk)
    assert "Before you open" not in page_of("hana", "/set-up/casinos/harbour/")


def left_for_later(casino: Casino) -> set[str]:
    return {each.code for each in steps.steps(casino) if each.later}


def test_two_steps_may_wait_and_say_what_holds_until_then(harbour: Casino, hana: Any) -> None:
    page = page_of("hana", "/set-up/casinos/harbour/")
    assert "Until then one manager confirms any amount." in page
    assert "Until then nothing is signed." in page
    with acting_as("web"):
        proposals.propose_amount(hana, harbour, 25_000_000_000)
    agree("mere")
    assert left_for_later(harbour) == {"keys"}
    first, second = SoftPasskey(), SoftPasskey()
    give_key("hana", first)  # the first key of a house needs nobody's word
    assert left_for_later(harbour) == {"keys"}, "with one alone nobody could act"
    give_key("mere", second, ("hana", first))
    assert left_for_later(harbour) == set()


def test_to_sign_nothing_is_a_decision_too(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        proposals.propose_amount(hana, harbour, None)
        proposals.propose_signatures(hana, harbour, "none")
    agree("mere", -2)
    agree("mere", -1)
    assert left_for_later(harbour) == set()
