"""What a rehearsal is called and coded, how its practice unit plays, and what it leaves alone."""

from typing import Any

import pytest
from django.db import transaction
from django.utils.translation import override
from pytest_django import Settings

from settlement.core.errors import BadSetUp, BadTerms, WrongState
from settlement.people.shared.database_calls import ask
from settlement.rehearsals import practice_unit, services
from settlement.rehearsals.practice_unit import hand_of
from settlement.set_up import casinos, steps
from settlement.terms import drafts
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.cases.hands.bad_beats import bad_beat
from tests.support.houses.rehearsals import CODE, RehearsalHouse
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house
from tests.support.units.devices import holding, issue, unit_of

pytestmark = pytest.mark.django_db


house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def test_a_code_says_what_it_is_and_nobody_takes_it_by_hand(house: ClaimHouse) -> None:
    with pytest.raises(BadSetUp, match="of a rehearsal alone"):
        casinos.make_system(person("hana"), house.system.casino, "rehearsal-x", "X")
    # Its slips and claims would read as those of a rehearsal: REHEARSAL-1-1-1.
    with pytest.raises(BadSetUp, match="of a rehearsal alone"):
        casinos.make_system(person("hana"), house.system.casino, "rehearsal", "X")


@pytest.mark.parametrize("code", ["rehearsal", "Rehearsal-main", "REHEARSAL-x", "main\n", ""])
def test_the_database_refuses_codes_that_read_as_of_a_rehearsal(
    house: ClaimHouse, code: str
) -> None:
    by, casino = person("hana"), house.system.casino
    with acting_as("web"), pytest.raises(BadSetUp), transaction.atomic():
        ask("set_up_system", by.pk, casino.pk, None, code, "X")


@pytest.mark.parametrize(
    ("code", "name"),
    [("rehearsal-x", "Main"), ("annex", "REHEARSAL Annex"), ("annex", "Rehearsal")],
)
def test_the_name_says_what_it_is(house: ClaimHouse, code: str, name: str) -> None:
    """On the page and, for whoever stole the role of the web, in the database."""
    by, casino = person("hana"), house.system.casino
    is_rehearsal = code != "annex"
    with pytest.raises(BadSetUp, match="begins with REHEARSAL"):
        casinos.make_system(by, casino, code, name, is_rehearsal=is_rehearsal)
    with acting_as("web"), pytest.raises(BadSetUp, match="REHEARSAL"), transaction.atomic():
        ask("set_up_system", by.pk, casino.pk, None, code, name)


def test_another_name_says_it_too(house: ClaimHouse) -> None:
    twin = RehearsalHouse(house).system
    for system, name in ((house.system, "REHEARSAL Main"), (twin, "Main")):
        with pytest.raises(BadSetUp, match="begins with REHEARSAL"):
            casinos.rename_system(person("hana"), system, name)


def test_the_mark_is_the_same_in_every_language(house: ClaimHouse) -> None:
    with override("de"):
        assert services.marked("Main floor") == "REHEARSAL Main floor"


def test_terms_say_what_they_are_of(house: ClaimHouse) -> None:
    terms = royal_terms()
    rehearsal = RehearsalHouse(house)
    with pytest.raises(BadTerms, match="begins with REHEARSAL"):
        drafts.propose(rehearsal.system, person("mere"), {**terms, "code": "other"})
    marked = {**terms, "code": "other", "name": "REHEARSAL Other"}
    with pytest.raises(BadTerms, match="begins with REHEARSAL"):
        drafts.propose(house.system, person("mere"), marked)


def test_a_system_whose_code_begins_another_one_rehearses_by_itself(house: ClaimHouse) -> None:
    of = house.system
    rehearsal = services.begin(person("hana"), of)
    assert rehearsal.code == CODE
    with pytest.raises(WrongState, match="goes on"):
        services.begin(person("hana"), of)
    other = casinos.make_system(person("hana"), of.casino, "mai", "Mai")
    casinos.make_tables(person("hana"), other, [casinos.NewTable("t1", "T1")])
    assert services.begin(person("hana"), other).code == "rehearsal-mai"
    long = casinos.make_system(person("hana"), of.casino, "main-hall-with-a-very-long-name", "L")
    casinos.make_tables(person("hana"), long, [casinos.NewTable("t1", "T1")])
    assert services.begin(person("hana"), long).code == "rehearsal-main-hall-with-a-very-"
    with pytest.raises(WrongState, match="goes on"):
        services.begin(person("hana"), long)


def test_a_rehearsal_counts_for_no_other_step(house: ClaimHouse) -> None:
    before = [(step.code, step.is_done) for step in steps.steps(house.system.casino)]
    RehearsalHouse(house).take_to_the_end()
    assert [(step.code, step.is_done) for step in steps.steps(house.system.casino)] == before


@pytest.mark.parametrize("terms", [royal_terms(), bad_beat(rank=1)])
def test_the_practice_hand_wins_by_the_posted_terms(settings: Settings, terms: Any) -> None:
    """What is reported at the table is a hit of the highest prize."""
    settings.CLAIM_WAIT_S = 0
    if len(terms["tiers"]) > 1:
        terms["tiers"][0]["rank"] = 2
    house = ClaimHouse(terms)
    table = GamingTable.objects.get(system=house.system, code="t3")
    hand = hand_of(table)
    usual = {"exposed": "yes", "folded": False, "participating": True, "won_pot": True}
    house.open("t3")
    house.press("t3")
    house.say(
        "t3",
        messages.HandReported,
        round=house.rounds["t3"],
        boards=[hand.board],
        hands=[messages.ReportedHand(**{**usual, **each}) for each in hand.hands],
        seats_dealt=hand.session["seats_in_play"],
    )
    house.post()
    hit = house.hit(1)
    assert hit.tier is not None
    assert hit.tier.code == hand.tier.code
    assert hit.held > 0


def test_a_practice_unit_that_fails_leaves_no_credential_and_ends_no_others(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    rehearsal = RehearsalHouse(house)
    table = GamingTable.objects.get(system=rehearsal.system)
    device = unit_of(table)

    def broken(*_: Any) -> None:
        assert holding(device)
        raise WrongState("The broker is gone.")

    monkeypatch.setattr(practice_unit, "_play", broken)
    with pytest.raises(WrongState, match="broker is gone"):
        practice_unit.play(person("hana"), table)
    assert holding(device) == []
    issued = issue(device)
    with pytest.raises(WrongState, match="has a credential"):
        practice_unit.play(person("hana"), table)
    assert holding(device) == [issued.credential.username]
