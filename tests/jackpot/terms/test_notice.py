"""The posted notice is complete, and says what the engine does (19.4, 19.5)."""

from typing import Any

from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import REFUSES_19_16, notices, parse
from tests.support.play.books import ROYAL, royal_terms


def notice_text(terms: dict[str, Any], days: int | None = None) -> str:
    return " ".join(notices(parse(terms), 2, "NZD", days))


def test_what_counts_what_is_left_over_and_what_nobody_takes() -> None:
    text = notice_text(royal_terms(), 90)
    assert "the larger of the prize's value when the hand is recorded and what the display" in text
    assert "from before an earlier hand of that prize does not count for the later one" in text
    assert "highest card by suit: spades, hearts, diamonds, clubs" in text
    assert "clockwise from the button" not in text
    assert "within 90 days of its confirmation is booked as unclaimed and is still paid" in text
    assert "until two people declare it forfeited; it then goes back to the prize pool" in text
    assert "If no deck is named, the 52-card deck is used." in text
    plan = {"winner": 5_000, "table": 5_000}
    assert "given one each, clockwise from the button" in notice_text(royal_terms(plan=plan))


def test_whose_money_it_is_by_source() -> None:
    assert notice_text(royal_terms()).startswith("Funded by the operator alone.")
    mixed = [
        {"source": "per_round", "amount": MICROS},
        {"source": "pot", "basis_points": 100},
        {"source": "commission", "basis_points": 100},
    ]
    text = notice_text(royal_terms(increments=mixed) | {"funding": "players"})
    assert text.startswith("Funded from the operator, pots and the commission. What players put in")


def test_terms_that_refuse_what_19_16_grants_say_so() -> None:
    for condition in ("flop_seen", "showdown_needed"):
        qualifying = {**ROYAL, "games": ["holdem"], condition: True}
        assert f"Royal Flush: {REFUSES_19_16}" in notice_text(royal_terms(qualifying=qualifying))
    assert "19.16" not in notice_text(royal_terms())
