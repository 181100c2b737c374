"""High hands on pages and in the API: the period that runs, who leads it, who won it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.display import values as display
from jackpot.display.period_calls import call_periods
from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.claims.derivation import steps_of
from tests.support.cases.hands.periods import Night, utc
from tests.support.cases.hands.settlement_high_hands import half_past, night
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import hire, read
from tests.support.play.fixed_high_hands import ADDED, fixed_terms
from tests.support.play.high_hands import HOUSE, NINES, STEEL
from tests.support.suite.clock import Clock

__all__ = ["night"]

POOL = "/pools/main/high/"


def test_while_the_period_runs_a_candidate_waits_for_its_end(night: Night) -> None:
    page = page_of("sione", "/claims/main/2/")
    assert "Candidate for the high hand" in page
    assert "In the running" in page
    assert "Four of a kind, nines" in page
    assert "Full house, aces full of kings" in page
    assert " 0.00" not in page_of("sione", "/claims/")  # it holds nothing yet, rather than 0.00
    pool = page_of("sione", POOL)
    assert "High hand until 10:30" in pool
    assert "Four of a kind, nines" in pool


def test_at_its_end_the_best_holds_the_prize_and_the_others_hold_nothing(night: Night) -> None:
    half_past(night)
    page = page_of("sione", "/claims/main/2/")
    assert "101.00" in page
    assert "Takes effect when its period closed" in page
    beaten = page_of("sione", "/claims/main/1/")
    assert "Pool at the end of the period" not in beaten
    pool = page_of("sione", POOL)
    assert "MAIN-2" in pool
    payee = {"seat": 3, "role": "winner", "amount": 101 * MICROS}
    decided = night.decide(
        "confirm_claim", with_actions=True, hit=2, amount=101 * MICROS, payees=[payee]
    )
    assert not decided.refused
    page = page_of("sione", "/claims/main/1/")
    assert "Outranked" in page
    assert "A better hand won the period" in page
    assert "Outranked" in page_of("sione", "/claims/?standing=outranked")


@pytest.mark.parametrize("address", ["/", "/claims/", "/claims/main/2/print/", "/pools/"])
def test_other_pages_show_it_without_a_fault(night: Night, address: str) -> None:
    half_past(night)
    assert logged_in("sione").get(address).status_code == 200


def test_a_period_without_a_winner_is_shown_as_rolled_over(night: Night) -> None:
    half_past(night)
    night.set("11:00")
    call_periods()
    night.post()
    assert "Nobody: its money stays in the pool" in page_of("sione", POOL)


@pytest.mark.usefixtures("db")
def test_prizes_that_nobody_won_stand_apart_from_that_of_the_period(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    night = Night(Clock(monkeypatch, utc("2026-11-21 10:10")), fixed_terms(requirements=ADDED))
    hire()
    half_past(night)
    assert "Prize of this period: NZD 500.00 and NZD 500.00 rolled over." in page_of("sione", POOL)
    night.set("10:40")
    night.show("t7", NINES)
    night.post()
    claims.catch_up(night.system)
    night.set("11:00")
    call_periods()
    night.post()
    page = page_of("sione", "/claims/main/1/")
    assert "Fixed prize 500.00" in page
    assert "Rolled over from earlier periods 500.00" in page
    assert "Added by the operator 390.00" in page  # the pool held 610.00
    assert "Amount 1,000.00" in page
    steps = [step.text for step in steps_of(night.hit(1))]
    assert "Prizes of the periods before, which nobody won" in steps
    assert "rolled over" not in page_of("sione", POOL)


def test_the_api_names_the_candidates_of_a_period(night: Night) -> None:
    half_past(night)
    claim = read("/api/claims/main-2/")
    assert claim["period"]["candidates"] == [
        {"claim": "main-2", "hand": "four of a kind, nines", "place": 1, "held_micros": 101000000},
        {
            "claim": "main-1",
            "hand": "full house, aces full of kings",
            "place": 2,
            "held_micros": 0,
        },
    ]


def test_more_candidates_cost_no_more_queries(night: Night) -> None:
    client = logged_in("sione")

    def queries_of(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    night.show("t3", STEEL)
    night.post()
    client.get(POOL)
    before = queries_of(POOL), queries_of("/claims/main/2/")
    for cards in (STEEL, NINES, HOUSE):
        night.show("t3", cards)
    night.post()
    assert (queries_of(POOL), queries_of("/claims/main/2/")) == before


def test_displays_are_told_who_leads_and_when_the_period_ends(night: Night) -> None:
    display.refresh(night.system.pk)
    current = display.current(night.system.pk)
    assert current is not None
    assert current["tiers"][0]["period"] == {
        "ends": "2026-11-21T10:30:00.000Z",
        "best": "four of a kind, nines",
        "tables": ["Table 7"],
    }
