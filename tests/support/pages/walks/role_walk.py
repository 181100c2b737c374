"""Who is let in where: each address of pages and API, tried as every role and as none."""

import copy
import re
import uuid
from functools import cache
from typing import Any, NamedTuple

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver

from tests.support.pages.entrances import PAGES, address_of
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ROLES
from tests.support.people.permissions.programs import bearer_of_program
from tests.support.people.permissions.rolled_back_people import noted_once

# One person of each role, one without any, and somebody who is not logged in.
PEOPLE: dict[str, str | None] = {
    **{role: name for name, role in ROLES.items()},
    "no role": "nobody",
    "not logged in": None,
}
PROGRAM = "program"  # that is nobody's, with every scope
PARTS = 3  # for as many processes
_PART = re.compile(r"%\((\w+)\)s")


class Entrance(NamedTuple):
    """An address and a method, as OpenAPI writes them."""

    path: str
    method: str


class FailedAnswer(NamedTuple):
    """An answer that is nobody's fault but the console's."""

    entrance: Entrance
    who: str
    status: int


Matrix = dict[Entrance, dict[str, bool]]


def path_of(name: str) -> str:
    """The address of that name, its parts as OpenAPI writes them."""
    ((path, _),) = get_resolver("config.urls").reverse_dict.getlist(name)[0][0]
    return "/" + _PART.sub(r"{\1}", path)


@cache
def _parts() -> dict[str, int]:
    """Which part of the walk goes to each address."""
    return {path_of(str(page.name)): at % PARTS + 1 for at, page in enumerate(PAGES.values())}


def part_of(path: str) -> int:
    """Which part goes there; the first looks for what is no more, too."""
    return _parts().get(path, 1)


def walk(part: int) -> tuple[Matrix, list[FailedAnswer]]:
    """Who is let in at each address and method of this part that there is, and what failed."""
    matrix: Matrix = {}
    faults = []
    clients = {
        who: noted_once(logged_in(name)) if name else Client() for who, name in PEOPLE.items()
    }
    clients[PROGRAM] = Client(headers=bearer_of_program())
    for page in [*PAGES.values()][part - 1 :: PARTS]:
        path = path_of(str(page.name))
        for method in ("GET", "POST"):
            entrance = Entrance(path, method)
            answers = {}
            for who, client in clients.items():
                answers[who] = _answer(client, page, method)
                if answers[who].status_code == 405:
                    break  # no such method, for anybody
            let_in = {who: is_let_in(answer) for who, answer in answers.items()}
            if any(let_in.values()) and len(let_in) == len(clients):
                matrix[entrance] = let_in
            faults += [
                FailedAnswer(entrance, who, answer.status_code)
                for who, answer in answers.items()
                if answer.status_code >= 500
            ]
    return matrix, faults


def _answer(client: Client, page: URLPattern, method: str) -> Any:
    """The answer; what was done is undone, and the client is as it was."""
    cookies = copy.deepcopy(client.cookies)
    try:
        with transaction.atomic():
            answer = _answer_to(client, page, method)
            transaction.set_rollback(True)
        return answer
    finally:
        client.cookies = cookies


def _answer_to(client: Client, page: URLPattern, method: str) -> Any:
    address = address_of(page)
    if method == "GET":
        return client.get(address)
    if address.startswith("/api/"):
        return client.post(address, {}, content_type="application/json")
    return client.post(address, {"key": str(uuid.uuid4())})


def is_let_in(answer: Any) -> bool:
    """Whether there is such a method, and it was not for the person that it was refused."""
    if answer.status_code == 405:
        return False
    if answer.status_code == 302:
        return not answer["Location"].startswith("/login/?next=")
    if answer.status_code not in (401, 403):
        return True
    if answer.status_code == 401:
        return False
    if answer.headers["Content-Type"] == "application/problem+json":
        return bool(answer.json()["code"] != "not_permitted")
    text = answer.content.decode()
    return not ("Your role does not allow this" in text or "Log in again." in text)
