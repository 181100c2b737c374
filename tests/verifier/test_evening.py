"""What the product wrote keeps every promise: the verifier finds nothing."""

import pytest

from settlement.database_roles.grants import PREFIX
from tests.support.proof.evening_hands import Hands
from verifier.fold.books import rounds


def test_an_evening_verifies_clean(hands: Hands) -> None:
    report = hands.look()
    assert report.ok, report.lines()
    assert min(report.counts[what] for what in ("entries", "transfers", "journalled")) > 50


@pytest.mark.parametrize(
    ("what", "table"),
    [
        ("systems", "tables_jackpotsystem"),
        ("entries", "jackpot_entry"),
        ("transfers", "jackpot_transfer"),
        ("blocks", "jackpot_block"),
    ],
)
def test_it_says_how_much_it_looked_at(hands: Hands, what: str, table: str) -> None:
    rows = hands.connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchall()
    assert [(hands.look().counts[what],)] == rows


def test_the_reporting_role_may_read_all_that_it_takes(hands: Hands) -> None:
    hands.connection.execute(f"SET ROLE {PREFIX}reporting")
    assert hands.look().ok


def test_rounds_that_were_put_away_are_remembered(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Completions, repeats and hands of rounds that lie in the temporary file."""
    monkeypatch.setattr(rounds, "ROUNDS_IN_MEMORY", 2)
    report = hands.look()
    assert report.ok, report.lines()
