"""What a table unit knows from receipts: what is recorded, and what the handset shows."""

import threading
import time
from typing import get_args

import msgspec

from tables.protocol.messages import Outcome, Receipt, Result

NO_RECEIPT_AFTER_S = 5.0
REMEMBERED = 1000  # outcomes kept at least

RECORDED = "RECORDED"
NOT_RECORDED = "NOT RECORDED, CALL SUPERVISOR"
SENDING = "SENDING"


_decoder = msgspec.json.Decoder(Receipt)
_OUTCOMES = get_args(Outcome)


def read_receipt(payload: bytes) -> Receipt:
    """A receipt, without the results whose outcome only a later console knows.

    msgspec.ValidationError where it is none.
    """
    try:
        return _decoder.decode(payload)
    except msgspec.ValidationError:
        fields = msgspec.json.decode(payload, type=dict[str, msgspec.Raw])
        results = msgspec.json.decode(fields.pop("results", b"[]"), type=list[dict[str, object]])
        readable = [each for each in results if each.get("outcome") in _OUTCOMES]
        return _decoder.decode(msgspec.json.encode({**fields, "results": readable}))


class ReceiptBook:
    """Receipts of the present boot; whoever waits for one is woken."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._era = 0
        self._boot = 0
        self._committed_seq = 0
        self._results: dict[int, Result] = {}
        self._earlier_numbers: dict[int, int] = {}  # numbers in the order that an earlier era gave
        self._sent_at: dict[int, float] = {}

    @property
    def committed_seq(self) -> int:
        return self._committed_seq

    def begin(self, boot: int) -> None:
        """A new boot: nothing of it is known to be recorded."""
        with self._changed:
            self._boot, self._committed_seq = boot, 0
            self._results.clear()
            self._earlier_numbers.clear()
            self._sent_at.clear()

    def note_sent(self, seq: int) -> None:
        """An event was journalled and sent; the handset's five seconds begin."""
        with self._changed:
            self._sent_at[seq] = time.monotonic()

    def enter(self, receipt: Receipt) -> None:
        """A receipt for this boot came."""
        with self._changed:
            if receipt.boot != self._boot or receipt.era < self._era:
                return
            if receipt.era > self._era:  # it may ask again from below
                self._begin_era(receipt)
            self._committed_seq = max(self._committed_seq, receipt.committed_seq)
            for result in receipt.results:
                before = self._results.get(result.seq)
                # What is recorded stands: a duplicate says nothing new of it, and a refusal under
                # its seq is of other bytes, perhaps not of this unit at all.
                if (
                    before is None
                    or before.outcome == "quarantined"
                    or result.outcome == "sequenced"
                ):
                    self._results[result.seq] = result
            self._forget_old()
            self._changed.notify_all()

    def _begin_era(self, receipt: Receipt) -> None:
        """The console was restored from a backup: it holds what it says now, and no more."""
        self._era, self._committed_seq = receipt.era, receipt.committed_seq
        for seq, result in self._results.items():
            if result.system_seq is not None:
                self._earlier_numbers[seq] = result.system_seq
        self._results = {
            seq: result for seq, result in self._results.items() if seq <= receipt.committed_seq
        }

    def _forget_old(self) -> None:
        """A unit runs for years."""
        if len(self._results) > 2 * REMEMBERED:
            for book in (self._results, self._sent_at, self._earlier_numbers):
                for seq in sorted(book)[:-REMEMBERED]:
                    del book[seq]

    def result(self, seq: int) -> Result | None:
        """The outcome of an event as far as receipts say."""
        latest = self._results.get(seq)
        if latest is None and 0 < seq <= self._committed_seq:
            return Result(seq=seq, outcome="recorded")
        return latest

    def wait(self, seq: int, timeout_s: float, *, sequenced: bool = False) -> Result | None:
        """Wait for an outcome, or for the `sequenced` one; None when the time is up."""

        def is_known() -> bool:
            result = self.result(seq)
            return result is not None and (not sequenced or result.outcome == "sequenced")

        with self._changed:
            return self.result(seq) if self._changed.wait_for(is_known, timeout_s) else None

    def handset_text(self, seq: int) -> str:
        """What the dealer reads about this event now."""
        result = self.result(seq)
        if result is None:
            waiting = time.monotonic() - self._sent_at.get(seq, float("-inf"))
            return SENDING if waiting < NO_RECEIPT_AFTER_S else NOT_RECORDED
        if result.outcome == "quarantined":
            return NOT_RECORDED
        if result.system_seq is not None:
            number = self._earlier_numbers.get(seq, result.system_seq)
            before = f", before the restore no. {number}" if number != result.system_seq else ""
            return f"{RECORDED} no. {result.system_seq}{before}"
        return RECORDED
