"""Invitations for many people: each line is judged, and everybody or nobody is invited."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import DjangoAssertNumQueries, Settings

from settlement.core.errors import BadFile, NotPermitted
from settlement.models import Invitation, SetUpProposal
from settlement.people.staff import invitation_lists
from tables.models import Casino
from tests.support.cases.mail_server import mail_server
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db
PAGE = "/people/invitations/"
HEAD = "username,first_name,last_name,email,role,casino,until"
GOOD = f"""{HEAD}
rua,Rua,Tamati,rua@casino.example,Cashier,{{casino}},2090-03-31
kiri,,Ngata,,game supervisor,,
"""


@pytest.fixture(autouse=True)
def house() -> ClaimHouse:
    return ClaimHouse()


def good() -> str:
    return GOOD.format(casino=Casino.objects.get().code)


def problems(text: str) -> list[str]:
    return [line.problem for line in invitation_lists.preview(text.encode()).lines]


def previews(text: str, name: str = "hana") -> Any:
    client = logged_in(name)
    with acting_as("web"):
        return client.post(PAGE, {"text": text})


def confirms(preview: Any, password: str = PASSWORD, **more: str) -> Any:
    html = preview.content.decode()
    fields = {
        name: re.search(rf'name="{name}" value="([^"]*)"', html) for name in ("content", "sha256")
    }
    values = {name: match[1] for name, match in fields.items() if match}
    client = logged_in("hana")
    with acting_as("web"):
        return client.post(PAGE, {**values, "password": password, **more})


def test_a_list_is_shown_and_then_everybody_is_invited(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    shown_page = previews(good())
    text = words(shown_page)
    assert shown_page.status_code == 200
    assert "Rua Tamati" in text
    assert "every casino" in text
    assert "until 2090-03-31" in text
    assert "Nobody is invited yet" in text
    assert not Invitation.objects.exists()
    assert "That is not your password" in words(confirms(shown_page, "guess"))
    assert not Invitation.objects.exists()
    answer = confirms(shown_page)
    text = words(answer)
    assert "2 people are invited" in text
    assert "The link was sent to rua@casino.example" in text
    (link,) = re.findall(r"http://testserver/invitation/\S+/", text)
    assert "no-store" in answer["Cache-Control"]
    assert [message.to for message in mail.outbox] == [["rua@casino.example"]]
    assert link not in mail.outbox[0].body
    rows = Invitation.objects.order_by("id").values_list("username", "role__name", "casino__code")
    assert list(rows) == [
        ("rua", "Cashier", Casino.objects.get().code),
        ("kiri", "Game supervisor", None),
    ]
    rua = Invitation.objects.get(username="rua")
    assert rua.until is not None
    assert rua.until.year == 2090
    assert SetUpProposal.objects.filter(kind="invite").count() == 2, (
        "each waits for a second person"
    )


def test_each_line_says_what_is_wrong_with_it() -> None:
    rows = {
        "x,,Name,,Cashier,,": "",
        "X,,Name,,Cashier,,": "is taken, or stands above",
        "mere,,Name,,Cashier,,": "is taken, or stands above",
        "y,,Name,,King,,": "no such role",
        "z,,,,Cashier,,": "Enter the name",
        "no name,,Name,,Cashier,,": "valid username",
        "a,,Name,nowhere,Cashier,,": "valid email address",
        "b,,Name,,Cashier,atlantis,": "no casino atlantis",
        "c,,Name,,Cashier,,31.3.2027": "as 2027-03-31",
        "d,,Name,,Cashier,,2020-01-01": "later than now",
        "e,,Name,,Cashier,,4000-01-01": "before the year 3000",
        f"{'f' * 151},,Name,,Cashier,,": "at most 150 characters",
    }
    for expected, problem in zip(rows.values(), problems("\n".join([HEAD, *rows])), strict=True):
        assert expected in problem if expected else not problem, problem
    page = previews("\n".join([HEAD, *rows]))
    assert page.status_code == 422
    assert "11 lines have problems. Nobody was invited" in words(page)
    assert 'name="sha256"' not in page.content.decode()
    assert "no name,,Name" in page.content.decode(), "what was pasted is there to be corrected"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "Choose a file"),
        ("rua,Tamati,Cashier", "The first line names the columns"),
        ("username,last_name,role,salary\nx,y,z,1", "The first line names the columns"),
        ("username,last_name,role", "1 to 100 lines"),
        ("username,last_name,role\nx,y", "has 2 cells"),
        ("username,last_name,role\n" + "x,y,z\n" * 101, "1 to 100 lines"),
    ],
)
def test_what_is_no_list_is_refused_in_words(text: str, fault: str) -> None:
    page = previews(text)
    assert page.status_code == 422
    assert fault in words(page)


def test_a_spreadsheet_that_is_pasted_has_tabs_and_a_file_does_as_well() -> None:
    tabs = good().replace(",", "\t")
    assert problems(tabs) == ["", ""]
    file = SimpleUploadedFile("people.csv", good().encode())
    client = logged_in("hana")
    with acting_as("web"):
        page = client.post(PAGE, {"file": file})
    assert "Rua Tamati" in words(page)


def test_another_list_than_was_shown_invites_nobody() -> None:
    shown_page = previews(good())
    answer = confirms(shown_page, sha256="0" * 64)
    assert "not the list that was shown" in words(answer)
    User.objects.create(username="Kiri")
    answer = confirms(shown_page)
    assert "Lines have problems" in words(answer)
    with pytest.raises(BadFile):
        invitation_lists.confirm(User.objects.get(username="hana"), good().encode(), "x")
    with pytest.raises(NotPermitted):
        invitation_lists.confirm(User.objects.get(username="mere"), good().encode(), "x")
    assert not Invitation.objects.exists()


def test_a_mail_that_does_not_go_out_revokes_that_invitation(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    answer = confirms(previews(good()))
    assert "The mail to rua@casino.example did not go out" in words(answer)
    assert Invitation.objects.get(username="rua").revoked_at is not None
    assert Invitation.objects.get(username="kiri").revoked_at is None


def test_a_dropped_connection_costs_no_invitation(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    rows = [f"guest{number},Name,g{number}@casino.example,Cashier" for number in range(5)]
    text = "\n".join(["username,last_name,email,role", *rows])
    with mail_server(takes_of_one=2, is_rude=True, refused="g3@casino.example") as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        answer = words(confirms(previews(text)))
    assert server.mails == [f"g{number}@casino.example" for number in (0, 1, 2, 4)]
    assert "The mail to g3@casino.example did not go out" in answer
    revoked = Invitation.objects.exclude(revoked_at=None).values_list("username", flat=True)
    assert list(revoked) == ["guest3"]


def test_only_who_administers_people_opens_it() -> None:
    assert logged_in("mere").get(PAGE).status_code == 403
    assert PAGE in logged_in("hana").get("/people/").content.decode()
    assert PAGE not in logged_in("ines").get("/people/").content.decode()


def test_a_long_list_takes_few_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    lines = "\n".join(f"guest{number},Name,Cashier" for number in range(100))
    client = logged_in("hana")
    with django_assert_max_num_queries(30):
        page = client.post(PAGE, {"text": f"username,last_name,role\n{lines}"})
    assert page.status_code == 200
