"""A console whose receipts are wrong: what a fault changes in them, the clauses that it breaks."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tables.protocol.messages import Receipt, Result

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


def _numbered(
    step: int = 1, *, has_hits: bool = True, again: bool = True, late: bool = True
) -> Change:
    """Numbers on arrival, and nothing is held for what is missing."""
    numbers: dict[tuple[int, int], int] = {}
    hit: list[int] | None = [] if has_hits else None

    def number_of(receipt: Receipt, result: Result) -> int | None:
        place = receipt.boot, result.seq
        if result.outcome == "quarantined" or (result.outcome == "duplicate" and not again):
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
}
