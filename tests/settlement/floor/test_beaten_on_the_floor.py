"""Between a look at the floor and its commit somebody else says or decides something."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from jackpot.models import Command
from settlement.core import guards
from settlement.core.errors import KeyUsed, NotPermitted, OwnHand, WrongState
from settlement.exclusions import entries
from settlement.exclusions.entries import ExclusionList
from settlement.floor import handover, held_rounds, incidents, missed_rounds
from settlement.models import (
    ExclusionImport,
    Handover,
    IncidentEnd,
    MissedRoundsLimit,
    Proposal,
    Ruling,
)
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import WIREMU
from tests.support.cases.held_rounds import LIMIT, FastHouse
from tests.support.people.at_once import after_look
from tests.support.people.roles import acting_as


@pytest.fixture
def house(fresh_database: None, settings: Any) -> FastHouse:
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = FastHouse()
    house.presses(LIMIT + 2)
    house.poster.give_up()
    return house


def table() -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code="t3")


def test_whoever_decides_on_several_rounds_is_said_to_have_played(
    house: FastHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = timezone.now() - dt.timedelta(days=400)
    after_look(
        monkeypatch,
        held_rounds,
        "_body",
        lambda: staff_play.sit_down(person("sione"), table(), person("sione"), since=began),
    )
    with acting_as("web"), pytest.raises(OwnHand, match="dealt into this hand"):
        held_rounds.accept(table(), person("sione"), [LIMIT + 1, LIMIT + 2], "Camera 4")
    assert not Ruling.objects.exists()
    assert not Command.objects.filter(kind="accept_rounds").exists()


def test_the_house_lowers_what_one_person_credits(
    house: FastHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    casino = house.system.casino
    after_look(
        monkeypatch,
        missed_rounds,
        "left_today",
        lambda: MissedRoundsLimit.objects.create(
            casino=casino, count=1, first="mere", second="david"
        ),
    )
    credit = missed_rounds.MissedCredit(2, "Camera 4")
    with acting_as("web"), pytest.raises(WrongState, match="a second person approves it"):
        missed_rounds.credit(table(), person("sione"), credit)
    assert not Ruling.objects.exists()
    with acting_as("web"):
        assert isinstance(missed_rounds.credit(table(), person("sione"), credit), Proposal)


def test_an_incident_is_resolved_twice_at_once(
    house: FastHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = incidents.IncidentReport("handset", "A drink", timezone.now())
    incident = incidents.report(house.system, person("mere"), report)
    after_look(
        monkeypatch,
        incidents,
        "require",
        lambda: incidents.resolve(incident, person("david"), "Dried"),
    )
    with acting_as("web"), pytest.raises(WrongState, match="resolved already"):
        incidents.resolve(incident, person("mere"), "Changed")
    assert IncidentEnd.objects.get().note == "Dried"


@pytest.mark.parametrize("what", ["role", "form"])
def test_a_handover_that_changes_as_it_is_signed(
    house: FastHouse, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A role is taken; the form is sent twice at once."""
    casino, key = house.system.casino, uuid.uuid4()
    two = (Reauthenticated(person("mere")), Reauthenticated(person("david")))
    read = handover.digest(handover.gather(casino))

    def sign() -> Handover:
        return handover.sign(casino, *two, read=read, remarks="", key=key)

    if what == "role":
        after_look(monkeypatch, guards, "in_words", User.objects.get(username="david").groups.clear)
    else:
        after_look(monkeypatch, guards, "in_words", sign)
    kind, words = (NotPermitted, "role") if what == "role" else (KeyUsed, "sent a moment ago")
    with acting_as("web"), pytest.raises(kind, match=words):
        sign()
    assert Handover.objects.count() == (what == "form")


def test_who_may_no_longer_import_a_list(house: FastHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    casino, ines = house.system.casino, person("ines")
    exclusions = ExclusionList("Register", [WIREMU])
    after_look(monkeypatch, entries, "require_in", ines.groups.clear)
    with acting_as("web"), pytest.raises(NotPermitted, match="Ask a colleague"):
        entries.take_in(casino, ines, exclusions)
    assert not ExclusionImport.objects.exists()
