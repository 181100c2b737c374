"""Access tokens: programs do with them what their scopes say, and never more than their person."""

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.api import urls
from settlement.api.shared.base import JsonView
from settlement.core.errors import NotPermitted, WrongState
from settlement.models import (
    AccessToken,
    Action,
    Claim,
    Identification,
    Incident,
    Note,
    SecurityEvent,
    Sharer,
)
from settlement.people.factors import factor_resets
from settlement.people.programs import tokens
from settlement.people.programs.tokens import Reach
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.scopes import PERSON, SCOPES
from tables.models import JackpotSystem
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.access.factors import give_app
from tests.support.people.cast import PASSWORD, ClaimHouse, hire
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase

CLAIMS = "/api/claims/"


SHARING = ("write:evidence", "write:sharers")
NOTED = {"kind": "button", "note": "Stuck"}


def issued(name: str = "mere", days: int = 30, reach: Reach | None = None) -> str:
    person = Reauthenticated(User.objects.get(username=name))
    return tokens.issue(person, "Signage", days, reach)[1]


def answer_to(secret: str, address: str = CLAIMS, method: str = "get") -> tuple[int, str]:
    answer = getattr(Client(headers={"Authorization": f"Bearer {secret}"}), method)(address)
    return answer.status_code, answer.content.decode()


def test_from_the_page_to_a_reading_and_its_end(
    fresh_database: FreshDatabase, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    ClaimHouse().hit_royal()
    client = logged_in("mere")
    with acting_as("web"):
        assert "You have no token" in words(client.get("/tokens/"))
        fields = {"name": "Signage", "days": 30, "password": PASSWORD, "scopes": ["read:claims"]}
        page = client.post("/tokens/", fields).content.decode()
        (secret,) = re.findall(r"jmc_[\w-]{43}", page)
        status, body = answer_to(secret)
        assert status == 200
        assert '"number":1' in body
        assert answer_to(secret, "/api/pools/")[0] == 403
        page_words = words(client.get("/tokens/"))
        assert "Signage" in page_words
        assert "Read claims and what stops them" in page_words
        assert secret not in page_words  # it is shown once
        token = AccessToken.objects.get()
        assert token.used_at is not None
        client.post(f"/tokens/{token.pk}/end/")
        status, body = answer_to(secret)
        assert status == 401
        assert "issues a new one" in body
    assert secret not in AccessToken.objects.values_list("digest", flat=True)


@pytest.mark.django_db
def test_no_password_is_hashed_for_a_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    ClaimHouse().hit_royal()
    secret = issued()

    def hashed(*_args: object, **_keywords: object) -> None:
        raise AssertionError("a password was hashed")

    monkeypatch.setattr(hashers, "verify_password", hashed)
    assert answer_to(secret)[0] == 200


@pytest.mark.django_db
@pytest.mark.parametrize("superuser", [False, True])
def test_the_holder_is_the_person_who_issued_it(superuser: bool) -> None:
    hire()
    names = {"first_name": "Mere", "last_name": "Kahu", "email": "mere@example.org"}
    User.objects.filter(username="mere").update(**names, is_superuser=superuser)
    holder = tokens.holder(issued())
    assert holder is not None
    person, token = User.objects.get(username="mere"), AccessToken.objects.get()
    for field in User._meta.concrete_fields:  # what was not read comes when it is asked for
        assert getattr(holder.person, field.attname) == getattr(person, field.attname)
    for of_token in AccessToken._meta.concrete_fields:
        if of_token.attname != "used_at":
            assert getattr(holder, of_token.attname) == getattr(token, of_token.attname)


@pytest.mark.django_db
def test_what_has_no_scope_is_a_persons() -> None:
    ClaimHouse().hit_royal()
    everything = Reach(tuple(tokens.scopes_of(User.objects.get(username="mere"))))
    secret = issued(reach=everything)
    for act in ("verify", "confirm", "pay", "second-rejection", "release"):
        status, body = answer_to(secret, f"{CLAIMS}main-1/{act}/", "post")
        assert (status, "No access token does this" in body) == (403, True), act
    assert status_of(secret, CLAIMS, {}) == 405


def status_of(secret: str, address: str, body: dict[str, Any]) -> int:
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    return client.post(address, body, content_type="application/json").status_code


def test_what_a_token_may_the_database_asks_too(fresh_database: FreshDatabase) -> None:
    """By the role of the web process: within its scopes, its systems and its person's role."""
    house = ClaimHouse()
    house.hit_royal()
    note, incident = f"{CLAIMS}main-1/notes/", "/api/incidents/"
    stuck = {"system": "main", "kind": "button", "note": "Stuck"}
    stuck |= {"happened_at": "2026-11-21T10:00:00Z", "table": "t3"}
    other = JackpotSystem.objects.create(casino=house.system.casino, code="side", name="Side")
    noting = issued(reach=Reach(("write:evidence", "read:claims")))
    elsewhere = issued(reach=Reach(("write:evidence", "read:claims"), (other,)))
    reading = issued()
    rejection = {"reason": "R04", "evidence": "Camera 12", "affected": True}
    with acting_as("web", logged_in=False):
        assert status_of(noting, note, {"text": "In the lounge"}) == 200
        assert status_of(noting, incident, stuck) == 403
        assert status_of(reading, note, {"text": "At the bar"}) == 403
        assert status_of(elsewhere, note, {"text": "At the bar"}) == 404
        assert answer_to(elsewhere)[1] == '{"next":null,"results":[]}'
        # Whoever holds the web process holds no scope that the token has not.
        claim, mere = Claim.objects.get(), User.objects.get(username="mere")
        for secret in (noting, reading, elsewhere, "jmc_guessed"):
            show(secret)
            for row in (
                Action(claim=claim, person=mere, kind="propose_rejection", body=rejection),
                Incident(system=house.system, person=mere, happened_at=timezone.now(), **NOTED),
            ):
                row.key = uuid.uuid4()
                with pytest.raises(ProgrammingError, match="is not there"), transaction.atomic():
                    row.save()
    assert Note.objects.count() == 1


def test_sharers_have_a_scope_of_their_own(fresh_database: FreshDatabase) -> None:
    """What adds notes enters nobody who shares a prize, nor does a token say who a player is."""
    house = ConfirmedHouse()
    evidence, own = (issued("aroha", reach=Reach((each,))) for each in SHARING)
    address = f"{CLAIMS}main-1/sharers/"
    jo = {"seat": 3, "amount_micros": 10**6, "name": "Jo Falk", "born": "1979-08-07"}
    jo |= {"document": "passport", "document_number": "LK 41-88"}
    with acting_as("web", logged_in=False):
        assert status_of(evidence, address, jo) == 403
        assert status_of(own, address, jo) == 201
        who: dict[str, Any] = {"claim": house.claim, "person": User.objects.get(username="aroha")}
        who |= {"name": "Jo", "born": "1979-08-07", "document": "passport", "document_number": "1"}
        for secret, place in ((evidence, {"shares": 3}), (own, {"seat": 3})):
            show(secret)
            with pytest.raises(ProgrammingError, match="is not there"), transaction.atomic():
                Identification(**who, **place, key=uuid.uuid4()).save()
    assert Sharer.objects.count() == 1


def show(secret: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('jackpot.shown', %s, false)", [secret])


@pytest.mark.django_db
def test_a_scope_is_never_more_than_the_role() -> None:
    ClaimHouse().hit_royal()
    assert "write:drop" not in tokens.scopes_of(User.objects.get(username="tane"))
    for scopes in (("write:drop",), ("read:claims", "read:all"), ()):
        with pytest.raises(NotPermitted):
            issued("tane", reach=Reach(scopes))
    secret = issued("aroha", reach=Reach(("write:drop",)))
    roles.revoke(User.objects.get(username="aroha"), "Cashier")
    roles.grant(User.objects.get(username="aroha"), "Surveillance")
    assert status_of(secret, "/api/systems/main/drop/", {"counts": []}) == 403


def test_an_administrator_sees_and_ends_them(fresh_database: FreshDatabase) -> None:
    hire()
    issued()
    token = AccessToken.objects.get()
    assert logged_in("mere").post(f"/people/tokens/{token.pk}/end/").status_code == 403
    client = logged_in("hana")
    page = words(client.get("/people/tokens/"))
    assert "Signage" in page
    with acting_as("web", logged_in=False):
        token.revoked_at, token.ended_by = timezone.now(), User.objects.get(username="hana")
        with pytest.raises(ProgrammingError, match="is not there"), transaction.atomic():
            token.save(update_fields=["revoked_at", "ended_by"])
    client.post(f"/people/tokens/{token.pk}/end/")
    token.refresh_from_db()
    assert (token.revoked_at is not None, token.ended_by.username) == (True, "hana")
    ended = SecurityEvent.objects.get(what="token_ended")
    assert (ended.username, ended.detail) == ("mere", "Signage: hana")


def test_every_operation_says_its_scope() -> None:
    """A scope of the list, or that a person does it; so that none is forgotten."""
    scopes = set()
    for view in {
        pattern.callback.cls for pattern in urls.urlpatterns if hasattr(pattern.callback, "cls")
    }:
        if not issubclass(view, JsonView):
            continue
        for method in ("get", "post"):
            assert hasattr(view, method) == hasattr(view, f"{method}_scope"), (view, method)
            if hasattr(view, method):
                scopes.add(getattr(view, f"{method}_scope"))
    assert scopes == {*SCOPES, PERSON}


@pytest.mark.django_db
def test_no_token_reads_past_a_second_factor(settings: Settings) -> None:
    ClaimHouse().hit_royal()
    mere, tane, sione = issued(), issued("tane"), issued("sione")
    give_app("sione")  # the first: what was issued without one ends
    assert [answer_to(each)[0] for each in (mere, sione)] == [200, 401]
    settings.SECOND_FACTOR_DEMANDED = True
    status, body = answer_to(mere)
    assert status == 401
    assert "Your role needs a second factor" in body
    assert answer_to(tane)[0] == 200  # looks on only
    sione = issued("sione")
    assert answer_to(sione)[0] == 200
    give_app("sione")
    assert answer_to(sione)[0] == 200
    factor_resets.reset_as_owner(User.objects.get(username="sione"))
    assert answer_to(sione)[0] == 401
    give_app("sione")
    assert answer_to(sione)[0] == 401


@pytest.mark.django_db
def test_whose_time_or_person_is_gone_reads_nothing() -> None:
    ClaimHouse().hit_royal()
    secret, other = issued(), issued("aroha")
    User.objects.filter(username="aroha").update(is_active=False)
    past = timezone.now() - dt.timedelta(days=31)
    AccessToken.objects.filter(person__username="mere").update(
        made_at=past, expires_at=past + dt.timedelta(days=30)
    )
    assert [answer_to(each)[0] for each in (secret, other, "jmc_guessed", "", "a b")] == [401] * 5
    assert answer_to(issued("david"))[0] == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"password": "guess"}, "That is not your password"),
        ({"days": "400"}, "less than or equal to 366"),
        ({"name": " "}, "This field is required"),
        ({"scopes": "write:drop"}, "is not one of the available choices"),
    ],
)
def test_what_is_refused_issues_nothing(fields: dict[str, str], says: str) -> None:
    hire()
    client = logged_in("mere")
    form_values = {"name": "Signage", "days": "30", "password": PASSWORD, "scopes": "read:claims"}
    form_values |= fields
    answer = client.post("/tokens/", form_values)
    assert (answer.status_code, AccessToken.objects.count()) == (422, 0)
    assert says in words(answer)


@pytest.mark.django_db
def test_nobody_has_too_many_or_ends_another_persons() -> None:
    hire()
    for _ in range(tokens.MOST_OPEN):
        issued()
    with pytest.raises(WrongState, match="end one"):
        issued()
    token = AccessToken.objects.earliest("pk")
    logged_in("aroha").post(f"/tokens/{token.pk}/end/")
    token.refresh_from_db()
    assert token.revoked_at is None


def test_the_web_role_issues_and_revives_none(fresh_database: FreshDatabase) -> None:
    """Whoever has the web role's password gives nobody a token, and an ended one stays ended."""
    ClaimHouse()
    issued()
    token = AccessToken.objects.get()
    tokens.end(token.person, token.pk)
    with acting_as("web"):
        with pytest.raises(ProgrammingError, match="was not shown"):
            issued("ines")
        AccessToken.objects.update(revoked_at=None)
        with pytest.raises(IntegrityError, match="366 days"):
            AccessToken.objects.create(
                person=token.person,
                name="Long",
                scopes=["read:claims"],
                digest="0" * 64,
                expires_at=timezone.now() + dt.timedelta(days=400),
            )
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert SecurityEvent.objects.filter(what="token_issued", username="mere").exists()


@pytest.mark.django_db
def test_every_token_is_found_and_ended_ones_stand_behind_a_filter() -> None:
    ClaimHouse()
    client = logged_in("mere")
    mere = User.objects.get(username="mere")
    now = timezone.now()
    AccessToken.objects.bulk_create(
        AccessToken(
            person=mere, name=f"Program {n}", scopes=["read:claims"], digest=f"{n:064}",
            expires_at=now + dt.timedelta(days=1), revoked_at=None if n else now,
        )
        for n in range(60)
    )  # fmt: skip
    for address in ("/tokens/", "/people/tokens/"):
        client = logged_in("mere" if address == "/tokens/" else "hana")
        first, second = (words(client.get(f"{address}?page={n}")) for n in (1, 2))
        assert "1 to 50 of 59 tokens" in first
        assert "Program 59" in first
        assert "Program 1 " in second
        assert "Program 0 " not in second
        ended = words(client.get(f"{address}?ended=1"))
        assert "Program 0 " in ended
        assert "1 to 1 of 1 token" in ended
