"""What the product wrote keeps every promise: the verifier finds nothing."""

import pytest

from settlement.database_roles.grants import PREFIX
from tests.support.proof.evening_hands import Hands
from verifier.fold.books import rounds


def test_an_evening_verifies_clean(hands: Hands) -> None:
    report = hands.look()
    assert report.ok, report.lines()
    assert min(report.counts[what] for what in ("entries", "transfers", "journalled")) > 50


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
