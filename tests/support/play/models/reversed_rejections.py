"""Rejections that were wrong are reversed, for `test_order_decides_money`."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tables.protocol import messages
from tests.support.play.models.claim_stops import Stopping
from tests.support.play.models.rulings import nth

ROYAL = messages.ReportedHand(
    seat=3, hole=["As", "Ks"], exposed="yes", folded=False, participating=True, won_pot=True
)


class ComingBack(Stopping):
    """A rejected hand acts again at its own place; a correction that came meanwhile is taken."""

    safe: dict[int, int]  # safe amounts by hit

    @precondition(lambda self: self.hits("rejected"))
    @rule(which=nth)
    def correct_after_the_decision(self, which: int) -> None:
        hit = self.pick("rejected", which)
        if hit.pairing or hit.round < 0:
            return
        outcome = self.floor.say(
            hit.table,
            messages.HandReported,
            round=hit.round,
            boards=[["Qs", "Js", "Ts", "2d", "3c"]],
            hands=[ROYAL],
            seats_dealt=[1, 2, 3, 4, 5],
            button_seat=2,
        )
        assert outcome["flags"] == ["after_decision"]
        assert hit.newest_report[0] == self.floor.books.seq

    @precondition(lambda self: self.hits("rejected"))
    @rule(which=nth, is_first=st.booleans())
    def reverse_rejection(self, which: int, is_first: bool) -> None:
        hit = self.pick("rejected", which)
        is_corrected = hit.corrected is not None
        body: dict[str, Any] = {"reason": "typed as folded", "evidence": "camera 4"}
        entry = hit.report_entry if is_first else hit.newest_report[0]
        outcome = self.floor.decide("reverse_rejection", hit=hit.number, report_entry=entry, **body)
        assert ("refused" in outcome) == (is_first and is_corrected)
        if "refused" in outcome:
            return
        self.pencil.rejected.discard(hit.number)
        if is_corrected and (hit.table, hit.round) not in self.void_rounds:
            self.pencil.unread.discard(hit.number)
            self.pencil.mistyped.discard(hit.number)
        self.meets(hit.number, outcome)
        self.safe.clear()  # what nobody confirmed of later ones may fall
