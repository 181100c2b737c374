"""A button that is pressed faster than posted: what is one too many waits for a supervisor."""

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain.state.entries import EventEntry, Outcome
from jackpot.terms.document import to_json
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from tables.protocol import messages
from tests.support.play.books import AT, Floor, fold, royal_terms

HALF = MICROS // 2
ROUND = {"pot": 20_00, "commission": 1_00}
HAND = ("As Ks", "Qs Js Ts 2d 3c")


def terms(limit: int | None, **changes: Any) -> dict[str, Any]:
    """0.50 a round from the operator, 1% of the pot."""
    parts = [
        {"source": "per_round", "amount": HALF},
        {"source": "pot", "basis_points": 100},
    ]
    document = royal_terms(increments=parts) | {"funding": "players", "presses_a_minute": limit}
    return document | changes


class Timed(Floor):
    """A floor of one table whose unit and console have clocks, in seconds."""

    def __init__(self, *documents: dict[str, Any]) -> None:
        super().__init__(*documents)
        self.open("t3")
        self.start = self.pool()

    def say_at(self, unit: float, console: float, type_: type, **fields: Any) -> Outcome:
        self.seqs["t3"] += 1
        event = type_(
            v=1,
            system="main",
            table="t3",
            boot=1,
            seq=self.seqs["t3"],
            recorded_at=AT + dt.timedelta(seconds=unit),
            **fields,
        )
        at = AT + dt.timedelta(seconds=console)
        return fold(self.books, EventEntry(self.books.seq + 1, at, "t3", event))

    def pressed(self, unit: float, console: float | None = None) -> Outcome:
        self.rounds["t3"] = self.rounds.get("t3", 0) + 1
        now = unit if console is None else console
        return self.say_at(unit, now, messages.RoundStarted, round=self.rounds["t3"])

    def held(self) -> list[int]:  # type: ignore[override]
        return [number for (_, number), round_ in self.books.rounds.items() if round_.is_held]

    def grown(self) -> int:
        return self.pool() - self.start

    def rule(self, kind: str, *rounds: int, second: str | None = None) -> Outcome:
        return self.decide(kind, second=second, table="t3", rounds=list(rounds), note="camera 4")


def test_four_hundred_presses_in_two_seconds() -> None:
    floor = Timed(terms(6))
    outcomes = [floor.pressed(number / 200) for number in range(400)]
    assert outcomes[:6] == [{}] * 6
    assert outcomes[6:] == [{"flags": ["over_pace"]}] * 394
    assert floor.held() == list(range(7, 401))
    assert floor.grown() == 6 * HALF
    assert Timed(terms(None)).pressed(0) == {}


def test_without_a_limit_every_press_counts_as_before() -> None:
    floor = Timed(terms(None))
    assert [floor.pressed(number / 200) for number in range(400)] == [{}] * 400
    assert floor.grown() == 400 * HALF
    assert floor.books.presses == {}


def test_the_reference_units_guard_is_never_too_fast() -> None:
    """A press every fifteen seconds is four within a minute."""
    floor = Timed(terms(4))
    assert all(floor.pressed(15 * number) == {} for number in range(40))


def test_what_was_journalled_comes_all_at_once_and_counts() -> None:
    """Ten minutes cut off, a round every forty seconds: the unit's clock tells the pace."""
    floor = Timed(terms(4))
    assert all(floor.pressed(40 * number, console=700) == {} for number in range(15))


def test_times_that_a_unit_makes_up_lead_a_minute_at_the_most() -> None:
    """One every fifteen seconds, by a clock that runs as fast as it likes."""
    floor = Timed(terms(4))
    for number in range(400):
        floor.pressed(15 * number, console=number / 200)
    assert floor.grown() == 5 * HALF, "of the minute that is believed"
    again = Timed(terms(4))
    for number in range(400):  # the same past sent twice over
        again.pressed(15 * (number % 40), console=700 + number / 200)
    assert again.grown() == 40 * HALF


def test_a_clock_that_was_set_back_or_runs_ahead_holds_nobody_up() -> None:
    back, ahead = Timed(terms(4)), Timed(terms(4))
    for number in range(40):
        off = -3600.0 if number >= 20 else 0.0
        assert back.pressed(20 * number + off, console=20 * number) == {}
        assert ahead.pressed(20 * number + 10**9, console=20 * number) == {}


def test_each_jackpot_holds_what_its_own_terms_hold() -> None:
    other = terms(None) | {"code": "second", "name": "Second"}
    other["tiers"] = [other["tiers"][0] | {"code": "second"}]
    floor = Timed(terms(2), other)
    for number in range(5):
        floor.pressed(number)
        floor.say_at(number, number, messages.RoundCompleted, round=number + 1, **ROUND)
    fifth = 20 * MICROS // 100
    assert floor.grown() == 2 * (HALF + fifth)
    assert floor.pool("second") == 1000 * MICROS + 5 * (HALF + fifth)
    assert floor.rule("refuse_rounds", 3, second="david")["taken_back"] == {"second": HALF + fifth}
    assert floor.rule("accept_rounds", 4, 5)["credited"] == {"royal": 2 * (HALF + fifth)}
    assert floor.grown() == 4 * (HALF + fifth)
    assert floor.pool("second") == 1000 * MICROS + 4 * (HALF + fifth)


class TestHeld:
    """Round 2 is held; round 1 took part."""

    @pytest.fixture
    def floor(self) -> Timed:
        floor = Timed(terms(1))
        floor.pressed(0)
        assert floor.pressed(1) == {"flags": ["over_pace"]}
        return floor

    def complete(self, floor: Timed, number: int = 2) -> Outcome:
        return floor.say_at(2, 2, messages.RoundCompleted, round=number, **ROUND)

    def test_its_completion_waits_with_it_and_both_are_accepted(self, floor: Timed) -> None:
        assert self.complete(floor) == {"flags": ["over_pace"]}
        assert floor.grown() == HALF
        outcome = floor.rule("accept_rounds", 2)
        assert outcome == {"rounds": [2], "credited": {"royal": HALF + MICROS // 5}}
        assert floor.grown() == 2 * HALF + MICROS // 5
        assert {t.reason for t in floor.books.transfers[-2:]} == {"adjustment"}
        assert "not held, or is decided" in floor.rule("accept_rounds", 2)["refused"]

    def test_once_it_is_accepted_its_completion_counts_like_any(self, floor: Timed) -> None:
        floor.rule("accept_rounds", 2)
        assert self.complete(floor) == {}
        assert floor.grown() == 2 * HALF + MICROS // 5

    def test_refused_it_adds_nothing(self, floor: Timed) -> None:
        assert floor.rule("refuse_rounds", 2) == {"rounds": [2], "taken_back": {}}
        assert floor.grown() == HALF
        assert floor.held() == []

    def test_a_completion_that_comes_after_the_refusal_counts(self, floor: Timed) -> None:
        """It was played after all: what players put in is never lost."""
        floor.rule("refuse_rounds", 2)
        assert self.complete(floor) == {"flags": ["cancelled"]}
        assert floor.grown() == HALF + MICROS // 5

    def test_one_person_does_not_refuse_figures(self, floor: Timed) -> None:
        self.complete(floor)
        assert "a second person must agree" in floor.rule("refuse_rounds", 2)["refused"]
        assert "two different people" in floor.rule("refuse_rounds", 2, second="mere")["refused"]
        assert floor.held() == [2]
        floor.rule("refuse_rounds", 2, second="david")
        assert floor.grown() == HALF
        body: dict[str, Any] = {"table": "t3", "round": 2, "reason": "wrong_count", "note": "x"}
        assert "void already" in floor.decide("void_round", second=None, **body)["refused"]

    def test_a_hand_is_never_held(self, floor: Timed) -> None:
        outcome = floor.call("t3")
        assert (outcome["hit"], outcome["tier"]) == (1, "royal")
        assert floor.books.hits[1].held == 1001 * MICROS
        assert "it was played" in floor.rule("refuse_rounds", 2)["refused"]
        floor.rule("accept_rounds", 2)
        assert floor.pool() == 1000 * MICROS + HALF, "behind the hand"

    def test_a_void_round_gives_the_players_their_money_back(self, floor: Timed) -> None:
        self.complete(floor)
        body: dict[str, Any] = {"table": "t3", "round": 2, "reason": "wrong_count", "note": "x"}
        outcome = floor.decide("void_round", second=None, **body)
        assert outcome == {"round": 2, "taken_back": {}}
        assert floor.rule("accept_rounds", 2)["credited"] == {"royal": HALF}, "for the redeal"
        assert floor.grown() == 2 * HALF

    def test_it_may_be_cancelled_like_any(self, floor: Timed) -> None:
        body: dict[str, Any] = {"table": "t3", "round": 2, "reason": "double_press", "note": "x"}
        outcome = floor.decide("cancel_round", second=None, **body)
        assert outcome == {"round": 2, "taken_back": {}}
        assert floor.held() == []

    def test_a_missed_completion_waits_for_the_decision(self, floor: Timed) -> None:
        body: dict[str, Any] = {"table": "t3", "rounds": [2], "count": 1, "completion": True}
        body |= {"pot": 20 * MICROS, "evidence": "camera 4"}
        assert "is held for its pace" in floor.decide("missed_rounds", **body)["refused"]
        floor.rule("accept_rounds", 2)
        assert floor.decide("missed_rounds", **body)["credited"] == {"royal": MICROS // 5}

    def test_figures_that_came_before_the_press_were_credited(self, floor: Timed) -> None:
        self.complete(floor, 3)
        assert floor.pressed(3) == {"flags": ["over_pace"]}
        assert floor.grown() == HALF + MICROS // 5
        assert floor.rule("accept_rounds", 3)["credited"] == {"royal": HALF}
        assert floor.grown() == 2 * HALF + MICROS // 5

    def test_a_missed_round_whose_start_comes_late_was_decided_on(self, floor: Timed) -> None:
        body: dict[str, Any] = {"table": "t3", "rounds": [3], "count": 1, "evidence": "camera 4"}
        floor.decide("missed_rounds", **body)
        assert floor.pressed(3) == {"flags": ["adjusted_before"]}
        assert floor.grown() == 2 * HALF

    @pytest.mark.parametrize(
        ("rounds", "why"),
        [([1], "not held"), ([9], "not held"), ([2, 2], "once"), ([], "cannot be read")],
    )
    def test_what_nobody_holds_is_not_decided_on(
        self, floor: Timed, rounds: list[int], why: str
    ) -> None:
        for kind in ("accept_rounds", "refuse_rounds"):
            assert why in floor.rule(kind, *rounds)["refused"]


def test_the_limit_is_posted() -> None:
    posted = parse(terms(6))
    assert any("more than 6 times within a minute" in line for line in notices(posted, 2, "NZD"))
    assert to_json(posted)["presses_a_minute"] == 6
    assert "presses_a_minute" not in to_json(parse(terms(None)))


@given(
    limit=st.integers(1, 5),
    steps=st.lists(st.tuples(st.integers(-30, 90), st.integers(0, 60)), min_size=1, max_size=40),
)
def test_what_is_held_by_pencil(limit: int, steps: list[tuple[int, int]]) -> None:
    """Each press is put on one line of time; with the limit before it in its minute it waits."""
    floor, line = Timed(terms(limit)), list[int]()
    unit = console = 0
    for forward, passed in steps:
        unit, console = unit + forward, console + passed
        time = min(unit, console + 60)
        if line and time <= line[-1]:
            time = line[-1] + passed
        before = [each for each in line if time - 60 < each]
        line.append(time)
        outcome = floor.pressed(unit, console)
        assert outcome == ({"flags": ["over_pace"]} if len(before) >= limit else {})
        assert time <= console + 60
    assert floor.grown() == (len(steps) - len(floor.held())) * HALF
