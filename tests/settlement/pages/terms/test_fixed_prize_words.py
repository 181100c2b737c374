"""The operator's part of a fixed prize is a line of its own: history, ledger, roll-forward."""

from typing import Any

import pytest
from django.db import connection

from jackpot.models import Transfer
from jackpot.terms.money import MICROS
from tests.support.pages.page_ledger import report_behind
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import Floor, royal_terms
from verifier.check import look

FIXED = royal_terms(reset=12 * MICROS, prize=500 * MICROS)
POOL = "/pools/main/royal/"


def test_in_the_fold_it_has_a_reason_of_its_own() -> None:
    """500.00 of a pool of 12.50: 487.50 from the operator, then 12.00 to start again."""
    floor = Floor(FIXED)
    floor.open("t3")
    floor.press("t3")
    hit = floor.call("t3")["hit"]
    transfers = [(t.reason, t.amount) for t in floor.books.transfers if t.debit == "operator"]
    assert transfers[2:] == [("prize", 487_500_000), ("reset", 12 * MICROS)]
    fields: dict[str, Any] = {"reason": "R04", "evidence": "camera 4", "affected": True}
    floor.decide("reject_claim", hit=hit, **fields)
    back = [(t.reason, t.amount) for t in floor.books.transfers if t.credit == "operator"]
    assert back == [("prize", 487_500_000), ("reset", 12 * MICROS)]
    assert floor.pool() == 12_500_000


@pytest.mark.django_db
def test_history_ledger_and_roll_forward_say_so() -> None:
    house = ClaimHouse(FIXED)
    house.hit_royal()
    page = page_of("tane", POOL)
    assert "Operator’s part of the fixed prize" in page.replace("&#x27;", "’").replace("'", "’")
    assert "Topped up to the reset amount by the operator" in page
    assert "487.50" in page_of("tane", f"{POOL}?kind=prizes")
    assert "Topped up" not in page_of("tane", f"{POOL}?kind=prizes").split("Transactions")[1]
    behind = report_behind(logged_in("ines").get(POOL).content.decode())
    (row,) = [row for row in behind if row["reason"] == "prize"]
    assert (row["debit"], row["amount"]) == ("operator", 487_500_000)
    month = page_of("ines", "/roll-forward/")
    assert "Resets Fixed prizes" in month
    assert "12.00 487.50" in month
    assert look(connection.connection, settled=False).ok


@pytest.mark.django_db
def test_the_verifier_names_another_reason() -> None:
    house = ClaimHouse(FIXED)
    house.hit_royal()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE jackpot_transfer DISABLE TRIGGER USER")
        Transfer.objects.filter(reason="prize").update(reason="reset")
        cursor.execute("ALTER TABLE jackpot_transfer ENABLE TRIGGER USER")
    lines = str(look(connection.connection, settled=False).lines())
    assert "fixed prizes of royal took 0 micros of the operator, not 487500000" in lines
