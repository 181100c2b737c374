"""Receipts, streams, cosignatures and closes as a few rows: each sentence, whole."""

import datetime as dt
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from tests.support.proof.rows_by_hand import decision, rows
from verifier.database.report import Report, Scope
from verifier.database.rows import System
from verifier.fold.folding import Fold
from verifier.order import boot_counter, closes, receipts, unit_receipts
from verifier.order.receipts import HeldOtherwise

SYSTEM = System(7, "main", 2, era=4)
WAITING = (
    "SELECT topic, payload FROM tables_outboxmessage"
    " WHERE system_id = %s AND topic LIKE '%%/receipts' ORDER BY id LIMIT 100000"
)


def sentences_of(report: Report, kind: str) -> list[str]:
    assert {each for each, _ in report.findings} <= {kind}
    return [sentence.removeprefix("system main, ") for _, sentence in report.findings]


def test_what_is_held_otherwise() -> None:
    ranges = [("t3", 1, 5, 6), ("t3", 1, 2, 3), ("t3", 2, 9, 9), ("t3", 1, 7, 7)]
    held = HeldOtherwise(rows({receipts._OTHERWISE: ranges}), SYSTEM)
    assert held.missing("t3", 1, 2, 3) is None
    assert held.missing("t3", 1, 5, 7) is None
    assert held.missing("t3", 1, 2, 7) == 4
    assert held.missing("t3", 1, 1, 3) == 1
    assert held.missing("t3", 1, 3, 4) == 4
    assert held.missing("t3", 1, 6, 8) == 8
    assert held.missing("t7", 1, 2, 3) == held.missing("t3", 2, 2, 3) == 2
    assert held.all_of("t3", 2, 9, 9)
    assert not held.all_of("t3", 2, 9, 10)


def verdict(
    *streams: tuple[Any, ...], holes: tuple[tuple[int, int], ...] = (),
    of_units: dict[tuple[str, int], int] | None = None, waiting: tuple[tuple[str, Any], ...] = (),
) -> list[str]:  # fmt: skip
    """Of streams: table, boot, its id, committed and last seq, how many are held, the highest."""
    report = Report()
    outbox = [(topic, json.dumps(payload).encode()) for topic, payload in waiting]
    connection = rows({
        receipts._STREAMS: streams, receipts._HOLES: holes, WAITING: outbox,
        receipts._OTHERWISE: [("t3", 1, 4, 4)],
    })  # fmt: skip
    held = HeldOtherwise(connection, SYSTEM)
    receipts.receipts(connection, Scope(report, "main"), SYSTEM, held, of_units or {})
    return sentences_of(report, "receipts")


def test_a_stream_says_no_more_than_is_held() -> None:
    place = "table t3, boot 1"
    assert verdict(("t3", 1, 11, 5, 5, 5, 5)) == []
    assert verdict(("t3", 1, 11, 5, 4, 5, 4)) == [
        f"{place}: it says that seq 4 is the last that is held"
    ]
    assert verdict(("t3", 1, 11, 5, 6, 5, 7)) == [
        f"{place}: it says that seq 6 is the last that is held"
    ]
    assert verdict(("t3", 1, 11, 5, 5, 4, 5), holes=((4, 4),)) == []
    nowhere = f"{place}: receipts cover seq 5, and seq {{}} is nowhere"
    assert verdict(("t3", 1, 11, 5, 5, 2, 5), holes=((1, 1), (3, 4))) == [
        nowhere.format(1), nowhere.format(3),
    ]  # fmt: skip
    assert verdict(("t3", 1, 11, 5, 5, 5, 5), holes=((1, 1),)) == []  # nobody looks for any


def test_a_receipt_says_no_more_than_is_held() -> None:
    stream = ("t3", 1, 11, 5, 5, 5, 5)
    assert verdict(stream, of_units={("t3", 1): 5}) == []
    assert verdict(stream, of_units={("t3", 1): 6, ("t3", 2): 1, ("t7", 1): 0}) == [
        "table t3, boot 1: a receipt says 6, held is 5",
        "table t3, boot 2: a receipt says 1, held is 0",
    ]
    topic = "jackpot/v1/main/t3/receipts"
    receipt = {"era": 4, "boot": 1, "committed_seq": 6}
    for other in ({"era": 3}, {"boot": 0}, {"committed_seq": 5}):
        assert verdict(stream, waiting=((topic, receipt | other),)) == []
    assert verdict(stream, waiting=((topic, receipt),)) == [
        "table t3, boot 1: a receipt says 6, held is 5"
    ]


def test_what_units_kept_of_their_receipts(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    lines = [
        {"era": 4, "boot": 1, "committed_seq": 3, "results": [{"seq": 2, "system_seq": 9}]},
        {"era": 4, "boot": 1, "committed_seq": 2, "results": [{"seq": 1, "system_seq": None}]},
        {"era": 3, "boot": 1, "committed_seq": 8, "results": [{"seq": 8, "system_seq": 8}]},
        {"era": 4, "boot": 0, "committed_seq": 8, "results": []},
        {"era": 4, "boot": 2, "committed_seq": 1, "results": [{"seq": 3}]},
    ]
    text = "\n".join([*map(json.dumps, lines), '{"v": 1, "er'])
    (tmp_path / "below" / "main--t3.receipts.jsonl").write_text(text)
    (tmp_path / "other--t3.receipts.jsonl").write_text(text)
    assert unit_receipts.covered(tmp_path, SYSTEM) == {("t3", 1): 3, ("t3", 2): 1}
    report, questions = Report(), list[Any]()

    class _Questions:
        def execute(self, query: str, values: Any) -> "_Questions":
            assert query == unit_receipts._NOT_SO
            questions.append(values)
            return self

        def fetchall(self) -> list[tuple[int, int, int]]:
            return [(1, 2, 9)]

    unit_receipts.numbers_stand(cast("Any", _Questions()), Scope(report, "main"), SYSTEM, tmp_path)
    assert questions == [{"boots": [1], "seqs": [2], "numbers": [9], "system": 7, "table": "t3"}]
    assert sentences_of(report, "receipts") == [
        "event t3/1/2: its unit was told the number 9, which is not its entry"
    ]


def test_a_boot_that_counts_for_nothing_was_decided() -> None:
    query = (
        "SELECT g.code, s.boot FROM tables_stream s JOIN tables_gamingtable g ON g.id = s.table_id"
        " WHERE s.system_id = %s AND s.discarded ORDER BY g.code, s.boot"
    )
    reset = decision(1, "reset_boots", {}, table="t3", boot=5)
    discarded = [("t3", 10_005), ("t3", 10_006), ("t7", 10_006)]
    report = Report()
    boot_counter.discarded(rows({query: discarded}), Scope(report, "main"), SYSTEM, [
        reset, decision(2, "pay", {}),
    ])  # fmt: skip
    says = "it is discarded, and no decision says so"
    assert sentences_of(report, "receipts") == [
        f"table t3, boot 10005: {says}", f"table t7, boot 10006: {says}",
    ]  # fmt: skip


# --- closes -------------------------------------------------------------------------------

FIRST = dt.date(2026, 10, 30)


def said_of_closes(
    *days: tuple[Any, ...], different: tuple[str, ...] = (), first: dt.date = FIRST,
    held: list[tuple[str, int]] | None = None, is_broken: bool = False, **body: Any,
) -> list[str]:  # fmt: skip
    """The first day, closed by entry 9 with what `body` says otherwise, and its month by 10."""
    good = {"through_seq": 7, "through_transfer": 8, "figures": {"operator": -5, "payable": 0}}
    day = decision(9, "close_day", {}, **{"day": "2026-10-30"} | good | body)
    month = decision(10, "close_month", {}, month="2026-10", **good)
    end = SimpleNamespace(seq=7, transfer=8, balances={"operator": -5, "royal:pool": 0})
    ends = {FIRST: end, dt.date(2026, 10, 31): end}
    fold = SimpleNamespace(
        decisions=[decision(3, "pay", {}), day, month],
        day_ends=SimpleNamespace(first=first, of=ends.get),
        state=SimpleNamespace(held_at_close={9: held or []}),
        is_broken=is_broken,
    )
    report = Report()
    connection = rows({
        closes._ROWS: days or [("2026-10-30", 9, 7, 8)],
        closes._DIFFERENT: [(each,) for each in different],
    })  # fmt: skip
    closes.closes(connection, Scope(report, "main"), SYSTEM, cast("Fold", fold))
    return sentences_of(report, "closes")


def test_a_close_as_it_should_be() -> None:
    assert said_of_closes() == []


def test_what_is_said_of_a_close() -> None:
    assert said_of_closes(first=FIRST - dt.timedelta(days=1)) == [
        "entry 9: the first day that was closed is not the first of the order"
    ]
    assert said_of_closes(held=[("t3", 5)]) == [
        "entry 9: round 5 at t3 was held, and nobody had decided"
    ]
    row = "closed day 2026-10-30: its row is not what an entry of the order closed"
    where = "entry 9: 2026-10-30 ends with entry 7 and transfer 8, not where it was closed"
    assert said_of_closes(through_seq=6) == [where, row]
    assert said_of_closes(through_transfer=9) == [where, row]
    for days in (("2026-10-30", 8, 7, 8), ("2026-10-30", 9, 6, 8), ("2026-10-30", 9, 7, 7)):
        assert said_of_closes(days) == [row]
    assert said_of_closes(("2026-10-29", 9, 7, 8)) == [row.replace("30", "29")]
    assert said_of_closes(different=("2026-10-30",)) == [
        "closed day 2026-10-30: what is kept of it does not come to its transfers"
    ]
    assert said_of_closes(
        ("2026-11-02", 9, 7, 8), day="2026-11-02", first=dt.date(2026, 11, 2)
    ) == ["entry 9: 2026-11-02 was not over, or before the first entry"]


def test_the_figures_of_a_close() -> None:
    figures = {"operator": -4, "pot": 1}
    says = "micros at the end of 2026-10-30, not"
    assert said_of_closes(figures=figures) == [
        f"entry 9: operator held -5 {says} -4", f"entry 9: pot held 0 {says} 1",
    ]  # fmt: skip
    assert said_of_closes(figures={}) == [f"entry 9: operator held -5 {says} 0"]
    assert said_of_closes(figures=figures, is_broken=True) == []
