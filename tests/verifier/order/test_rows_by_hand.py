"""Orders of a few rows, forged by hand: each sentence that is said of them, whole."""

import hashlib
import json
from typing import Any

import pytest

from verifier.database.report import Report, Scope
from verifier.database.rows import Accounts, Block, Entry, Sealed, System, Transfer
from verifier.order.books import Books
from verifier.order.chain import Chain, Sources
from verifier.order.order import Order

ACCOUNTS = Accounts({1: "operator", 2: "royal:pool", 3: "royal:held", 4: "payable", 5: "pot"})
SYSTEM = System(7, "main", 2, era=1)
FIRST: Transfer = (1, 1, 1, 2, 50, -50, 50, "contribution", None)
SECOND: Transfer = (2, 1, 2, 3, 20, 30, 20, "hold", 1)
BALANCES = {"operator": -50, "royal:pool": 30, "royal:held": 20}


def sentences_of(report: Report) -> list[str]:
    return [sentence.removeprefix("system main, ") for _, sentence in report.findings]


def books_of(*transfers: Transfer, last: int | None = None, **held: int) -> list[str]:
    """What is said of these, and of accounts that hold this at the end."""
    report = Report()
    books = Books(Scope(report, "main"), ACCOUNTS)
    for transfer in transfers:  # a block each
        books.block(Sealed(None, [], [transfer]))
    balances = BALANCES if not held else {c.replace("_", ":"): n for c, n in held.items()}
    books.end(balances, transfers[-1][0] if last is None else last)
    assert {kind for kind, _ in report.findings} <= {"books"}
    return sentences_of(report)


LATER: dict[str, tuple[Transfer, list[str]]] = {
    "a number is missing": (
        (3, 1, 2, 3, 20, 30, 20, "hold", 1),
        ["transfer 3 of entry 1: transfer 2 is missing before it"],
    ),
    "an earlier entry": (
        (2, 0, 2, 3, 20, 30, 20, "hold", 1),
        ["transfer 2 of entry 0: it belongs to entry 0, the one before to entry 1"],
    ),
    "nothing is moved": (
        (2, 1, 2, 3, 0, 50, 0, "hold", 1),
        [
            "transfer 2 of entry 1: 0 micros from royal:pool to royal:held is no transfer",
            "account royal:held: it holds 20 micros, its transfers come to 0",
            "account royal:pool: it holds 30 micros, its transfers come to 50",
        ],
    ),
    "to the same account": (
        (2, 1, 1, 1, 1, -51, -49, "hold", None),
        [
            "transfer 2 of entry 1: 1 micros from operator to operator is no transfer",
            "transfer 2 of entry 1: the reason hold does not join operator and operator",
            "account royal:held: it holds 20 micros, its transfers come to 0",
            "account royal:pool: it holds 30 micros, its transfers come to 50",
        ],
    ),
    "the debit's balance": (
        (2, 1, 2, 3, 20, 31, 20, "hold", 1),
        ["transfer 2 of entry 1: the balance of royal:pool after it does not follow from the one"
         " before"],
    ),
    "the credit's balance": (
        (2, 1, 2, 3, 20, 30, 21, "hold", 1),
        ["transfer 2 of entry 1: the balance of royal:held after it does not follow from the one"
         " before"],
    ),
    "a reason that joins others": (
        (2, 1, 2, 3, 20, 30, 20, "release", 1),
        ["transfer 2 of entry 1: the reason release does not join royal:pool and royal:held"],
    ),
    "no reason": (
        (2, 1, 2, 3, 20, 30, 20, "whim", 1),
        ["transfer 2 of entry 1: the reason whim does not join royal:pool and royal:held"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", LATER)
def test_what_is_said_of_a_transfer(what: str) -> None:
    transfer, sentences = LATER[what]
    assert books_of(FIRST, transfer) == sentences


def test_good_books_are_good() -> None:
    assert books_of(FIRST, SECOND) == []
    assert books_of(FIRST, (2, 2, 2, 3, 50, 0, 50, "hold", 1),
                    operator=-50, royal_held=50, royal_pool=0) == []  # fmt: skip


def test_only_sources_fall_below_zero() -> None:
    below: Transfer = (2, 1, 2, 3, 51, -1, 51, "hold", 1)
    assert books_of(FIRST, below, operator=-50, royal_pool=-1, royal_held=51) == [
        "transfer 2 of entry 1: royal:pool falls below zero, to -1 micros",
        "account royal:pool: it is below zero: -1 micros",
    ]


def test_what_is_said_of_accounts_at_the_end() -> None:
    assert books_of(FIRST, SECOND, operator=-49, royal_pool=30, royal_held=20) == [
        "account operator: it holds -49 micros, its transfers come to -50",
        "accounts: together they come to 1 micros, and not to nothing",
    ]
    assert books_of(FIRST, SECOND, last=3) == ["head: it names transfer 3, the last row is 2"]
    unknown: Transfer = (3, 1, 99, 2, 5, -5, 35, "contribution", None)
    assert books_of(FIRST, SECOND, unknown) == [
        "transfer 3 of entry 1: an account of nobody, 99 falls below zero, to -5 micros",
        "transfer 3 of entry 1: the reason contribution does not join an account of nobody, 99 and"
        " royal:pool",
        "account an account of nobody, 99: it holds 0 micros, its transfers come to -5",
        "account royal:pool: it holds 30 micros, its transfers come to 35",
    ]


# --- the order ---------------------------------------------------------------------------


def entry(seq: int, kind: str = "event", **columns: Any) -> Entry:
    row: dict[str, Any] = dict.fromkeys(Entry._fields)
    row |= {"seq": seq, "at": f"2026-11-21T10:{seq:02}", "kind": kind, "outcome_text": "{}"}
    row |= {"body_hash": b""}
    if kind == "event":
        row |= {"type": "round_started", "table": "t3", "boot": 1, "event_body": b"{}"}
        row |= {"is_its_event": True}
    if kind == "command":
        row |= {"type": "pay", "command_kind": "pay", "command_text": "{}"}
    if kind == "fact":
        row |= {"type": "gap_released", "table": "t3", "boot": 1}
    return Entry(**row | columns)


def event(seq: int, number: int, *flags: str, **columns: Any) -> Entry:
    outcome = json.dumps({"flags": flags} if flags else {})
    return entry(seq, **{"event_seq": number, "outcome_text": outcome, **columns})


def release(seq: int, first: Any, last: Any, boot: int = 1) -> Entry:
    body = {"boot": boot, "from_seq": first, "to_seq": last}
    return entry(seq, "fact", body_text=json.dumps(body))


HAND = {"type": "hand_called"}
ORDERS: dict[str, tuple[list[Entry], list[str]]] = {
    "good": ([event(1, 1), event(2, 2), entry(3, "command", command=1)], []),
    "a number is missing": (
        [event(1, 1), event(3, 2)], ["entry 3: entry 2 is missing before it"],
    ),
    "time goes back": (
        [event(1, 1), event(2, 2, at="2026-11-21T09:00"), event(3, 3, at="2026-11-21T09:00")],
        ["entry 2: its time is before that of the entry before it"],
    ),
    "no kind": ([entry(1, "wish")], ["entry 1: an entry is no wish"]),
    "no event": (
        [event(1, 1, event_body=None), event(2, 2, is_its_event=False)],
        [f"entry {seq}: the inbox has no event of this identity behind it" for seq in (1, 2)],
    ),
    **{
        f"no {column}": (
            [event(1, 1, **{column: None})], ["entry 1: an event has a table, a boot and a seq"],
        )
        for column in ("table", "boot", "event_seq")
    },
    "twice": (
        [event(1, 1), event(2, 1)],
        ["entry 2: event t3/1/1 comes twice, or late without being flagged"],
    ),
    "boots and tables count by themselves": (
        [event(1, 1), event(2, 1, boot=2), event(3, 1, table="t7"), event(4, 2)], [],
    ),
    "past a gap": (
        [event(1, 1), event(2, 4), event(3, 5)],
        ["entry 2: it goes past seq 2 to 3 of its table without a fact"],
    ),
    "past a gap that was released": ([event(1, 1), release(2, 2, 3), event(3, 4)], []),
    "past more than was released": (
        [event(1, 1), release(2, 3, 3), event(3, 6)],
        [f"entry 3: it goes past seq {a} to {b} of its table without a fact"
         for a, b in ((2, 2), (4, 5))],
    ),
    "released in parts": (
        [event(1, 1), release(2, 2, 2), release(3, 3, 4), event(4, 5)], [],
    ),
    "a gap at the beginning": ([release(1, 1, 2), event(2, 3)], []),
    "what was released is not released again later": (
        [event(1, 1), release(2, 2, 3), event(3, 4), event(4, 3, "late"), event(5, 2, "late")], [],
    ),
    "late, where nothing went past": (
        [event(1, 1), event(2, 2), event(3, 2, "late")],
        ["entry 3: event t3/1/2 is flagged late and nothing went past it"],
    ),
    "late twice": (
        [release(1, 1, 3), event(2, 4), event(3, 2, "late"), event(4, 1, "late"),
         event(5, 3, "late"), event(6, 2, "late")],
        ["entry 6: event t3/1/2 is flagged late and nothing went past it"],
    ),
    "a hand ahead of a gap": (
        [event(1, 1), event(2, 3, "ahead_of_gap", **HAND), event(3, 2), event(4, 4)], [],
    ),
    "ahead, and no hand": (
        [event(1, 1), event(2, 3, "ahead_of_gap"), event(3, 2)],
        ["entry 2: round_started was taken ahead of a gap: only a hand may be"],
    ),
    "ahead of no gap": (
        [event(1, 1), event(2, 2, "ahead_of_gap", **HAND)],
        ["entry 2: event t3/1/2 is flagged ahead of a gap where there is none"],
    ),
    "ahead twice": (
        [event(1, 3, "ahead_of_gap", **HAND), event(2, 3, "ahead_of_gap", **HAND)],
        ["entry 2: event t3/1/3 is flagged ahead of a gap where there is none"],
    ),
    "what was ahead comes again": (
        [event(1, 3, "ahead_of_gap", **HAND), event(2, 1), event(3, 3)],
        ["entry 3: event t3/1/3 comes twice, or late without being flagged"],
    ),
    "a gap on both sides of what was ahead": (
        [event(1, 3, "ahead_of_gap", **HAND), event(2, 5)],
        [f"entry 2: it goes past seq {a} to {b} of its table without a fact"
         for a, b in ((1, 2), (4, 4))],
    ),
    "a command's number": (
        [entry(1, "command", command=2), entry(2, "command", command=3)],
        ["entry 1: command 1 is expected, it carries 2"],
    ),
    "no command": (
        [entry(1, "command", command=1, command_text=None)],
        ["entry 1: the queue has no command 1"],
    ),
    "another command": (
        [entry(1, "command", command=1, type="reject_claim")],
        ["entry 1: it says reject_claim, its command says pay"],
    ),
    "an unknown fact": (
        [entry(1, "fact", type="miracle")],
        ["entry 1: this verifier knows no fact miracle: take a newer one"],
    ),
    "facts of the fold": (
        [entry(1, "fact", type="period_closed"), entry(2, "fact", type="display_dark")], [],
    ),
    **{
        f"a gap that cannot be read, {number}": (
            [fact], ["entry 1: the released gap cannot be read"],
        )
        for number, fact in enumerate((release(1, "1", 2), release(1, 1, None), release(1, 1, 2, 9),
                                       entry(1, "fact")))
    },
    "a gap that is past": (
        [event(1, 1), release(2, 1, 1), release(3, 3, 2), event(4, 2)],
        ["entry 2: it releases seq 1 to 1, which the order is past already",
         "entry 3: it releases seq 3 to 2, which the order is past already"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ORDERS)
def test_what_is_said_of_an_order(what: str) -> None:
    entries, sentences = ORDERS[what]
    report = Report()
    order = Order(Scope(report, "main"), lambda *_: False)
    for each in entries:
        order.block(Sealed(None, [each], []))
    assert sentences_of(report) == sentences
    assert {kind for kind, _ in report.findings} <= {"order"}


def test_what_intake_holds_otherwise_needs_no_fact() -> None:
    report, gaps = Report(), list[tuple[object, ...]]()

    def accounted(*gap: object) -> bool:
        gaps.append(gap)
        return True

    order = Order(Scope(report, "main"), accounted)
    order.block(Sealed(None, [event(1, 1), event(2, 4)], []))
    assert (sentences_of(report), gaps) == ([], [("t3", 1, 2, 3)])


def test_what_is_said_of_the_end_of_an_order() -> None:
    report = Report()
    order = Order(Scope(report, "main"), lambda *_: False)
    order.block(Sealed(None, [entry(1, "command", command=1)], []))
    order.end(1, 1)
    order.end(1, None)
    assert sentences_of(report) == []
    order.end(2, 3)
    assert sentences_of(report) == [
        "head: it names entry 2, the last row is 1",
        "commands: command 1 is the last with an entry, 3 is queued",
    ]


# --- hashes ------------------------------------------------------------------------------

BODY = entry(1, at="2026-11-21T10:00:00.000000Z", round=5, event_seq=9, body_hash=b"\x01\x02")
TEXT = (
    '["block","main",1,1,1,1,2,4,3,"2026-11-21T10:00:01.000000Z","' + "00" * 32 + '"]\n'
    '["entry",1,"2026-11-21T10:00:00.000000Z","event","round_started","t3",1,9,null,5,null,"0102",'
    "null,{}]\n"
    '["transfer",1,1,"operator","royal:pool",50,-50,50,"contribution",null]\n'
    '["transfer",2,1,"royal:pool","royal:held",20,30,20,"hold",1]'
)
BLOCK = Block(1, 1, 1, 1, 2, 4, 3, "2026-11-21T10:00:01.000000Z", bytes(32),
              hashlib.sha256(TEXT.encode()).digest())  # fmt: skip


def chain_of(*sealed: Sealed, number: int = 1, last: bytes = BLOCK.hash) -> list[str]:
    report = Report()
    chain = Chain(Scope(report, "main"), SYSTEM, ACCOUNTS)
    for each in sealed:
        chain.block(each)
    chain.end(number, last)
    assert {kind for kind, _ in report.findings} <= {"hash chain"}
    return sentences_of(report)


def test_a_block_is_these_bytes() -> None:
    assert chain_of(Sealed(BLOCK, [BODY], [FIRST, SECOND])) == []
    empty = Report()
    Chain(Scope(empty, "main"), SYSTEM, ACCOUNTS).end(0, bytes(32))
    assert sentences_of(empty) == []


def test_what_is_said_of_the_end_of_a_chain() -> None:
    good = Sealed(BLOCK, [BODY], [FIRST, SECOND])
    ends = "head: it names block {} and a hash, the chain ends at block 1"
    assert chain_of(good, number=2) == [ends.format(2)]
    assert chain_of(good, last=b"x") == [ends.format(1) + " with another one"]


def test_what_lies_behind_the_last_block() -> None:
    good = Sealed(BLOCK, [BODY], [FIRST, SECOND])
    later = (entry(2), entry(3)), ((3, 2, 1, 2, 1, 0, 0, "", None),)
    assert chain_of(good, Sealed(None, [*later[0]], [*later[1]])) == [
        "entry 2: it lies behind the last block",
        "transfer 3: it lies behind the last block",
    ]
    assert chain_of(good, Sealed(None, [], [])) == []


def test_what_is_said_of_a_second_block() -> None:
    """Which is only that; its rows never lead to its hash."""
    other = Block(3, 3, 2, 4, 1, 4, 3, "2026-11-21T10:00:00.000000Z", bytes(32), b"x" * 32)
    good = Sealed(BLOCK, [BODY], [FIRST, SECOND])
    says = [
        "block 2 is expected here",
        "it does not name the hash of the block before it",
        "its entries do not follow entry 1",
        "its transfers do not follow transfer 2",
        "its time is before that of the block before it",
        "its rows do not lead to its hash: something in it was changed",
    ]
    assert chain_of(good, Sealed(other, [], []), number=3, last=b"x" * 32) == [
        f"block 3: {sentence}" for sentence in says
    ]
    follows = Block(2, 2, 2, 3, 2, 4, 3, BLOCK.at, BLOCK.hash, b"x" * 32)
    assert chain_of(good, Sealed(follows, [], []), number=2, last=b"x" * 32) == [
        f"block 2: {says[-1]}"
    ]


def test_what_an_entry_was_made_of_is_hashed() -> None:
    command = json.dumps(["pay", {"hit": 1}, "mere", None], separators=(",", ":")).encode()
    based = json.dumps(["pay", {"hit": 1}, "mere", "david", "0a"], separators=(",", ":")).encode()
    bodies: dict[str, tuple[bytes, dict[str, Any]]] = {
        "event": (b"{}", {}),
        "fact": (b'{"a":1,"b":2}', {"body_text": '{"b": 2, "a": 1}'}),
        "command": (command, {"command_text": '{"hit": 1}', "first": "mere"}),
    }
    bodies["command "] = (
        based, {"command_text": '{"hit": 1}', "first": "mere", "second": "david", "basis": b"\n"},
    )  # fmt: skip
    for kind, (body, columns) in bodies.items():
        good = entry(1, kind.strip(), body_hash=hashlib.sha256(body).digest(), **columns)
        report = Report()
        Sources(Scope(report, "main")).block(Sealed(None, [good, good._replace(body_hash=b"")], []))
        assert report.findings == [
            ("hash chain", f"system main, entry 1: the {good.kind} was changed since it was posted")
        ]
    missing = [entry(1, event_body=None), entry(2, "command", command_text=None)]
    report = Report()
    Sources(Scope(report, "main")).block(Sealed(None, missing, []))
    assert not report.findings
