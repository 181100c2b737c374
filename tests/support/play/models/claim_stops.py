"""What stops a claim and lets it go on, for `test_order_decides_money`: people, and clocks."""

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from jackpot.domain.state.books import Hit
from tests.support.play.models.hand_entries import Entering
from tests.support.play.models.rulings import nth


class Stopping(Entering):
    """Disputes and holds of any claim; what the clocks stop is the pencil's to say."""

    @precondition(lambda self: self.hits("held", "confirmed", "paid", "rejected", "reversed"))
    @rule(which=nth, kind=st.sampled_from(["dispute", "hold_claim"]))
    def stop(self, which: int, kind: str) -> None:
        hit = self.pick(("held", "confirmed", "paid", "rejected", "reversed"), which)
        outcome = self.floor.decide(kind, hit=hit.number, reason="seat 4 says otherwise")
        self.pencil.stopped.setdefault(hit.number, set()).add(outcome["stop"])

    @precondition(lambda self: any(self.pencil.stopped.values()))
    @rule(which=nth)
    def let_go_on(self, which: int) -> None:
        standing_stops = [
            (n, stop) for n, stops in self.pencil.stopped.items() for stop in sorted(stops)
        ]
        number, stop = standing_stops[which % len(standing_stops)]
        outcomes = [
            self.floor.decide(kind, hit=number, stop=stop, finding="looked into")
            for kind in ("resolve_dispute", "lift_hold", "settle_order")
        ]
        assert sum("refused" in outcome for outcome in outcomes) == 2  # each ends its own kind
        self.pencil.stopped[number].discard(stop)

    @invariant()
    def stopped_is_what_people_or_clocks_stopped(self) -> None:
        actual_stops = {
            hit.number: {stop["entry"] for stop in hit.stops if stop["lifted"] is None}
            for hit in self.floor.books.hits.values()
        }
        expected_stops = {number: stops for number, stops in self.pencil.stopped.items() if stops}
        assert {number: stops for number, stops in actual_stops.items() if stops} == expected_stops

    def hits(self, *states: str, unread: bool = False) -> list[Hit]:
        return [
            hit
            for hit in self.floor.books.hits.values()
            if hit.state in states and (not unread or hit.number in self.pencil.unread)
            if not (unread and hit.is_required)
        ]

    def pick(self, states: str | tuple[str, ...], which: int, unread: bool = False) -> Hit:
        names = (states,) if isinstance(states, str) else states
        hits = self.hits(*names, unread=unread)
        return hits[which % len(hits)]
