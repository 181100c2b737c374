"""Hands that people enter while a unit is offline, for `test_order_decides_money`."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.books import Hit
from tables import messages

from .rulings import Rulings, nth, tables


class Entering(Rulings):
    """A hand on the console, its unit's late events, and what a person says of them."""

    def __init__(self) -> None:
        super().__init__()
        self.safe: dict[int, int] = {}

    @rule(table=tables, known=st.booleans())
    def enter(self, table: str, known: bool) -> None:
        """The entry on the console is the hand's place, whether or not its round is known."""
        self.press(table)
        body: dict[str, Any] = {"round": self.floor.rounds[table]} if known else {}
        seen = len(self.floor.books.hits)
        typed: dict[str, Any] = {
            "game": "holdem",
            "seats": [3],
            "tier": "royal",
            "seen": seen,
            "note": "dark",
        }
        outcome = self.floor.decide("enter_hand", second=None, table=table, **typed, **body)
        self.pencil.story.append(("hit", outcome["hit"]))

    @precondition(lambda self: self.entered("known"))
    @rule(which=nth)
    def the_unit_is_back(self, which: int) -> None:
        """What it says of a round whose hand was entered moves nothing."""
        found = self.entered("known")
        hit = found[which % len(found)]
        called: dict[str, Any] = {"round": hit.round, "tier": "royal", "seats": [3]}
        outcome = self.floor.say(hit.table, messages.HandCalled, **called)
        assert "paired" in outcome["flags"]

    @precondition(lambda self: self.entered("asked"))
    @rule(which=nth, same=st.booleans())
    def say_which_hand(self, which: int, same: bool) -> None:
        """A unit's hand that may be one that was entered is paired with it, or kept apart."""
        found = self.entered("asked")
        hit = found[which % len(found)]
        waiting = [each for each in self.entered("awaited") if each.table == hit.table]
        if same and waiting:
            said: dict[str, Any] = {
                "hit": waiting[0].number,
                "table": hit.table,
                "round": hit.round,
            }
            if hit.report is not None and (waiting[0].state, waiting[0].report) == ("held", None):
                self.pencil.mistyped.add(waiting[0].number)  # its only report says nothing
            outcome = self.floor.decide("name_round", second=None, **said, note="camera 4")
            assert outcome["paired"] == hit.number
            self.pencil.rejected.add(hit.number)  # it takes nothing
            return
        places = self.pencil.places()
        later = places[places.index(hit.number) + 1 :]
        self.floor.decide("separate_hand", second=None, hit=hit.number, note="camera 4")
        if hit.report is not None:
            return  # mistyped: nobody can say yet which prize it is for
        self.pencil.unread.discard(hit.number)
        if any(number in self.pencil.confirmed for number in later):
            self.pencil.moved.add(hit.number)
            self.pencil.story.append(("acts here", hit.number))
        self.safe.clear()

    @precondition(lambda self: self.entered("paired"))
    @rule(which=nth)
    def undo_a_pair(self, which: int) -> None:
        """The unit's hand acts at its own place, or here where that was settled meanwhile."""
        found = self.entered("paired")
        hit = found[which % len(found)]
        said = {"hit": hit.pairing["same"], "note": "camera 4"}
        outcome = self.floor.decide("unpair_hand", second=None, **said)
        assert outcome["unpaired"] == hit.number
        self.pencil.rejected.discard(hit.number)
        if hit.report is None:
            self.pencil.unread.discard(hit.number)
        if hit.acts_at != hit.place:
            self.pencil.moved.add(hit.number)
            self.pencil.story.append(("acts here", hit.number))
        self.safe.clear()

    def entered(self, which: str) -> list[Hit]:
        """Hands that were entered, with or without a round, and those of units that wait."""
        hits = self.floor.books.hits.values()
        if which == "asked":
            return [hit for hit in hits if hit.is_asked]
        if which == "paired":
            return [hit for hit in hits if hit.state == "paired"]
        awaited = which == "awaited"
        return [hit for hit in hits if hit.is_entered and hit.pairing["waits"] == awaited]

    def press(self, table: str) -> None:
        """The button at a table; Evening knows what it adds."""
        raise NotImplementedError
