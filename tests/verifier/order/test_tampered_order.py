"""Whoever changes what was recorded, or its order, is found, and the place is named."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import (
    A_HAND,
    A_ROUND,
    AHEAD,
    CONFIRMED,
    LAST,
    LATE,
    ONE_PERSON,
    PAID,
    RELEASED,
    Tampered,
    assert_found,
    body_of,
    command,
    entry,
    forged,
    text,
)

TAMPERED: Tampered = {
    "an event's body is changed": (
        [body_of("body || ' '::bytea", A_ROUND)],
        ["the event was changed since it was posted", "the inbox has other bytes"],
    ),
    "a command is changed": (
        [command("""body = body || '{"amount": 1}'""", CONFIRMED)],
        ["the command was changed since it was posted", "by the rules it is refused"],
    ),
    "a fact is changed": (
        [entry("""body = body || '{"to_seq": 99}'""", RELEASED)],
        ["the fact was changed since it was posted"],
    ),
    "an event is taken out of the inbox": (
        [
            f"DELETE FROM tables_tableevent WHERE id = (SELECT event_id FROM jackpot_entry WHERE"
            f" seq = {A_ROUND})"
        ],
        [
            "the inbox has no event of this identity",
            "neither recorded nor quarantined",
            "is nowhere",
        ],
    ),
    "an event is added to the inbox": (
        [
            """INSERT INTO tables_tableevent (system_id, table_id, boot, seq, type, round, test,
                                           recorded_at, received_at, body)
            SELECT system_id, table_id, boot, 900, type, round, test, recorded_at, received_at, body
            FROM tables_tableevent ORDER BY id DESC LIMIT 1"""
        ],
        ["no unit wrote it down", "it is recorded and has no entry", "is the last that is held"],
    ),
    "an event is added of a table that is nowhere": (
        [
            """INSERT INTO tables_tableevent (system_id, table_id, boot, seq, type, round, test,
                                           recorded_at, received_at, body)
            SELECT system_id, 987654, boot, 900, type, round, test, recorded_at, received_at, body
            FROM tables_tableevent ORDER BY id DESC LIMIT 1"""
        ],
        ["1 events name it, the first of boot 1, seq 900; the system has no such table"],
    ),
    "an event says another table than its entry": (
        [body_of(text('"round":', '"round":1'), A_ROUND)],
        ["the entry's columns say something else"],
    ),
    "a quarantined message is changed": (
        ["UPDATE tables_quarantine SET body = body || 'x'::bytea"],
        ["its bytes were changed"],
    ),
    "a quarantined message of the same length is changed": (
        ["UPDATE tables_quarantine SET body = overlay(body placing 'x'::bytea from 3)"],
        ["its bytes were changed"],
    ),
    "an entry is deleted": (
        [f"DELETE FROM jackpot_entry WHERE seq = {A_ROUND}"],
        [
            "is missing before it",
            "without a fact",
            "do not lead to its hash",
            "it is recorded and has no entry",
            "which is not in its block",
        ],
    ),
    "the last entry is deleted": (
        [f"DELETE FROM jackpot_entry WHERE seq = {LAST}"],
        ["it names entry"],
    ),
    "two entries change places": (
        [
            "ALTER TABLE jackpot_entry DROP CONSTRAINT jackpot_entry_pkey",
            f"""UPDATE jackpot_entry SET seq = 2 * hand.place - 1 - seq
                FROM (SELECT {A_HAND} AS place) hand
                WHERE seq IN (hand.place, hand.place - 1)""",
        ],
        ["twice, or late without being flagged", "do not lead to its hash", "by the rules"],
    ),
    "an entry is of no kind": ([entry("kind = 'wish'", A_ROUND)], ["an entry is no wish"]),
    "an event's entry has no table": (
        [entry("table_id = NULL", A_ROUND)],
        ["an event has a table, a boot and a seq"],
    ),
    "an entry's time is put back": (
        [entry("at = at - interval '1 hour'", A_ROUND)],
        ["its time is before that of the entry"],
    ),
    "a round is flagged as taken ahead": (
        [entry("""outcome = '{"flags": ["ahead_of_gap"]}'""", A_ROUND)],
        ["only a hand may be", "where there is none"],
    ),
    "a round is flagged late": (
        [entry("""outcome = '{"flags": ["late"]}'""", A_ROUND)],
        ["nothing went past it"],
    ),
    "a late entry is not flagged": (
        [entry("outcome = '{}'", LATE)],
        ["twice, or late without being flagged"],
    ),
    "a hand's flag is taken away": (
        [entry("outcome = jsonb_set(outcome, '{flags}', '[\"no_start\"]')", AHEAD)],
        ["without a fact", "twice, or late"],
    ),
    "a released gap is made unreadable": (
        [entry("body = '{}'", RELEASED)],
        ["the released gap cannot be read", "without a fact"],
    ),
    "a fact releases what was taken": (
        [entry("""body = body || '{"from_seq": 1}'""", RELEASED)],
        ["which the order is past already"],
    ),
    "a fact of an unknown kind": (
        [entry("type = 'miracle'", RELEASED)],
        ["this verifier knows no fact miracle"],
    ),
    "a command's number is changed": (
        [entry("command = 900", PAID)],
        ["is expected, it carries 900", "has no command 900"],
    ),
    "a command is of another kind than its entry": (
        [ONE_PERSON, command("kind = 'reject_claim'", PAID)],
        ["its command says reject_claim"],
    ),
    "a command is queued and never taken": (
        ["UPDATE jackpot_commandqueue SET last_number = last_number + 1"],
        ["is queued"],
    ),
    "a payment is forged": (
        forged("pay", '{"hit": 2, "seat": 3, "parts": {"cash": 1}}'),
        ["lies behind the last block", "by the rules it is refused"],
    ),
    "a decision of an unknown kind": (
        forged("give_away", "{}"),
        ["this verifier knows no decision give_away"],
    ),
    "terms are put by one person": (
        [ONE_PERSON, "UPDATE jackpot_command SET second = first WHERE number = 1"],
        ["by the rules it is refused", "the command was changed"],
    ),
    "one of two people is nobody": (
        [command("second = ''", CONFIRMED)],
        ["names one person alone"],
    ),
    "a watermark is raised": (
        ["UPDATE tables_stream SET committed_seq = committed_seq + 5, last_seq = last_seq + 5"],
        ["is nowhere"],
    ),
    "a watermark falls below what a receipt says": (
        [
            """INSERT INTO tables_outboxmessage (system_id, topic, payload, retain, created)
            SELECT id, 'jackpot/v1/main/t3/receipts',
                   '{"era": 1, "boot": 1, "committed_seq": 500}', false, now()
            FROM tables_jackpotsystem"""
        ],
        ["a receipt says 500, held is"],
    ),
    "a loss is forgotten": (["DELETE FROM tables_closedgap"], ["is nowhere", "without a fact"]),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_the_order_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])
