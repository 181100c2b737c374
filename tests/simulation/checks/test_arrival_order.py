"""The check of one order across tables, on rows made by hand."""

from simulation.checks import arrival_order
from simulation.checks.arrival_order import Row


def event(table: str, seq: int, arrival: int, *flags: str) -> Row:
    return ("main", table, 1, seq, arrival, list(flags), 0)


def out_of_turn(rows: list[Row]) -> list[str]:
    """With one intake."""
    return arrival_order.out_of_turn(rows, {row[4]: (row[4], row[4]) for row in rows})


def test_of_two_that_were_taken_in_at_the_same_time_either_may_be_first() -> None:
    rows = [event("t7", 1, 2), event("t3", 1, 1)]
    assert arrival_order.out_of_turn(rows, {1: (5, 9), 2: (6, 7)}) == []
    assert len(arrival_order.out_of_turn(rows, {1: (1, 3), 2: (4, 6)})) == 1


def test_a_later_arrival_of_another_table_goes_not_before() -> None:
    rows = [event("t3", 1, 1), event("t3", 2, 15), event("t7", 1, 14)]
    assert len(out_of_turn(rows)) == 1


def test_a_table_keeps_its_own_order() -> None:
    """t3's first was sent again after its second: neither has a place before both are there."""
    assert out_of_turn([event("t7", 1, 3), event("t3", 1, 4), event("t3", 2, 2)]) == []


def test_what_waited_behind_a_gap_has_no_place_by_arrival() -> None:
    rows = [
        event("t3", 1, 1),
        event("t3", 3, 3, "ahead_of_gap"),
        event("t7", 1, 9),
        event("t3", 4, 4),  # 2 is given up
        event("t3", 5, 5),
        event("t3", 2, 10, "late"),
    ]
    assert out_of_turn(rows) == []


def test_a_hand_is_not_held_behind_a_gap() -> None:
    rows = [event("t3", 1, 1), event("t7", 1, 9), event("t3", 3, 3, "ahead_of_gap")]
    assert len(out_of_turn(rows)) == 1
