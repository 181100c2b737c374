"""A casino's language counts for people who chose none, and its dates on every page."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import translation

from settlement.core.errors import BadSetUp
from settlement.models import Preference, SetUpChange
from settlement.people.preferences.language import in_language_of, of_house
from settlement.people.rights import roles
from settlement.people.staff import invitation_mail
from settlement.people.staff.invitations import Guest, invite
from settlement.set_up import casinos
from settlement.templatetags.when import local_day, short_day
from tables.models import DATES, Casino
from tests.support.pages.page_staff import reply
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import acting_as
from tests.support.people.set_up import HARBOUR, hana, harbour, join, user

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def says(casino: Casino, by: Any, **facts: Any) -> None:
    with acting_as("web"):
        casinos.change_casino(by, casino, replace(HARBOUR, **facts))
    casino.refresh_from_db()


def spoken_to(person: Any) -> str:
    with in_language_of(person.pk):
        return str(translation.get_language())


def test_who_chose_none_is_spoken_to_as_the_house_chose(harbour: Casino, hana: Any) -> None:
    mere = user("mere")
    assert spoken_to(mere) == "en"
    says(harbour, hana, language="fr")
    assert spoken_to(mere) == "fr"
    Preference.objects.create(person=mere, theme="dark", text_size="normal", language="de")
    assert spoken_to(mere) == "de"
    change = SetUpChange.objects.latest("id")
    assert (change.by, change.before, change.after) == (
        "hana",
        {"language": ""},
        {"language": "fr"},
    )


def test_of_two_houses_that_speak_differently_neither_counts(harbour: Casino, hana: Any) -> None:
    says(harbour, hana, language="fr")
    with acting_as("web"):
        alpine = casinos.make_casino(hana, replace(HARBOUR, code="alpine", language="de"))
    aroha = join("hana", "aroha", "Cashier", harbour)
    assert (of_house(aroha.pk), of_house(hana.pk)) == ("fr", "")
    roles.grant(aroha, "Cashier", alpine)
    assert of_house(aroha.pk) == ""


def test_pages_speak_it_from_the_log_in_on(harbour: Casino, hana: Any) -> None:
    says(harbour, hana, language="fr")
    User.objects.filter(username="mere").update(password=make_password(PASSWORD))
    client = Client()
    client.post("/login/", {"username": "mere", "password": PASSWORD})
    page = client.get("/account/", headers={"Accept-Language": "de"})
    assert page.headers["Content-Language"] == "fr"
    look = {"theme": "dark", "text_size": "normal"}
    client.post("/account/preferences/", {**look, "language": "es"})
    assert client.get("/account/").headers["Content-Language"] == "es"
    client.post("/account/preferences/", {**look, "language": ""})
    assert client.get("/account/").headers["Content-Language"] == "fr"


def test_a_guest_is_invited_in_the_language_of_the_house(
    harbour: Casino, hana: Any, mailoutbox: list[Any]
) -> None:
    says(harbour, hana, language="de")
    guest = Guest("aroha", "", "A", "aroha@example.org", "Cashier", harbour)
    with acting_as("web"):
        invitation, _ = invite(hana, guest)
    with translation.override("es"):
        assert invitation_mail.is_sent(invitation, "https://example.org/x")
    assert mailoutbox[-1].subject.startswith("Einladung")


def test_dates_are_written_as_the_house_writes_them(harbour: Casino, hana: Any) -> None:
    day = dt.date(2026, 11, 21)
    texts = {}
    for dates in ("", *DATES):
        says(harbour, hana, dates=dates)
        for language in ("en", "zh-hans"):
            with translation.override(language):
                texts[dates, language] = local_day(day, harbour), short_day(day, harbour)
    assert texts == {
        ("", "en"): ("21 Nov 2026", "21 Nov"),
        ("", "zh-hans"): ("2026年11月21日", "11月21日"),
        ("month_first", "en"): ("Nov 21, 2026", "Nov 21"),
        ("month_first", "zh-hans"): ("2026年11月21日", "11月21日"),
        ("year_first", "en"): ("2026-11-21", "11-21"),
        ("year_first", "zh-hans"): ("2026-11-21", "11-21"),
    }


def test_what_is_on_no_list_is_refused(harbour: Casino, hana: Any) -> None:
    for facts in ({"language": "tlh"}, {"dates": "backwards"}):
        with pytest.raises(BadSetUp, match="from the list"):
            says(harbour, hana, **facts)
    with pytest.raises(IntegrityError, match="casino_dates"), transaction.atomic():
        Casino.objects.update(dates="backwards")


def test_the_page_of_a_casino_keeps_what_it_says(harbour: Casino, hana: Any) -> None:
    facts = {"name": "Harbour", "timezone": "UTC", "currency": "NZD", "minor_digits": "2"}
    facts |= {"day_starts": "06:00", "language": "fr", "dates": "year_first", "do": "change"}
    reply("hana", "/set-up/casinos/harbour/", **facts)
    harbour.refresh_from_db()
    assert (harbour.language, harbour.dates) == ("fr", "year_first")
