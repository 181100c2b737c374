"""Hands that people enter while a unit is offline, for `test_order_decides_money`."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.domain.state.books import Hit
from tables.protocol import messages
from tests.support.play.models.rulings import Rulings, clocks, nth, tables


class Entering(Rulings):
    """A hand on the console, its unit's late events, and what a person says of them."""

    def __init__(self) -> None:
        super().__init__()
        self.safe: dict[int, int] = {}

    @rule(table=tables, is_known=st.booleans())
    def enter(self, table: str, is_known: bool) -> None:
        """The entry on the console is the hand's place, whether or not its round is known."""
        self.press(table)
        body: dict[str, Any] = {"round": self.floor.rounds[table]} if is_known else {}
        newest = len(self.floor.books.hits)
        typed: dict[str, Any] = {
            "game": "holdem",
            "seats": [3],
            "tier": "royal",
            "seen": newest,
            "note": "dark",
        }
        outcome = self.floor.decide("enter_hand", second=None, table=table, **typed, **body)
        self.pencil.timeline.append(("hit", outcome["hit"]))

    @precondition(lambda self: self.entered("known"))
    @rule(which=nth, clock=clocks)
    def the_unit_is_back(self, which: int, clock: tuple[int, int] | None) -> None:
        """What it says of a round whose hand was entered moves nothing; its first word has a
        clock."""
        hits = self.entered("known")
        hit = hits[which % len(hits)]
        called: dict[str, Any] = {"round": hit.round, "tier": "royal", "seats": [3]}
        is_first = hit.pairing["unit"] is None
        outcome = self.said_at(clock).say(hit.table, messages.HandCalled, **called)
        assert "paired" in outcome["flags"]
        if is_first:
            self.pencil.clocks[hit.number] = clock
            self.meets(hit.number, outcome)

    @precondition(lambda self: self.entered("asked"))
    @rule(which=nth, same=st.booleans())
    def say_which_hand(self, which: int, same: bool) -> None:
        """A unit's hand that may be one that was entered is paired with it, or kept separate."""
        hits = self.entered("asked")
        hit = hits[which % len(hits)]
        waiting = [each for each in self.entered("awaited") if each.table == hit.table]
        if same and waiting:
            body: dict[str, Any] = {
                "hit": waiting[0].number,
                "table": hit.table,
                "round": hit.round,
            }
            if hit.report is not None and (waiting[0].state, waiting[0].report) == ("held", None):
                self.pencil.mistyped.add(waiting[0].number)  # its only report says nothing
            outcome = self.floor.decide("name_round", second=None, **body, note="camera 4")
            assert outcome["paired"] == hit.number
            self.pencil.rejected.add(hit.number)  # it takes nothing
            self.pencil.clocks[waiting[0].number] = self.pencil.clocks[hit.number]
            self.meets(waiting[0].number, outcome)
            return
        places = self.pencil.places()
        later = places[places.index(hit.number) + 1 :]
        outcome = self.floor.decide("separate_hand", second=None, hit=hit.number, note="camera 4")
        if hit.report is not None:
            return  # mistyped: nobody can say yet which prize it is for
        self.pencil.unread.discard(hit.number)
        if any(number in self.pencil.confirmed for number in later):
            self.pencil.moved.add(hit.number)
            self.pencil.timeline.append(("actions here", hit.number))
        self.meets(hit.number, outcome)
        self.safe.clear()

    @precondition(lambda self: self.entered("paired"))
    @rule(which=nth)
    def undo_a_pair(self, which: int) -> None:
        """The unit's hand acts at its own place, or here where that was settled meanwhile."""
        hits = self.entered("paired")
        hit = hits[which % len(hits)]
        body: dict[str, Any] = {"hit": hit.pairing["same"], "note": "camera 4"}
        outcome = self.floor.decide("unpair_hand", second=None, **body)
        assert outcome["unpaired"] == hit.number
        self.pencil.rejected.discard(hit.number)
        if hit.report is None:
            self.pencil.unread.discard(hit.number)
        if hit.acts_at != hit.place:
            self.pencil.moved.add(hit.number)
            self.pencil.timeline.append(("actions here", hit.number))
        self.pencil.clocks[body["hit"]] = None  # that was the other hand's
        self.meets(hit.number, outcome)
        self.safe.clear()

    def entered(self, which: str) -> list[Hit]:
        """Hands that were entered, with or without a round, and those of units that wait."""
        hits = self.floor.books.hits.values()
        if which == "asked":
            return [hit for hit in hits if hit.is_required]
        if which == "paired":
            return [hit for hit in hits if hit.state == "paired"]
        awaited = which == "awaited"
        return [hit for hit in hits if hit.is_entered and hit.pairing["waits"] == awaited]

    def press(self, table: str) -> None:
        """The button at a table; Evening knows what it adds."""
        raise NotImplementedError
