"""Whoever changes an amount, an outcome, a block or a page is found, and the place is named."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import (
    A_BLOCK,
    A_FEED,
    A_HAND,
    A_HOLD,
    A_ROUND,
    LAST_BLOCK,
    POOL,
    Tampered,
    assert_found,
    body_of,
    entry,
)

TAMPERED: Tampered = {
    "an amount is changed": (
        [f"UPDATE jackpot_transfer SET amount = amount + 1 WHERE number = {A_FEED}"],
        [
            "does not follow from the one before",
            "its transfers come to",
            "do not lead to its hash",
            "by rules, terms and decisions",
        ],
    ),
    "a running balance is changed": (
        [f"UPDATE jackpot_transfer SET debit_after = debit_after + 1 WHERE number = {A_FEED}"],
        ["does not follow from the one before"],
    ),
    "a balance is changed": (
        [f"UPDATE jackpot_account SET balance = balance + 1 WHERE id = {POOL}"],
        ["it holds", "and not to nothing", "rules, terms and decisions lead to"],
    ),
    "a pool is below zero": (
        [
            "ALTER TABLE jackpot_account DROP CONSTRAINT only_sources_below_zero",
            f"UPDATE jackpot_account SET balance = -5 WHERE id = {POOL}",
        ],
        ["it is below zero: -5 micros"],
    ),
    "a running balance falls below zero": (
        [f"UPDATE jackpot_transfer SET debit_after = -5 WHERE number = {A_HOLD}"],
        ["falls below zero, to -5 micros"],
    ),
    "a transfer is deleted": (
        [f"DELETE FROM jackpot_transfer WHERE number = {A_HOLD}"],
        ["is missing before it", "do not lead to its hash"],
    ),
    "the last transfer is deleted": (
        ["DELETE FROM jackpot_transfer WHERE number = (SELECT max(number) FROM jackpot_transfer)"],
        ["it names transfer"],
    ),
    "a transfer is given to an earlier entry": (
        [f"UPDATE jackpot_transfer SET entry_seq = 2 WHERE number = {A_FEED}"],
        ["the one before to entry", "which is not in its block"],
    ),
    "a transfer moves nothing": (
        [
            "ALTER TABLE jackpot_transfer DROP CONSTRAINT transfer_positive",
            f"UPDATE jackpot_transfer SET amount = 0 WHERE number = {A_FEED}",
        ],
        ["is no transfer"],
    ),
    "a transfer goes to nobody": (
        [f"UPDATE jackpot_transfer SET credit_id = 999999 WHERE number = {A_FEED}"],
        ["an account of nobody, 999999", "do not lead to its hash"],
    ),
    "a transfer has another reason": (
        [f"UPDATE jackpot_transfer SET reason = 'payment' WHERE number = {A_FEED}"],
        ["the reason payment does not join"],
    ),
    "a transfer goes to another account": (
        [
            f"""UPDATE jackpot_transfer SET credit_id =
             (SELECT id FROM jackpot_account WHERE code = 'house:pool') WHERE number = {A_FEED}"""
        ],
        ["by rules, terms and decisions", "do not lead to its hash"],
    ),
    "an outcome is changed": (
        [entry("""outcome = outcome || '{"held": 1}'""", A_HAND)],
        ["the outcome says 1", "do not lead to its hash"],
    ),
    "an outcome is of another shape": ([entry("outcome = '[]'", A_HAND)], ["its rows do not lead"]),
    "a refusal is taken away": (
        ["""UPDATE jackpot_entry SET outcome = outcome - 'refused' WHERE outcome ? 'refused'"""],
        ["by the rules it is refused"],
    ),
    "a flag is taken away": (
        ["""UPDATE jackpot_entry SET outcome = '{}' WHERE outcome->'flags' ? 'repeat'"""],
        ["its flags are ['repeat'] by the rules"],
    ),
    "an entry stands under another hit": (
        [entry("hit = 3", A_HAND)],
        ["it stands under hit 3, its outcome names another"],
    ),
    "what displays showed is changed": (
        [
            entry(
                """outcome = jsonb_set(outcome, '{shown,values,royal}', '9990000000000')""", A_HAND
            )
        ],
        ["displays were not sent", "held is"],
    ),
    "a display message is taken away": (
        ["DELETE FROM jackpot_displaymessage"],
        ["displays were not sent"],
    ),
    "an event cannot be read": (
        [body_of("'nonsense'::bytea", A_ROUND)],
        ["cannot be folded", "nothing after it was folded"],
    ),
    "what was set aside was not": (
        ["DELETE FROM jackpot_setaside"],
        ["it moved nothing, and no two people set it aside so"],
    ),
    "it was set aside for another reason": (
        ["UPDATE jackpot_setaside SET reason = 'none'"],
        ["no two people set it aside so"],
    ),
    "it was set aside by one person": (
        [
            "ALTER TABLE jackpot_setaside DROP CONSTRAINT set_aside_takes_two_people",
            "UPDATE jackpot_setaside SET second = first",
            """UPDATE jackpot_entry SET outcome = jsonb_set(outcome, '{set_aside,second}', '"mere"')
            WHERE outcome ? 'set_aside'""",
        ],
        ["mere set it aside alone"],
    ),
    "nobody proposed to set it aside": (
        ["DELETE FROM settlement_asideproposal"],
        ["it was set aside without a proposal by mere"],
    ),
    "a command that was set aside is not refused": (
        [
            """UPDATE jackpot_entry SET outcome = outcome - 'refused'
            WHERE outcome ? 'set_aside' AND kind = 'command'"""
        ],
        ["only a command that was set aside is refused"],
    ),
    "a block's time is changed": (
        [f"UPDATE jackpot_block SET at = at + interval '1 day' WHERE number = {A_BLOCK}"],
        ["do not lead to its hash", "its time is before that of the block before"],
    ),
    "a block is taken away": (
        [f"DELETE FROM jackpot_block WHERE number = {A_BLOCK}"],
        [
            "is expected here",
            "it does not name the hash of the block before",
            "its entries do not",
            "do not lead to its hash",
        ],
    ),
    "the last block is taken away": (
        [f"DELETE FROM jackpot_block WHERE number = {LAST_BLOCK}"],
        [
            "it lies behind the last block",
            "the chain ends at block",
        ],
    ),
    "a block claims other transfers": (
        [
            "UPDATE jackpot_block SET first_transfer = first_transfer + 1"
            f" WHERE number = {LAST_BLOCK}"
        ],
        ["its transfers do not follow transfer"],
    ),
    "a block's hash is changed": (
        [f"UPDATE jackpot_block SET hash = sha256('x') WHERE number = {LAST_BLOCK}"],
        ["do not lead to its hash", "with another one"],
    ),
    "a hit is changed": (
        ["UPDATE jackpot_hit SET held = held + 1 WHERE number = 8"],
        ["by the order it is"],
    ),
    "a payee is changed": (
        ["""UPDATE jackpot_hit SET payees = '[]' WHERE number = 2"""],
        ["its payees are []"],
    ),
    "a hit is taken away": (
        ["DELETE FROM jackpot_hit WHERE number = 8"],
        ["the order opened it, and it is missing"],
    ),
    "a hit is invented": (
        ["UPDATE jackpot_hit SET number = 99 WHERE number = 8"],
        ["the order knows no such hit"],
    ),
    "terms are changed": (
        [
            "UPDATE jackpot_terms SET document = jsonb_set(document, '{tiers,0,reset}', '1')"
            " WHERE number = 1"
        ],
        ["the document is not what was put into effect"],
    ),
    "terms are taken away": (
        ["DELETE FROM jackpot_terms WHERE number = 2"],
        ["by the order there are 4 versions"],
    ),
    "a tier's counters are changed": (
        ["UPDATE jackpot_tier SET fed_pool = fed_pool + 1 WHERE code = 'royal'"],
        ["its counters are"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_money_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])
