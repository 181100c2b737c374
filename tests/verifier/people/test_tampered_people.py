"""Whoever takes a person's action away, or pays twice, is found, and the place is named."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import ONE_PERSON, PAID, Tampered, assert_found

TAMPERED: Tampered = {
    "a payout is recorded twice": (
        [
            "DROP INDEX one_payout_a_part",
            """INSERT INTO settlement_payout (claim_id, line, part, seat, entry_seq, at, cashier,
                                           amount, chips, cash, equivalent, tax, residence)
            SELECT claim_id, line, part, seat, entry_seq, at, cashier, amount, chips, cash,
                   equivalent, tax, residence
            FROM settlement_payout ORDER BY id LIMIT 1""",
        ],
        ["has a payout already"],
    ),
    "a payout of nothing": (
        [f"UPDATE settlement_payout SET entry_seq = 2 WHERE entry_seq = {PAID}"],
        ["entry 2 paid nothing", "the register of payouts does not show it"],
    ),
    "a payout's cashier is changed": (
        ["UPDATE settlement_payout SET cashier = 'mere'"],
        ["says otherwise"],
    ),
    "a payout of another line": (
        [f"UPDATE settlement_payout SET line = 9 WHERE entry_seq = {PAID}"],
        ["line 9, part 1: entry", "says otherwise"],
    ),
    "a payout of another part": (
        [f"UPDATE settlement_payout SET part = 9 WHERE entry_seq = {PAID}"],
        ["line 1, part 9: entry", "says otherwise"],
    ),
    **{
        f"one person decides alone: {kind}": (
            [ONE_PERSON, f"UPDATE jackpot_command SET second = NULL WHERE kind = '{kind}'"],
            ["by the rules it is refused"],
        )
        for kind in ("reverse_claim", "forfeit", "adjust_pool", "resolve_dispute", "lift_hold")
    },
    **{
        f"a {kind} is taken away": (
            [f"DELETE FROM settlement_action WHERE kind = '{kind}'"],
            [f"{kind} without the action of {who} that it names"],
        )
        for kind, who in (("dispute", "sione"), ("hold_claim", "ines"))
    },
    "a verification is taken away": (
        ["DELETE FROM settlement_action WHERE kind = 'verify'"],
        ["confirm_claim without a verification of that report by sione"],
    ),
    "a confirmation is taken away": (
        ["DELETE FROM settlement_action WHERE kind = 'confirm'"],
        ["confirm_claim without the action of david"],
    ),
    "one person verifies and confirms": (
        [
            "UPDATE settlement_action SET person_id ="
            " (SELECT id FROM auth_user WHERE username = 'david') WHERE kind = 'verify'"
        ],
        ["david did both: verify and confirm", "without a verification"],
    ),
    "a proposal is taken away": (
        ["DELETE FROM settlement_action WHERE kind = 'propose_rejection'"],
        ["reject_claim without a proposal by anahera"],
    ),
    "an agreement is taken away": (
        ["DELETE FROM settlement_action WHERE kind = 'second_rejection'"],
        ["reject_claim without the action of mere"],
    ),
    "an amendment without its action": (
        ["DELETE FROM settlement_action WHERE kind = 'amend'"],
        ["amend_hand without the action of anahera"],
    ),
    "a payment without its action": (
        ["DELETE FROM settlement_action WHERE kind = 'pay'"],
        ["pay without the action of aroha"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_people_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])
