"""Hands on which the rules fail: one hand never halts a system (19.11, 19.20)."""

import copy
import dataclasses
from typing import Any

import msgspec
import pytest

from jackpot.domain import fold
from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.domain.state.entries import CommandEntry, EventEntry, Outcome
from jackpot.domain.state.verdicts import NO_VERDICT
from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.play.books import Floor, royal_terms
from tests.support.play.failing_rules import FailingRules
from tests.support.play.high_hands import HOUSE, STEEL, Evening

HOLE, BOARD = "As Ks", "Qs Js Ts 7d 3c"
OTHER = "Qs Js Ts 2d 3c"  # the same hand, on a board that the rules can judge


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> FailingRules:
    return FailingRules(monkeypatch)


class Room(Floor):
    """Two tables, each with a round begun: 1,001.00 in the pool."""

    def __init__(self, *terms: dict[str, Any]) -> None:
        super().__init__(*(terms or (royal_terms(),)))
        for table in ("t3", "t7"):
            self.open(table)
            self.press(table)

    def stops(self, hit: int) -> list[dict[str, Any]]:
        return self.books.hits[hit].stops

    def amend(self, hit: int, board: str = BOARD) -> Outcome:
        hand = {"seat": 3, "hole": HOLE.split(), "exposed": "yes", "folded": False}
        hand |= {"participating": True, "won_pot": True}
        body = {"boards": [board.split()], "hands": [hand]}
        return self.decide("amend_hand", second=None, hit=hit, report=body)

    def confirm(self, hit: int) -> Outcome:
        amount = bounds_of(self.books, self.books.hits[hit]).due
        payees = [{"seat": 3, "amount": amount}]
        return self.decide("confirm_claim", hit=hit, amount=amount, payees=payees)


def test_nine_clubs_in_omaha_with_forty_cards_halt_nothing() -> None:
    """A royal flush that the rules once took for a card which the deck has not."""
    (tier,) = royal_terms()["tiers"]
    qualifying = {**tier["qualifying"], "games": ["omaha"], "decks": [40]}
    floor = Floor({**royal_terms(qualifying=qualifying), "games": ["omaha"]})
    session: dict[str, Any] = {"game": "omaha", "deck": 40, "dealer": "d"}
    floor.say("t3", messages.SessionOpened, **session, seats_in_play=[1, 2, 3])
    floor.press("t3")
    outcome = floor.report("t3", "Kc Qc 8c 7c", "Ac Jc Tc 6c 5d")
    assert (outcome["tier"], outcome["held"]) == ("royal", 1001 * MICROS)


def test_it_keeps_its_place_and_what_it_was_called_for(rules: FailingRules) -> None:
    room = Room()
    room.call("t3")
    outcome = room.report("t3", HOLE, BOARD)
    seq = room.books.seq
    assert outcome["no_verdict"] == [1]
    assert outcome["flags"] == ["no_verdict"]
    assert "0x" not in str(outcome)  # what the fault said is not in the order
    assert room.held(1) == 1001 * MICROS
    assert room.stops(1) == [{"entry": seq, "kind": "verdict", "lifted": None}]
    assert room.confirm(1)["refused"] == NO_VERDICT.text
    room.press("t3")  # the order goes on
    assert room.pool() == 1000 * MICROS + MICROS // 2


def test_a_report_that_is_judged_lets_it_go_on(rules: FailingRules) -> None:
    """Typed wrong, or sent once more as it is behind a new release: both are an amendment."""
    room = Room()
    room.report("t3", HOLE, BOARD)  # nobody called it: it holds nothing yet
    assert (room.books.hits[1].tier, room.held(1)) == (None, 0)
    again = room.amend(1)
    assert again["no_verdict"] == [1]
    assert len(room.stops(1)) == 1  # it waits already
    rules.is_repaired = True
    outcome = room.amend(1)
    assert "no_verdict" not in outcome
    assert (outcome["tier"], outcome["held"]) == ("royal", 1001 * MICROS)
    assert room.stops(1)[0]["lifted"] == room.books.seq
    assert room.confirm(1)["confirmed"] == 1001 * MICROS


def test_typed_otherwise_it_is_judged_at_once(rules: FailingRules) -> None:
    room = Room()
    room.report("t3", HOLE, BOARD)
    assert room.amend(1, OTHER)["tier"] == "royal"
    assert room.stops(1)[0]["lifted"] == room.books.seq


def test_two_people_may_reject_it(rules: FailingRules) -> None:
    room = Room()
    room.call("t3")
    room.report("t3", HOLE, BOARD)
    room.decide("reject_claim", hit=1, reason="R04", evidence="camera 4", affected=True)
    assert room.stops(1)[0]["lifted"] == room.books.seq
    assert room.pool() == 1001 * MICROS


def test_a_later_claim_waits_as_behind_a_hand_that_nobody_has_read(rules: FailingRules) -> None:
    """It may be a royal flush though nobody called it: 1,001.00 are not safe, 1,000.00 are."""
    room = Room()
    room.report("t3", HOLE, BOARD)
    room.report("t7", HOLE, OTHER)
    payout_bounds = bounds_of(room.books, room.books.hits[2])
    assert (payout_bounds.safe, payout_bounds.most) == (1000 * MICROS, 1001 * MICROS)
    assert payout_bounds.waits_for == (1,)
    assert room.confirm(2)["confirmed"] == 1000 * MICROS
    room.decide("reject_claim", hit=1, reason="R04", evidence="camera 4", affected=True)
    assert room.confirm(2)["confirmed"] == MICROS


def test_a_figure_that_comes_judges_it_again(rules: FailingRules) -> None:
    room = Room()
    room.report("t3", HOLE, BOARD)
    assert room.complete("t3", pot=4000)["no_verdict"] == [1]
    rules.is_repaired = True
    room.press("t3")
    room.report("t3", HOLE, BOARD)
    rules.is_repaired = False
    assert room.complete("t3")["no_verdict"] == [2]
    assert room.stops(2)[0]["lifted"] is None


def test_each_claim_of_the_hand_is_stopped(rules: FailingRules) -> None:
    room = Room(each_terms())
    room.report("t3", HOLE, OTHER)
    assert [hit.tier for hit in room.books.hits.values()] == ["royal", "steel"]
    assert room.amend(2)["no_verdict"] == [1]
    assert [len(room.stops(number)) for number in (1, 2)] == [1, 1]
    assert [hit.tier for hit in room.books.hits.values()] == ["royal", "steel"]  # as it was
    room.amend(1, OTHER)
    assert all(room.stops(number)[0]["lifted"] for number in (1, 2))


def test_a_candidate_for_a_high_hand_is_unread(rules: FailingRules) -> None:
    """Nobody is paid for the period beside it before somebody has read it."""
    evening = Evening()
    evening.press("t3")
    evening.call("t3", "high")
    assert evening.report("t3", *HOUSE)["no_verdict"] == [1]
    evening.show("t7", STEEL)
    evening.end()
    assert [evening.books.hits[number].strength for number in (1, 2)] == [[], [9, 8]]
    assert bounds_of(evening.books, evening.books.hits[2]).due == 0


def test_what_fails_only_when_it_is_divided_is_refused(
    rules: FailingRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("?")

    rules.is_repaired = True
    room = Room()
    room.report("t3", HOLE, OTHER)
    monkeypatch.setattr("jackpot.domain.payout.division.divide_by_plan", fail)
    outcome = room.confirm(1)
    assert outcome["refused"] == NO_VERDICT.text
    assert outcome["no_verdict"] == [1]


def test_folded_again_with_rules_that_are_mended_it_is_what_was_recorded(
    rules: FailingRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is a fact of its moment: a new release folds the order as it was."""
    outcomes: list[tuple[Any, Outcome]] = []
    apply = fold.apply

    def noted(books: Any, entry: Any) -> Outcome:
        outcome = apply(books, entry)
        outcomes.append((entry, copy.deepcopy(outcome)))
        return outcome

    monkeypatch.setattr("tests.support.play.books.apply", noted)
    room = Room()
    room.report("t3", HOLE, BOARD)
    room.report("t7", HOLE, OTHER)
    room.complete("t3", pot=4000)
    room.confirm(2)
    rules.is_repaired = True
    room.amend(1)
    recorded = copy.deepcopy(outcomes)
    outcomes.clear()
    again = Floor()
    for entry, outcome in recorded:
        unjudged = frozenset(outcome.get("no_verdict", ()))
        assert isinstance(entry, EventEntry | CommandEntry)
        assert apply(again.books, _with(entry, unjudged)) == outcome
    assert again.books.balances == room.books.balances
    assert again.books.hits == room.books.hits


def _with(entry: EventEntry | CommandEntry, unjudged: frozenset[int]) -> Any:
    if isinstance(entry, CommandEntry):
        return dataclasses.replace(entry, without_verdict=unjudged)
    return msgspec.structs.replace(entry, without_verdict=unjudged)
