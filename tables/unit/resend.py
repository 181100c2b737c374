"""Sending again what the console says it does not hold: bounded, and backing off."""

from collections.abc import Callable

from tables.protocol.messages import Receipt
from tables.unit.journal import Journal

SENT_AT_ONCE = 200
LEAST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0


class Resend:
    """The resends of one unit. Journalled bytes are sent as they are.

    A part is sent, and the next one as soon as receipts cover it. A part that no receipt covers
    is sent again, ever more rarely.
    """

    def __init__(self, journal: Journal, send: Callable[[bytes], bool]) -> None:
        self._journal = journal
        self._send = send
        self._heard = (0, 0, 0)  # era, boot, and how far the console got
        self._from: int | None = None  # the first event that the console misses; None: none
        self._until = 0  # the last event there was when the console asked
        self._sent_to = 0  # the last event of the part on its way
        self._due_at = 0.0
        self._pause_s = LEAST_PAUSE_S

    def heard(self, receipt: Receipt, now: float) -> None:
        """A receipt came: it names a gap, or tells how far the console got.

        One that a newer one has overtaken on its way says nothing.
        """
        era, boot, committed_seq = self._heard
        if receipt.era < era:
            return
        if receipt.boot != boot:
            self._from, self._sent_to = None, 0
        elif receipt.era == era and receipt.committed_seq < committed_seq:
            return
        self._heard = receipt.era, receipt.boot, receipt.committed_seq
        missing = receipt.resend_from
        if missing is not None:
            self._until = self._journal.recall("seq")
        elif self._from is not None and receipt.committed_seq < self._until:
            missing = receipt.committed_seq + 1  # no gap that the console could see, yet more
        if missing is None:
            self._from = None
        elif missing != self._from:
            got_on = self._from is None or missing > self._sent_to
            self._from = missing
            self._pause_s = LEAST_PAUSE_S
            # What is on its way is not sent again at once.
            self._due_at = now if got_on else now + LEAST_PAUSE_S

    def go_on(self, now: float) -> None:
        """Send the next part when it is due."""
        if self._from is None or now < self._due_at:
            return
        for seq, payload in self._journal.events_from(self._heard[1], self._from, SENT_AT_ONCE):
            if not self._send(payload):
                break
            self._sent_to = seq
        self._due_at = now + self._pause_s
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
