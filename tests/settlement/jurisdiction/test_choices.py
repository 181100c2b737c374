"""Two people choose a casino's pack from a gaming day on; what was before keeps its own."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django import Settings

from jackpot.models import Entry, Terms
from settlement import tasks
from settlement.core.errors import BadSetUp, NotPermitted, SamePerson, WrongState
from settlement.core.gaming_day import DAY, today
from settlement.jurisdiction import choices
from settlement.jurisdiction.returns import returns_of
from settlement.jurisdiction.rules import PackError, digest_of, packs_of, rules_at
from settlement.models import JurisdictionChoice, Record, SetUpChange, SetUpProposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up import casinos, proposals
from settlement.set_up.casinos import CasinoFacts
from settlement.set_up.proposals import in_words
from settlement.set_up.steps import steps
from tables.models import Alarm, Casino
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.people.set_up import hana, harbour, join, user
from tests.support.play.books import royal_terms
from tests.support.play.house import House

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.JURISDICTION_DIR = str(tmp_path)
    return tmp_path


def write(folder: Path, name: str, *rules: str, currency: str = "NZD") -> None:
    lines = [f"  - {{since: 2026-01-01, source: A law, {rule}}}" for rule in rules]
    text = "\n".join([f"name: Pack {name}", f"currency: '{currency}'", "rules:", *lines])
    (folder / f"{name}.yaml").write_text(text)


def propose(by: str, casino: Casino, name: str, since: dt.date) -> None:
    contents = choices.contents(casino, name, since)
    with acting_as("web"):
        choices.propose(user(by), casino, contents, contents.digest)


def decide(casino: Casino, name: str, since: dt.date) -> None:
    propose("hana", casino, name, since)
    agree_pack("mere")


def agree_pack(name: str) -> None:
    with acting_as("web"):
        choices.agree(SetUpProposal.objects.latest("id"), Reauthenticated(user(name)))


def test_a_pack_is_chosen_by_two_and_holds_from_its_day(harbour: Casino, hana: Any) -> None:
    day = today(harbour)
    assert rules_at(harbour, day).pack == "neutral"
    propose("hana", harbour, "new_zealand", day)
    assert rules_at(harbour, day).pack == "neutral"
    assert in_words(SetUpProposal.objects.get(kind="jurisdiction")) == (
        f"The jurisdiction pack New Zealand holds from the gaming day {day} on"
    )
    with pytest.raises(NotPermitted):
        agree_pack("hana")
    agree_pack("mere")
    assert rules_at(harbour, day).pack == "new_zealand"
    assert rules_at(harbour, day - DAY).pack == "neutral"
    row = JurisdictionChoice.objects.get()
    assert (row.first, row.second, row.digest) == ("hana", "mere", digest_of("new_zealand"))
    change = SetUpChange.objects.latest("id")
    assert (change.by, change.kind, change.before) == ("hana and mere", "rule", {})
    assert change.after["pack"] == "new_zealand"
    assert change.after["since"] == str(day)


def test_whoever_proposes_does_not_agree(harbour: Casino, hana: Any) -> None:
    propose("mere", harbour, "new_zealand", today(harbour))
    with pytest.raises(SamePerson):
        agree_pack("mere")
    tane = join("hana", "tane", "Surveillance")
    with pytest.raises(NotPermitted):
        propose(tane.username, harbour, "neutral", today(harbour))


def test_the_next_pack_leaves_past_days_alone_and_the_trail_says_what_was_before(
    harbour: Casino, folder: Path
) -> None:
    write(folder, "first", "rule: identification, at_least: 10")
    write(folder, "second", "rule: identification, at_least: 20")
    day = today(harbour)
    decide(harbour, "first", day)
    decide(harbour, "second", day + 5 * DAY)
    packs = packs_of(harbour)
    names = [packs.name_on(day + n * DAY) for n in (-1, 0, 4, 5, 90)]
    assert names == ["neutral", "first", "first", "second", "second"]
    assert [each.pack for each in packs.planned_after(day)] == ["second"]
    assert SetUpChange.objects.latest("id").before["pack"] == "first"
    # A later decision takes the place of what was planned.
    decide(harbour, "first", day + 2 * DAY)
    packs = packs_of(harbour)
    assert packs.name_on(day + 90 * DAY) == "first"
    assert [each.since for each in packs.planned_after(day)] == [day + 2 * DAY]


def test_once_anything_is_posted_a_day_that_has_begun_keeps_its_pack() -> None:
    """Also where whoever agrees came a day late: the database asks at that moment."""
    house = ClaimHouse(royal_terms())
    casino = Casino.objects.get(pk=house.system.casino_id)
    day = today(casino)
    with pytest.raises(BadSetUp, match=str(day + DAY)):
        propose("hana", casino, "new_zealand", day)
    pack = {"pack": "new_zealand", "name": "New Zealand", "digest": digest_of("new_zealand")}
    with acting_as("web"):
        proposals.propose_pack(user("hana"), casino, pack, day)
    with pytest.raises(WrongState, match="That gaming day has begun"):
        agree_pack("mere")
    assert not JurisdictionChoice.objects.exists()
    decide(casino, "new_zealand", day + DAY)
    assert rules_at(casino, day).pack == "neutral"
    assert rules_at(casino, day + DAY).pack == "new_zealand"
    sources = Record.objects.filter(command=None).values_list("source", flat=True)
    assert "settlement_jurisdictionchoice" in sources


def test_nobody_writes_a_choice_but_the_function(harbour: Casino, hana: Any) -> None:
    statement = (
        "INSERT INTO settlement_jurisdictionchoice (casino_id, pack, digest, since, first, second,"
        " at) VALUES (%s, 'neutral', 'x', '2026-01-01', 'hana', 'mere', now())"
    )
    for role in ("web", "worker", "poster", "intake"):
        with (
            acting_as(role),
            pytest.raises(DatabaseError, match="permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement, [harbour.pk])
    with (
        pytest.raises(DatabaseError, match="pack_takes_two_people"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.replace("'mere'", "'hana'"), [harbour.pk])


def test_of_what_is_chosen_people_read_the_difference(harbour: Casino, folder: Path) -> None:
    write(
        folder,
        "first",
        "rule: identification, at_least: 10",
        "rule: retention, years: 5",
        "rule: ties, ties: first",
    )
    write(
        folder,
        "second",
        "rule: retention, years: 5",
        "rule: identification, at_least: 20",
        "rule: exclusion, winnings: forfeited",
        "rule: cash_report, form: A, at_least: 7, of: cash, until: 2030-12-31",
    )
    day = today(harbour)
    decide(harbour, "first", day)
    contents = choices.contents(harbour, "second", day + DAY)
    assert [(each.rule.rule, each.change) for each in contents.rules] == [
        ("cash_report", "new"),
        ("identification", "changed"),
        ("retention", "same"),
        ("exclusion", "new"),
        ("ties", "gone"),
    ]
    changed = contents.rules[1]
    assert "NZD 20" in changed.words
    assert "NZD 10" in changed.before
    (later,) = contents.later
    assert (later.day, later.begins) == (dt.date(2031, 1, 1), False)
    assert not contents.wrong


def test_a_file_that_changed_is_read_again(harbour: Casino, hana: Any, folder: Path) -> None:
    write(folder, "own", "rule: identification, at_least: 10")
    day = today(harbour)
    contents = choices.contents(harbour, "own", day)
    write(folder, "own", "rule: identification, at_least: 10000")
    with acting_as("web"), pytest.raises(WrongState, match="read it again"):
        choices.propose(hana, harbour, choices.contents(harbour, "own", day), contents.digest)
    propose("hana", harbour, "own", day)
    write(folder, "own", "rule: identification, at_least: 99999")
    with pytest.raises(WrongState, match="since it was proposed"):
        agree_pack("mere")
    assert not JurisdictionChoice.objects.exists()


def test_a_pack_in_another_currency_is_refused(harbour: Casino, hana: Any) -> None:
    contents = choices.contents(harbour, "nevada", today(harbour))
    assert "is in USD" in contents.wrong
    with acting_as("web"), pytest.raises(BadSetUp, match="is in USD"):
        choices.propose(hana, harbour, contents, contents.digest)
    with pytest.raises(PackError, match="no jurisdiction pack nowhere"):
        choices.contents(harbour, "nowhere", today(harbour))
    for days in (-1, 400):
        contents = choices.contents(harbour, "new_zealand", today(harbour) + days * DAY)
        with acting_as("web"), pytest.raises(BadSetUp, match="within a year"):
            choices.propose(hana, harbour, contents, contents.digest)


def test_the_currency_stays_once_a_pack_is_chosen(harbour: Casino, hana: Any) -> None:
    """Its amounts would be in another one: the cage would pay nobody."""
    decide(harbour, "new_zealand", today(harbour))
    yen = CasinoFacts("harbour", "Harbour", "UTC", "JPY", 0, dt.time(6))
    with acting_as("web"), pytest.raises(WrongState, match="an amount stands"):
        casinos.change_casino(hana, harbour, yen)


def test_a_return_is_that_of_the_pack_on_the_last_day_of_its_period(
    harbour: Casino, folder: Path
) -> None:
    month = "rule: report_layout, title: {}, period: month, reports: [payouts]"
    daily = "rule: report_layout, title: Daily {}, period: day, reports: [payouts]"
    for name in ("first", "second"):
        write(folder, name, month.format(f"Monthly {name}"), daily.format(name))
    first = dt.date(2026, 6, 1)
    rows = [("first", first), ("second", dt.date(2026, 9, 10))]
    with owner_without_guards("settlement_jurisdictionchoice"):
        for pack, since in rows:
            JurisdictionChoice.objects.create(
                casino=harbour,
                pack=pack,
                since=since,
                first="a",
                second="b",
                at="2026-06-01T00:00Z",
            )
    titles = [each.title for each in returns_of(harbour, dt.date(2026, 9, 20))]
    assert sorted(titles) == ["Daily second", "Monthly first"]
    titles = [each.title for each in returns_of(harbour, dt.date(2026, 10, 2))]
    assert titles == ["Monthly second", "Daily second"]


def test_a_planned_pack_that_nobody_can_read_raises_the_alarm(
    harbour: Casino, folder: Path
) -> None:
    write(folder, "own", "rule: identification, at_least: 10")
    decide(harbour, "own", today(harbour) + 3 * DAY)
    (folder / "own.yaml").write_text("name: [")
    tasks.watch_rules()
    assert "own.yaml cannot be read" in Alarm.objects.get(kind="jurisdiction_pack").message


def test_a_file_of_the_house_that_two_people_did_not_read_raises_the_alarm(
    harbour: Casino, folder: Path
) -> None:
    day = today(harbour)
    alarms = Alarm.objects.filter(kind="jurisdiction_pack")
    write(folder, "own", "rule: identification, at_least: 10")
    decide(harbour, "own", day)
    tasks.watch_rules()
    assert not alarms.exists()
    write(folder, "own", "rule: identification, at_least: 10000")
    tasks.watch_rules()
    assert "own is not the one to which two people agreed" in alarms.get().message
    decide(harbour, "own", day + DAY)  # as it is now
    assert not packs_of(harbour).is_changed("own")


def test_a_release_that_changes_a_pack_raises_no_alarm(harbour: Casino, hana: Any) -> None:
    decide(harbour, "new_zealand", today(harbour))
    with owner_without_guards("settlement_jurisdictionchoice"):
        JurisdictionChoice.objects.update(digest="of the release before")
    assert packs_of(harbour).is_changed("new_zealand")
    tasks.watch_rules()
    assert not Alarm.objects.filter(kind="jurisdiction_pack").exists()


@pytest.mark.parametrize("is_named_by_server", [True, False])
def test_a_pack_of_past_days_stays_where_reports_of_them_read_it(
    is_named_by_server: bool, harbour: Casino, folder: Path, settings: Settings
) -> None:
    write(folder, "past", "rule: identification, at_least: 10")
    day = today(harbour)
    if is_named_by_server:
        settings.JURISDICTIONS = {"harbour": "past"}
    else:
        decide(harbour, "past", day)
    decide(harbour, "new_zealand", day)
    tasks.watch_rules()
    assert not Alarm.objects.filter(kind="jurisdiction_pack").exists()
    (folder / "past.yaml").unlink()
    tasks.watch_rules()
    assert "no jurisdiction pack past" in Alarm.objects.get(kind="jurisdiction_pack").message


def test_units_that_were_heard_before_terms_put_the_first_day_to_tomorrow() -> None:
    house = House()
    house.open("t3")
    house.post()
    casino = Casino.objects.get(pk=house.system.casino_id)
    assert Entry.objects.filter(system=house.system).exists()
    assert not Terms.objects.filter(system=house.system).exists()
    assert choices.first_day(casino) == today(casino) + DAY


def test_an_agreement_that_waited_into_the_next_day_is_one_of_that_day() -> None:
    """The day changes within its transaction: the guard asks at the moment, not at the start."""
    house = ClaimHouse(royal_terms())
    casino = Casino.objects.get(pk=house.system.casino_id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT (clock_timestamp() AT TIME ZONE 'UTC')::time")
        (clock,) = cursor.fetchone()
    with owner_without_guards("tables_casino"):
        # So that the transaction began on one day, and it is the next one now.
        Casino.objects.filter(pk=casino.pk).update(timezone="UTC", day_starts=clock)
    casino.refresh_from_db()
    with connection.cursor() as cursor:
        cursor.execute("SELECT gaming_day_of(%s)", [casino.pk])
        (day,) = cursor.fetchone()
    pack = {"pack": "new_zealand", "name": "New Zealand", "digest": digest_of("new_zealand")}
    with acting_as("web"):
        proposals.propose_pack(user("hana"), casino, pack, day + DAY)
    with pytest.raises(WrongState, match="That gaming day has begun"):
        agree_pack("mere")


def test_the_step_is_done_once_a_pack_is_chosen_or_named_by_the_server(
    harbour: Casino, settings: Settings
) -> None:
    def is_done() -> bool:
        return next(step.is_done for step in steps(harbour) if step.code == "jurisdiction")

    assert not is_done()
    settings.JURISDICTIONS = {"harbour": "new_zealand"}
    assert is_done()
    settings.JURISDICTIONS = {}
    decide(harbour, "new_zealand", today(harbour))
    assert is_done()
