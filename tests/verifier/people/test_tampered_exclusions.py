"""Whoever lets an excluded person be paid is found."""

import pytest

from tests.support.proof.evening_hands import Hands
from tests.support.proof.tampering import Tampered, assert_found

OTHERS = "reference = 'O-2'"
TAMPERED: Tampered = {
    "a release of another match": (
        [
            "UPDATE jackpot_command SET body = body || '{\"matches\": [999]}'"
            " WHERE kind = 'release_excluded'",
        ],
        ["it paid seat 3, whose player is on a list of excluded persons", "nobody released it"],
    ),
    "a match is gone": (
        ["DELETE FROM settlement_exclusionmatch"],
        ["it is entry", "by document, and no match says so"],
    ),
    "a match of somebody else": (
        [
            "INSERT INTO settlement_exclusionmatch (identification_id, exclusion_id, rule, at)"
            " SELECT min(i.id), min(x.id), 'name', now()"
            f" FROM settlement_identification i, settlement_exclusion x WHERE {OTHERS}"
        ],
        ["a match says that it is excluded entry", "by name, and it is not"],
    ),
    "an entry that is made to be the player's": (
        [
            f"UPDATE settlement_exclusion SET name = 'N. A.', born = '1970-01-01' WHERE {OTHERS}",
        ],
        ["by name, and no match says so"],
    ),
    "a release by one whose role does not allow it": (
        [
            "UPDATE settlement_proposaldecision SET person_id ="
            " (SELECT id FROM auth_user WHERE username = 'aroha') WHERE proposal_id ="
            " (SELECT id FROM settlement_proposal WHERE kind = 'release_excluded')",
        ],
        ["release_excluded names mere and ines: mere proposed it, aroha agreed"],
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_exclusions_is_found_and_named(hands: Hands, what: str) -> None:
    assert_found(hands, *TAMPERED[what])
