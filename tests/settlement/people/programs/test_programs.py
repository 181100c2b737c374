"""Programs that are nobody's: two people let one in, its tokens do what its scopes say."""

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement import tasks
from settlement.api import urls
from settlement.api.shared.base import JsonView
from settlement.core.errors import BadSetUp, NotPermitted, RuleBroken, WrongState
from settlement.models import (
    AccessToken,
    Action,
    Badge,
    Claim,
    Incident,
    Note,
    PasswordLogIn,
    Program,
    RoleChange,
    SecurityEvent,
    SetUpProposal,
)
from settlement.models.access import PROGRAM_SCOPES
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.programs import programs, tokens
from settlement.people.programs.programs import NewProgram
from settlement.people.rights import role_holders, roles
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.staff import persons
from settlement.set_up import proposals
from tables.models import Alarm, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.entrances import PAGES, address_of
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase

CLAIMS = "/api/claims/"
LOGIN = "counting-machine"
FORM: dict[str, Any] = {
    "name": "Counting machine",
    "username": LOGIN,
    "purpose": "Drop of the main floor",
    "owner": "ines",
    "casino": "harbour",
    "scopes": ["read:claims", "write:evidence", "write:incidents"],
    "password": PASSWORD,
}


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings) -> ClaimHouse:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    house = ClaimHouse()
    house.hit_royal()
    return house


def new(house: ClaimHouse, **more: Any) -> NewProgram:
    values: dict[str, Any] = {"username": LOGIN, "name": "Counting machine", "purpose": "Drop"}
    values |= {"owner": person("ines"), "scopes": ("read:claims", "write:evidence")}
    return NewProgram(**{**values, "casino": house.system.casino, **more})


def agree(name: str = "mere") -> None:
    proposals.agree(SetUpProposal.objects.latest("id"), Reauthenticated(person(name)))


def let_in(house: ClaimHouse, **more: Any) -> Program:
    """Made and agreed to, by the database's owner."""
    programs.add(person("hana"), new(house, **more))
    agree()
    return Program.objects.select_related("person").get()


def proved(name: str = "hana") -> Reauthenticated:
    """Somebody who has just given the password."""
    user = person(name)
    user.proof = SealedArgon2PasswordHasher().proof(PASSWORD, user.password)
    return Reauthenticated(user)


def status_of(secret: str, address: str, body: dict[str, Any] | None = None) -> int:
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    if body is None:
        return client.get(address).status_code
    return client.post(address, body, content_type="application/json").status_code


def secret_of(page: Any) -> str:
    (secret,) = re.findall(r"jmc_[\w-]{43}", page.content.decode())
    return str(secret)


def test_from_the_proposal_by_tokens_that_overlap_to_the_end(house: ClaimHouse) -> None:
    """By pages, as the web process serves them."""
    hana, mere = logged_in("hana"), logged_in("mere")
    address = f"/people/programs/{LOGIN}/"
    issue = {"do": "issue", "name": "Cage 1", "days": "90", "password": PASSWORD}
    with acting_as("web"):
        assert hana.post("/people/programs/", FORM)["Location"] == address
        assert "A second person must approve it" in words(hana.get(address))
        assert "waits for a second person" in words(hana.post(address, issue, follow=True))
        proposal = SetUpProposal.objects.latest("id")
        text = words(mere.get("/house-rules/"))
        assert "Counting machine: Program in Harbour" in text
        assert "For: Drop of the main floor" in text
        assert "ines answers for it" in text
        mere.post(f"/house-rules/proposals/{proposal.pk}/agree/", {"password": PASSWORD})
        refused = hana.post(address, issue | {"password": "guess"}, follow=True)
        assert "not your password" in words(refused)
        first = secret_of(hana.post(address, issue))
        assert first not in words(hana.get(address))  # it is shown once
        assert status_of(first, CLAIMS) == 200
        assert status_of(first, f"{CLAIMS}main-1/notes/", {"text": "Bag 12"}) == 200
        assert status_of(first, "/api/pools/") == 403  # not of its scopes
        token = AccessToken.objects.get()
        rotate = {"do": "rotate", "token": token.pk, "hours": "24", "days": "30"}
        second = secret_of(hana.post(address, rotate | {"password": PASSWORD}))
        assert [status_of(each, CLAIMS) for each in (first, second)] == [200, 200]
        token.refresh_from_db()
        assert token.expires_at < timezone.now() + dt.timedelta(hours=25)
        hana.post(f"/people/tokens/{token.pk}/end/")
        assert [status_of(each, CLAIMS) for each in (first, second)] == [401, 200]
        hana.post(address, {"do": "owner", "owner": "david"})
        hana.post(address, {"do": "end"})
        assert status_of(second, CLAIMS) == 401
        assert "The program has ended" in words(hana.get(address))
        trail = words(hana.get("/audit-trail/"))
        assert LOGIN in trail
    note = Note.objects.get()
    assert note.person.get_username() == LOGIN
    assert "Counting machine" in words(mere.get("/claims/main/1/"))
    assert LOGIN in words(logged_in("ines").get("/audit-trail/"))
    issued = SecurityEvent.objects.filter(what="token_issued", username=LOGIN)
    assert "Cage 1: hana" in issued.earliest("id").detail


def test_what_needs_a_person_is_refused_to_it(house: ClaimHouse) -> None:
    """By the service, for every operation, and by the database under the web role."""
    program = let_in(house, scopes=PROGRAM_SCOPES)
    _token, secret = programs.issue(proved(), program, "All", 30)
    proposal = {"kind": "second_manager", "casino": house.system.casino, "body": {"amount": 1}}
    waits = SetUpProposal.objects.create(**proposal, person=person("mere"))
    count = 0
    with acting_as("web", logged_in=False):
        for page in PAGES.values():
            view = getattr(page.callback, "cls", None)
            if view is None or not issubclass(view, JsonView):
                continue
            for method, body in (("get", None), ("post", {})):
                scope = getattr(view, f"{method}_scope", None)
                if scope is not None:
                    count += 1
                    is_refused = status_of(secret, address_of(page), body) in (401, 403)
                    assert is_refused == (scope not in PROGRAM_SCOPES), (page, method, scope)
        rejection = {"reason": "R04", "evidence": "Camera 12", "affected": True}
        claim = Claim.objects.get()
        show(secret)
        for kind in ("verify", "approve", "confirm", "pay", "propose_rejection", "dispute"):
            row = Action(claim=claim, person=program.person, kind=kind, body=rejection)
            row.key = uuid.uuid4()
            with pytest.raises(DatabaseError), transaction.atomic():
                row.save()
        with pytest.raises(DatabaseError), transaction.atomic():
            SetUpProposal.objects.create(**proposal, person=program.person)
        for agrees in (True, False):
            with pytest.raises(DatabaseError, match="is not there"), transaction.atomic():
                decide(program, waits, agrees)
        with pytest.raises((RuleBroken, DatabaseError)), transaction.atomic():
            persons.lock(program.person, person("mere"))
    assert count > 60
    assert not Action.objects.exists()


def decide(program: Program, waits: SetUpProposal, agrees: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT decide_set_up(%s, %s, %s, 'x')", [program.pk, waits.pk, agrees])


def show(secret: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('jackpot.shown', %s, false)", [secret])


def test_every_scope_of_it_is_a_scope_and_none_proposes() -> None:
    scopes = {
        getattr(pattern.callback.cls, f"{method}_scope", None)
        for pattern in urls.urlpatterns
        if hasattr(pattern.callback, "cls")
        for method in ("get", "post")
    }
    assert set(PROGRAM_SCOPES) < scopes
    assert "write:proposals" not in PROGRAM_SCOPES


def test_it_logs_in_nowhere_whoever_tries(house: ClaimHouse) -> None:
    program = let_in(house)
    login = program.person
    for password in ("", "!", PASSWORD):
        form_values = {"username": LOGIN, "password": password}
        assert Client().post("/login/", form_values).status_code != 302
    day = timezone.now() + dt.timedelta(days=1)
    tries: list[Any] = [
        lambda: User.objects.filter(pk=login.pk).update(password=person("mere").password),
        lambda: User.objects.filter(pk=login.pk).update(email="eve@example.org"),
        lambda: User.objects.filter(pk=login.pk).update(is_superuser=True),
        lambda: Badge.objects.create(person=login, number="77"),
        lambda: PasswordLogIn.objects.create(person=login, until=day, why="x"),
        lambda: Client().force_login(login, "settlement.people.passwords.Backend"),
        lambda: roles.grant(login, "Casino manager", house.system.casino),
        lambda: roles.grant(login, "Program"),  # of every casino
        lambda: roles.grant(person("sione"), "Program", house.system.casino),
        lambda: Program.objects.update(scopes=["read:drop"]),
        lambda: Program.objects.update(owner=login),
        lambda: Program.objects.all().delete(),
    ]
    for attempt in tries:
        with pytest.raises(IntegrityError), transaction.atomic():
            attempt()
    programs.end(person("hana"), program)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=login.pk).update(is_active=True)
    with acting_as("web"):
        assert not persons.unlock(person("hana"), login)  # it is proposed
        with pytest.raises(NotPermitted, match="for a program"):
            agree()


def test_tokens_are_within_its_reach_and_by_who_administers(house: ClaimHouse) -> None:
    side = JackpotSystem.objects.create(casino=house.system.casino, code="side", name="Side")
    program = let_in(house, systems=(side,))
    with acting_as("web"):
        _token, secret = programs.issue(proved(), program, "Side", 30)
        assert status_of(secret, f"{CLAIMS}main-1/notes/", {"text": "x"}) == 404
        for name in ("mere", "ines"):
            with pytest.raises(NotPermitted):
                programs.issue(proved(name), program, "x", 30)
        fields = {"person": program.person, "name": "x", "digest": "0" * 64}
        fields |= {"expires_at": timezone.now() + dt.timedelta(days=1)}
        fields |= {"proof": proved().user.proof}
        for wrong in (
            {"scopes": ["read:drop"], "systems": [side.pk], "issued_by": person("hana")},
            {"scopes": ["read:claims"], "systems": None, "issued_by": person("hana")},
            {"scopes": ["read:claims"], "systems": [side.pk]},  # nobody's
            {"scopes": ["read:claims"], "systems": [house.system.pk], "issued_by": person("hana")},
        ):
            with pytest.raises(DatabaseError), transaction.atomic():
                AccessToken.objects.create(**fields, **wrong)
        with pytest.raises(DatabaseError), transaction.atomic():
            AccessToken.objects.update(expires_at=timezone.now() + dt.timedelta(days=300))
    with acting_as("web", logged_in=False), pytest.raises(DatabaseError), transaction.atomic():
        programs.issue(proved(), program, "x", 30)  # hana is not there


def test_one_alone_makes_none(house: ClaimHouse) -> None:
    with acting_as("web"):
        programs.add(person("hana"), new(house))
        program = Program.objects.get()
        with pytest.raises(RuleBroken):
            agree("hana")
        with pytest.raises(WrongState):
            programs.issue(proved(), program, "x", 30)
        proposals.withdraw(SetUpProposal.objects.latest("id"), person("mere"), "Not needed")
        assert not programs.may_act(program)
        for wrong in ({"scopes": ("write:proposals",)}, {"scopes": ()}, {"purpose": " "}):
            with pytest.raises(RuleBroken):
                programs.add(person("hana"), new(house, username="other", **wrong))
        with pytest.raises(BadSetUp):  # the name is taken
            programs.add(person("hana"), new(house, username=LOGIN.upper()))
        with pytest.raises(NotPermitted):
            programs.add(person("mere"), new(house, username="other"))
    assert Program.objects.count() == 1
    assert not RoleChange.objects.filter(role=Group.objects.get(name="Program")).exists()


def test_no_page_takes_it_for_a_person(house: ClaimHouse) -> None:
    let_in(house)
    assert LOGIN not in words(logged_in("hana").get("/people/"))
    trail = logged_in("hana").get("/audit-trail/").content.decode()
    address = f"/people/log-in/{LOGIN}/"
    assert f'href="{address}"' in trail
    assert logged_in("hana").get(address).headers["Location"] == f"/people/programs/{LOGIN}/"
    assert logged_in("hana").get("/people/log-in/no-such-log-in/").status_code == 404
    assert person(LOGIN) not in role_holders.holders("view_claim")
    assert "1 program" in persons.open_work(person("ines"))
    assert logged_in("sione").get("/people/programs/").status_code == 403


def test_alarms_before_a_token_ends_and_when_nobody_answers(
    house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = let_in(house)
    programs.issue(proved(), program, "Cage 1", 30)
    with acting_as("worker"):
        tasks.watch_credentials()
    assert not Alarm.objects.filter(kind=programs.ENDING).exists()
    token = AccessToken.objects.get()
    programs.rotate(proved(), token, 30, 24)  # the old one ends tomorrow, the new one later
    with acting_as("worker"):
        tasks.watch_credentials()
    assert not Alarm.objects.filter(kind=programs.ENDING).exists()
    later = timezone.now() + dt.timedelta(days=17)
    with monkeypatch.context() as patch, acting_as("worker"):
        patch.setattr(timezone, "now", lambda: later)
        tasks.watch_credentials()
    alarm = Alarm.objects.get(kind=programs.ENDING)
    assert (alarm.subject, "rotate it" in alarm.message) == (f"{LOGIN}: Cage 1", True)
    User.objects.filter(username="ines").update(is_active=False)
    with acting_as("worker"):
        tasks.watch_credentials()
    assert Alarm.objects.get(kind=programs.UNOWNED).subject == LOGIN
    assert Incident.objects.count() == 0
    assert tokens.open_tokens(program.person).count() == 2


def test_it_stands_in_no_list_of_people(house: ClaimHouse) -> None:
    let_in(house)
    for name, address in (("mere", "/staff-at-play/"), ("mere", "/second-factors/")):
        answer = logged_in(name).get(address)
        assert answer.status_code == 200
        assert "Counting machine" not in words(answer), address
    machine = person(LOGIN)
    answer = logged_in("mere").post(f"/second-factors/{machine.pk}/reset/", {"password": PASSWORD})
    assert answer.status_code == 404
