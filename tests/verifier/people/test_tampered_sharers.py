"""Whoever makes somebody share more of a prize, or somebody else, is found."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import Tampered, assert_found

TAMPERED: Tampered = {
    "a part of more than the seat won": (
        ["UPDATE settlement_sharer SET amount = 1000000000000000"],
        ["won", "and 1000000000000000 is shared", "its amount is not what was recorded"],
    ),
    "a player is made a sharer": (
        [
            "UPDATE settlement_sharer SET identification_id ="
            " (SELECT min(id) FROM settlement_identification WHERE seat IS NOT NULL)",
        ],
        ["nobody is identified as a sharer of seat"],
    ),
    "a reversal of another amount": (
        [
            "INSERT INTO settlement_sharer (claim_id, seat, kind, identification_id, amount,"
            " reverses_id, reason, person_id, at, key) SELECT claim_id, seat, 'withdrawn',"
            " identification_id, amount + 1, id, 'x', person_id, at, gen_random_uuid()"
            " FROM settlement_sharer",
        ],
        ["it reverses no sharer that stands, in full, with a reason"],
    ),
    "another person under the same number": (
        ["UPDATE settlement_identification SET name = 'Somebody else' WHERE shares IS NOT NULL"],
        ["the player is not the one who was recorded"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_sharers_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])
