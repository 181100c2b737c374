"""How rows become an order: block by block, some at a time; and what is no JSON."""

import datetime as dt
from typing import Any

import pytest

from tests.support.proof.rows_by_hand import rows
from verifier.database import rows as reading
from verifier.database.rows import Block, Entry, System, parsed, read_event, walk

SYSTEM = System(7, "main", 2, era=1)


def entry(seq: int) -> tuple[Any, ...]:
    return (seq, *[None] * (len(Entry._fields) - 1))


def transfer(number: int) -> tuple[Any, ...]:
    return (number, *[None] * 8)


def block(number: int, last_seq: int, last_transfer: int) -> tuple[Any, ...]:
    return (number, 0, last_seq, 0, last_transfer, 4, 3, "", b"", b"")


def walked(entries: int, transfers: int, *blocks: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Of each block its number, its entries and its transfers by their numbers."""
    connection = rows({
        reading.WHOLE: map(entry, range(1, entries + 1)),
        reading._TRANSFERS: map(transfer, range(1, transfers + 1)),
        reading._BLOCKS: blocks,
    })  # fmt: skip
    return [
        (
            each.block and each.block.number,
            [e.seq for e in each.entries],
            [t[0] for t in each.transfers],
        )
        for each in walk(connection, SYSTEM)
    ]


def test_an_order_comes_block_by_block() -> None:
    assert walked(3, 4, block(1, 1, 0), block(2, 3, 4)) == [(1, [1], []), (2, [2, 3], [1, 2, 3, 4])]
    assert walked(3, 2, block(1, 1, 1)) == [(1, [1], [1]), (None, [2, 3], [2])]
    assert walked(0, 1) == [(None, [], [1])]
    assert walked(0, 0) == []


def test_a_long_order_comes_some_at_a_time() -> None:
    """More than is read at once, with what lies behind the last block."""
    (first, *rest) = walked(7_500, 31_000, block(1, 4_500, 20_000))
    assert first == (1, [*range(1, 4_501)], [*range(1, 20_001)])
    assert [seq for _, seqs, _ in rest for seq in seqs] == [*range(4_501, 7_501)]
    assert [number for *_, numbers in rest for number in numbers] == [*range(20_001, 31_001)]
    assert all(number is None and len(seqs) <= 1000 for number, seqs, _ in rest)
    assert len(rest) == 3


def test_entries_and_blocks_have_their_columns() -> None:
    connection = rows({
        reading.WHOLE: [tuple(range(1, 21))], reading._BLOCKS: [block(5, 1, 0)],
    })  # fmt: skip
    (sealed,) = walk(connection, SYSTEM)
    assert sealed.block == Block(*block(5, 1, 0))
    assert sealed.entries == [Entry(*range(1, 21))]


def test_what_the_writer_flagged() -> None:
    plain = Entry(*entry(1))

    def flags(outcome: str) -> list[str]:
        return plain._replace(outcome_text=outcome).flags

    assert flags("{}") == flags('{"flags": 5}') == flags("[1]") == flags('{"hit": 1}') == []
    assert flags('{"flags": ["late"]}') == ["late"]
    assert plain._replace(outcome_text='{"hit": 1}').outcome == {"hit": 1}


def test_what_is_an_object() -> None:
    assert parsed('{"a": 1}') == {"a": 1}
    assert parsed("[1]") == parsed("null") == parsed('"a"') == {}
    assert read_event(b'{"a":1}') == {"a": 1}
    assert read_event(b' {"a":1} \n') == {"a": 1}
    for wrong in (b'{"a":1} x', b"{", b"\xff"):
        with pytest.raises(ValueError, match=r"."):
            read_event(wrong)


def test_systems_and_a_standby() -> None:
    assert reading.Accounts({1: "pool"})[1] == "pool"
    assert reading.Accounts()[9] == "an account of nobody, 9"

    class Answers:
        def execute(self, query: str, values: Any = ()) -> "Answers":
            self.question = query, values
            return self

        def fetchall(self) -> list[tuple[Any, ...]]:
            return self.rows

        rows: list[tuple[Any, ...]] = []  # noqa: RUF012

    answers: Any = Answers()
    answers.rows = [(7, "main", 2, 1, "UTC", "06:00:00")]
    assert reading.systems(answers, "main") == [System(7, "main", 2, 1)]
    assert answers.question[1] == {"code": "main"}
    for at, says in ((None, None), ("noon", "noon"), (dt.date(2026, 1, 1), "2026-01-01")):
        answers.rows = [(at,)]
        assert reading.of_a_standby(answers) == says
