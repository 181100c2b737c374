"""Guessing passwords: three limits, an alarm at each, and nobody locks a colleague out."""

from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client

from tables.models import Alarm
from tests.support.people.cast import PASSWORD, hire

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def cast() -> None:
    hire()


def tries(name: str, password: str, address: str = "10.0.0.5") -> Any:
    return Client(REMOTE_ADDR=address).post("/login/", {"username": name, "password": password})


def guesses(name: str, address: str, times: int) -> list[int]:
    """The answers to so many wrong passwords."""
    return [tries(name, f"guess-{number}", address).status_code for number in range(times)]


def test_five_lock_a_name_at_its_address_and_nowhere_else() -> None:
    assert guesses("mere", "10.0.0.5", 6) == [200, 200, 200, 200, 429, 429]
    assert tries("mere", PASSWORD).status_code == 429
    assert tries("mere", PASSWORD, "10.0.0.6").status_code == 302
    assert tries("aroha", PASSWORD).status_code == 302


def test_one_device_never_locks_a_name_for_everybody() -> None:
    guesses("mere", "10.0.0.5", 60)
    assert tries("mere", PASSWORD, "10.0.0.6").status_code == 302
    # Nor does what is tried meanwhile fill anything.
    assert sum(AccessAttempt.objects.values_list("failures_since_start", flat=True)) == 5


def test_a_name_that_is_guessed_at_many_addresses_is_locked_at_all() -> None:
    for device in range(3):
        guesses("mere", f"10.0.1.{device}", 5)
    assert tries("mere", PASSWORD, "10.0.0.6").status_code == 429
    assert tries("aroha", PASSWORD, "10.0.0.6").status_code == 302


def test_an_address_that_guesses_many_names_is_locked_for_all() -> None:
    for number in range(20):
        assert guesses(f"nobody-{number}", "10.0.0.5", 1) == [429 if number == 19 else 200]
    assert tries("mere", PASSWORD, "10.0.0.5").status_code == 429
    assert tries("mere", PASSWORD, "10.0.0.6").status_code == 302


def test_somebody_of_their_own_name_does_not_clear_the_address() -> None:
    for number in range(19):
        guesses(f"nobody-{number}", "10.0.0.5", 1)
        assert tries("mere", PASSWORD, "10.0.0.5").status_code == 302
    guesses("nobody", "10.0.0.5", 1)
    assert tries("mere", PASSWORD, "10.0.0.5").status_code == 429


def test_each_lock_raises_one_alarm_that_names_no_slip_of_the_pen() -> None:
    guesses("mere", "10.0.0.5", 9)
    alarm = Alarm.objects.get(kind="log_in_locked")
    assert (alarm.subject, alarm.count) == ("mere", 1)
    assert "for the name mere, at 10.0.0.5" in alarm.message
    guesses("my-secret-password", "10.0.0.7", 9)
    alarm = Alarm.objects.get(kind="log_in_locked", subject="10.0.0.7")
    assert "names that nobody has" in alarm.message
    assert "my-secret" not in alarm.message
