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
from django.utils import timezone

from jackpot.display import views as display_views
from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import (
    Claim,
    Handover,
    Incident,
    Payout,
    Proposal,
    ProposalDecision,
    Ruling,
    StaffPlay,
)
from settlement.people import roles
from tables.alarms import raise_alarm
from tables.models import Alarm, Casino, GamingTable, JackpotSystem, Quarantine, TableEvent
from tables.protocol import messages
from tests.support.api_keys import ADJUST, HAND, VOID
from tests.support.books import royal_terms
from tests.support.cast import PASSWORD, REASON, as_
from tests.support.confirmed import ConfirmedHouse, person
from tests.support.entrances import CLOSED, ONES_OWN
from tests.support.page_staff import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

SECRET = "sekret"  # in every name of the first casino
# Nothing of a casino is in them: what documents the API, and what is a person's own.
OPEN_TO_ALL = {"api-schema", "api-docs", "tokens", "token-end", *ONES_OWN}
# Of these nothing is there to be found, or not by this person: they are tried all the same.
NOT_THERE = {"claim-attachment", "withdrawal-decide", "table-move"}


INCIDENT = {"system": "main", "happened_at": "2026-11-21T10:00:00Z", "kind": "button"}
TERMS = royal_terms(name=f"{SECRET} terms")
PAID = {"line": 1, "parts_micros": {"cash": MICROS}, "password": PASSWORD}
POSTS: list[tuple[str, str, dict[str, Any]]] = [
    ("aroha", "claims/main-1/pay/", PAID),
    ("mere", "claims/main-2/notes/", {"text": f"{SECRET} lounge"}),
    ("mere", "claims/main-2/propose-rejection/", REASON),
    ("tane", "incidents/", INCIDENT | {"note": f"{SECRET}: stuck", "table": "t3"}),
    ("sione", "pools/main/royal/propose-adjustment/", ADJUST),
    ("sione", "systems/main/propose-terms/", {"terms": TERMS, "force": f"{SECRET} name"}),
]


@pytest.fixture
def system() -> JackpotSystem:
    """A casino in which each list has something to show."""
    house = ConfirmedHouse()
    house.hit_royal("t7")
    claims.catch_up(house.system)
    house.press("t3")
    house.say("t3", messages.VoidRequested, round=2, reason="wrong_count", note=f"{SECRET} cards")
    house.say("t3", messages.RoundsMissed, count=2)
    house.post()
    for who, address, body in POSTS:
        answer = as_(who).post(f"/api/{address}", body, format="json")
        assert answer.status_code in (200, 201, 202), answer.content
        house.post()
    claims.catch_up(house.system)
    raise_alarm("silent", f"{SECRET} t3", f"{SECRET}: silent", house.system)
    raise_alarm("broker", SECRET, f"{SECRET}: of no system")
    GamingTable.objects.update(name=f"{SECRET} table")
    Casino.objects.update(name=f"{SECRET} casino")
    JackpotSystem.objects.update(code=SECRET, name=f"{SECRET} floor")
    return JackpotSystem.objects.get()


def written(system: JackpotSystem) -> dict[str, int]:
    """What has a number of its own and is written here by hand, by its address."""
    table = GamingTable.objects.get(code="t3")
    mere, sione, now = person("mere"), person("sione"), timezone.now()
    missed = Ruling.objects.create(
        system=system,
        table=table,
        kind="missed_rounds",
        note=SECRET,
        count=1,
        day="2026-11-21",
        command=1,
        person=sione,
        key=uuid.uuid4(),
    )
    both = {"outgoing": sione, "incoming": mere, "key": uuid.uuid4()}
    handover = Handover.objects.create(
        casino=system.casino, remarks=SECRET, body=[], at=now, **both
    )
    play = StaffPlay.objects.create(
        person=mere, table=table, since=now, said_by=sione, at=now, note=SECRET
    )
    bad = {"explanation": SECRET, "received_at": now, "body": b"x", "size": 1, "sha256": b"x"}
    quarantined = Quarantine.objects.create(topic=SECRET, table=table, reason="conflict", **bad)
    Quarantine.objects.create(topic=SECRET, table=None, reason="conflict", **bad)
    return {
        "handover-signed": handover.pk,
        **dict.fromkeys(("play-leave", "play-word"), play.pk),
        **dict.fromkeys(("missed-countersign", "api-ruling", "api-countersign"), missed.pk),
        "quarantined": quarantined.pk,
    }


@pytest.fixture
def parts(system: JackpotSystem) -> dict[str, Any]:
    """Parts of the addresses of that casino; `numbers` by the name of the address."""
    event = TableEvent.objects.get(type="void_requested").pk
    adjusted = Proposal.objects.get(kind="adjust_pool").pk
    drafted = Proposal.objects.get(kind="put_terms").pk
    filed = Incident.objects.get().pk
    numbers = {
        **written(system),
        **dict.fromkeys(("request-refuse", "api-refuse-request"), event),
        **dict.fromkeys(("incident-resolve", "api-incident", "api-resolve-incident"), filed),
        **dict.fromkeys(("proposal-approve", "proposal-agree", "proposal-withdraw"), adjusted),
        **dict.fromkeys(("api-proposal", "api-approve-proposal"), adjusted),
        **dict.fromkeys(("api-agree", "api-withdraw"), adjusted),
        **dict.fromkeys(("terms-proposal", "api-draft"), drafted),
    }
    return {
        "numbers": numbers,
        **dict.fromkeys(("system", "code"), SECRET),
        "table": "t3",
        "tier": "royal",
        "jackpot": royal_terms()["code"],
        "alarm": Alarm.objects.earliest("id").pk,
        "payout": Payout.objects.get().pk,
    }


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


def address_of(page: URLPattern, parts: dict[str, Any]) -> str:
    number = parts["numbers"].get(page.name, 1)
    known = {**dict.fromkeys(("number", "entry", "event", "file", "stop"), 1), **parts}
    known["number"] = number
    return reverse(str(page.name), kwargs={part: known[part] for part in page.pattern.converters})


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
    sent = [client.post(address, body, content_type="application/json") for body in bodies]
    readable = next((answer for answer in sent if answer.status_code != 422), sent[0])
    return [client.get(address), readable]


def test_what_names_something_of_another_casino_leads_to_nothing(
    parts: dict[str, Any], alpine: JackpotSystem
) -> None:
    there, wrong = logged_in("anna"), []
    stranger = logged_in("stranger")
    named = {
        name: page
        for name, page in CLOSED.items()
        if page.pattern.converters and name not in OPEN_TO_ALL
    }
    for name, page in named.items():
        codes = {answer.status_code for answer in tried(stranger, page, parts)}
        if not codes <= {404, 405} or codes == {405}:
            wrong.append((name, codes))
    assert not wrong
    missing = []
    for name, page in named.items():
        codes = {answer.status_code for answer in tried(there, page, parts)}
        assert max(codes) < 500, name
        if codes <= {404, 405}:
            missing.append(name)
    assert set(missing) == NOT_THERE


def test_what_names_nothing_shows_nothing_of_another_casino(
    parts: dict[str, Any], alpine: JackpotSystem
) -> None:
    stranger, there = logged_in("stranger"), logged_in("anna")
    shown = set()
    for name, page in CLOSED.items():
        if page.pattern.converters or name in OPEN_TO_ALL or name == "console-stream":
            continue
        for answer in tried(stranger, page, parts):
            assert answer.status_code < 500, name
            assert SECRET not in _text(answer).lower(), name
        if SECRET in "".join(map(_text, tried(there, page, parts))).lower():
            shown.add(name)
    assert len(shown) > 20, shown  # it is there to be seen


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

    def stream(_request: HttpRequest, systems: Iterable[int] | None) -> HttpResponse:
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
