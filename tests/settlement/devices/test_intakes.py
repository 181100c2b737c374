"""When intakes were heard and of which release: the page, the check-up and the API say the same."""

import datetime as dt

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from settlement.devices.credentials import Device, Kind
from settlement.devices.intakes import FORGOTTEN_AFTER, GONE_AFTER, SILENT_AFTER, intakes
from settlement.doctor import processes
from settlement.doctor.examination import State
from settlement.people.rights import roles
from tables.intake.heartbeat import STAND_IN
from tables.models import Casino, IntakePulse
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.units.devices import issue, revoke

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("t7")]
SECOND = dt.timedelta(seconds=1)


def hear(name: str, ago: dt.timedelta = SECOND, release: str = "") -> IntakePulse:
    pulse, _new = IntakePulse.objects.update_or_create(
        name=name,
        defaults={
            "heard_at": timezone.now() - ago,
            "release": release or settings.CONSOLE_VERSION,
            "username": f"console/{name}",
        },
    )
    return pulse


def states() -> dict[str, tuple[str, int]]:
    return {each.name: (each.state.value, each.holding) for each in intakes(timezone.now())}


def state_of_the_check_up() -> State:
    return processes.intakes(processes.look()).state


def names_missed(name: str) -> bool:
    """Whether it asks for attention, for this one alone."""
    point = processes.intakes(processes.look())
    return point.state == State.ATTENTION and f"not heard: {name}." in point.advice


def test_an_intake_is_known_by_its_credential_or_by_what_it_left() -> None:
    assert states() == {}
    assert state_of_the_check_up() == State.UNSEEN
    issued = issue(Device(Kind.INTAKE, None, "intake-1"))
    assert states() == {"intake-1": ("unheard", 1)}
    hear("intake-1")
    hear("intake-2", SILENT_AFTER + SECOND)
    hear("intake-3", FORGOTTEN_AFTER + SECOND)
    assert states() == {"intake-1": ("online", 1), "intake-2": ("silent", 0)}
    revoke(issued)
    hear("intake-1", FORGOTTEN_AFTER + SECOND)
    assert states()["intake-1"] == ("silent", 0), "it stands with the credentials that it had"


def test_the_check_up_names_who_is_silent_and_who_is_of_another_release() -> None:
    hear("intake-1", SILENT_AFTER + SECOND)
    assert state_of_the_check_up() == State.WRONG
    hear("intake-2")
    assert names_missed("intake-1")
    hear("intake-1", GONE_AFTER + SECOND)
    assert state_of_the_check_up() == State.GOOD, "without a credential it is gone for good"
    issue(Device(Kind.INTAKE, None, "intake-1"))
    assert names_missed("intake-1")
    assert "1 day ago" in processes.intakes(processes.look()).finding
    hear("intake-1")
    assert state_of_the_check_up() == State.GOOD
    issue(Device(Kind.INTAKE, None, "intake-9"))
    assert names_missed("intake-9"), "one that was never heard, too"
    hear("intake-9")
    hear("intake-2", release="0.0.9")
    point = processes.intakes(processes.look())
    assert (point.state, "intake-2 of release 0.0.9" in point.finding) == (State.ATTENTION, True)


def test_while_a_stand_in_works_all_say_so() -> None:
    """The page, the API and the check-up: it is only to be started again."""
    issue(Device(Kind.INTAKE, None, "intake-1"))
    hear("intake-1", SILENT_AFTER + SECOND)
    hear(f"intake-1{STAND_IN}")
    assert states() == {"intake-1": ("stand_in", 1)}
    assert "A stand-in works last seen 1 min ago" in page_of("hana", "/devices/")
    assert "A stand-in works" in page_of("hana", "/devices/intakes/intake-1/")
    (row,) = logged_in("hana").get("/api/intakes/").json()["results"]
    assert (row["name"], row["state"]) == ("intake-1", "stand_in")
    point = processes.intakes(processes.look())
    assert point.state == State.ATTENTION
    assert "A stand-in listens" in point.advice
    hear("intake-1")
    assert states() == {"intake-1": ("online", 1)}
    assert state_of_the_check_up() == State.GOOD
    hear("intake-1", SILENT_AFTER + SECOND)
    hear(f"intake-1{STAND_IN}", SILENT_AFTER + SECOND)
    assert states() == {"intake-1": ("silent", 1)}
    assert state_of_the_check_up() == State.WRONG


def test_a_stand_in_of_one_intake_does_not_hide_what_is_wrong_with_another() -> None:
    hear("intake-1", SILENT_AFTER + SECOND)
    hear(f"intake-1{STAND_IN}")
    hear("intake-2", SILENT_AFTER + SECOND)
    point = processes.intakes(processes.look())
    assert point.state == State.WRONG, "nobody works for intake-2"
    assert "not heard: intake-2." in point.advice
    assert "A stand-in listens: start intake-1 again." in point.advice
    hear("intake-2", release="0.0.9")
    point = processes.intakes(processes.look())
    assert point.state == State.ATTENTION
    assert "start intake-1 again." in point.advice
    assert "start the intake again in the same one" in point.advice


def test_one_that_was_heard_long_ago_was_heard_all_the_same() -> None:
    hear("intake-1", FORGOTTEN_AFTER + SECOND)
    point = processes.intakes(processes.look())
    assert (point.state, point.finding) == (
        State.UNSEEN,
        "No intake was heard in the last 30 days.",
    )


def test_pages_say_when_it_was_heard_and_of_which_release() -> None:
    issue(Device(Kind.INTAKE, None, "intake-1"))
    assert "Never connected" in page_of("hana", "/devices/")
    hear("intake-1", dt.timedelta(minutes=5))
    hear("intake-2", release="0.0.9")
    hear("not a code")
    page = page_of("hana", "/devices/")
    assert "Silent last seen 5 min ago" in page
    assert f"The console is of release {settings.CONSOLE_VERSION}" in page
    assert "not a code" in page
    assert "console/intake-1 Password" in page_of("hana", "/devices/intakes/intake-1/")
    own = page_of("hana", "/devices/intakes/intake-2/")
    assert "0.0.9" in own
    assert "console/intake-2" in own
    assert "Never connected" in page_of("hana", "/devices/intakes/intake-9/")


def test_who_administers_one_casino_of_two_sees_no_intake() -> None:
    issue(Device(Kind.INTAKE, None, "intake-1"))
    hear("intake-1")
    bay = Casino.objects.create(code="bay", name="Bay", currency="NZD")
    roles.grant(User.objects.create_user("anna"), "Administrator", bay)
    anna, hana = logged_in("anna"), logged_in("hana")
    for client, sees in ((anna, False), (hana, True)):
        page = client.get("/devices/")
        assert page.status_code == 200
        assert ("intake-1" in page.content.decode()) == sees
        one = client.get("/devices/intakes/intake-1/")
        assert one.status_code == (200 if sees else 404)
        assert len(client.get("/api/intakes/").json()["results"]) == sees
        assert len(client.get("/api/credentials/").json()["results"]) == sees


def test_the_api_says_the_same() -> None:
    issue(Device(Kind.INTAKE, None, "intake-1"))
    pulse = hear("intake-2")
    (first, second) = logged_in("hana").get("/api/intakes/").json()["results"]
    assert first == {
        "name": "intake-1",
        "state": "unheard",
        "heard_at": None,
        "release": "",
        "username": "",
        "credentials": 1,
    }
    assert (second["state"], second["release"]) == ("online", settings.CONSOLE_VERSION)
    assert dt.datetime.fromisoformat(second["heard_at"]) == pulse.heard_at
    assert logged_in("david").get("/api/intakes/").status_code == 403
