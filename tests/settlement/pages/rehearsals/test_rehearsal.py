"""The page of a rehearsal: from the begin to passed, who takes which step, and opening without."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from jackpot.models import Hit, Terms
from jackpot.writer.poster import Poster
from settlement.core.errors import WrongState
from settlement.models import Proposal, SetUpProposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.rehearsals import services
from settlement.set_up import casinos, steps
from settlement.set_up.rehearsal_steps import STEPS, is_passed, rehearsals
from settlement.terms import drafts
from tables.models import JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.houses.rehearsals import CODE, RehearsalHouse
from tests.support.pages.page_staff import logged_in, reply, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/set-up/casinos/harbour/rehearsal/"


house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def _read(name: str = "hana") -> str:
    return words(logged_in(name).get(PAGE))


def test_it_begins_as_a_twin_and_takes_its_terms_by_two(house: ClaimHouse) -> None:
    assert "No rehearsal yet" in _read()
    assert "Next: its terms." in reply("hana", PAGE, do="begin", of="main")
    twin = JackpotSystem.objects.rehearsals().get()
    assert (twin.code, twin.name, twin.is_rehearsal) == (CODE, "REHEARSAL Main floor", True)
    assert set(twin.tables.values_list("code", "in_service")) == {("t3", True), ("t7", True)}
    page = reply("mere", PAGE, do="terms", system=CODE, of="main")
    assert "somebody else approves the terms of the rehearsal" in page
    drafts.agree(Proposal.objects.get(system=twin), Reauthenticated(person("david")))
    writer = Poster("test-poster")  # which looks at once for what it may write
    while writer.step():
        pass
    document = Terms.objects.get(system=twin).document
    assert document["name"].startswith("REHEARSAL ")
    assert all(tier["name"].startswith("REHEARSAL ") for tier in document["tiers"])
    assert "To do A table unit" in _read()
    with pytest.raises(WrongState, match="goes on"):
        services.begin(person("hana"), house.system)


def test_each_step_is_read_from_its_rows(house: ClaimHouse) -> None:
    rehearsal = RehearsalHouse(house)
    rehearsal.take_to_the_end()
    (row,) = rehearsals([house.system.casino])
    open_steps = {step.code for step in row.steps if not step.is_done}
    assert open_steps == {"unit", "displayed"}  # this house has neither
    assert row.next is not None
    assert row.next.code == "unit"
    assert not is_passed(house.system.casino)
    assert list(STEPS)[-1] == "reconciled"
    assert "Open the display" not in _read()
    assert "Tables and keys of the rehearsal" in _read()


def test_the_practice_unit_plays_again_while_it_is_not_passed(house: ClaimHouse) -> None:
    """Where a claim was rejected, too; not while one is open."""
    rehearsal = RehearsalHouse(house)
    assert "Let the practice unit play" in _read()
    rehearsal.hit_royal()
    assert "Let the practice unit play" not in _read()
    Hit.objects.filter(system=rehearsal.system).update(state="rejected")
    assert "Let the practice unit play" in _read()


def test_a_supervisor_proposes_its_terms_on_the_page(house: ClaimHouse) -> None:
    services.begin(person("hana"), house.system)
    assert "Steps of the rehearsal" in words(logged_in("sione").get("/"))
    assert "Propose these terms" in _read("sione")
    assert "Start the rehearsal" not in _read("sione")
    page = reply("sione", PAGE, do="terms", system=CODE, of="main")
    assert "somebody else approves the terms of the rehearsal" in page


def test_open_asks_for_a_rehearsal_or_the_word_of_two(house: ClaimHouse) -> None:
    casino = house.system.casino
    with pytest.raises(WrongState, match="Rehearsal: from press to paid"):
        casinos.open_casino(person("hana"), casino)
    page = reply("mere", PAGE, do="waive", note="The regulator watched another one")
    assert "nothing changes until somebody else approves it" in page
    assert not steps_done(casino)
    proposal = SetUpProposal.objects.get()
    assert "opens without a rehearsal: The regulator watched" in words(
        logged_in("david").get("/house-rules/")
    )
    from settlement.set_up import proposals

    with acting_as("web"):
        with pytest.raises(Exception, match="second person"):
            proposals.agree(proposal, Reauthenticated(person("mere")))
        proposals.agree(proposal, Reauthenticated(person("david")))
    assert steps_done(casino)
    assert "Two people decided to open without a rehearsal." in _read()


def steps_done(casino: Any) -> bool:
    return {step.code: step.is_done for step in steps.steps(casino)}["rehearsal"]


@pytest.mark.parametrize("who", ["sione", "aroha", "tane"])
def test_who_does_not_set_up_is_refused(house: ClaimHouse, who: str) -> None:
    answer = logged_in(who).get(PAGE)
    assert answer.status_code == (200 if who == "sione" else 403)  # who proposes its terms reads it
    assert logged_in("mere").post(PAGE, {"do": "begin", "of": "main"}).status_code == 302
    assert not JackpotSystem.objects.rehearsals().exists()


def test_the_page_asks_little_of_the_database(
    house: ClaimHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        RehearsalHouse(house, f"rehearsal-{number}").take_to_the_end()
    client = logged_in("hana")
    client.get(PAGE)
    with django_assert_max_num_queries(16) as few:
        client.get(PAGE)
    RehearsalHouse(house, "rehearsal-more")
    with django_assert_max_num_queries(len(few) + 2):
        client.get(PAGE)
