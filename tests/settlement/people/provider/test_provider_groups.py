"""What the groups that the log-in provider names do to roles, and what they never do."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from settlement.models import PasswordLogIn, RoleChange
from settlement.people.rights import roles
from settlement.people.staff import persons
from tables.models import Casino
from tests.support.pages.page_staff import logged_in
from tests.support.people.access.provider_log_ins import (
    get,
    give_password,
    link,
    log_in,
    post,
    set_up,
    text,
    who,
)
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.servers.outside import oidc_provider
from tests.support.servers.outside.oidc_provider import Provider

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with oidc_provider.providing() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, settings: Settings) -> Iterator[Provider]:
    ClaimHouse()
    set_up(running, settings)
    link(running)
    yield running
    running.claims = {}


def held(username: str = "mere") -> list[str]:
    person = User.objects.get(username=username)
    return [
        f"{each.role}@{each.casino.code}" if each.casino else each.role
        for each in persons.roles_of([person.pk]).get(person.pk, ())
    ]


@pytest.fixture
def groups(provider: Provider, settings: Settings) -> Provider:
    settings.OIDC_ROLES = {
        "managers": "Casino manager",
        "cage": ["Cashier@harbour"],
        "office": "Compliance",
    }
    roles.grant(User.objects.get(username="mere"), "Cashier", Casino.objects.get())
    return provider


def test_roles_follow_groups(groups: Provider) -> None:
    groups.claims = {"groups": ["managers", "others"]}
    assert held() == ["Cashier@harbour", "Casino manager"]
    browser = log_in(groups)[0]
    assert who(browser) == "mere"
    assert held() == ["Casino manager"]
    assert RoleChange.objects.latest("id").by == "the log-in provider"
    groups.claims = {"groups": ["managers", "cage"]}
    log_in(groups)
    assert held() == ["Cashier@harbour", "Casino manager"]
    groups.claims = {"groups": ["cage"]}
    log_in(groups)
    assert held() == ["Cashier@harbour"]


def test_a_group_gives_no_role_that_people_did_not_give(groups: Provider) -> None:
    groups.claims = {"groups": ["managers", "cage", "office"]}
    log_in(groups)
    assert "Compliance" not in held()
    groups.claims = {"groups": ["managers"]}
    log_in(groups)
    mere = User.objects.get(username="mere")
    roles.grant(mere, "Cashier", Casino.objects.get(), by="hana and david")
    roles.revoke(mere, "Cashier", Casino.objects.get(), by="hana")
    groups.claims = {"groups": ["managers", "cage"]}
    log_in(groups)
    assert held() == ["Casino manager"]


def test_without_a_group_or_without_a_word_of_groups_nobody_comes_in(groups: Provider) -> None:
    groups.claims = {"groups": None}
    browser, answer = log_in(groups)
    assert "<code>groups</code>" in text(answer)
    assert held() == ["Cashier@harbour", "Casino manager"]
    groups.claims = {"groups": ["others"]}
    browser, answer = log_in(groups)
    assert "You are in no group" in text(answer)
    assert who(browser) == ""
    assert held() == []
    groups.claims = {"groups": ["managers"]}
    assert who(log_in(groups)[0]) == "mere"


def test_groups_lie_where_the_house_says(groups: Provider, settings: Settings) -> None:
    settings.OIDC_GROUPS_CLAIM = "realm_access.roles"
    groups.claims = {"realm_access": {"roles": ["managers"]}}
    log_in(groups)
    assert held() == ["Casino manager"]


def test_the_last_administrator_keeps_the_role(groups: Provider, settings: Settings) -> None:
    settings.OIDC_ROLES = {"administrators": "Administrator"}
    groups.claims = {"sub": "subject-of-hana", "groups": []}
    link(groups, "hana", "subject-of-hana")
    assert who(log_in(groups)[0]) == "hana"
    assert held("hana") == ["Administrator"]


def test_a_role_that_a_group_switched_off_is_taken_for_good(groups: Provider) -> None:
    mere = User.objects.get(username="mere")
    roles.grant(mere, "Game supervisor")
    groups.claims = {"groups": []}
    log_in(groups)
    assert held() == ["Game supervisor"]
    hana, page = logged_in("hana"), "/people/log-in/mere/"
    page_text = text(get(hana, page))
    assert page_text.count("Off until the group is back") == 2
    off = {role.role: role for role in persons.switched_off(mere)}
    assert off["Cashier"].casino == Casino.objects.get()
    for role in off.values():
        name = f"{role.role_id} {role.casino.pk if role.casino else ''}".strip()
        assert post(hana, page, do="take", role=name).status_code == 302
    assert persons.switched_off(mere) == ()
    changes = RoleChange.objects.filter(person=mere, by="hana", granted=False)
    assert {str(each.role) for each in changes} == {"Cashier", "Casino manager"}
    groups.claims = {"groups": ["managers", "cage"]}
    log_in(groups)
    assert held() == ["Game supervisor"]


def test_who_leaves_gets_no_role_back_by_a_group(groups: Provider) -> None:
    groups.claims = {"groups": []}
    log_in(groups)
    mere = User.objects.get(username="mere")
    with acting_as("web"):
        persons.leave(User.objects.get(username="hana"), mere)
    assert persons.switched_off(mere) == ()
    User.objects.filter(username="mere").update(is_active=True)
    groups.claims = {"groups": ["managers", "cage"]}
    log_in(groups)
    assert held() == []


def test_who_is_linked_does_not_pass_the_groups_by_with_a_password(
    groups: Provider, settings: Settings
) -> None:
    give_password("mere")
    basic = {"Authorization": f"Basic {b64encode(f'mere:{PASSWORD}'.encode()).decode()}"}
    groups.claims = {"groups": ["managers", "cage"]}
    browser = log_in(groups)[0]
    page = text(get(browser, "/account/"))
    assert "End the link" not in page
    assert post(browser, "/account/provider/end/").status_code == 302
    assert "an administrator ends the link" in text(get(browser, "/account/"))
    assert post(Client(), "/login/", username="mere", password=PASSWORD).status_code == 200
    with acting_as("web"):
        assert Client().get("/api/systems/", headers=basic).status_code == 401
    call_command("password_log_in", "mere", hours=2, why="The provider is down.")
    with acting_as("web"):
        assert Client().get("/api/systems/", headers=basic).status_code == 200
    PasswordLogIn.objects.all().delete()
    settings.OIDC_ROLES = {}
    with acting_as("web"):
        assert Client().get("/api/systems/", headers=basic).status_code == 200


def test_who_is_not_linked_logs_in_by_password_beside_groups(groups: Provider) -> None:
    give_password("david")
    answer = post(Client(), "/login/", username="david", password=PASSWORD)
    assert answer.status_code == 302
