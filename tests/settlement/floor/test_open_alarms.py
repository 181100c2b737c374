"""Open alarms by their kind: a wave hides no other, and is cleared with one note."""

import re

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from settlement.floor.open_alarms import open_kinds
from settlement.people.rights import roles
from tables.alarms import raise_alarm
from tables.models import Alarm, AlarmClearing, Casino, JackpotSystem
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db

WAVE = 30


def build_house() -> ClaimHouse:
    return ClaimHouse()


house = kept_house(build_house)


def silence(system: JackpotSystem, count: int = WAVE) -> None:
    for number in range(1, count + 1):
        raise_alarm("screen_silent", f"t{number}", f"Table {number} is silent.", system)


def open_subjects() -> set[str]:
    return set(Alarm.objects.filter(cleared_at=None).values_list("subject", flat=True))


def test_a_wave_of_one_kind_pushes_no_other_out_of_the_overview(house: ClaimHouse) -> None:
    raise_alarm("system_halt", "main", "The system was stopped.", house.system)
    silence(house.system)
    page = page_of("mere", "/")
    assert "The system was stopped." in page
    assert f"Alarms {WAVE + 1}" in page
    assert f"t{WAVE}, t{WAVE - 1}, " in page
    assert "and 18 more" in page
    assert page.count("is silent.") == 1  # what the newest says


def test_a_few_of_a_kind_have_a_line_each(house: ClaimHouse) -> None:
    silence(house.system, 3)
    page = page_of("mere", "/")
    assert page.count("is silent.") == 3
    assert "Clear all of them" not in page


def test_the_newest_kind_comes_first(house: ClaimHouse) -> None:
    silence(house.system)
    raise_alarm("system_halt", "main", "The system was stopped.", house.system)
    assert [kind.newest.row.kind for kind in open_kinds(2)] == ["system_halt", "screen_silent"]
    raise_alarm("screen_silent", "t3", "Table 3 is silent.", house.system)
    first, second = open_kinds(2)
    assert (first.newest.row.subject, first.count, len(first.alarms)) == ("t3", WAVE, 2)
    assert (second.count, second.is_wave) == (1, False)


def test_however_many_there_are_it_is_one_query(
    house: ClaimHouse, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    silence(house.system)
    raise_alarm("system_halt", "main", "The system was stopped.", house.system)
    with django_assert_num_queries(1):
        systems = [kind.newest.row.system for kind in open_kinds(5)]
        assert {system.casino for system in systems if system} == {house.system.casino}
    assert len(systems) == 2


def test_a_wave_is_cleared_with_one_note(house: ClaimHouse) -> None:
    silence(house.system)
    raise_alarm("system_halt", "main", "The system was stopped.", house.system)
    (wave,) = (kind for kind in open_kinds(1) if kind.is_wave)
    raise_alarm("screen_silent", "t99", "Table 99 is silent.", house.system)  # not seen yet
    form = {"note": "A switch failed; replaced.", "through": wave.newest.row.last_at.isoformat()}
    client = logged_in("mere")
    page = words(client.post(f"/alarms/{wave.newest.row.pk}/clear/", form, follow=True))
    assert f"{WAVE} alarms." in page
    assert open_subjects() == {"main", "t99"}
    notes = AlarmClearing.objects.values_list("cleared_by", "note")
    assert list(notes) == [("mere", "A switch failed; replaced.")] * WAVE

    page = words(client.post(f"/alarms/{wave.newest.row.pk}/clear/", form, follow=True))
    assert "Somebody has cleared these alarms already" in page
    assert AlarmClearing.objects.count() == WAVE


def test_what_was_raised_again_since_stays(house: ClaimHouse) -> None:
    silence(house.system)
    (wave,) = open_kinds(1)
    raise_alarm("screen_silent", "t7", "Table 7: another word.", house.system)
    form = {"note": "Replaced.", "through": wave.newest.row.last_at.isoformat()}
    logged_in("mere").post(f"/alarms/{wave.newest.row.pk}/clear/", form)
    assert open_subjects() == {"t7"}


def test_a_wave_is_not_cleared_without_a_note(house: ClaimHouse) -> None:
    silence(house.system)
    (wave,) = open_kinds(1)
    form = {"note": " ", "through": wave.newest.row.last_at.isoformat()}
    page = logged_in("mere").post(f"/alarms/{wave.newest.row.pk}/clear/", form, follow=True)
    assert "an alarm is cleared with a note" in words(page)
    assert len(open_subjects()) == WAVE


@pytest.mark.parametrize("name", ["ines", "sione"])
def test_who_clears_no_alarm_clears_no_wave(house: ClaimHouse, name: str) -> None:
    silence(house.system)
    (wave,) = open_kinds(1)
    form = {"note": "x", "through": wave.newest.row.last_at.isoformat()}
    answer = logged_in(name).post(f"/alarms/{wave.newest.row.pk}/clear/", form)
    assert answer.status_code == 403
    assert len(open_subjects()) == WAVE
    assert "Clear all" not in page_of(name, "/reconciliation/")


def test_a_wave_is_cleared_where_ones_role_holds(house: ClaimHouse) -> None:
    """An alarm of no system asks for a role in every casino, that of another casino for its own."""
    other = Casino.objects.create(code="pier", name="Pier")
    elsewhere = JackpotSystem.objects.create(casino=other, code="pier", name="Pier")
    silence(house.system, 4)
    raise_alarm("screen_silent", "pier", "Pier is silent.", elsewhere)
    raise_alarm("screen_silent", "intake", "Nobody listens.")
    mere = User.objects.get(username="mere")
    roles.revoke(mere, "Casino manager")
    roles.grant(mere, "Compliance")  # who sees the others, too
    roles.grant(mere, "Casino manager", house.system.casino)
    (wave,) = open_kinds(1)
    form = {"note": "The cable", "through": wave.newest.row.last_at.isoformat()}
    page = logged_in("mere").post(f"/alarms/{wave.newest.row.pk}/clear/", form, follow=True)
    assert "4 alarms." in words(page)
    assert "2 are for others to clear" in words(page)
    assert open_subjects() == {"pier", "intake"}
    answer = logged_in("mere").post(f"/alarms/{wave.newest.row.pk}/clear/", form)
    assert answer.status_code == 403  # nothing of it is for this person


def test_the_page_of_alarms_unfolds_a_wave_and_counts_all(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("settlement.pages.audit.reconciliation.ALARM_ROWS", 10)
    silence(house.system)
    page = page_of("mere", "/reconciliation/")
    assert f"Open alarms {WAVE}" in page
    assert page.count("is silent.") == 10
    assert "The newest 10 are shown" in page
    markup = logged_in("mere").get("/reconciliation/").content.decode()
    assert 'id="alarms-screen_silent"' in markup
    assert (
        'href="/reconciliation/#alarms-screen_silent"'
        in logged_in("mere").get("/").content.decode()
    )


def test_alarms_read_alone_are_those_of_the_page_and_cost_little(
    house: ClaimHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    silence(house.system)
    client = logged_in("mere")
    with django_assert_max_num_queries(4):  # the log-in, its person, the roles, the alarms
        alone = client.get("/live/alarms").content.decode()
    page = client.get("/").content.decode()
    begin, end = 'id="live-alarms"', "</section>"
    parts = [each.partition(begin)[2].partition(end)[0] for each in (alone, page)]
    token = re.compile(r'name="csrfmiddlewaretoken" value="\w{64}"')
    first, second = (token.sub("", part) for part in parts)
    assert first
    assert first.split() == second.split()
    assert len(token.findall(alone)) == 1
