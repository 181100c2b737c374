"""People at the console's pages, on a house whose dealers report hands."""

import re
import uuid
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from settlement.evidence.checklist import ITEMS
from tests.support.people.cast import PASSWORD, ClaimHouse

ADDRESS = "/claims/main/1/"
ALL_YES = {item.code: "yes" for item in ITEMS if not item.is_thing}


def logged_in(name: str) -> Client:
    """A browser in which this person is logged in."""
    client = Client()
    client.force_login(User.objects.get(username=name), "settlement.people.passwords.Backend")
    return client


def page_of(name: str, address: str = ADDRESS) -> str:
    """What the person reads there."""
    answer = logged_in(name).get(address)
    assert answer.status_code == 200, answer.status_code
    return words(answer)


def words(answer: Any) -> str:
    """The text of a page's content without its tags, spaces made single."""
    html = answer.content.decode().partition('id="content"')[2]
    text = re.sub(r"<(script|svg)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def post(name: str, address: str = ADDRESS, /, **fields: Any) -> Any:
    """The answer to a form; it has a key of its own unless one is given."""
    return logged_in(name).post(address, {"key": str(uuid.uuid4()), **fields})


def reply(name: str, address: str = ADDRESS, /, **fields: Any) -> str:
    """The page after a form that was accepted: it redirects, and says what happened."""
    client = logged_in(name)
    answer = client.post(address, {"key": str(uuid.uuid4()), **fields})
    assert answer.status_code == 302, words(answer)
    return words(client.get(answer["Location"]))


def refused(name: str, address: str = ADDRESS, /, **fields: Any) -> str:
    """The page after a form that was not accepted: the same page with the reason."""
    answer = post(name, address, **fields)
    assert answer.status_code == 422, answer.status_code
    return words(answer)


def verify(house: ClaimHouse, name: str = "sione", number: int = 1) -> str:
    return reply(name, f"/claims/main/{number}/", do="verify", **ALL_YES)


def confirm(house: ClaimHouse, name: str = "mere", number: int = 1, **fields: Any) -> str:
    """The page after a confirmation that waits for the writer, who then takes it."""
    form_values = {"amount": house.hit(number).held, "password": PASSWORD, **fields}
    page = reply(name, f"/claims/main/{number}/", do="confirm", **form_values)
    house.post()
    return page


def paid_at_the_cage(**fields: Any) -> Any:
    """The answer of the cage to aroha; fields as `l1-cash`; all lines unless one is named."""
    address = f"/claims/main/{fields.pop('number', 1)}/cage/"
    keys = {f"l{each}-key": str(uuid.uuid4()) for each in range(1, 10)}
    what = {} if "line" in fields else {"do": "pay"}
    return logged_in("aroha").post(address, {**keys, "password": PASSWORD, **what, **fields})


def cashed(amount: Any, number: int = 1, line: int = 1, method: str = "cash") -> str:
    """The claim's page after this payment."""
    answer = paid_at_the_cage(**{"number": number, f"l{line}-{method}": str(amount)})
    assert answer.status_code == 302, words(answer)
    return page_of("aroha", f"/claims/main/{number}/")
