"""Own hands, large amounts and missed rounds as a few rows: what is found, and what just is not."""

import datetime as dt
from typing import Any

import pytest

from tests.support.proof.rows_by_hand import decision, rows
from verifier.database.report import Report, Scope
from verifier.database.rows import System
from verifier.people import conflicts as checked

SYSTEM = System(7, "main", 2, era=1)
AT = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)  # when each command was issued
SECOND, MINUTE, HOUR = (dt.timedelta(seconds=n) for n in (1, 60, 3600))


def verdict(*decisions: Any, **by_query: list[tuple[Any, ...]]) -> list[str]:
    """`by_query`: rows by the name of their query, as `plays`."""
    by_its_query = {
        getattr(checked, f"_{name.upper()}"): answers for name, answers in by_query.items()
    }
    issued = [(each.entry.command, AT) for each in decisions]
    report = Report()
    checked.conflicts(
        rows({checked._ISSUED: issued} | by_its_query),
        Scope(report, "main"),
        SYSTEM,
        list(decisions),
    )
    assert {kind for kind, _ in report.findings} <= {"people"}
    return [sentence.removeprefix("system main, ") for _, sentence in report.findings]


# --- own hands ----------------------------------------------------------------------------

HAND = (1, 3, AT - 30 * MINUTE, None, AT - 31 * MINUTE)  # hit, table, hit at, recorded, started
DEALT_IN = "entry 1: mere was dealt in, and decided: pay"


def play(person: str = "mere", **changes: Any) -> tuple[Any, ...]:
    """At table 3 since an hour, as they said themselves."""
    usual: dict[str, Any] = {
        "table": 3, "since": AT - HOUR, "until": None, "at": AT, "command": 1, "by": person,
        "agrees": None, "second": None, "second_command": None,
    }  # fmt: skip
    return (person, *(usual | changes).values())


def of_play(*plays: tuple[Any, ...], hand: tuple[Any, ...] = HAND) -> list[str]:
    return verdict(decision(1, "pay", {"hit": 1}), plays=list(plays), hands=[hand])


@pytest.mark.parametrize("person", ["mere", "david"])
def test_neither_of_two_people_was_dealt_in(person: str) -> None:
    assert of_play(play(person)) == [DEALT_IN.replace("mere", person)]


@pytest.mark.parametrize(
    "changes",
    [
        {"person": "sione"},
        {"table": 4},
        {"since": AT - 30 * MINUTE + SECOND},  # came after the hit
        {"until": AT - 31 * MINUTE - SECOND},  # left before the round
        {"command": 2},  # said afterwards
        {"command": None},
    ],
)
def test_who_was_not_there_may_decide(changes: dict[str, Any]) -> None:
    assert of_play(play(**changes)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"since": AT - 30 * MINUTE},
        {"until": AT - 31 * MINUTE},
        {"until": AT},
        {"at": AT - 20 * HOUR},
        {"at": AT + HOUR},  # by a clock that was set back since
    ],
)
def test_who_was_just_there_may_not(changes: dict[str, Any]) -> None:
    assert of_play(play(**changes)) == [DEALT_IN]


def test_the_word_of_a_colleague_counts_for_a_shift() -> None:
    shift = 8 * HOUR
    for at, finds in (
        (AT - shift, []),
        (AT + dt.timedelta(microseconds=1) - shift, [DEALT_IN]),
        (AT + HOUR, [DEALT_IN]),
    ):
        assert of_play(play(at=at, by="sione")) == finds


def test_a_second_word_confirms_or_clears() -> None:
    long_ago = AT - 9 * HOUR

    def second(agrees: bool, who: str, command: int | None = 1) -> list[str]:
        word: dict[str, Any] = {"agrees": agrees, "second": who, "second_command": command}
        return of_play(play(at=long_ago, by="sione", **word))

    assert second(True, "tane") == [DEALT_IN]
    assert second(True, "tane", 2) == second(True, "tane", None) == []
    assert second(True, "sione") == []  # the same person twice
    assert second(True, "mere") == [DEALT_IN]  # who says it of themselves
    recent = AT - HOUR

    def cleared(who: str, command: int | None = 1) -> list[str]:
        word: dict[str, Any] = {"agrees": False, "second": who, "second_command": command}
        return of_play(play(at=recent, by="sione", **word))

    assert cleared("tane") == []
    assert cleared("tane", 2) == cleared("tane", None) == [DEALT_IN]  # too late
    assert cleared("mere") == [DEALT_IN]  # nobody clears themselves
    assert cleared("sione") == [DEALT_IN]
    assert of_play(play(agrees=False, second="tane", second_command=1)) == [DEALT_IN]


def test_when_a_hand_began() -> None:
    """By its start or its unit's clock, which is believed for a day."""
    left = play(until=AT - 40 * MINUTE, since=AT - 30 * HOUR)
    assert of_play(left) == []
    recorded = AT - 40 * MINUTE
    assert of_play(left, hand=(1, 3, AT, recorded, None)) == [DEALT_IN]
    assert of_play(left, hand=(1, 3, AT, recorded + SECOND, None)) == []
    assert of_play(left, hand=(1, 3, AT, recorded + SECOND, recorded)) == [DEALT_IN]
    assert of_play(left, hand=(1, 3, AT, None, None)) == []
    early = play(since=AT - 50 * HOUR, until=AT - 24 * HOUR)
    assert of_play(early, hand=(1, 3, AT, AT - 40 * HOUR, None)) == [DEALT_IN]
    earlier = play(since=AT - 50 * HOUR, until=AT - 24 * HOUR - SECOND)
    assert of_play(earlier, hand=(1, 3, AT, AT - 40 * HOUR, None)) == []


def test_a_decision_about_no_hit() -> None:
    assert verdict(decision(1, "put_terms", {}), plays=[play()], hands=[HAND]) == []
    assert verdict(decision(1, "pay", {"hit": 2}), plays=[play()], hands=[HAND]) == []


# --- large amounts ------------------------------------------------------------------------


def confirmations(*amounts: int) -> list[Any]:
    return [
        decision(seq, "confirm_claim", {"hit": 1, "confirmed": amount}, report_entry=9)
        for seq, amount in enumerate(amounts, 1)
    ]


ALONE = "a large amount, confirmed by one manager alone"


def test_above_the_limit_somebody_else_approved() -> None:
    limits = [(5, 1)]
    good = (1, "tane", 9, "6", "0")
    assert verdict(*confirmations(6), limits=limits, approvals=[good]) == []
    assert verdict(*confirmations(5), limits=limits) == []
    assert verdict(*confirmations(6)) == []
    assert verdict(*confirmations(6), limits=[(None, 1)]) == []
    for place, value in enumerate((2, "mere", 8, "7", "1")):
        wrong = (*good[:place], value, *good[place + 1 :])
        assert verdict(*confirmations(6), limits=limits, approvals=[wrong]) == [f"entry 1: {ALONE}"]
    by_david = (1, "david", 9, "6", "0")
    assert verdict(*confirmations(6), limits=limits, approvals=[by_david]) == [f"entry 1: {ALONE}"]
    assert verdict(*confirmations(6), limits=limits, approvals=[by_david, good]) == []


def test_parts_of_a_claim_come_to_an_amount() -> None:
    limits = [(5, 1)]
    assert verdict(*confirmations(3, 2), limits=limits) == []
    assert verdict(*confirmations(3, 3), limits=limits) == [f"entry 2: {ALONE}"]
    approved = (1, "tane", 9, "3", "3")
    assert verdict(*confirmations(3, 3), limits=limits, approvals=[approved]) == []


def test_the_limit_that_was_in_force() -> None:
    six = confirmations(6)
    assert verdict(*six, limits=[(5, 2)]) == []  # decided afterwards
    assert verdict(*six, limits=[(5, 1)]) == [f"entry 1: {ALONE}"]
    assert verdict(*six, limits=[(5, 1), (7, 1)]) == []
    assert verdict(*six, limits=[(7, 1), (5, 1)]) == [f"entry 1: {ALONE}"]
    assert verdict(*six, limits=[(5, 1), (7, 2)]) == [f"entry 1: {ALONE}"]


def test_adjustments_of_one_day_and_prize_come_to_an_amount() -> None:
    alone = "a large adjustment, agreed to by one manager alone"

    def adjustments(*amounts: int, tier: str = "royal") -> list[Any]:
        return [
            decision(seq, "adjust_pool", {"tier": tier if seq == 2 else "royal", "adjusted": each})
            for seq, each in enumerate(amounts, 1)
        ]

    limits = [(5, 1)]
    assert verdict(*adjustments(5), limits=limits) == []
    assert verdict(*adjustments(6), limits=limits) == [f"entry 1: {alone}"]
    assert verdict(*adjustments(-6), limits=limits) == [f"entry 1: {alone}"]
    assert verdict(*adjustments(3, -3), limits=limits) == [f"entry 2: {alone}"]
    assert verdict(*adjustments(3, 3, tier="high"), limits=limits) == []
    assert verdict(*adjustments(6), limits=[(5, 2)]) == []
    assert verdict(*adjustments(6), limits=[(5, 1), (None, 1)]) == []
    third = {"adjustments_approved": [(1, 11, 12, 13)]}
    assert verdict(*adjustments(6), limits=limits, **third) == []
    for approver in (11, 12):
        own = {"adjustments_approved": [(1, 11, 12, approver)]}
        assert verdict(*adjustments(6), limits=limits, **own) == [f"entry 1: {alone}"]


# --- missed rounds ------------------------------------------------------------------------


TODAY = AT.date()


def alone(
    *counts: int, day: dt.date = TODAY, limits: list[tuple[Any, ...]] | None = None
) -> list[str]:
    credited = [("t3", 3, day, count, AT, 9) for count in counts]
    return verdict(alone=credited, missed_limits=limits or [])


def test_one_person_alone_credits_so_many() -> None:
    place = f"table t3, {TODAY}"
    says = "missed rounds of one day, credited by one person alone: {} may be"
    assert alone(10) == []
    assert alone(11) == [f"{place}: 11 {says.format(10)}"]
    assert alone(5, 5, 1) == [f"{place}: 11 {says.format(10)}"]
    assert alone(4, limits=[(3, 9)]) == [f"{place}: 4 {says.format(3)}"]
    assert alone(4, limits=[(5, 8), (3, 9)]) == [f"{place}: 4 {says.format(3)}"]
    assert alone(8, limits=[(3, 9), (9, 10)]) == [f"{place}: 8 {says.format(3)}"]
    assert alone(8, limits=[(3, 8), (9, 9)]) == alone(8, limits=[(3, 10)]) == []
    both = verdict(alone=[("t3", 3, TODAY, 6, AT, 1), ("t7", 4, TODAY, 6, AT, 2)])
    assert both == []
    days = dt.timedelta(days=1)
    assert alone(1, day=TODAY - days) == alone(1, day=TODAY + days) == []
    for far in (TODAY - 2 * days, TODAY + 2 * days):
        assert alone(1, day=far) == [f"table t3, {far}: 1 {says.format(10)}"]
