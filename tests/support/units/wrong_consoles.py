"""A console that is wrong: what a fault changes in its receipts, what it refuses, what it says of
itself and on its displays, and the clauses that it breaks."""

import datetime as dt
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from tables.protocol.inbound_message import InboundMessage
from tables.protocol.messages import Receipt, Result
from tables.protocol.signature import split

LAST_BOOT = 2  # of the kit's, at a table that is new
Change = Callable[[Receipt], Receipt]


def _outcomes(before: str, after: str) -> Change:
    def change(receipt: Receipt) -> Receipt:
        results = [
            replace(each, outcome=after) if each.outcome == before else each
            for each in receipt.results
        ]
        return replace(receipt, results=results)

    return change


def _reason(reason: str | None) -> Change:
    def change(receipt: Receipt) -> Receipt:
        results = [
            replace(each, reason=reason) if each.reason else each for each in receipt.results
        ]
        return replace(receipt, results=results)

    return change


def _more(**fields: Any) -> Change:
    """A result more in every receipt that has some."""
    more = Result(**fields)
    return lambda each: replace(each, results=[*each.results, more]) if each.results else each


def _on_presence(**fields: Any) -> Change:
    """Other fields in the answers to presences of the kit's last boot."""

    def change(receipt: Receipt) -> Receipt:
        is_one = receipt.boot == LAST_BOOT and not receipt.results
        return replace(receipt, **fields) if is_one else receipt

    return change


def _silent(receipt: Receipt) -> Receipt:
    """Without a word on the first event of all."""
    results = [each for each in receipt.results or () if (receipt.boot, each.seq) != (1, 1)]
    return replace(receipt, results=results)


def _numbered(
    step: int = 1,
    *,
    has_hits: bool = True,
    again: bool = True,
    late: bool = True,
    holds: bool = False,
) -> Change:
    """Numbers on arrival; nothing is held for what is missing, or with `holds` hands are, too."""
    numbers: dict[tuple[int, int], int] = {}
    hit: list[int] | None = [] if has_hits else None

    def number_of(receipt: Receipt, result: Result) -> int | None:
        place = receipt.boot, result.seq
        if result.outcome == "quarantined" or (result.outcome == "duplicate" and not again):
            return None
        if holds and result.seq > receipt.committed_seq:
            return None
        if place < max(numbers, default=place) and not late:
            return numbers.get(place)
        return numbers.setdefault(place, 50_000 + step * len(numbers))

    def change(receipt: Receipt) -> Receipt:
        results = [
            Result(seq=each.seq, outcome="sequenced", system_seq=number, hit=hit)
            for each in receipt.results
            if (number := number_of(receipt, each))
        ]
        return replace(receipt, results=[*receipt.results, *results])

    return change


FAULTS: dict[str, tuple[Change, str]] = {
    "right": (lambda receipt: receipt, "B-02"),  # nothing bars the tests' own broker
    "asks-for-nothing": (lambda each: replace(each, resend_from=None), "C-27 C-36 B-02"),
    "always-asks": (lambda each: replace(each, resend_from=each.committed_seq + 1), "C-36 B-02"),
    "one-too-far": (
        lambda each: replace(each, committed_seq=each.committed_seq + 1),
        "C-28 C-31 C-32 C-33 C-36 B-02",
    ),
    "duplicates-new": (_outcomes("duplicate", "recorded"), "C-18 C-19 C-39 B-02"),
    "boot-stands": (lambda each: replace(each, next_boot=1), "C-30 C-49 B-02"),
    "no-reasons": (
        _reason(None),
        "C-10 C-19 C-20 C-41 C-44 C-45 C-46 C-47 C-48 C-49 B-02",
    ),
    "one-reason": (_reason("bad_schema"), "C-10 C-19 C-45 C-46 C-47 C-48 C-49 B-02"),
    "falls-back": (_on_presence(committed_seq=0), "C-34 B-02"),
    "no-results": (_on_presence(results=None), "C-07 B-02"),
    "retained": (lambda each: each, "C-07 B-02"),  # as it is published
    "answers-noise": (
        _more(seq=9_000_000, outcome="quarantined", reason="undecodable"),
        "C-37 B-02",
    ),
    "numbers-all": (_numbered(), "C-56 B-02"),
    "numbers-down": (_numbered(-1), "C-11 C-56 B-02"),
    "numbers-once": (_numbered(again=False), "C-40 C-56 B-02"),
    "numbers-no-hits": (_numbered(has_hits=False), "C-42 C-56 B-02"),
    "numbers-not-late": (_numbered(late=False), "C-56 C-58 B-02"),
    "numbers-hold-hands": (_numbered(holds=True), "C-56 C-57 B-02"),
    "no-odd-cards": (_numbered(), "C-24 C-56 B-02"),
    "silent": (_silent, "C-03 C-39 B-02"),
}


class Refusing:
    """A console that refuses what it should take: of an event's body and MAC, or by its QoS."""

    def __init__(self, refuses: Callable[[bytes, bytes], object], clauses: str) -> None:
        self.refuses, self.clauses = refuses, clauses


class _Overtaken:
    """Whether a change of session has a lower number than one that was heard before."""

    def __init__(self) -> None:
        self._last = (0, 0)

    def __call__(self, body: bytes, _mac: bytes) -> bool:
        if b'"type":"session_changed"' not in body:
            return False
        event = json.loads(body)
        own, before = (event["boot"], event["seq"]), self._last
        self._last = max(own, before)
        return own < before


MOST_BYTES = 8 * 1024
AT_QOS_0: set[bytes] = set()  # bodies that came so
# By the table's code. A table without a key is `no-key`.
REFUSING = {
    "no-figures": Refusing(
        lambda body, _: b'"type":"round_completed"' in body and b'"pot"' not in body, "C-21 B-02"
    ),
    "no-requests": Refusing(lambda body, _: b'"type":"hand_withdrawn"' in body, "C-23 B-02"),
    "no-odd-cards": Refusing(lambda body, _: b'"Zz"' in body, FAULTS["no-odd-cards"][1]),
    "no-names-again": Refusing(lambda body, _: b'"seq":1,"seq":' in body, "C-12 B-02"),
    "small-digits": Refusing(lambda _, mac: mac != mac.lower(), "C-13 C-48 B-02"),
    "counts-macs": Refusing(
        lambda body, mac: len(body) <= MOST_BYTES < len(body) + len(mac) + 1, "C-14 B-02"
    ),
    "none-overtaken": Refusing(_Overtaken(), "C-38 B-02"),
    "no-qos-0": Refusing(lambda body, _: body in AT_QOS_0, "C-06 B-02"),
    "no-key": Refusing(lambda _, mac: mac, "C-15 B-02"),
}


def is_refused(table: str, message: InboundMessage) -> bool:
    """Whether the console of that table refuses the event."""
    fault = REFUSING.get(table)
    body, mac = split(message.body)
    return fault is not None and bool(fault.refuses(body, mac or b""))


class DisplayFault(NamedTuple):
    """How the displays of a system are sent their values."""

    clauses: str
    pause_s: float = 0.3
    is_retained: bool = True
    terms: tuple[int, ...] = (1,)  # one after the other
    tiers: tuple[str, ...] = ("royal",)


# By the code of the table; each is of a system of its own.
DISPLAYS = {
    "shown": DisplayFault("B-02"),
    "shown-once": DisplayFault("C-08 B-02", is_retained=False),
    "shown-old-terms": DisplayFault("C-59 B-02", terms=(2, 1)),
    "shown-hurriedly": DisplayFault("C-60 B-02", pause_s=0.01),
    "shown-seldom": DisplayFault("C-60 B-02", pause_s=3.5),
}
QUIET = "quiet"  # the table of a system to which no intake says that it listens
TWO_STAND = "two-stand"  # the table at a broker that is wrong (`lax_broker`)
CLAUSES = {
    **{name: clauses for name, (_, clauses) in FAULTS.items()},
    **{name: each.clauses for name, each in REFUSING.items()},
    **{name: each.clauses for name, each in DISPLAYS.items()},
    QUIET: "C-09 B-02",
    TWO_STAND: "B-01 B-02",
}


def display_message(display: DisplayFault, number: int) -> bytes:
    """The values of a system, in their form."""
    tiers = [
        {"tier": code, "name": code.title(), "value": 100, "state": "open"}
        for code in display.tiers
    ]
    document = {"v": 1, "system_seq": 0, "at": dt.datetime.now(dt.UTC).isoformat(), "state": "live"}
    document |= {"test": False, "test_tables": [], "out_of_play": [], "messages": []}
    document |= {"terms": display.terms[number % len(display.terms)], "tiers": tiers}
    return json.dumps(document).encode()
