"""Pages that only somebody in a state of their own reads, and how they come there.

Each state is a browser of Django's test client, whose cookies a true browser then has.
"""

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from settlement.models import Invitation, MailChange, PasswordLink
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.sessions import tablets
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.pages.entrances import PAGES
from tests.support.pages.every_address import address_of, parts_of
from tests.support.pages.page_staff import logged_in
from tests.support.people.access.factors import give_app, gives_password
from tests.support.people.access.provider_log_ins import WAIT, goes_there, link, worker_asks
from tests.support.servers.outside.oidc_provider import Provider

State = tuple[str, Client, int]  # the address, who asks, and the status of the answer


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _soon() -> dt.datetime:
    return timezone.now() + dt.timedelta(minutes=20)


def invited() -> State:
    secret = secrets.token_urlsafe(32)
    Invitation.objects.create(
        username="guest",
        last_name="Guest",
        role=Group.objects.get(name="Cashier"),
        casino=Casino.objects.get(),
        digest=_digest(secret),
        person=person("hana"),
        second=person("mere"),
        alone=False,
        expires_at=_soon(),
    )
    return f"/invitation/{secret}/", Client(), 200


def asked_for_code() -> State:
    give_app("aroha")
    return "/login/code/", gives_password("aroha"), 200


def with_mailed_link() -> State:
    halves = secrets.token_hex(16), secrets.token_hex(16)
    row = PasswordLink.objects.create(person=person("mere"), digest=_digest(halves[0]), sealed="x")
    mailed = {"mailed_digest": _digest(halves[1]), "expires_at": _soon()}
    PasswordLink.objects.filter(pk=row.pk).update(**mailed)
    return f"/password/new/{''.join(halves)}/", Client(), 200


def with_mail_to_confirm() -> State:
    halves = secrets.token_hex(16), secrets.token_hex(16)
    row = MailChange.objects.create(
        person=person("mere"), email="mere@new.example", digest=_digest(halves[0]), sealed="x"
    )
    mailed = {"mailed_digest": _digest(halves[1]), "expires_at": _soon()}
    MailChange.objects.filter(pk=row.pk).update(**mailed)
    return f"/mail/confirm/{''.join(halves)}/", Client(), 200


def locked() -> State:
    client = logged_in("sione")
    assert client.post("/lock/").status_code == 302
    return "/locked/", client, 200


def at_tablet() -> State:
    client = Client()
    secret = tablets.add(Reauthenticated(person("hana")), Casino.objects.get(), "Pit 1")
    client.cookies[tablets.COOKIE] = secret
    return "/tablet/", client, 200


def sent_back_without_asking() -> State:
    return "/login/provider/back/?state=x&code=y", Client(), 422


def waits_for_provider(provider: Provider) -> State:
    client = Client()
    assert client.get(goes_there(provider, client, "/login/provider/")).status_code == 302
    return WAIT, client, 200


def confirmed_there(provider: Provider) -> State:
    link(provider)
    client = logged_in("mere")
    back = goes_there(provider, client, "/account/provider/confirm/")
    assert client.get(back).status_code == 302
    worker_asks()
    return WAIT, client, 200


def links_there(provider: Provider) -> State:
    client = logged_in("sione")
    back = goes_there(provider, client, "/account/provider/link/")
    assert client.get(back).status_code == 302
    worker_asks()
    return WAIT, client, 200


# By the name of the page; of one that has several states each is a state of its own.
STATES: dict[str, Callable[[], State]] = {
    "invitation": invited,
    "log-in-code": asked_for_code,
    "password-new": with_mailed_link,
    "mail-confirm": with_mail_to_confirm,
    "locked": locked,
    "tablet": at_tablet,
}
OF_PROVIDER: dict[str, Callable[[Provider], State]] = {
    "provider-back": lambda _provider: sent_back_without_asking(),
    "provider-wait": waits_for_provider,
    "provider-wait of who is to be linked": links_there,
    "provider-wait of who confirms": confirmed_there,
}
OF_HOUSE = {
    **dict.fromkeys(("quarantined", "terms-proposal", "handover-signed"), "mere"),
    "exclusions-file": "ines",
}
OVER: dict[str, Callable[[], State]] = {
    "invitation that is over": lambda: ("/invitation/guessed/", Client(), 404),
    "password link that is over": lambda: ("/password/new/guessed/", Client(), 404),
    "mail link that is over": lambda: ("/mail/confirm/guessed/", Client(), 404),
    "page that is not there": lambda: ("/nothing/", Client(), 404),
}
FIRST_RUN = "first-run"  # the address of it: /setup/, while nobody has a role
NAMES = {FIRST_RUN, *STATES, "provider-back", "provider-wait", *OF_HOUSE}


def of_house(system: Any) -> dict[str, Callable[[], State]]:
    """Pages of what seldom happens in a house, of one that `every_address.seed_data` made."""
    parts = parts_of(system)

    def read(name: str, who: str) -> State:
        return address_of(PAGES[name], parts), logged_in(who), 200

    return {name: partial(read, name, who) for name, who in OF_HOUSE.items()}
