"""A card room for whole cases: units, intake, poster and people, all of them real.

Each of them works under its own role of the database, as in production.

Amounts are in units of the currency where a story names them.
"""

import threading
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import override_settings

from jackpot.display import values as display
from jackpot.hits.payees import rest
from jackpot.models import Account, DisplayMessage, Entry, Head
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from jackpot.writer.poster import Poster
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.claims.status import hits
from settlement.models import Claim, Proposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.roles import install_roles
from simulation import answers
from tables.models import Casino, GamingTable, JackpotSystem
from tables.unit.unit import TableUnit
from tests.support.people.roles import acting_as
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase, url_of
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake
from tests.support.units.unit_settings import unit_settings
from verifier import verify

CAST = {
    "mere": ("Mere Tane", "Game supervisor"),
    "tom": ("Tom Hale", "Game supervisor"),
    "david": ("David Okafor", "Casino manager"),
    "anna": ("Anna Berg", "Casino manager"),
    "lucia": ("Lucia Marin", "Cashier"),
    "priya": ("Priya Raman", "Compliance"),
}


def money(amount: float) -> int:
    """Micros of an amount with at most two decimals."""
    return round(amount * 100) * MICROS // 100


def as_web(action: Callable[..., Any]) -> Callable[..., Any]:
    """What people do, they do through the web process and its role."""

    @wraps(action)
    def acted(*arguments: Any, **options: Any) -> Any:
        with acting_as("web"):
            return action(*arguments, **options)

    return acted


class CardRoom:
    """One jackpot system with its tables and people."""

    def __init__(self, stack: ExitStack, terms: dict[str, Any], tables: int = 2) -> None:
        self._stack = stack
        self.casino = Casino.objects.create(
            code="harbour", name="Harbour Casino", currency="NZD", timezone="Pacific/Auckland"
        )
        self.system = JackpotSystem.objects.create(
            casino=self.casino, code=f"main-{uuid.uuid4().hex[:12]}", name="Main floor"
        )
        install_roles()
        self.people = {name: self._hire(name) for name in CAST}
        self.tables = {
            number: GamingTable.objects.create(
                system=self.system, code=f"t{number}", name=f"Table {number}"
            )
            for number in ([3, 7, 8, 9][:tables])
        }
        stack.enter_context(RunningIntake())
        stack.enter_context(posting())
        queued = self.queue_terms(terms)
        answer = wait_until(lambda: self.answer(queued), what="the terms to take effect")
        assert answer is not None
        assert not answer.refused, answer.refused

    def queue_terms(self, terms: dict[str, Any]) -> int:
        """The owner's, who sets up the casino; later ones are proposed
        (`settlement.terms.drafts`)."""
        return commands.queue(
            self.system, "put_terms", {"terms": terms}, first="anna", second="david"
        )

    def agree_on_terms(self, terms: dict[str, Any]) -> int:
        """As they stand, without what the page says of a draft; the number of the command."""
        kind, body = Proposal.Kind.PUT_TERMS, {"terms": terms}
        proposal = proposals.propose(self.system, kind, terms["code"], body, self.people["anna"])
        proposals.agree(proposal, Reauthenticated(self.people["david"]))
        number = proposal.decision.command
        assert number is not None
        return number

    def answer(self, number: int) -> commands.Answer | None:
        answer = commands.answer(self.system, number)
        return answer if answer.seq is not None else None

    def _hire(self, name: str) -> Any:
        full, role = CAST[name]
        first, last = full.split()
        # No password: hashing takes longer than a whole story, and nobody logs in here.
        person = User.objects.create_user(name, first_name=first, last_name=last)
        person.groups.add(Group.objects.get(name=role))
        return person

    # --- the floor ----------------------------------------------------------------------

    def unit(self, number: int, *, game: str = "holdem", **options: Any) -> TableUnit:
        """The unit of a table, with a session open."""
        table = self.tables[number]
        settings = unit_settings(options, guard_s=0)
        unit = TableUnit(self.system.code, table.code, settings, **options)
        unit.start()
        self._stack.callback(unit.stop)
        assert unit.wait_ready(60)
        self.posted(unit, unit.open_session(game=game))
        return unit

    def posted(self, unit: TableUnit, seq: int | None) -> Any:
        """Wait until the unit gets its number in the order."""
        assert seq is not None
        result = unit.wait_sequenced(seq, 60)
        assert result is not None, f"seq {seq} of {unit.table} was not sequenced"
        return result

    def play(self, unit: TableUnit, rounds: int) -> None:
        """Press that many rounds and wait for the last."""
        seq = None
        for _ in range(rounds):
            seq = unit.press()
        self.posted(unit, seq)

    # --- the books ------------------------------------------------------------------------

    def balance(self, account: str) -> int:
        return Account.objects.get(system=self.system, code=account).balance

    def pool(self, tier: str = "royal") -> int:
        return self.balance(f"{tier}:pool")

    def hit(self, number: int = 1) -> Any:
        return hits().get(system=self.system, number=number)

    def outcome(self, result: Any) -> dict[str, Any]:
        """What the writer made of an event, by the number that its unit got."""
        outcome: dict[str, Any] = Entry.objects.get(
            system=self.system, seq=result.system_seq
        ).outcome
        return outcome

    def head(self) -> Head:
        return Head.objects.get(system=self.system)

    def display(self) -> dict[str, Any]:
        """What the displays are sent now."""
        with acting_as("worker"):
            display.refresh(self.system.pk)
        newest = DisplayMessage.objects.filter(system=self.system).order_by("-id").first()
        assert newest is not None
        return newest.payload

    def balanced(self) -> None:
        """The books balance and the whole order folds to what the rows say: by the product's own
        word, and by that of a program that shares no code with it."""
        accounts = Account.objects.filter(system=self.system)
        assert sum(accounts.values_list("balance", flat=True)) == 0
        with acting_as("worker"):
            assert reconcile(self.system).differences == []
        report = verify(url_of(connection.settings_dict["NAME"]), settled=False)
        assert report.ok, report.lines()

    # --- the people -----------------------------------------------------------------------

    def claim(self, number: int = 1) -> Claim:
        with acting_as("worker"):
            claims.catch_up(self.system)
        return Claim.objects.get(system=self.system, number=number)

    @as_web
    def verify(self, number: int = 1, by: str = "mere") -> None:
        claim = self.claim(number)
        answers.answer(claim, self.people[by])
        claims.verify(claim, self.people[by])

    @as_web
    def show_more(self, number: int = 1, by: str = "mere") -> None:
        """What a supplement asks for beyond what was asked for before."""
        answers.answer(self.claim(number), self.people[by], self.hit(number).held)

    @as_web
    def confirm(self, number: int = 1, by: str = "david", amount: int | None = None) -> Any:
        if amount is None:
            coming = bounds_of_claim(self.system, number)
            amount = coming.due if coming else 0
        person = Reauthenticated(self.people[by])
        return claims.confirm(self.claim(number), person, amount)

    @as_web
    def pay(self, number: int = 1, by: str = "lucia", **parts: int) -> Any:
        """What is left of each line, or the first one again where nothing is left."""
        lines = self.hit(number).payees
        for line in [line for line in lines if rest(line)] or lines[:1]:
            amounts = parts or {"cash": rest(line)}
            claims.pay(self.claim(number), Reauthenticated(self.people[by]), line["line"], amounts)

    @as_web
    def reject(
        self,
        number: int,
        reason: str,
        by: tuple[str, str] = ("mere", "david"),
        irregularity: str | None = None,
    ) -> None:
        claim = self.claim(number)
        fields: dict[str, Any] = {"reason": reason, "evidence": "camera 12", "affected": True}
        fields["irregularity"] = irregularity
        claims.propose_rejection(claim, self.people[by[0]], **fields)
        claims.second_rejection(claim, Reauthenticated(self.people[by[1]]))


@contextmanager
def posting() -> Iterator[None]:
    """A poster in a thread of the test."""
    stop = threading.Event()
    poster = Poster()

    def run() -> None:
        try:
            with acting_as("poster"):
                poster.run(stop)
        finally:
            connection.close()

    thread = threading.Thread(target=run, name="poster")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def open_room(fresh_database: FreshDatabase, broker: Broker) -> Generator[Callable[..., CardRoom]]:
    """Opens a card room with the given terms; everything in it stops with the test."""
    with ExitStack() as stack, override_settings(CLAIM_WAIT_S=60):

        def opened(terms: dict[str, Any], **options: Any) -> CardRoom:
            return CardRoom(stack, terms, **options)

        yield opened
