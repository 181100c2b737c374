"""19.12: no money moves on one person's word, whatever SQL the running roles are made to say."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import Error, connection, transaction

from jackpot.models import CommandQueue
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.play.hands import BOARD, ROYAL
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
ACTION = (
    "INSERT INTO settlement_action"
    " (claim_id, kind, person_id, at, report_entry, command, body, key)"
    " VALUES (%s, %s, %s, now(), %s, NULL, '{}', %s)"
)
COMMAND = (
    "INSERT INTO jackpot_command (system_id, number, kind, body, first, second, issued_at, key)"
    " VALUES (%s, %s, %s, %s, %s, %s, now(), %s)"
)
PAYOUT = (
    "INSERT INTO settlement_payout (claim_id, line, part, seat, entry_seq, at, cashier, amount,"
    " chips, cash, equivalent, tax, residence)"
    " VALUES (%s, 1, %s, 3, %s, now(), 'lucia', %s, 0, %s, 0, 0, '')"
)


def refused(role: str, match: str, statement: str, *values: Any) -> None:
    with (  # noqa: PT012
        acting_as(role),
        pytest.raises(Error, match=match),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, values)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_plain_sql_pays_nobody(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    claim, people = room.claim(), room.people
    held, report = room.hit().held, room.hit().report_entry

    def actions(name: str, kind: str, match: str) -> None:
        refused("web", match, ACTION, claim.pk, kind, people[name].pk, report, uuid.uuid4())

    def commands(kind: str, first: str, second: str | None, match: str, **body: Any) -> None:
        number = CommandQueue.objects.get(system=room.system).last_number + 1
        command_body = json.dumps({"hit": 1, "report_entry": report, **body})
        names = (first, second, uuid.uuid4())
        refused("web", match, COMMAND, room.system.pk, number, kind, command_body, *names)

    def registers(role: str, match: str, part: int = 1) -> None:
        refused(role, match, PAYOUT, claim.pk, part, room.head().seq, held, held)

    actions("david", "confirm", "not verified by another person")
    room.verify(by="mere")
    actions("mere", "confirm", "has already acted")
    payees = {"amount": held, "payees": [{"seat": 3, "amount": held}]}
    commands("confirm_claim", "mere", None, "command_takes_two_people", **payees)
    commands("confirm_claim", "mere", "mere", "command_takes_two_people", **payees)
    commands("confirm_claim", "mere", "david", "stand no actions", **payees)
    commands("confirm_claim", "mere", "nobody", "no active person", **payees)
    commands("reject_claim", "mere", "david", "stand no actions", reason="R01", evidence="none")
    commands("pay", "lucia", None, "stand no actions", line=1, parts={"cash": held})
    for role in ("web", "worker"):
        registers(role, "without confirmation by two people")
    refused("worker", "permission denied", ACTION, claim.pk, "confirm", 1, report, uuid.uuid4())
    refused("web", "permission denied", "UPDATE jackpot_hit SET state = 'confirmed'")
    refused("web", "permission denied", "UPDATE jackpot_account SET balance = 0")
    assert (room.hit().standing, room.balance("payable")) == ("verified", 0)

    room.confirm(by="david")
    for role in ("web", "worker"):
        registers(role, "did not pay this part")
    actions("david", "pay", "has already acted")
    room.pay(by="lucia")
    registers("worker", "one_payout_a_part")
    below_zero = PAYOUT.replace("0, %s, 0, 0, '')", "-5, %s, 5, 0, '')")
    values = (claim.pk, 1, room.head().seq, held, held)
    refused("worker", "did not pay this part", below_zero, *values)
    with owner_without_guards("settlement_payout"):
        refused("worker", "payout_parts_not_below_zero", below_zero, *values)
    assert room.balance("paid_cash") == held == money(1001)
    room.balanced()
