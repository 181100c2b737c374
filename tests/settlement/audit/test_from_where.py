"""The audit trail says of each act on the web from where, whichever part it stands in."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.audit import trail
from settlement.audit.trail import Question
from settlement.audit.trail_words import AREAS
from settlement.models import SetUpProposal
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.rights import roles
from settlement.people.staff import invitations
from settlement.people.staff.invitations import Guest
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.pages.page_staff import words
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

FROM, NEW = "203.0.113.9", "a-lounge-behind-the-table"
house = kept_house(ConfirmedHouse)


def browser(name: str) -> Client:
    client = Client(REMOTE_ADDR=FROM)
    answer = client.post("/login/", {"username": name, "password": PASSWORD})
    assert answer.status_code == 302, words(answer)
    return client


def post(client: Client, address: str, **fields: Any) -> str:
    answer = client.post(address, {"key": str(uuid.uuid4()), **fields}, follow=True)
    assert answer.status_code == 200, words(answer)
    return words(answer)


def test_no_part_is_without_the_address(house: ConfirmedHouse, settings: Settings) -> None:
    hasher = SealedArgon2PasswordHasher()
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    for name in ("hana", "mere"):
        user = person(name)
        user.password = hasher.encode(PASSWORD, hasher.salt())
        user.save()
    with acting_as("web"):
        _row, link = invitations.invite(person("hana"), Guest("eve", "Eve", "R", "", "Cashier"))
    start = timezone.now()
    wrong = Client(REMOTE_ADDR=FROM)
    wrong.post("/login/", {"username": "mere", "password": "wrong"})  # an access note
    mere, hana = browser("mere"), browser("hana")  # the security log
    casino = house.system.casino
    post(mere, "/claims/main/1/notes/", text="The player waits in the lounge")
    post(hana, "/set-up/systems/main/", do="rename", code="t3", name="Table 3")
    rules = f"/house-rules/?casino={casino.code}"
    post(hana, rules, kind="missed_rounds", value="7")
    post(hana, rules, kind="terms_factor", value="7")
    invited, missed, factor = SetUpProposal.objects.order_by("id")
    for each in (invited, missed):
        page = post(mere, f"/house-rules/proposals/{each.pk}/agree/", password=PASSWORD)
        assert "Agreed and carried out" in page
    post(mere, f"/house-rules/proposals/{factor.pk}/withdraw/", note="Typed wrong")
    come = Client(REMOTE_ADDR=FROM)  # nobody yet
    post(come, f"/invitation/{link}/", new=NEW, again=NEW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('jackpot.address', true)")
        assert cursor.fetchone()[0] in (None, "")
    rows = trail.page(Question(areas=tuple(AREAS), start=start), 200)
    assert {row["part"] for row in rows} == set(range(6))
    assert roles.held(person("eve")).names == ("Cashier",)
    assert "eve" in {row["subject"] for row in rows}
    assert not [(row["part"], row["act"]) for row in rows if row["address"] != FROM]
