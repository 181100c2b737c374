"""What the worker says of the log-in provider's settings, and when it says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from settlement import tasks
from settlement.models import LogInProvider
from settlement.people.log_ins.checks import somebody_can_log_in
from tables.models import Alarm, Casino
from tests.support.people.access.provider_log_ins import link, log_in, set_up, text, who
from tests.support.people.cast import hire
from tests.support.people.roles import acting_as
from tests.support.servers.outside import oidc_provider
from tests.support.servers.outside.oidc_provider import Provider

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with oidc_provider.providing() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, settings: Settings) -> Iterator[Provider]:
    hire()
    Casino.objects.create(code="harbour")
    set_up(running, settings)
    link(running)
    yield running
    running.claims = {}


def test_a_house_without_a_provider_is_left_in_peace(settings: Settings) -> None:
    settings.OIDC_ISSUER = ""
    tasks.read_log_in_provider()
    assert not Alarm.objects.exists()
    assert not LogInProvider.objects.exists()


# A group that stands for a role of no such name, or of no such casino, would bind nobody.
UNKNOWN = {
    "a role": ("Casino Manager", "OIDC_ROLES names a role that is none here: Casino Manager"),
    "a casino": ("Cashier@harbor", "OIDC_ROLES names a casino that is none here: harbor"),
    "an empty casino": ("Cashier@", "OIDC_ROLES names a casino that is none here: "),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_a_map_that_names_what_there_is_not_lets_nobody_in(
    provider: Provider, settings: Settings, what: str
) -> None:
    role, fault = UNKNOWN[what]
    settings.OIDC_ROLES = {"cage": ["Cashier@harbour"], "x": [role]}
    with acting_as("worker"):
        tasks.read_log_in_provider()
    assert fault in Alarm.objects.get(kind="log_in_provider").message
    provider.claims = {"groups": ["cage", "x"]}
    browser, answer = log_in(provider)
    assert "<code>settings</code>" in text(answer)
    assert who(browser) == ""


def test_the_check_names_a_role_that_is_none(provider: Provider, settings: Settings) -> None:
    settings.OIDC_ROLES = {"x": "Casino Manager"}
    assert [fault.id for fault in somebody_can_log_in()] == ["settlement.E003"]
    settings.OIDC_ROLES = {"x": "Casino manager@harbour"}
    assert somebody_can_log_in() == []
    with acting_as("worker"):
        tasks.read_log_in_provider()
    assert not Alarm.objects.filter(kind="log_in_provider").exists()
