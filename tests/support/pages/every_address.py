"""A casino in which each list has something to show, and the parts of all its addresses."""

import datetime as dt
import io
import uuid
from typing import Any

from django.contrib.auth.models import Group
from django.urls import URLPattern, reverse
from django.utils import timezone
from PIL import Image

from jackpot.models import Checkpoint, HouseLook, Screen, Slide, WitnessAnswer, WitnessContact
from jackpot.terms.money import MICROS
from jackpot.transparency import notes
from settlement.core.gaming_day import today
from settlement.exclusions import long_files
from settlement.exclusions.entries import ExclusionList, Person, take_in
from settlement.models import (
    AccessToken,
    Finding,
    Handover,
    Identification,
    Incident,
    Invitation,
    MoneyCount,
    Payout,
    Proposal,
    ReportExport,
    ReportSchedule,
    Ruling,
    SavedView,
    SetUpProposal,
    Sharer,
    StaffPlay,
    TaxRemittance,
    WebhookEndpoint,
)
from settlement.people.programs import programs
from tables.alarms import raise_alarm
from tables.models import (
    Alarm,
    Casino,
    GamingTable,
    IntakePulse,
    JackpotSystem,
    Quarantine,
    TableEvent,
)
from tables.protocol import messages
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.api_keys import ADJUST
from tests.support.people.cast import PASSWORD, REASON, as_
from tests.support.people.roles import owner_without_guards
from tests.support.play.books import royal_terms

SECRET = "sekret"  # in every name of the first casino
_INCIDENT = {"system": "main", "happened_at": "2026-11-21T10:00:00Z", "kind": "button"}
_TERMS = royal_terms(name=f"{SECRET} terms")
_PAID = {"line": 1, "parts_micros": {"cash": MICROS}, "password": PASSWORD}
_SHARER = {"seat": 3, "amount_micros": MICROS, "name": SECRET, "born": "1979-08-07"}
_SHARER |= {"document": "passport", "document_number": "LK 41"}
_POSTS: list[tuple[str, str, dict[str, Any]]] = [
    ("aroha", "claims/main-1/sharers/", _SHARER),
    ("aroha", "claims/main-1/pay/", _PAID),
    ("mere", "claims/main-2/notes/", {"text": f"{SECRET} lounge"}),
    ("mere", "claims/main-2/propose-rejection/", REASON),
    ("tane", "incidents/", _INCIDENT | {"note": f"{SECRET}: stuck", "table": "t3"}),
    ("sione", "pools/main/royal/propose-adjustment/", ADJUST),
    ("sione", "systems/main/propose-terms/", {"terms": _TERMS, "force": f"{SECRET} name"}),
]
WEBHOOK_API = (
    *("api-webhook-deliveries", "api-webhook-replay", "api-webhook-end"),
    *("api-webhook-secret", "api-webhook-test"),
)
SCREEN_PAGES = ("screen-page", "screen-shows", "screen-preview", "screen-win")
INVITATION_PAGES = ("invitation-revoke", "api-invitation-revoke")  # each revokes its own
ROLE_API = ("api-account-proposal-approve", "api-account-proposal-withdraw")  # each its own
EXPORTS = ("export-cancel", "export-again", "export-download", "export-archive-download")


def seed_data() -> JackpotSystem:
    """A casino in which each list has something to show."""
    house = ConfirmedHouse()
    house.hit_royal("t7")
    house.press("t3")
    house.say("t3", messages.VoidRequested, round=2, reason="wrong_count", note=f"{SECRET} cards")
    house.say("t3", messages.RoundsMissed, count=2)
    house.post()
    for who, address, body in _POSTS:
        answer = as_(who).post(f"/api/{address}", body, format="json")
        assert answer.status_code in (200, 201, 202), answer.content
        house.post()
    raise_alarm("presses", f"{SECRET} t3", f"{SECRET}: silent", house.system)
    raise_alarm("role_password", SECRET, f"{SECRET}: of no system")
    GamingTable.objects.update(name=f"{SECRET} table")
    Casino.objects.update(name=f"{SECRET} casino")
    with owner_without_guards("tables_jackpotsystem"):  # a code never changes
        JackpotSystem.objects.update(code=SECRET, name=f"{SECRET} floor")
    system = JackpotSystem.objects.get()
    IntakePulse.objects.create(
        name=SECRET, heard_at=timezone.now(), release=SECRET, username=SECRET
    )
    _log(system)
    return system


def _create_rows(system: JackpotSystem) -> dict[str, int]:
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
    count = MoneyCount.objects.create(
        system=system,
        kind=MoneyCount.Kind.BANK,
        day="2026-11-01",
        amount=1,
        expected=0,
        note=SECRET,
        command=1,
        person=mere,
        key=uuid.uuid4(),
    )
    bad = {"explanation": SECRET, "received_at": now, "body": b"x", "size": 1, "sha256": b"x"}
    quarantined = Quarantine.objects.create(topic=SECRET, table=table, reason="conflict", **bad)
    Quarantine.objects.create(topic=SECRET, table=None, reason="conflict", **bad)
    fields = {"casino": system.casino, "report": "payouts", "formats": ["csv"], "person": mere}
    schedule = ReportSchedule.objects.create(**fields, moment="day", mail_to=SECRET)
    days = {"from": "2026-11-21", "to": "2026-11-21", "system": SECRET}
    export = ReportExport.objects.create(**fields, filters=days, key=uuid.uuid4())
    return {
        "handover-signed": handover.pk,
        **dict.fromkeys(("play-leave", "play-word"), play.pk),
        **dict.fromkeys(("missed-countersign", "api-ruling", "api-countersign"), missed.pk),
        "quarantined": quarantined.pk,
        "finding-step": Finding.objects.create(count=count, limit=0).pk,
        **dict.fromkeys(EXPORTS, export.pk),
        "schedule-end": schedule.pk,
        **_exclusions(system),
        **dict.fromkeys(("remittance-reverse", "api-remittance-reverse"), _remitted(system)),
    }


def _exclusions(system: JackpotSystem) -> dict[str, int]:
    """An entry of a list of excluded persons, and a list on its way in."""
    somebody = Person(SECRET, dt.date(1980, 1, 1), "self", dt.date(2025, 1, 1), SECRET)
    row = take_in(system.casino, person("ines"), ExclusionList(SECRET, [somebody]))
    content = f"name,born,kind,from,reference\n{SECRET},1980-01-01,self,2025-01-01,{SECRET}\n"
    file = long_files.read(system.casino, person("ines"), SECRET, io.BytesIO(content.encode()))
    entry = row.entries.get().pk
    files = ("", "-confirm", "-stop", "-continue", "-leave")
    return {
        **dict.fromkeys(("exclusion-end", "api-exclusion-end"), entry),
        **dict.fromkeys(("exclusions-file", *(f"api-exclusion-file{x}" for x in files)), file.pk),
    }


def _remitted(system: JackpotSystem) -> int:
    row = TaxRemittance.objects.create(
        system=system,
        kind=TaxRemittance.Kind.REMIT,
        amount=1,
        reference=SECRET,
        command=1,
        person=person("mere"),
        key=uuid.uuid4(),
    )
    return row.pk


def _set_up_proposals(system: JackpotSystem) -> dict[str, int]:
    """What waits for a second person."""
    return {
        **dict.fromkeys(("set-up-agree", "set-up-withdraw"), _proposed(system)),
        **{name: _role_waits(system) for name in ROLE_API},
        **{name: _invited(system, name) for name in INVITATION_PAGES},
    }


def _proposed(system: JackpotSystem) -> int:
    """A rule of the house that waits for a second person."""
    body = {"amount": 1}
    return SetUpProposal.objects.create(
        kind="second_manager", casino=system.casino, body=body, person=person("hana")
    ).pk


def _role_waits(system: JackpotSystem) -> int:
    """A role that somebody would get."""
    role = Group.objects.get(name="Cashier").pk
    body = {"person": person("tane").pk, "role": role, "until": None}
    return SetUpProposal.objects.create(
        kind="give_role", casino=system.casino, body=body, person=person("hana")
    ).pk


def _invited(system: JackpotSystem, name: str) -> int:
    row = Invitation.objects.create(
        username=f"{SECRET}-{name}",
        last_name=SECRET,
        role=Group.objects.get(name="Cashier"),
        casino=system.casino,
        digest=name,
        person=person("hana"),
        alone=True,
        expires_at=timezone.now() + dt.timedelta(days=1),
    )
    return row.pk


def _endpoint(system: JackpotSystem) -> int:
    """Where what happens is sent."""
    return WebhookEndpoint.objects.create(
        casino=system.casino,
        name=SECRET,
        url=f"https://{SECRET}.example/",
        events=["alarm.raised"],
        secret=b"x",
        key=uuid.uuid4(),
        person=person("hana"),
    ).pk


def _screen(system: JackpotSystem) -> int:
    return Screen.objects.create(
        casino=system.casino,
        name=SECRET,
        layouts=["main"],
        seconds=15,
        turn=0,
        sound=False,
        digest="z",
    ).pk


def _slide(system: JackpotSystem) -> int:
    """What a house promotes, with a picture."""
    return Slide.objects.create(
        casino=system.casino,
        is_line=False,
        title=SECRET,
        text=SECRET,
        picture=SECRET.encode(),
        picture_type="image/png",
        picture_digest=SECRET,
        seconds=10,
        days=[1],
    ).pk


def _look(system: JackpotSystem) -> None:
    """The house's logo."""
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "teal").save(file, "PNG")
    logo = {"picture": file.getvalue(), "picture_type": "image/png", "picture_digest": SECRET}
    colours = {"background": "#07090c", "text": "#ffffff", "accent": "#e8bd5e"}
    HouseLook.objects.create(casino=system.casino, font="sans", **colours, **logo)


def _program(system: JackpotSystem) -> str:
    """A program that is nobody's, which waits for a second person; its log-in."""
    new = programs.NewProgram(
        username=f"{SECRET}-program",
        name=SECRET,
        purpose=SECRET,
        owner=person("ines"),
        scopes=("read:floor",),
        casino=system.casino,
    )
    return str(programs.add(person("hana"), new).person.username)


def _token() -> int:
    person_shown = person("mere")
    return AccessToken.objects.create(
        person=person_shown,
        name=SECRET,
        scopes=["read:floor"],
        digest="y",
        expires_at=timezone.now() + dt.timedelta(days=1),
    ).pk


def _view() -> int:
    """A list as somebody of the casino wants it."""
    return SavedView.objects.create(person=person("mere"), page="claims", name=SECRET, query="").pk


def _log(system: JackpotSystem) -> None:
    """A checkpoint, a witness that cosigned it, and one that did not."""
    line = notes.signature_line(SECRET, b"abcd", bytes(64))
    checkpoint = Checkpoint.objects.create(
        system=system,
        size=1,
        root=bytes(32),
        note=f"{SECRET}\n1\n\n\n{line}",
        at=timezone.now(),
        cause="interval",
        leaves=bytes(32),
        peaks=[],
        pools={},
    )
    now = timezone.now()
    for status, text in ((200, line), (422, SECRET)):
        witness = f"{SECRET}-{status}"
        WitnessContact.objects.create(system=system, witness=witness, fault=SECRET)
        WitnessAnswer.objects.create(
            checkpoint=checkpoint, witness=witness, at=now, status=status, text=text
        )


def parts_of(system: JackpotSystem) -> dict[str, Any]:
    """Parts of the addresses of that casino; `numbers` by the name of the address."""
    event = TableEvent.objects.get(type="void_requested").pk
    adjusted = Proposal.objects.get(kind="adjust_pool").pk
    drafted = Proposal.objects.get(kind="put_terms").pk
    filed = Incident.objects.get().pk
    numbers = {
        **_create_rows(system),
        **_set_up_proposals(system),
        **dict.fromkeys(("player", "api-propose-same-player"), Identification.objects.get().pk),
        **dict.fromkeys(("webhook", *WEBHOOK_API), _endpoint(system)),
        **dict.fromkeys(SCREEN_PAGES, _screen(system)),
        **dict.fromkeys(("slide",), _slide(system)),
        "anothers-token-end": _token(),
        "view-change": _view(),
        **dict.fromkeys(("request-refuse", "api-refuse-request"), event),
        **dict.fromkeys(("incident-resolve", "api-incident", "api-resolve-incident"), filed),
        **dict.fromkeys(("proposal-approve", "proposal-agree", "proposal-withdraw"), adjusted),
        **dict.fromkeys(("api-proposal", "api-approve-proposal"), adjusted),
        **dict.fromkeys(("api-agree", "api-withdraw"), adjusted),
        **dict.fromkeys(("terms-proposal", "api-draft"), drafted),
    }
    _look(system)
    return {
        "numbers": numbers,
        "usernames": {"program": _program(system)},  # by the name of the address
        **dict.fromkeys(("system", "code"), SECRET),
        "casino": system.casino.code,
        "table": "t3",
        "tier": "royal",
        "day": str(today(system.casino)),
        "report": "payouts",
        "place": 0,
        **dict.fromkeys(("size", "old"), 1),
        "start": "0123456789abcdef",
        "rest": "nothing",  # of public pages
        "jackpot": royal_terms()["code"],
        "alarm": Alarm.objects.earliest("id").pk,
        "payout": Payout.objects.get().pk,
        "sharer": Sharer.objects.get().pk,
        "draft": "w_2g",
        "username": "anna",
        "secret": "guessed",
        "intake": SECRET,
        "digest": SECRET,
        "page": "claims",
        "rule": "19.7",
        "role": "cashier",
        "purpose": "confirm",
        "operation": "pay_claim",
    }


def address_of(page: URLPattern, parts: dict[str, Any]) -> str:
    number = parts["numbers"].get(page.name, 1)
    values = {**dict.fromkeys(("number", "entry", "event", "file", "stop"), 1), **parts}
    values["number"] = number
    values["username"] = parts["usernames"].get(page.name, parts["username"])
    return reverse(str(page.name), kwargs={part: values[part] for part in page.pattern.converters})
