"""Messages without their bytes: believed only where the day of their unit had enough."""

import pytest

from tests.support.proof.evening_hands import Hands

OF_A_DAY = """
    INSERT INTO tables_quarantine
        (topic, table_id, boot, seq, reason, explanation, received_at, body, size, sha256)
    SELECT topic, table_id, NULL, NULL, reason, explanation, received_at,
           {body}, 65536, sha256(convert_to(repeat('x', 65536), 'UTF8'))
    FROM tables_quarantine, generate_series(1, {count})
    WHERE tables_quarantine.id = (SELECT min(id) FROM tables_quarantine)
"""
WHOLE = "convert_to(repeat('x', 65536), 'UTF8')"
A_DAY = 32 * 1024 * 1024 // 65536


@pytest.mark.parametrize("before", [A_DAY, A_DAY - 2], ids=["enough", "room for two"])
def test_bytes_that_are_missing_are_told_from_bytes_that_were_taken(
    hands: Hands, before: int
) -> None:
    hands.tamper(
        OF_A_DAY.format(body=WHOLE, count=before), OF_A_DAY.format(body="''::bytea", count=1)
    )
    findings = [what for _, what in hands.look().findings if "bytes were changed" in what]
    assert len(findings) == (before < A_DAY)


def test_a_message_that_was_emptied_is_found(hands: Hands) -> None:
    hands.tamper("UPDATE tables_quarantine SET body = ''")
    assert "inbox" in hands.look().counts_by_kind
