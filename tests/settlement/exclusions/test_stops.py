"""A player who is on a list is not paid: by the services and by the database itself."""

import datetime as dt
import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import ProgrammingError

from jackpot.models import Entry
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.audit.recorded_rows import changed_records
from settlement.claims import services as claims
from settlement.core.errors import (
    BadReason,
    Excluded,
    NotPermitted,
    OwnHand,
    SamePerson,
    WrongState,
)
from settlement.core.gaming_day import DAY, start_of, today
from settlement.exclusions import entries, release, stops
from settlement.exclusions.entries import ExclusionList
from settlement.models import (
    Action,
    Exclusion,
    ExclusionEnd,
    ExclusionMatch,
    Proposal,
    ProposalDecision,
)
from settlement.payments import services as payments
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import REGISTER, WHY, WIREMU, excluded, identified, released
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def build_house() -> ConfirmedHouse:
    """Seat 3 is due what the claim came to."""
    return ConfirmedHouse()


house = kept_house(build_house)


def pay(house: ConfirmedHouse, by: str = "aroha") -> None:
    with acting_as("web"):
        claims.pay(house.claim, Reauthenticated(person(by)), 1, {"cash": house.amount})
    house.post()


def pay_by_hand(house: ConfirmedHouse) -> None:
    """The command with its action, as somebody with the web role's password writes it."""
    body: dict[str, Any] = {
        "hit": 1,
        "line": 1,
        "parts": {"chips": 0, "cash": house.amount, "equivalent": 0},
    }
    number = commands.queue(house.system, "pay", body, first="aroha")
    Action.objects.create(
        claim=house.claim,
        kind="pay",
        person=person("aroha"),
        command=number,
        body={"line": 1, "seat": 3, "parts": body["parts"]},
        key=uuid.uuid4(),
    )


def test_who_is_on_a_list_when_identified_is_not_paid(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    pay_nothing_stops = stops.of_claim(house.claim)
    identified(house.claim)
    assert pay_nothing_stops == {}
    with pytest.raises(Excluded, match=r"seat 3 is on the list.*Call compliance"):
        pay(house)
    assert house.state == "due"
    (match,) = stops.of_claim(house.claim)[3]
    assert (match.rule, match.text) == (
        "document",
        "Self-exclusion, National register, reference SE-118",
    )


def test_a_list_that_comes_after_the_identification_stops_it_too(house: ConfirmedHouse) -> None:
    identified(house.claim)
    excluded(house.claim)
    with pytest.raises(Excluded):
        pay(house)


def test_the_database_refuses_it_past_the_services(house: ConfirmedHouse) -> None:
    identified(house.claim)
    excluded(house.claim)
    with acting_as("web"), refused("excluded: command"):
        pay_by_hand(house)
    assert house.state == "due"


def test_the_database_takes_the_same_payment_of_who_is_on_no_list(house: ConfirmedHouse) -> None:
    identified(house.claim, name="Somebody Else", document_number="X99", born=dt.date(1991, 1, 1))
    excluded(house.claim)
    with acting_as("web"), transaction.atomic():
        pay_by_hand(house)
    house.post()
    assert house.state == "paid"


def test_naming_somebody_else_afterwards_frees_nobody(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim)
    identified(
        house.claim, "anahera", name="Ana Li", document_number="Z1", born=dt.date(1990, 1, 1)
    )
    with pytest.raises(Excluded):
        pay(house)


def test_the_other_payees_are_paid(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim, seat=5)  # somebody of another seat is on the list
    pay(house)
    assert house.state == "paid"


# --- from when to when ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("since", "until", "is_stopped"),
    [
        (-400, None, True),
        (-400, -300, False),  # was over before the hand
        (-400, 0, True),
        (0, 0, True),
        (1, None, False),  # begins after today
    ],
)
def test_an_entry_stops_what_it_was_in_force_for(
    house: ConfirmedHouse, since: int, until: int | None, is_stopped: bool
) -> None:
    day = today(Casino.objects.get())
    days = [None if each is None else day + dt.timedelta(days=each) for each in (since, until)]
    excluded(house.claim, replace(WIREMU, since=days[0] or day, until=days[1]))
    identified(house.claim)
    assert bool(stops.of_claim(house.claim)) is is_stopped


def test_a_payment_is_of_the_gaming_day_of_its_command(house: ConfirmedHouse) -> None:
    """Not of the day on which its transaction began: the verifier knows the command alone."""
    casino = Casino.objects.get()
    tomorrow = today(casino) + DAY
    excluded(house.claim, replace(WIREMU, since=tomorrow))
    identified(house.claim)
    begins = start_of(tomorrow, casino)
    with connection.cursor() as cursor:
        for instant, count in ((begins - dt.timedelta(microseconds=1), 0), (begins, 1)):
            cursor.execute(
                "SELECT count(*) FROM exclusions_in_force(%s, 3, %s)", [house.claim.pk, instant]
            )
            assert cursor.fetchone() == (count,)


def test_an_entry_that_somebody_ends_goes_on_stopping_what_it_stopped(
    house: ConfirmedHouse,
) -> None:
    excluded(house.claim)
    identified(house.claim)
    entry = Exclusion.objects.get()
    with acting_as("web"):
        entries.end(entry, person("ines"), "Lifted by letter")
    with pytest.raises(Excluded):
        pay(house)


def test_the_database_says_when_an_entry_ends(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    entry, long_ago = Exclusion.objects.get(), dt.date(2020, 5, 2)
    with acting_as("web"):
        ExclusionEnd.objects.create(
            exclusion=entry,
            last_day=long_ago,
            reason="Backdated",
            person=person("ines"),
        )
    assert ExclusionEnd.objects.get().last_day == today(entry.casino)


# --- the release ------------------------------------------------------------------------------


def test_two_people_release_it_and_it_is_paid(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim)
    proposal = released(house)
    assert proposal.body["matches"] == [ExclusionMatch.objects.get().pk]
    entry = Entry.objects.get(type="release_excluded")
    assert (entry.hit, entry.outcome) == (1, {"hit": 1, "seat": 3})
    pay(house)
    assert house.state == "paid"
    assert without_actions(house.system.pk, 0) == []
    assert changed_records(house.system.pk) == []
    assert look(connection.connection, settled=False).findings == []


def test_a_proposal_alone_releases_nothing(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim)
    with acting_as("web"):
        proposal = release.propose(house.claim, person("mere"), 3, WHY)
    with pytest.raises(Excluded):
        pay(house)
    with acting_as("web"):
        proposals.withdraw(proposal, person("mere"), "It is the same person after all")
    with pytest.raises(Excluded):
        pay(house)


def test_a_match_that_comes_later_stops_it_anew(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim)
    released(house)
    excluded(house.claim, reference="R-7", kind="regulator")
    with pytest.raises(Excluded):
        pay(house)
    with acting_as("web"), refused("excluded: command"):
        pay_by_hand(house)
    released(house)
    pay(house)
    assert house.state == "paid"


def test_what_changed_since_it_was_proposed_is_not_agreed_to(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim)
    with acting_as("web"):
        proposal = release.propose(house.claim, person("mere"), 3, WHY)
    excluded(house.claim, reference="R-7")
    with acting_as("web"), pytest.raises(WrongState, match="propose it again"):
        release.agree(proposal, Reauthenticated(person("ines")))


def test_who_may_not_release(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    with acting_as("web"), pytest.raises(WrongState, match="on no list"):
        release.propose(house.claim, person("mere"), 3, WHY)
    identified(house.claim)
    with acting_as("web"):
        for name in ("aroha", "sione", "tane"):
            with pytest.raises(NotPermitted):
                release.propose(house.claim, person(name), 3, WHY)
        with pytest.raises(BadReason):
            release.propose(house.claim, person("mere"), 3, "  ")
        proposal = release.propose(house.claim, person("ines"), 3, WHY)
        with pytest.raises(WrongState, match="proposed already"):
            release.propose(house.claim, person("mere"), 3, WHY)
        with pytest.raises(SamePerson):
            release.agree(proposal, Reauthenticated(person("ines")))
        with pytest.raises(NotPermitted):
            release.agree(proposal, Reauthenticated(person("mere")))
        staff_play.name(house.claim, person("david"), person("david"))
        proposals.withdraw(proposal, person("ines"), "David asks")
        with pytest.raises(OwnHand):
            release.propose(house.claim, person("david"), 3, WHY)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"hit": 9}, "There is no hit 9"),
        ({"matches": []}, "cannot be read"),
        ({"seat": 0}, "cannot be read"),
        ({"reason": ""}, "cannot be read"),
        ({"second": "mere"}, "two different people"),
    ],
)
def test_the_fold_and_the_verifier_refuse_the_same(
    house: ConfirmedHouse, changed: dict[str, Any], why: str
) -> None:
    body: dict[str, Any] = {"hit": 1, "seat": 3, "matches": [1], "reason": WHY} | changed
    second = body.pop("second", "ines")
    if second == "mere":
        with pytest.raises(IntegrityError, match="two_people"), transaction.atomic():
            house.decide("release_excluded", "mere", "mere", **body)
        return
    assert why in str(house.decide("release_excluded", "mere", "ines", **body).refused)
    assert look(connection.connection, settled=False).findings == []


def test_a_release_without_its_proposal_is_refused(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim)
    body = {"hit": 1, "seat": 3, "matches": [ExclusionMatch.objects.get().pk], "reason": WHY}
    with acting_as("web"), refused("actions: behind"):
        commands.queue(house.system, "release_excluded", body, first="mere", second="ines")
    with acting_as("web"), refused("permission: person_id"):  # a cashier is not compliance
        number = commands.queue(
            house.system, "release_excluded", body, first="mere", second="aroha"
        )
        proposal = Proposal.objects.create(
            system=house.system,
            kind="release_excluded",
            subject="1",
            body=body,
            person=person("mere"),
            key=uuid.uuid4(),
        )
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=number, person=person("aroha")
        )


def test_it_may_be_forfeited_instead(house: ConfirmedHouse) -> None:
    excluded(house.claim)
    identified(house.claim)
    with acting_as("web"):
        proposal = payments.propose_forfeit(house.claim, person("aroha"), 1, "Excluded: SE-118")
        payments.agree_forfeit(proposal, Reauthenticated(person("david")))
    house.post()
    assert house.state == "forfeited"


# --- the database's own word ------------------------------------------------------------------


@pytest.mark.parametrize("role", ["web", "worker", "reporting", "poster", "intake"])
@pytest.mark.parametrize("column", ["name", "born", "document", "document_number", "key", "*"])
def test_no_process_reads_who_is_excluded(house: ConfirmedHouse, role: str, column: str) -> None:
    excluded(house.claim)
    with (
        acting_as(role),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SELECT {column} FROM settlement_exclusion")


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO settlement_exclusionmatch (identification_id, exclusion_id, rule, at)"
        " VALUES (1, 1, 'name', now())",
        "INSERT INTO settlement_exclusionlook (casino_id, person_id, at) VALUES (1, 1, now())",
        "INSERT INTO settlement_exclusion (name) VALUES ('Somebody')",
        "SELECT * FROM entries_of_list(1, 'x', '[]')",
    ],
)
def test_nobody_writes_past_the_functions(house: ConfirmedHouse, statement: str) -> None:
    with (
        acting_as("web"),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("mere", "SELECT import_exclusions(%s, 'x', true, '', %s, gen_random_uuid(), '[]')"),
        ("mere", "SELECT * FROM compare_exclusions(%s, 'x', %s, '[]')"),
        ("aroha", "SELECT * FROM look_at_exclusions(%s, %s, '')"),
    ],
)
def test_nobody_asks_the_functions_whose_role_does_not_allow_it(
    house: ConfirmedHouse, name: str, statement: str
) -> None:
    with (
        acting_as("web"),
        pytest.raises(ProgrammingError, match="may not"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, [house.system.casino_id, person(name).pk])


def test_who_is_not_there_takes_nothing_in(house: ConfirmedHouse) -> None:
    exclusions = ExclusionList(REGISTER, [WIREMU])
    with (
        acting_as("web", logged_in=False),
        pytest.raises(ProgrammingError, match="is not there"),
        transaction.atomic(),
    ):
        entries.take_in(house.system.casino, person("ines"), exclusions)
