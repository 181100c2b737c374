"""Rounds pressed too fast: rows, services, the database's own guards, the verifier, the API."""

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.utils import timezone

from jackpot.models import RoundState
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import BadReason, NotPermitted, OwnHand
from settlement.floor import held_rounds, missed_rounds
from settlement.models import Proposal, Ruling
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Alarm, GamingTable
from tests.support.cases.confirmed_house import person
from tests.support.cases.held_rounds import HALF, LIMIT, FastHouse
from tests.support.people.cast import PASSWORD, ClaimHouse, as_, rows_of
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from tests.support.units.cardroom import as_web
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
FIFTH = MICROS // 5


house = kept_house(FastHouse)


def table() -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code="t3")


@as_web
def accept(house: FastHouse, *rounds: int, by: str = "sione") -> Any:
    return held_rounds.accept(table(), person(by), rounds, "Camera 4: played")


@as_web
def refuse(house: FastHouse, *rounds: int, by: str = "sione") -> Any:
    return held_rounds.refuse(table(), person(by), rounds, "Camera 4: nobody there")


def is_proven(house: FastHouse) -> None:
    """By the product, whole and from the books that it kept, and by the verifier."""
    assert reconcile(house.system).differences == []
    assert reconcile(house.system, whole=True).differences == []
    connection.ensure_connection()
    report = look(connection.connection)
    assert report.ok, report.lines()


def test_four_hundred_presses_are_held_named_and_decided(house: FastHouse) -> None:
    house.presses(200)
    house.poster.give_up()
    house.poster = type(house.poster)("another writer")  # which reads from the rows
    house.presses(200)
    assert house.grown == LIMIT * HALF
    assert len(held_rounds.rounds_of(table())) == 394
    (sign,) = (each for each in missed_rounds.signals() if each.what == "held")
    assert (sign.missing, sign.table.code) == (394, "t3")
    alarm = Alarm.objects.get(kind="presses")
    assert (alarm.subject, alarm.count) == ("main/t3", 394)
    is_proven(house)
    accept(house, 7, 8, 9)
    house.post()
    refuse(house, *range(10, 401))
    house.post()
    assert held_rounds.rounds_of(table()) == []
    assert "held" not in {sign.what for sign in missed_rounds.signals()}
    assert house.grown == (LIMIT + 3) * HALF
    is_proven(house)


def test_figures_wait_and_two_people_refuse_them(house: FastHouse) -> None:
    house.presses(8)
    house.complete_all(*range(1, 9))
    assert house.grown == LIMIT * (HALF + FIFTH)
    proposal = refuse(house, 8)
    assert isinstance(proposal, Proposal)
    with pytest.raises(NotPermitted):
        proposals.agree(proposal, Reauthenticated(person("anahera")))
    accept(house, 7)
    as_web(proposals.agree)(proposal, Reauthenticated(person("mere")))
    house.post()
    assert house.grown == (LIMIT + 1) * (HALF + FIFTH)
    state = RoundState.objects.get(round=8)
    assert None not in (state.cancelled, state.void, state.pace)
    is_proven(house)


def test_a_hand_of_a_held_round_is_paid_like_any(house: FastHouse) -> None:
    house.presses(7)
    house.call("t3")
    house.report("t3")
    house.post()
    assert house.hit(1).held > 1000 * MICROS
    refuse(house, 7)
    house.post()
    refuse(house, 7)
    house.post()
    assert "has a hand: it was played" in last_answer(house)
    assert [each.hit for each in held_rounds.rounds_of(table())] == [1]
    accept(house, 7)
    house.post()
    assert held_rounds.rounds_of(table()) == []
    is_proven(house)


def last_answer(house: FastHouse) -> str:
    """Why the writer refused the last ruling."""
    ruling = Ruling.objects.latest("id")
    return commands.answer(house.system, ruling.command or 0).refused or ""


def test_rounds_that_are_held_are_no_signs_of_missing_completions(house: FastHouse) -> None:
    house.presses(12)
    assert {sign.what for sign in missed_rounds.signals()} == {"uncompleted", "held"}
    assert max(sign.round or 0 for sign in missed_rounds.signals()) <= LIMIT


@pytest.mark.parametrize("name", ["aroha", "tane", "ines", "nobody"])
def test_who_may_not(house: FastHouse, name: str) -> None:
    house.presses(7)
    for action in (accept, refuse):
        with pytest.raises(NotPermitted):
            action(house, 7, by=name)


def test_what_makes_no_decision(house: FastHouse) -> None:
    house.presses(7)
    for rounds, note in (((), "x"), ((7, 7), "x"), ((7,), " "), (tuple(range(1, 1002)), "x")):
        with pytest.raises(BadReason):
            held_rounds.accept(table(), person("sione"), rounds, note)


def test_nobody_decides_on_rounds_of_an_own_table(house: FastHouse) -> None:
    staff_play.sit_down(person("sione"), table(), person("sione"))
    house.presses(7)
    for action in (accept, refuse):
        with pytest.raises(OwnHand):
            action(house, 7)
    accept(house, 7, by="anahera")


@pytest.mark.parametrize("kind", ["accept_rounds", "refuse_rounds"])
@pytest.mark.parametrize("second", ["NULL", "'mere'"])
def test_plain_sql_of_the_web_role_decides_nothing(
    house: FastHouse, kind: str, second: str
) -> None:
    house.presses(7)
    statement = f"""
        INSERT INTO jackpot_command (system_id, number, kind, body, first, second, issued_at, key)
        SELECT id, (SELECT max(number) + 1 FROM jackpot_command), '{kind}',
               '{{"table": "t3", "rounds": [7], "note": "x"}}', 'sione',
               {second}, now(), gen_random_uuid() FROM tables_jackpotsystem
    """
    with acting_as("web"), pytest.raises(IntegrityError, match="actions: behind command"):
        at_once(statement)


@transaction.atomic
def at_once(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_the_api_lists_and_decides(house: FastHouse) -> None:
    house.presses(9)
    house.complete_all(9)
    address = "/api/tables/main/t3/held-rounds/"
    rows = rows_of(address, "sione")
    assert [(each["round"], each["pace"], each["has_figures"]) for each in rows] == [
        (7, 7, False),
        (8, 8, False),
        (9, 9, True),
    ]

    def send(accepted: bool, *rounds: int) -> int:
        body = {"accepted": accepted, "rounds": list(rounds), "note": "Camera 4"}
        return int(as_("sione").post(address, body, format="json").status_code)

    assert send(True, 7) == 202
    assert send(False, 8) == 202
    assert send(False, 9) == 201
    number = Proposal.objects.get().pk
    agreed = {"password": PASSWORD}
    answer = as_("mere").post(f"/api/proposals/{number}/agree/", agreed, format="json")
    assert answer.status_code == 202
    house.post()
    assert rows_of(address, "sione") == []


class TestTheSign:
    """Without a limit in the terms an alarm names the table; nothing is held."""

    @pytest.fixture
    def plain(self) -> ClaimHouse:
        house = ClaimHouse()
        house.open("t3")
        return house

    def pressed(self, house: ClaimHouse, times: int) -> None:
        for _ in range(times):
            house.press("t3")
        house.post()

    def test_it_is_named(self, plain: ClaimHouse) -> None:
        self.pressed(plain, 40)
        alarm = Alarm.objects.get(kind="presses")
        assert alarm.subject == "main/t3"
        assert "pressed 40 times or more within a minute" in alarm.message
        assert not RoundState.objects.exclude(pace=None).exists()

    def test_up_to_the_houses_number_it_is_not(self, plain: ClaimHouse) -> None:
        self.pressed(plain, 12)
        assert not Alarm.objects.exists()

    @override_settings(PRESSES_NAMED=3)
    def test_the_houses_number_is_a_setting(self, plain: ClaimHouse) -> None:
        self.pressed(plain, 4)
        assert Alarm.objects.filter(kind="presses").exists()

    def test_what_was_journalled_while_the_unit_was_cut_off_is_none(
        self, plain: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        start = timezone.now() - dt.timedelta(hours=1)
        clock = iter(start + dt.timedelta(seconds=40 * number) for number in range(60))
        monkeypatch.setattr(plain, "recorded_at", lambda: next(clock))
        self.pressed(plain, 50)
        assert not Alarm.objects.exists()

    def test_a_fault_of_the_sign_stops_nothing(
        self, plain: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("jackpot.writer.press_watch._most_within_a_minute", lambda _: 1 / 0)
        self.pressed(plain, 40)
        assert plain.head.halted_at is None
        assert RoundState.objects.count() == 40


def test_it_is_declined_in_words_where_somebody_was_faster(house: FastHouse) -> None:
    house.presses(7)
    accept(house, 7)
    house.post()
    refuse(house, 7)
    house.post()
    assert "not held, or is decided already" in last_answer(house)
