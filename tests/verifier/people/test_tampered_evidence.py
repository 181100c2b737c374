"""Whoever takes away what a confirmation rests on is found, and the thing is named."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import Tampered, assert_found

_ANSWER = "UPDATE settlement_checkanswer SET"
_LACKS = "it was confirmed without what the terms ask for:"
TAMPERED: Tampered = {
    "a bag without a number": (
        [f"{_ANSWER} evidence = '{{}}' WHERE item = 'sealed'"],
        [f"{_LACKS} sealed"],
    ),
    "a witness without a capacity": (
        [f"{_ANSWER} evidence = evidence - 'capacity' WHERE item = 'witness'"],
        [f"{_LACKS} witness"],
    ),
    "a reading that is no answer": (
        [f"{_ANSWER} evidence = '[\"reading\"]' WHERE item = 'display'"],
        [f"{_LACKS} display"],
    ),
    "reviews of footage that are gone": (
        ["DELETE FROM settlement_footage"],
        [f"{_LACKS} surveillance"],
    ),
    "a review of another claim": (
        [f"{_ANSWER} evidence = '{{\"footage\": [999999]}}' WHERE item = 'surveillance'"],
        [f"{_LACKS} surveillance"],
    ),
    "photographs that are gone": (
        ["DELETE FROM settlement_attachment"],
        [f"{_LACKS} photographed"],
    ),
    "another seat was identified": (
        ["UPDATE settlement_identification SET seat = seat + 10"],
        [f"{_LACKS} identity"],
    ),
    "a deck counted by a word": (
        [f"{_ANSWER} evidence = '{{\"suits\": \"right\"}}' WHERE item = 'deck_counted'"],
        [f"{_LACKS} deck_counted"],
    ),
    "a deck ticked off by nobody": (
        [
            f"{_ANSWER} evidence = evidence || '{{\"tick\": 999999}}'::jsonb"
            " WHERE item = 'deck_counted'"
        ],
        [f"{_LACKS} deck_counted"],
    ),
    "not applicable, where it is asked for": (
        [f"{_ANSWER} answer = 'na', note = 'small' WHERE item = 'sealed'"],
        [f"{_LACKS} sealed"],
    ),
    "a no without a reason": (
        [f"{_ANSWER} answer = 'no', note = ' ' WHERE item = 'sealed'"],
        [f"{_LACKS} sealed"],
    ),
    "answered behind it": (
        [
            "UPDATE settlement_record SET command = (SELECT max(number) FROM jackpot_command)"
            " WHERE source = 'settlement_checkanswer'"
            " AND row IN (SELECT id FROM settlement_checkanswer WHERE item = 'sealed')"
        ],
        [f"{_LACKS} sealed"],
    ),
    "answers that are gone": (
        ["DELETE FROM settlement_checkanswer WHERE item IN ('sealed', 'witness')"],
        [f"{_LACKS} sealed, witness"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_evidence_that_is_missing_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])


def test_a_no_in_words_is_an_answer(hands: Hands) -> None:
    """It says why the thing cannot be had; that the row was changed is another promise."""
    hands.tamper(f"{_ANSWER} answer = 'no', note = 'dark' WHERE item = 'sealed'")
    assert not any(_LACKS in line for line in hands.look().lines())
