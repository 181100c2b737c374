"""Files that people attached: hashed by the verifier, or by the database for a lesser role."""

import pytest

from settlement.database_roles.grants import PREFIX
from tests.support.proof.evening_hands import Hands

UNCONSTRAINED = "ALTER TABLE settlement_attachment DROP CONSTRAINT attachment_is_its_hash"
FIRST = "WHERE id = (SELECT min(id) FROM settlement_attachment)"


def test_files_are_looked_at(hands: Hands) -> None:
    report = hands.look()
    assert report.ok
    assert report.counts["files"] > 1
    assert not [remark for remark in report.remarks if "files" in remark]


@pytest.mark.parametrize("role", ["owner", "reporting"])
@pytest.mark.parametrize(
    "change",
    [
        r"content = content || '\x00', size = size + 1",
        "content = overlay(content PLACING 'FORG'::bytea FROM 7)",
        "sha256 = sha256('another')",
        "size = 1",
        "content = 'another', sha256 = sha256('another'), size = 7",
        "command = 1",
    ],
)
def test_a_file_that_was_changed_is_found(hands: Hands, change: str, role: str) -> None:
    hands.tamper(UNCONSTRAINED, f"UPDATE settlement_attachment SET {change} {FIRST}")
    if role != "owner":
        hands.connection.execute(f"SET ROLE {PREFIX}{role}".encode())
    report = hands.look()
    assert "files" in report.counts_by_kind
    assert any("is not what was attached" in finding for _, finding in report.findings)
    assert any("the database hashed" in each for each in report.remarks) == (role != "owner")
