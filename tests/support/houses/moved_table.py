"""A table that two people move to another jackpot system, proven in both."""

from django.db import connection

from jackpot.writer import commands
from settlement.audit.reconciliation import reconcile
from settlement.floor import table_transfer
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable, JackpotSystem
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.databases import url_of
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, money
from verifier import verify


def other_system(room: CardRoom) -> JackpotSystem:
    """The high limit room, with a jackpot of its own at all its tables."""
    high = JackpotSystem.objects.create(
        casino=room.casino, code=room.system.code.replace("main", "high"), name="High limit room"
    )
    terms = {"terms": royal_terms(reset=money(5000))}
    number = commands.queue(high, "put_terms", terms, first="anna", second="david")
    assert wait_until(
        lambda: commands.answer(high, number).seq is not None, what="the other system's terms"
    )
    return high


def propose(room: CardRoom, high: JackpotSystem, code: str = "h1") -> Proposal:
    with acting_as("web"):
        return table_transfer.propose(
            GamingTable.objects.select_related("system", "presence").get(pk=room.tables[3].pk),
            room.people["anna"],
            to=high,
            code=code,
            reason="The room is full",
        )


def agree(room: CardRoom, proposal: Proposal, by: str = "david") -> commands.Answer:
    with acting_as("web"):
        return table_transfer.agree(proposal, Reauthenticated(room.people[by]))


def here(room: CardRoom) -> GamingTable:
    return GamingTable.objects.select_related("moved_to__system").get(pk=room.tables[3].pk)


def proven(room: CardRoom, *systems: JackpotSystem) -> None:
    """By the product's own word, and by that of a program that shares no code with it."""
    with acting_as("worker"):
        for system in systems:
            assert reconcile(system).differences == []
    report = verify(url_of(connection.settings_dict["NAME"]))
    assert report.ok, report.lines()
