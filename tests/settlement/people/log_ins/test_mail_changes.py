"""A mail address changes by two people or by the mailbox, and the address before is told."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.models import (
    AddressNotice,
    MailChange,
    PasswordLink,
    SetUpChange,
    SetUpProposal,
)
from settlement.models.access import ConsoleSession
from settlement.people.log_ins import mail_changes
from settlement.people.staff.invitations import sealed
from settlement.tasks import mail_password_links
from tests.support.cases.mail_server import mail_server
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db
OLD, NEW = "mere@casino.example", "mere@new.example"


@pytest.fixture(autouse=True)
def house(settings: Settings) -> None:
    settings.CONSOLE_ORIGIN = "https://console.example"
    hasher = "settlement.people.passwords.SealedArgon2PasswordHasher"
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, hasher]
    hire()
    User.objects.filter(username="mere").update(email=OLD, password=sealed(PASSWORD))


def email_of(name: str = "mere") -> str:
    return User.objects.values_list("email", flat=True).get(username=name)


def worker() -> list[Any]:
    """The mails that the worker sends now."""
    before = len(mail.outbox)
    with acting_as("worker"):
        mail_password_links()
    return list(mail.outbox[before:])


def sends(client: Client, address: str, fields: dict[str, str]) -> Any:
    """The page that the web process's answer leads to."""
    with acting_as("web"):
        answer = client.post(address, fields)
    ConsoleSession.objects.filter(session_data="").delete()  # of whoever acts in a test, for ever
    assert answer.status_code == 302
    return client.get(answer["Location"])


def asks(client: Client, email: str = NEW, password: str = PASSWORD) -> Any:
    return sends(client, "/account/mail/", {"email": email, "password": password})


def link_in(message: Any) -> str:
    match = re.search(r"https://console.example(/mail/confirm/\S+)", str(message.body))
    assert match
    return match[1]


def test_an_own_address_is_confirmed_by_a_link_to_the_new_one() -> None:
    mere = logged_in("mere")
    page = words(mere.get("/account/"))
    assert OLD in page
    assert "That is not your password" in words(asks(mere, password="guess"))
    assert "Enter a valid email address" in words(asks(mere, email="nowhere"))
    assert "your mail address already" in words(asks(mere, email=OLD.upper()))
    assert not MailChange.objects.exists()
    assert f"A link was sent to {NEW}" in words(asks(mere))
    (message,) = worker()
    assert message.to == [NEW]
    link = link_in(message)
    assert email_of() == OLD
    with acting_as("web", logged_in=False):
        browser = Client()
        answer = browser.get(link)
        assert NEW in answer.content.decode()
        assert answer["Referrer-Policy"] == "no-referrer"
        assert email_of() == OLD, "reading changes nothing"
        assert browser.post(link).status_code == 302
        assert browser.post(link).status_code == 404
    assert email_of() == NEW
    change = SetUpChange.objects.get(kind="person", subject="mere", after__email=NEW)
    assert (change.by, change.before) == ("mere", {"email": OLD})
    (notice,) = worker()
    assert notice.to == [OLD]
    assert NEW not in notice.body
    assert worker() == []


def test_a_link_ends_with_the_next_change_and_with_its_time() -> None:
    mere = logged_in("mere")
    asks(mere)
    link = link_in(worker()[0])
    MailChange.objects.update(expires_at=timezone.now())
    assert Client().get(link).status_code == 404
    asks(mere, "mere@other.example")
    link = link_in(worker()[0])
    User.objects.filter(username="mere").update(email="mere@third.example")
    assert Client().get(link).status_code == 404
    for number in range(4):
        asks(mere, f"mere@{number}.example")
    assert MailChange.objects.count() == 5, "no more in an hour"


def test_an_old_address_that_takes_no_mail_is_tried_every_hour_for_a_day(
    settings: Settings,
) -> None:
    mere = User.objects.get(username="mere")
    rows = [AddressNotice.objects.create(person=mere, email=OLD) for _ in range(3)]
    good = AddressNotice.objects.create(person=mere, email="mere@good.example")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with mail_server(refused=OLD) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        worker()
        worker()
        assert server.recipients == [OLD] * mail_changes.AT_ONCE, "few at once, none twice"
        put_off = AddressNotice.objects.filter(next_at__gt=timezone.now() + timedelta(minutes=59))
        assert set(put_off) == set(rows[:2])
        put_off.update(next_at=timezone.now() + timedelta(minutes=50))
        worker()
        assert server.mails == [good.email]
        AddressNotice.objects.update(
            next_at=timezone.now(), made_at=timezone.now() - timedelta(days=2)
        )
        worker()
    assert not AddressNotice.objects.filter(mailed_at=None).exists(), "given up after a day"


def test_an_address_that_nobody_can_read_holds_no_mail_back() -> None:
    mere = User.objects.get(username="mere")
    AddressNotice.objects.create(person=mere, email="mere\n@casino.example")
    AddressNotice.objects.create(person=mere, email=OLD)
    asks(logged_in("mere"))
    Client().post("/password/forgotten/", {"email": OLD})
    mails = worker()
    assert [each.to for each in mails] == [[OLD], [NEW], [OLD]]
    assert "/password/new/" in mails[0].body, "links for passwords go first"


def test_a_link_that_is_opened_in_somebody_elses_browser_names_its_log_in() -> None:
    asks(logged_in("mere"))
    (message,) = worker()
    aroha = logged_in("aroha")
    answer = aroha.post(link_in(message), follow=True)
    assert "The mail address of the log-in mere is changed" in words(answer)
    assert "/account/" not in [address for address, _status in answer.redirect_chain]
    assert email_of() == NEW


FORGED = {
    "without the password": (
        "web",
        "INSERT INTO settlement_mailchange (person_id, email, digest, sealed)"
        " SELECT id, 'thief@x.example', 'x', 'x' FROM auth_user WHERE username = 'mere'",
    ),
    "the other half": ("web", "UPDATE settlement_mailchange SET mailed_digest = digest"),
    "another address": ("worker", "UPDATE settlement_mailchange SET email = 'thief@x.example'"),
    "drawn again": ("worker", "UPDATE settlement_mailchange SET mailed_digest = 'x'"),
    "the address": ("web", "UPDATE auth_user SET email = 'thief@x.example'"),
    "no telling": ("worker", "DELETE FROM settlement_addressnotice"),
}


def test_neither_process_alone_changes_an_address() -> None:
    asks(logged_in("mere"))
    worker()
    for what, (role, query) in FORGED.items():
        with (
            acting_as(role),
            connection.cursor() as cursor,
            pytest.raises(DatabaseError),
            transaction.atomic(),
        ):
            cursor.execute(f"/* {what} */ {query}")


def test_an_administrator_proposes_an_address_and_a_second_person_agrees() -> None:
    mere = User.objects.get(username="mere")
    PasswordLink.objects.create(person=mere, digest="x", sealed="x")
    hana, ines = logged_in("hana"), logged_in("ines")
    page = "/people/log-in/mere/"
    fields = {"do": "mail", "email": NEW, "password": PASSWORD}
    answer = words(sends(hana, page, fields))
    assert "when a second person approves it" in answer
    assert "Another one is proposed" in answer
    assert "That is proposed already" in words(sends(hana, page, fields))
    (proposal,) = SetUpProposal.objects.all()
    assert (proposal.kind, proposal.body["after"]) == ("mail_address", NEW)
    agree = f"/house-rules/proposals/{proposal.pk}/agree/"
    assert hana.post(agree, {"password": PASSWORD}).status_code == 403
    sends(logged_in("mere"), agree, {"password": PASSWORD})
    assert email_of() == OLD, "neither the proposer nor the person agrees"
    assert f"becomes {NEW}" in words(ines.get("/house-rules/"))
    assert "Agreed" in words(sends(ines, agree, {"password": PASSWORD}))
    assert email_of() == NEW
    assert PasswordLink.objects.get().used_at is not None
    assert AddressNotice.objects.get().email == OLD
    assert SetUpChange.objects.get(after__email=NEW).by == "hana and ines"


def test_an_address_that_changed_meanwhile_is_proposed_again() -> None:
    hana, ines = logged_in("hana"), logged_in("ines")
    fields = {"do": "mail", "email": NEW, "password": PASSWORD}
    sends(hana, "/people/log-in/mere/", fields)
    User.objects.filter(username="mere").update(email="mere@third.example")
    agree = f"/house-rules/proposals/{SetUpProposal.objects.get().pk}/agree/"
    assert "was changed meanwhile" in words(sends(ines, agree, {"password": PASSWORD}))
    assert email_of() == "mere@third.example"


def test_an_administrator_changes_a_name_and_it_is_written_down() -> None:
    hana, ines = logged_in("hana"), logged_in("ines")
    page = "/people/log-in/mere/"
    fields = {"do": "rename", "first_name": "Mere", "last_name": "Kahu"}
    assert "Mere Kahu" in words(sends(hana, page, fields))
    refused = words(sends(hana, "/people/log-in/hana/", fields))
    assert "You cannot change your own" in refused
    before = SetUpChange.objects.count()
    sends(ines, page, fields | {"last_name": "Other"})
    assert SetUpChange.objects.count() == before, "compliance changes no name"
    assert "This field is required" in words(sends(hana, page, fields | {"last_name": ""}))
    change = SetUpChange.objects.filter(kind="person", subject="mere").latest("id")
    assert (change.by, change.what) == ("hana", "changed")
    assert (change.before["last_name"], change.after["last_name"]) == ("", "Kahu")


def test_where_no_mail_goes_out_the_page_says_whom_to_ask(settings: Settings) -> None:
    settings.CONSOLE_ORIGIN = ""
    mere = logged_in("mere")
    assert "an administrator changes your mail address" in words(mere.get("/account/"))
    assert "sends no mail" in words(asks(mere))
    assert not MailChange.objects.exists()
