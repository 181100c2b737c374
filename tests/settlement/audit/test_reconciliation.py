"""Reconciliation: silent when all is well, loud on any difference."""

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone

from jackpot.audit import checkpoint
from jackpot.terms.money import MICROS
from settlement.audit.reconciliation import reconcile
from settlement.evidence import attachments
from settlement.models import Checkpoint, Claim, Payout
from settlement.people.rights.roles import grant, install_roles
from tables.models import Alarm
from tables.protocol import messages
from tests.support.cases.claims.evidence import JPEG
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


def build_house() -> House:
    house = House(royal_terms())
    house.open("t3")
    house.open("t7")
    for _ in range(3):
        house.press("t3")
    house.call("t3")
    house.post()
    for _ in range(2):
        house.press("t7")
    house.call("t7", tier=None)
    house.post()
    house.decide(
        "reject_claim", with_actions=True, hit=1, reason="R04", evidence="cctv", affected=True
    )
    house.decide("confirm_claim", hit=1, amount=1, payees=[{"seat": 1, "amount": 1}])
    return house


house = kept_house(build_house)


def test_a_system_in_order_reconciles(house: House) -> None:
    result = reconcile(house.system)
    assert result.differences == []
    assert result.up_to_seq == result.entries == house.head.seq
    assert result.transfers == house.head.transfer_number
    assert not Alarm.objects.filter(kind="reconciliation").exists()


def differences_of(house: House, *, whole: bool = True) -> str:
    text = "; ".join(reconcile(house.system, whole=whole).differences)
    assert Alarm.objects.get(kind="reconciliation").subject == "main"
    return text


def test_a_changed_balance_is_found(house: House) -> None:
    with owner_without_guards("jackpot_account"):
        house.system.accounts.filter(code="royal:pool").update(balance=MICROS)
    assert "royal:pool holds 1000000 micros, its transfers say" in differences_of(house)


def test_a_changed_transfer_is_found(house: House) -> None:
    with owner_without_guards("jackpot_transfer"), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_transfer SET amount = amount + 1 WHERE number = 2")
    differences = differences_of(house)
    assert "its rows do not lead to its hash" in differences
    assert "transfer 2: the balance of" in differences
    assert "its transfers are not what the fold says" in differences


def test_a_changed_event_is_found(house: House) -> None:
    with owner_without_guards("tables_tableevent"), connection.cursor() as cursor:
        cursor.execute("UPDATE tables_tableevent SET body = body || ' ' WHERE seq = 3")
    assert "its event was changed since" in differences_of(house)


def test_a_removed_entry_is_found(house: House) -> None:
    with owner_without_guards("jackpot_entry"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM jackpot_entry WHERE seq = %s", [house.head.seq])
    assert "the head says" in differences_of(house)


def test_a_changed_hit_is_found(house: House) -> None:
    house.system.hits.filter(number=1).update(state="held")
    assert "hit 1 is not what the order says" in differences_of(house)


@pytest.mark.parametrize("outcome", ["[]", "7", '{"flags": 1}'])
def test_an_outcome_of_another_shape_is_a_difference_and_no_crash(
    house: House, outcome: str
) -> None:
    with owner_without_guards("jackpot_entry"), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_entry SET outcome = %s WHERE hit = 1", [outcome])
    assert "its rows do not lead to its hash" in differences_of(house)


def test_the_head_names_the_last_block(house: House) -> None:
    with owner_without_guards("jackpot_head"):
        house.system.head.__class__.objects.update(block_hash=b"x" * 32)
    assert "the head does not name the hash" in differences_of(house)


def test_a_changed_outcome_is_found(house: House) -> None:
    with owner_without_guards("jackpot_entry"), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_entry SET outcome = '{}' WHERE hit = 1")
    assert "the fold says" in differences_of(house)


@pytest.mark.parametrize(
    ("table", "statement", "sentence"),
    [
        (
            "tables_tableevent",
            "DELETE FROM tables_tableevent WHERE seq = 3",
            "its event is missing",
        ),
        (
            "jackpot_command",
            "DELETE FROM jackpot_command WHERE number = 1",
            "its command is missing",
        ),
        (
            "jackpot_account",
            "DELETE FROM jackpot_account WHERE code = 'royal:reserve'",
            "the account royal:reserve is missing",
        ),
        (
            "jackpot_roundstate",
            "DELETE FROM jackpot_roundstate WHERE round = 1",
            "round 1 of t3 is missing",
        ),
        (
            "jackpot_roundstate",
            "UPDATE jackpot_roundstate SET void = 1 WHERE round = 2",
            "round 2 of t7 is not what the order says",
        ),
        (
            "jackpot_tablestate",
            "UPDATE jackpot_tablestate SET session = NULL",
            "the session of t3 is not what the order says",
        ),
        (
            "jackpot_tier",
            "UPDATE jackpot_tier SET fed_pool = 1",
            "the counters of royal are not what the order says",
        ),
        ("jackpot_cursor", "DELETE FROM jackpot_cursor", "the cursor of t7, boot 1, stands at 0"),
    ],
)
def test_what_the_writer_goes_on_from_is_compared(
    house: House, table: str, statement: str, sentence: str
) -> None:
    with owner_without_guards(table), connection.cursor() as cursor:
        cursor.execute(statement)
        assert cursor.rowcount
    assert sentence in differences_of(house)


# --- from a checkpoint ----------------------------------------------------------------------


def go_on(house: House) -> None:
    """Rounds, a hand in an open replay, a decision on the hit of before the checkpoint."""
    for _ in range(3):
        house.press("t3")
    house.post()
    house.decide(
        "reject_claim", with_actions=True, hit=2, reason="R04", evidence="cctv", affected=True
    )
    house.call("t3")
    house.post()


def test_it_goes_on_from_the_last_one(house: House) -> None:
    whole = reconcile(house.system)
    assert whole.from_block == 0
    go_on(house)
    later = reconcile(house.system, whole=False)
    assert later.differences == []
    assert later.from_block == whole.blocks
    assert whole.entries + later.entries == house.head.seq
    again = reconcile(house.system, whole=False)  # nothing came since
    assert (again.differences, again.entries, again.up_to_seq) == ([], 0, house.head.seq)
    anew = reconcile(house.system)  # the books at the end are the same either way
    assert anew.from_block == 0
    assert bytes(anew.books_digest or b"") == bytes(again.books_digest or b"-")


def test_a_difference_behind_the_checkpoint_is_found(house: House) -> None:
    reconcile(house.system)
    go_on(house)
    with owner_without_guards("jackpot_transfer"), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE jackpot_transfer SET amount = amount + 1 WHERE number = %s",
            [house.head.transfer_number],
        )
    result = reconcile(house.system, whole=False)
    assert result.from_block > 0
    text = "; ".join(result.differences)
    for sentence in ("micros, its transfers say", "the balance of", "do not lead to its hash"):
        assert sentence in text
    assert reconcile(house.system, whole=False).from_block == 0  # and then all of it


def test_what_was_changed_before_the_checkpoint_is_found_by_the_whole(house: House) -> None:
    reconcile(house.system)
    with owner_without_guards("jackpot_entry"), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_entry SET outcome = '{}' WHERE hit = 1")
    assert reconcile(house.system, whole=False).differences == []
    with owner_without_guards("settlement_reconciliation"), connection.cursor() as cursor:
        cursor.execute("UPDATE settlement_reconciliation SET at = at - interval '25 hours'")
    due = reconcile(house.system, whole=False)
    assert due.from_block == 0
    assert "the fold says" in "; ".join(due.differences)


def test_a_changed_checkpoint_is_found(house: House) -> None:
    reconcile(house.system)
    checkpoint = Checkpoint.objects.get(system=house.system)
    checkpoint.books["balances"]["royal:pool"] += 1
    checkpoint.save()
    assert "the checkpoint is not the one that was reconciled" in differences_of(house, whole=False)


def test_books_that_another_fold_kept_are_not_gone_on_from(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an update the whole order is folded once, whatever the old books looked like."""
    with monkeypatch.context() as before:
        before.setattr(checkpoint, "SHAPE", "of the version before")
        reconcile(house.system)
    house.press("t3")
    house.post()
    result = reconcile(house.system, whole=False)
    assert (result.from_block, result.differences) == (0, [])
    assert reconcile(house.system, whole=False).from_block > 0


def test_what_reaches_behind_the_checkpoint_is_folded_whole(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.audit.checkpoint.ROUNDS_KEPT", 1)
    monkeypatch.setattr("jackpot.audit.replay_check.ROUNDS_IN_MEMORY", 1)
    monkeypatch.setattr("jackpot.audit.replay_check.FORGOTTEN_EVERY", 1)
    for _ in range(3):
        house.press("t7")
    house.post()
    reconcile(house.system)
    house.say("t7", messages.RoundStarted, round=1)  # a repeat of long ago
    house.post()
    result = reconcile(house.system, whole=False)
    assert (result.from_block, result.differences) == (0, [])


def test_a_decision_that_nobody_took_is_found(house: House) -> None:
    """Rows that somebody with the owner's password wrote: names, and no actions of these people."""
    answer = house.decide(
        "reject_claim",
        first="mere",
        second="david",
        hit=2,
        reason="R04",
        evidence="",
        affected=True,
    )
    assert not answer.refused
    assert differences_of(house) == (
        f"entry {answer.seq}: reject_claim of hit 2 names mere and david,"
        " and no actions of theirs stand behind it"
    )


def test_a_payout_that_no_entry_paid_is_found(house: House) -> None:
    claim = Claim.objects.get(number=1)
    with owner_without_guards("settlement_payout"):
        Payout.objects.create(
            claim=claim,
            line=1,
            part=1,
            seat=3,
            entry_seq=2,
            at=timezone.now(),
            cashier="lucia",
            amount=5,
            chips=0,
            cash=5,
            equivalent=0,
        )
    sentence = "the payout of claim 1, line 1, part 1, is not what an entry paid"
    assert differences_of(house) == sentence


def test_a_file_that_was_changed_is_found_once_a_day(house: House) -> None:
    """Files are hashed by the whole reconciliation, as the role that cannot read them."""
    claim = Claim.objects.get(system=house.system, number=1)
    install_roles()
    clerk = get_user_model().objects.create(username="clerk")
    grant(clerk, "Cashier")
    attachments.attach(claim, clerk, "Layout", JPEG)
    with acting_as("worker"):
        assert reconcile(house.system).differences == []
    with owner_without_guards("settlement_attachment"), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE settlement_attachment DROP CONSTRAINT attachment_is_its_hash")
        cursor.execute("UPDATE settlement_attachment SET content = content || 'x'")
    with acting_as("worker"):
        assert reconcile(house.system, whole=False).differences == []
        sentence = differences_of(house)
    (file,) = claim.attachments.values_list("pk", flat=True)
    assert sentence == f"claim 1: file {file} is not what was attached"
