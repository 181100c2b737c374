"""Named people with their roles, and a house whose dealers report hands."""

from typing import Any
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from rest_framework.test import APIClient

from settlement.evidence.checklist import ITEMS
from settlement.people.rights.roles import install_roles
from settlement.tasks import open_claims
from tables.protocol import messages
from tests.support.play.books import royal_terms
from tests.support.play.house import House

PASSWORD = "tablet-counter-seven"
ROLES = {
    "sione": "Game supervisor",
    "anahera": "Game supervisor",
    "mere": "Casino manager",
    "david": "Casino manager",
    "aroha": "Cashier",
    "tane": "Surveillance",
    "ines": "Compliance",
    "hana": "Administrator",
}
# What is asked for as evidence is answered by it (`simulation.answers`); this house asks nothing.
ALL_YES = {item.code: "yes" for item in ITEMS if not item.is_thing}
REASON: dict[str, Any] = {
    "reason": "R04",
    "evidence": "Camera 12, 22:14 to 22:16",
    "affected": True,
}
ROYAL = ("As Ks", "Qs Js Ts 2d 3c")
PAIR = ("As Ah", "Qs Js Ts 2d 3c")


def hire() -> None:
    """Everybody with a role, and `nobody` without one."""
    install_roles()
    password = make_password(PASSWORD)
    everybody = User.objects.bulk_create(
        User(username=name, password=password) for name in (*ROLES, "nobody")
    )
    groups = Group.objects.in_bulk(field_name="name")
    User.groups.through.objects.bulk_create(
        User.groups.through(user=user, group=groups[ROLES[user.username]])
        for user in everybody
        if user.username in ROLES
    )


class ClaimHouse(House):
    """A house with one jackpot for royal flushes, and people who act through the API."""

    def __init__(self, *terms: dict[str, Any], tables: tuple[str, ...] = ("t3", "t7")) -> None:
        quick = ({"evidence": {}, **document} for document in terms or [royal_terms()])
        super().__init__(*quick, tables=tables)
        hire()

    def post(self) -> None:
        """The writer, and the worker's task that it hints at."""
        super().post()
        open_claims(self.system.pk)

    def report(
        self, table: str, cards: tuple[str, str] = ROYAL, seat: int = 3, *, folded: bool = False
    ) -> None:
        """The dealer types the winning hand (19.11)."""
        hole, board = cards
        hand = messages.ReportedHand(
            seat=seat,
            hole=hole.split(),
            exposed="yes",
            folded=folded,
            participating=True,
            won_pot=True,
        )
        self.say(
            table,
            messages.HandReported,
            round=self.rounds[table],
            boards=[board.split()],
            hands=[hand],
        )

    def hit_royal(self, table: str = "t3") -> None:
        """A round with a royal flush, called, reported and posted."""
        if table not in self.seqs:
            self.open(table)
        self.press(table)
        self.call(table)
        self.report(table)
        self.post()


class EarlyHouse(ClaimHouse):
    """The worker does not come: claims wait to be opened."""

    def post(self) -> None:
        House.post(self)


def as_(name: str) -> APIClient:
    """A person who is logged in."""
    client = APIClient()
    client.force_login(User.objects.get(username=name), "settlement.people.passwords.Backend")
    return client


def action(name: str, what: str, key: UUID | None = None, number: int = 1, **body: Any) -> Any:
    """The answer to a person's action on a claim of the house."""
    headers = {} if key is None else {"Idempotency-Key": str(key)}
    address = f"/api/claims/main-{number}/{what}/"
    return as_(name).post(address, body, format="json", headers=headers)


def read(address: str, name: str = "tane") -> Any:
    """What a person reads there."""
    answer = as_(name).get(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


def rows_of(address: str, name: str = "tane") -> Any:
    """The rows of a list that are all on its first page."""
    page = read(address, name)
    assert page["next"] is None
    return page["results"]
