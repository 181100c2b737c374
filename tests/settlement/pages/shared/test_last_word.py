"""A guard of the database refuses what no service put in words: no bare error page for anybody."""

import logging
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from jackpot.models import Command
from jackpot.writer import commands
from settlement.claims import services as claims
from settlement.claims import workbench
from settlement.models import Claim, Note
from tables.models import JackpotSystem
from tables.telemetry.json_logs import request_id
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse, as_
from tests.support.people.roles import acting_as

PAGE, API = "/claims/main/1/notes/", "/api/claims/main-1/notes/"
GUARD = "command_has_its_action"
NOTHING_SAVED = "Something changed in the meantime. Nothing was saved: open the page again."
ROLE = "Your role does not allow this. Ask a colleague whose role does."


@pytest.fixture
def house(fresh_database: None) -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    house.poster.give_up()
    claims.catch_up(house.system)
    return house


def forged(_claim: Claim, user: Any, *_texts: Any, **_more: Any) -> None:
    """A command behind which nothing stands; and a note before it."""
    with transaction.atomic():
        Note.objects.create(claim=Claim.objects.get(), person=user, text="x", key=uuid.uuid4())
        system = JackpotSystem.objects.get()
        body = {"hit": 1, "line": 1}
        commands.queue(system, "withhold", body, first=user.get_username())


def unforeseen(*_texts: Any, **_more: Any) -> None:
    """A role that was taken, which a service forgot to put in words."""
    Note.objects.create(claim=Claim.objects.get(), person_id=nobody(), text="x", key=uuid.uuid4())


def nobody() -> int:
    return User.objects.values_list("pk", flat=True).get(username="nobody")


def bug(*_texts: Any, **_more: Any) -> None:
    nobody_at_all: Any = None
    Note.objects.create(claim=Claim.objects.get(), person=nobody_at_all, text="x", key=uuid.uuid4())


def test_a_person_reads_that_nothing_was_saved(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    browser = logged_in("mere")
    monkeypatch.setattr(workbench, "add_note", forged)
    token = request_id.set("reference-4711")
    try:
        with acting_as("web"), caplog.at_level(logging.ERROR):
            page = browser.post(
                PAGE,
                {"key": str(uuid.uuid4()), "text": "The player left"},
                headers={"Referer": "http://testserver/claims/main/1/?tab=notes"},
            )
    finally:
        request_id.reset(token)
    assert page.status_code == 409
    text = page.content.decode()
    assert NOTHING_SAVED in text
    assert "reference-4711" in text
    assert 'href="/claims/main/1/?tab=notes"' in text
    assert logged(caplog) == [f"the guard {GUARD} refused what no service had seen coming"]
    assert not Note.objects.exists()
    assert not Command.objects.filter(kind="withhold").exists()


@pytest.mark.parametrize(
    ("service", "status", "code", "words"),
    [(forged, 409, "changed_meanwhile", NOTHING_SAVED), (unforeseen, 403, "not_permitted", ROLE)],
)
def test_a_program_gets_a_problem(
    house: ClaimHouse,
    monkeypatch: pytest.MonkeyPatch,
    service: Callable[..., None],
    status: int,
    code: str,
    words: str,
) -> None:
    program = as_("mere")
    monkeypatch.setattr(workbench, "add_note", service)
    with acting_as("web"):
        answer = program.post(API, {"text": "The player left"}, format="json")
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["detail"]) == (status, code, words)
    assert not Note.objects.exists()


def test_a_bug_stays_one(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    browser = logged_in("mere")
    browser.raise_request_exception = False
    monkeypatch.setattr(workbench, "add_note", bug)
    with acting_as("web"):
        page = browser.post(PAGE, {"key": str(uuid.uuid4()), "text": "The player left"})
    assert page.status_code == 500
    assert not [line for line in logged(caplog) if "guard" in line]


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == "settlement.core.guards"]
