"""A person of one casino neither sees another's nor acts on it: every address is tried.

The addresses are those of the address list itself, so that a new one is tried as well: what names
something leads to nothing, and what names nothing shows nothing of the other casino.
"""

import uuid
from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, reverse

from jackpot.display import views as display_views
from settlement.models import (
    Claim,
    Incident,
    Proposal,
    ProposalDecision,
    StaffPlay,
)
from settlement.people.rights import roles
from settlement.reports.catalogue import reports
from tables.models import Casino, GamingTable, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.entrances import CLOSED, ONES_OWN
from tests.support.pages.every_address import SECRET, address_of, parts_of, seed_data
from tests.support.pages.page_staff import logged_in
from tests.support.people.api_keys import ADJUST, HAND, VOID
from tests.support.people.cast import PASSWORD, as_
from tests.support.play.books import royal_terms

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

# Nothing of a casino is in them: what documents the API, and what is a person's own.
OPEN_TO_ALL = {
    "api-schema",
    "api-docs",
    "api-operation",
    "api-problems",
    "tokens",
    "token-end",
    *ONES_OWN,
    "help-page",
    "help-rule",
    "help-guide",
    "tour",
}
# The address names what is of no casino; what it shows has a test of its own.
REPORTS = {"report", "export-request"}
# Of these nothing is there to be found, or not by this person: they are tried all the same.
NOT_THERE = {
    "claim-attachment",
    "withdrawal-decide",
    "table-move",
    "factor-reset",
    "tablet-end",
    "view-change",
    *("filing-reverse", "filing-attach", "filing-file"),
    *("api-filing-reverse", "api-filing-attach", "api-filing-file-open"),
} | {
    "anothers-token-end",
    "export-download",
    "export-archive-download",
    "device-intake",
    *("exclusions-file", "api-exclusion-file", "api-exclusion-file-confirm"),  # of whoever chose it
    *("api-exclusion-file-stop", "api-exclusion-file-continue", "api-exclusion-file-leave"),
}


@pytest.fixture
def parts() -> dict[str, Any]:
    return parts_of(seed_data())


@pytest.fixture
def alpine(parts: dict[str, Any]) -> JackpotSystem:
    """A second casino, with a system and two people: with every role there, and with all here."""
    casino = Casino.objects.create(code="alpine", name="Alpine", currency="NZD")
    system = JackpotSystem.objects.create(casino=casino, code="alpine", name="Alpine floor")
    GamingTable.objects.create(system=system, code="a1", name="Alpine 1")
    stranger, anna = (User.objects.create_user(name) for name in ("stranger", "anna"))
    for role in roles.ROLES:
        roles.grant(stranger, role, casino)
        roles.grant(anna, role, Casino.objects.exclude(pk=casino.pk).get())
    return system


# What the API reads before it looks where to: its bodies are judged first.
BODIES: dict[str, dict[str, Any]] = {
    "api-enter-hand": HAND,
    "api-rule-round": VOID,
    "api-credit-missed": {"count": 2, "evidence": "Footage"},
    "api-held-rounds": {"accepted": True, "rounds": [1], "note": "Footage"},
    "api-propose-adjustment": ADJUST,
    "api-propose-terms": {"terms": royal_terms(), "force": "A new name"},
    "api-propose-move": {"to": "alpine", "code": "t3", "reason": "Another room"},
}


def tried(client: Client, page: URLPattern, parts: dict[str, Any]) -> list[Any]:
    """The answers to reading and to sending."""
    address = address_of(page, parts)
    if not address.startswith("/api/"):
        return [client.get(address), client.post(address, {"reason": "x", "note": "x"})]
    bodies = [BODIES.get(str(page.name), {}), {"note": "x"}, {"password": PASSWORD}]
    responses = [client.post(address, body, content_type="application/json") for body in bodies]
    readable = next((answer for answer in responses if answer.status_code != 422), responses[0])
    return [client.get(address), readable]


def test_what_names_something_of_another_casino_leads_to_nothing(
    parts: dict[str, Any], alpine: JackpotSystem
) -> None:
    there, wrong = logged_in("anna"), []
    stranger = logged_in("stranger")
    pages = {
        name: page
        for name, page in CLOSED.items()
        if page.pattern.converters and name not in OPEN_TO_ALL | REPORTS
    }
    for name, page in pages.items():
        codes = {answer.status_code for answer in tried(stranger, page, parts)}
        if not codes <= {404, 405} or codes == {405}:
            wrong.append((name, codes))
    assert not wrong
    missing = []
    for name, page in pages.items():
        codes = {answer.status_code for answer in tried(there, page, parts)}
        assert max(codes) < 500, name
        if codes <= {404, 405}:
            missing.append(name)
    assert set(missing) == NOT_THERE


def test_what_names_nothing_shows_nothing_of_another_casino(
    parts: dict[str, Any], alpine: JackpotSystem
) -> None:
    stranger, there = logged_in("stranger"), logged_in("anna")
    names = set()
    for name, page in CLOSED.items():
        if page.pattern.converters or name in OPEN_TO_ALL or name == "console-stream":
            continue
        for answer in tried(stranger, page, parts):
            assert answer.status_code < 500, name
            assert SECRET not in _text(answer).lower(), name
        if SECRET in "".join(map(_text, tried(there, page, parts))).lower():
            names.add(name)
    assert len(names) > 20, names  # it is there to be seen


def test_reports_show_nothing_of_another_casino(
    parts: dict[str, Any], alpine: JackpotSystem
) -> None:
    stranger, there = logged_in("stranger"), logged_in("anna")
    codes = set()
    for code in reports():
        address = reverse("report", args=[code])
        for asked_for in ({}, {"casino": "harbour"}):
            assert SECRET not in _text(stranger.get(address, asked_for)).lower(), code
        if SECRET in _text(there.get(address, {"casino": "harbour"})).lower():
            codes.add(code)
    assert len(codes) > 5, codes


def test_what_is_sent_names_nothing_of_another_casino(
    parts: dict[str, Any], alpine: JackpotSystem
) -> None:
    stranger, table = logged_in("stranger"), GamingTable.objects.get(code="t3")
    plays, incidents = StaffPlay.objects.count(), Incident.objects.count()
    body = {"person": person("mere").pk, "table": table.pk}
    assert stranger.post("/staff-at-play/", body).status_code == 404
    incident = {
        "system": SECRET,
        "happened_at": "2026-11-21T10:00:00Z",
        "kind": "button",
        "note": "x",
    }
    answer = as_("stranger").post("/api/incidents/", incident, format="json")
    assert answer.status_code in (400, 404, 422), answer.content
    assert (StaffPlay.objects.count(), Incident.objects.count()) == (plays, incidents)


def test_a_stream_says_the_values_of_ones_own_systems(
    parts: dict[str, Any], alpine: JackpotSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[Iterable[int] | None] = []

    def stream(_: HttpRequest, systems: Iterable[int] | None, *_words: object) -> HttpResponse:
        requests.append(systems)
        return HttpResponse()

    monkeypatch.setattr(display_views, "_stream", stream)
    logged_in("stranger").get("/live/stream")
    logged_in("mere").get("/live/stream")  # of all casinos
    assert requests == [[alpine.pk], None]


def test_who_decides_by_delegation_sees_the_claim(
    parts: dict[str, Any], alpine: JackpotSystem
) -> None:
    claim = Claim.objects.get(number=2)
    address = f"/claims/{SECRET}/2/"
    guest = User.objects.create(username="guest")
    roles.grant(guest, "Casino manager", alpine.casino)
    assert logged_in("guest").get(address).status_code == 404
    proposal = Proposal.objects.create(
        system=claim.system,
        kind="delegate_claim",
        subject="2",
        body={"hit": 2, "person": "guest", "capacity": "manager", "reason": "x", "left": []},
        person=person("sione"),
        key=uuid.uuid4(),
    )
    ProposalDecision.objects.create(
        proposal=proposal, agreed=True, command=900, person=person("ines")
    )
    assert logged_in("guest").get(address).status_code == 200


def _text(answer: Any) -> str:
    content = b"".join(answer) if answer.streaming else answer.content
    return bytes(content).decode(errors="replace")
