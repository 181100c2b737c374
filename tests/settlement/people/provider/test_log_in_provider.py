"""People log in by the provider of the house; nobody else does, whatever it or a thief says."""

from __future__ import annotations

import datetime as dt
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from settlement.models import AccessNote, EnrolmentCode, LogInProvider, ProviderLogIn
from settlement.people.provider import attempts, metadata
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.sessions import tablets
from settlement.people.staff import persons
from tables.models import Casino
from tests.support.people.access.factors import code, give_app
from tests.support.people.access.provider_log_ins import (
    WAIT,
    begin,
    comes_back,
    events,
    get,
    goes_there,
    link,
    log_in,
    post,
    set_up,
    text,
    there,
    who,
    worker_asks,
)
from tests.support.people.cast import hire
from tests.support.people.roles import acting_as
from tests.support.servers.outside import oidc_provider
from tests.support.servers.outside.oidc_provider import (
    CLIENT,
    NAME,
    Claims,
    Provider,
    as_text,
    new_key,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with oidc_provider.providing() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, settings: Settings) -> Iterator[Provider]:
    hire()
    set_up(running, settings)
    link(running)
    yield running
    running.claims, running.forge, running.asks = {}, None, False
    running.is_broken, running.hangs, running.secret = False, None, oidc_provider.SECRET
    running.refuses = 0


def test_somebody_logs_in_and_out(provider: Provider, caplog: pytest.LogCaptureFixture) -> None:
    browser = Client()
    assert f"Log in with {NAME}" in text(get(browser, "/login/"))
    address = begin(browser, next="/handover/")
    parameters = {name: each[0] for name, each in parse_qs(urlsplit(address).query).items()}
    assert parameters["code_challenge_method"] == "S256"
    assert parameters["redirect_uri"] == "http://testserver/login/provider/back/"
    assert "prompt" not in parameters
    answer = get(browser, there(provider, address))
    assert answer.status_code == 302
    assert answer["Referrer-Policy"] == "no-referrer"
    assert 'http-equiv="refresh"' in text(get(browser, WAIT))
    worker_asks()
    answer = get(browser, WAIT)
    assert (answer.status_code, answer["Location"]) == (302, "/handover/")
    assert who(browser) == "mere"
    assert events("mere") == ["provider_shown: log_in"]
    answer = post(browser, "/logout/")
    page = text(get(browser, answer["Location"]))
    assert f"Log out at {NAME}" in page
    assert f"{provider.url}/end?client_id={CLIENT}" in page
    assert who(browser) == ""
    assert parameters["state"] not in caplog.text
    assert oidc_provider.PERSON not in caplog.text


def test_after_the_provider_the_own_second_factor_is_asked_for(
    provider: Provider, settings: Settings
) -> None:
    give_app("mere")
    provider.claims = {"amr": ["pwd", "mfa"], "acr": "high"}
    browser, answer = log_in(provider)
    assert answer["Location"].startswith("/login/code/")
    assert who(browser) == ""
    assert post(browser, "/login/code/", code=code()).status_code == 302
    assert who(browser) == "mere"
    for name, value in (("OIDC_FACTOR_AMR", ["mfa"]), ("OIDC_FACTOR_ACR", ["high"])):
        settings.OIDC_FACTOR_AMR = settings.OIDC_FACTOR_ACR = []
        setattr(settings, name, value)
        assert who(log_in(provider)[0]) == "mere"
    provider.claims = {"amr": ["pwd"], "acr": "low"}
    assert log_in(provider)[1]["Location"].startswith("/login/code/")


def test_the_factor_of_the_provider_counts_as_long_as_the_house_says_so(
    provider: Provider, settings: Settings
) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    settings.OIDC_FACTOR_AMR = ["mfa"]
    provider.claims = {"amr": ["mfa"]}
    browser = log_in(provider)[0]
    assert get(browser, "/tables/").status_code == 200
    settings.OIDC_FACTOR_AMR = []
    assert get(browser, "/tables/")["Location"] == "/account/app/"


def test_after_a_reset_the_factor_of_the_provider_does_not_count(
    provider: Provider, settings: Settings
) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    settings.OIDC_FACTOR_AMR = ["mfa"]
    provider.claims = {"amr": ["mfa"]}
    browser = log_in(provider)[0]
    mere = User.objects.get(username="mere")
    EnrolmentCode.objects.create(person=mere, digest="", expires_at="2099-01-01T00:00Z")
    assert get(browser, "/tables/")["Location"] == "/account/app/"


def test_at_a_shared_tablet_everybody_logs_in_there_anew(
    provider: Provider, settings: Settings
) -> None:
    casino = Casino.objects.create(code="harbour")
    with acting_as("web"):
        hana = Reauthenticated(User.objects.get(username="hana"))
        secret = tablets.add(hana, casino, "Pit 1")
    browser = Client()
    browser.cookies[tablets.COOKIE] = secret
    provider.claims = {"auth_time": int(time.time()) - 3600}
    assert "<code>stale</code>" in text(log_in(provider, browser)[1])
    provider.claims = {}
    assert who(log_in(provider, browser)[0]) == "mere"
    assert provider.queries[-1]["prompt"] == "login"
    settings.OIDC_ANEW = True
    assert "prompt=login" in begin(Client())


def _none(provider: Provider, claims: Claims) -> str:
    head = as_text(json.dumps({"alg": "none", "kid": provider.key_name}).encode())
    return f"{head}.{as_text(json.dumps(claims).encode())}."


def _with_public_key(provider: Provider, claims: Claims) -> str:
    head = as_text(json.dumps({"alg": "HS256", "kid": provider.key_name}).encode())
    signed = f"{head}.{as_text(json.dumps(claims).encode())}"
    mac = hmac.digest(provider.public_pem(), signed.encode(), "sha256")
    return f"{signed}.{as_text(mac)}"


def _changed(provider: Provider, claims: Claims) -> str:
    head, _body, signature = provider.sign(claims).split(".")
    body = as_text(json.dumps({**claims, "groups": ["managers"]}).encode())
    return f"{head}.{body}.{signature}"


FORGED: dict[str, tuple[Callable[[Provider, Claims], str], str]] = {
    "another key's": (lambda each, claims: each.sign(claims, new_key()), "token"),
    "of no key": (lambda each, claims: each.sign(claims, kid="unknown"), "token"),
    "with no signature": (_none, "token"),
    "with the public key for a secret": (_with_public_key, "token"),
    "changed": (_changed, "token"),
    "no token": (lambda _each, _claims: "x.y.z", "token"),
}
NOW = int(time.time())
WRONG: dict[str, tuple[Claims, str]] = {
    "another issuer": ({"iss": "https://elsewhere.example"}, "token"),
    "another audience": ({"aud": "another"}, "token"),
    "several, and not for us": ({"aud": [CLIENT, "another"]}, "token"),
    "made for another": ({"azp": "another"}, "token"),
    "another nonce": ({"nonce": "guessed"}, "token"),
    "no nonce": ({"nonce": None}, "token"),
    "no audience": ({"aud": None}, "token"),
    "no end": ({"exp": None}, "token"),
    "no time": ({"iat": None}, "token"),
    "over": ({"iat": NOW - 900, "exp": NOW - 600}, "clock"),
    "of tomorrow": ({"iat": NOW + 90_000, "exp": NOW + 99_000}, "clock"),
    "nobody": ({"sub": None}, "token"),
    "somebody unknown": ({"sub": "subject-of-nobody"}, "unknown"),
}


@pytest.mark.parametrize("what", [*FORGED, *WRONG])
def test_what_does_not_hold_logs_nobody_in(provider: Provider, what: str) -> None:
    if what in FORGED:
        provider.forge, fault = FORGED[what]
    else:
        provider.claims, fault = WRONG[what]
    browser, answer = log_in(provider)
    assert answer.status_code == 422, what
    assert f"<code>{fault}</code>" in text(answer)
    assert who(browser) == ""
    assert ProviderLogIn.objects.get().fault == fault
    assert events("") == [f"provider_refused: log_in: {fault}"]


def test_a_clock_may_differ_a_little(provider: Provider) -> None:
    now = int(time.time())
    provider.claims = {"iat": now + 40, "exp": now + 300}
    assert who(log_in(provider)[0]) == "mere"
    provider.claims = {"iat": now - 300, "exp": now - 40}
    assert who(log_in(provider)[0]) == "mere"


@pytest.mark.parametrize("kind", ["rsa", "ec"])
def test_another_key_of_the_provider_is_read(provider: Provider, kind: str) -> None:
    provider.rotate(kind)
    age = metadata._KEYS_AGE
    LogInProvider.objects.update(at=LogInProvider.objects.get().at - age)
    assert who(log_in(provider)[0]) == "mere"


def test_what_was_begun_counts_once_and_in_its_browser(provider: Provider) -> None:
    browser, thief = Client(), Client()
    back = goes_there(provider, browser, "/login/provider/")
    begin(thief)
    assert "<code>state</code>" in text(get(thief, back))
    assert "<code>state</code>" in text(get(Client(), back))
    assert comes_back(browser, back).status_code == 302
    assert who(browser) == "mere"
    assert "<code>state</code>" in text(get(browser, back))
    assert "<code>state</code>" in text(get(browser, WAIT))
    assert AccessNote.objects.filter(what="refused", detail="log-in provider: state").count() == 1
    assert ProviderLogIn.objects.count() == 1


def test_a_code_that_was_used_is_refused(provider: Provider) -> None:
    browser = Client()
    back = goes_there(provider, browser, "/login/provider/")
    provider.codes.clear()
    assert "<code>code</code>" in text(comes_back(browser, back))
    assert who(browser) == ""


def test_who_stops_there_is_told_so(provider: Provider) -> None:
    browser = Client()
    address = begin(browser)
    state = parse_qs(urlsplit(address).query)["state"][0]
    answer = get(browser, f"/login/provider/back/?error=access_denied&state={state}")
    assert "refused the log-in" in text(answer)


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example", "javascript:x"])
def test_nobody_is_sent_to_another_site(provider: Provider, address: str) -> None:
    assert log_in(provider, next=address)[1]["Location"] == "/"


def test_who_is_locked_stays_so(provider: Provider) -> None:
    browser = Client()
    back = goes_there(provider, browser, "/login/provider/")
    get(browser, back)
    worker_asks()
    with acting_as("web"):
        persons.lock(User.objects.get(username="hana"), User.objects.get(username="mere"))
    answer = get(browser, WAIT)
    assert "<code>locked</code>" in text(answer)
    browser, answer = log_in(provider)
    assert "Your log-in here is locked" in text(answer)
    assert who(browser) == ""
    assert events("mere") == ["provider_refused: log_in: locked"]


def test_no_mail_address_and_no_name_makes_a_person(provider: Provider) -> None:
    User.objects.filter(username="david").update(email="david@casino.example")
    provider.claims = {
        "sub": "subject-of-a-thief",
        "email": "david@casino.example",
        "email_verified": True,
        "preferred_username": "david",
    }
    browser, answer = log_in(provider)
    assert "linked to nobody here" in text(answer)
    assert who(browser) == ""


def test_a_claim_that_may_be_given_to_somebody_else_is_refused(
    provider: Provider, settings: Settings
) -> None:
    settings.OIDC_PERSON_CLAIM = "email"
    provider.claims = {"email": oidc_provider.PERSON}
    assert "<code>settings</code>" in text(log_in(provider)[1])
    settings.OIDC_PERSON_CLAIM = "oid"
    assert "<code>claim</code>" in text(log_in(provider)[1])
    provider.claims = {"oid": oidc_provider.PERSON, "sub": "another"}
    assert who(log_in(provider)[0]) == "mere"


def test_a_provider_that_is_down_is_named(provider: Provider, settings: Settings) -> None:
    provider.is_broken = True
    browser, answer = log_in(provider)
    assert "does not answer" in text(answer)
    before = len(provider.requests)
    assert "<code>down</code>" in text(log_in(provider)[1])
    assert len(provider.requests) == before  # it is left alone for a moment
    provider.is_broken = False
    LogInProvider.objects.update(not_before=None)
    provider.secret = "another"
    assert "<code>client</code>" in text(log_in(provider)[1])
    LogInProvider.objects.all().delete()
    answer = post(browser, "/login/provider/")
    assert answer.status_code == 422
    assert "does not answer" in text(answer)


@pytest.mark.parametrize("status", [400, 403, 404, 429])
def test_a_code_that_is_junk_closes_the_provider_for_nobody_else(
    provider: Provider, status: int
) -> None:
    provider.refuses = status
    assert "<code>code</code>" in text(log_in(provider)[1])
    provider.refuses = 0
    assert who(log_in(provider)[0]) == "mere"


def test_no_page_waits_for_a_provider_that_hangs(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "WITHIN_S", 0.2)
    provider.hangs = threading.Event()
    browser = Client()
    back = goes_there(provider, browser, "/login/provider/")
    began = time.monotonic()
    assert get(browser, back)["Location"] == WAIT
    assert get(browser, WAIT).status_code == 200
    assert post(Client(), "/login/provider/").status_code == 200
    assert time.monotonic() - began < 3
    before = provider.requests.count("/token")
    worker_asks()
    assert provider.requests.count("/token") == before + 1
    assert "<code>down</code>" in text(get(browser, WAIT))


def test_nobody_waits_for_a_worker_that_is_gone(provider: Provider) -> None:
    browser = Client()
    get(browser, goes_there(provider, browser, "/login/provider/"))
    row = ProviderLogIn.objects.get()
    ProviderLogIn.objects.update(made_at=row.made_at.replace(year=row.made_at.year - 1))
    assert "<code>late</code>" in text(get(browser, WAIT))
    worker_asks()
    assert ProviderLogIn.objects.get().answered_at is None


def test_the_worker_asks_for_nobody_who_has_left(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client()
    get(browser, goes_there(provider, browser, "/login/provider/"))
    row = ProviderLogIn.objects.get()
    ago = dt.timedelta(seconds=attempts.ANSWERED_S + 1)
    ProviderLogIn.objects.update(made_at=row.made_at - ago)
    worker_asks()
    assert ProviderLogIn.objects.get().answered_at is None
    ProviderLogIn.objects.update(made_at=row.made_at)
    monkeypatch.setattr("settlement.people.provider.answers._WITHIN_S", 0.0)
    worker_asks()  # the task ends before its limit, and is begun again
    assert ProviderLogIn.objects.get().answered_at is None


def test_one_address_asks_so_often(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("settlement.people.provider.attempts.MOST_OF_ADDRESS", 2)
    for _ in range(3):
        assert who(log_in(provider)[0]) == "mere"  # a good one counts for nothing
    for _ in range(2):
        browser = Client()
        get(browser, goes_there(provider, browser, "/login/provider/"))
    browser = Client()
    assert "Too many log-ins" in text(
        get(browser, goes_there(provider, browser, "/login/provider/"))
    )
