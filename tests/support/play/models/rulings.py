"""Decisions about rounds in any order, for the state machine of `test_order_decides_money`."""

import datetime as dt
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from jackpot.domain.state.books import Hit
from jackpot.domain.state.entries import FactEntry
from tables.protocol import messages
from tests.support.play.books import AT, Floor, fold
from tests.support.play.models.reference_model import Pencil

PER_ROUND = 510_003
tables = st.sampled_from(("t0", "t1", "t2"))
nth = st.integers(0, 7)
# When a hand was recorded by its unit's clock set right, and how sure that is, in seconds.
clocks = st.none() | st.tuples(st.integers(0, 6), st.integers(0, 1))


class Rulings(RuleBasedStateMachine):
    """Rounds are void, cancelled or missed; what comes for them before and after."""

    floor: Floor
    pencil: Pencil
    is_suspended = False

    def __init__(self) -> None:
        super().__init__()
        self.pressed: dict[tuple[str, int], int] = {}  # what the operator gave
        self.put_in: dict[tuple[str, int], list[tuple[str, str, int]]] = {}  # by the players
        self.void_rounds: set[tuple[str, int]] = set()
        self.cancelled: set[tuple[str, int]] = set()
        self.dark: set[str] = set()  # tables that are out of play for their display

    def press(self, table: str) -> None:
        """The button at a table."""
        raise NotImplementedError

    def is_in_play(self, table: str) -> bool:
        """Whether a round that begins there now adds to the tier."""
        return not self.is_suspended and table not in self.dark

    @rule(table=tables, minutes=st.integers(4, 6))
    def display_fails(self, table: str, minutes: int) -> None:
        """Posted are five minutes: after less, or where it is out already, nothing comes of it."""
        since = AT - dt.timedelta(minutes=minutes)
        body = {"table": table, "since": since.isoformat(), "until": AT.isoformat()}
        books = self.floor.books
        outcome = fold(books, FactEntry(books.seq + 1, AT, "display_dark", body))
        is_moot = minutes < 5 or table in self.dark
        assert (outcome.get("flags") == ["moot"]) == is_moot
        if not is_moot:
            self.dark.add(table)

    @rule(table=tables)
    def display_repaired(self, table: str) -> None:
        """A person takes the table into play again."""
        body = {"jackpot": "house", "table": table, "reason": "a new cable"}
        outcome = self.floor.decide("resume", second=None, **body)
        assert ("refused" in outcome) == (table not in self.dark)
        self.dark.discard(table)

    def said_at(self, clock: tuple[int, int] | None) -> Floor:
        """The floor, where the next hand has that clock."""
        return self.floor if clock is None else self.floor.at(*clock)

    def meets(self, hit: int, outcome: dict[str, Any]) -> None:
        """A hit acts on the tier now, or has a clock: what the pencil says comes of that."""
        pairs = self.pencil.meets(hit, self.floor.books.seq)
        assert outcome.get("in_question", []) == pairs

    @rule(table=tables, which=nth)
    def void(self, table: str, which: int) -> None:
        number = max(1, self.floor.rounds[table] - which)
        outcome = self.decide_on("void_round", table, number, "wrong_count")
        hit = self.by_round(table, number)
        decided = hit is not None and hit.state in ("confirmed", "paid")
        assert ("refused" in outcome) == (decided or (table, number) in self.void_rounds)
        if "refused" not in outcome:
            self.void_rounds.add((table, number))
            self.pencil.timeline.append(("return_round", self.put_in.get((table, number), [])))

    @rule(table=tables, which=nth)
    def cancel(self, table: str, which: int) -> None:
        key = (table, max(1, self.floor.rounds[table] - which))
        dealt = key in self.put_in or self.by_round(*key) is not None
        outcome = self.decide_on("cancel_round", *key, "double_press")
        fits = not dealt and key in self.pressed and key not in self.void_rounds | self.cancelled
        assert ("refused" in outcome) == (not fits)
        if fits:
            self.cancelled.add(key)
            self.pencil.timeline.append(("return_round", [("operator", "pool", self.pressed[key])]))

    @rule(table=tables, count=st.integers(1, 4), players=st.integers(0, 9))
    def miss(self, table: str, count: int, players: int) -> None:
        """Rounds that nobody can name: the operator's part for each."""
        self.floor.decide(
            "missed_rounds", table=table, count=count, players=players, evidence="camera 4"
        )
        if self.is_in_play(table):
            self.pencil.timeline.append(("contribution", "operator", "pool", PER_ROUND * count))

    @rule(table=tables, pot=st.integers(0, 400_000), late=st.integers(-1, 400_000))
    def miss_and_find(self, table: str, pot: int, late: int) -> None:
        """A round with the supervisor's figures; its own may come late: the difference counts."""
        if not self.is_in_play(table):
            return  # nothing is added then
        self.floor.rounds[table] += 1
        number = self.floor.rounds[table]
        micros: dict[str, Any] = {"pot": pot * 10_000, "commission": pot // 20 * 10_000}
        self.floor.decide(
            "missed_rounds", table=table, count=1, rounds=[number], evidence="camera 4", **micros
        )
        self.pencil.timeline.append(("contribution", "operator", "pool", PER_ROUND))
        self.put_in[table, number] = self.figures(pot)
        for source, into, amount in self.figures(pot):
            self.pencil.timeline.append(("contribution", source, into, amount))
        if late >= 0:
            self.floor.say(table, messages.RoundStarted, how="late", round=number)
            self.pressed[table, number] = PER_ROUND
            self.completed_late(table, pot, late)

    @rule(table=tables, pot_minor=st.integers(0, 400_000), late=st.integers(-1, 400_000))
    def forget_completion(self, table: str, pot_minor: int, late: int) -> None:
        """A pressed round whose completion a supervisor gives; its own may come after all."""
        self.press(table)
        number = self.floor.rounds[table]
        outcome = self.floor.decide(
            "missed_rounds",
            table=table,
            rounds=[number],
            count=1,
            completion=True,
            pot=pot_minor * 10_000,
            commission=pot_minor // 20 * 10_000,
            evidence="camera 4",
        )
        assert ("refused" in outcome) == (table in self.dark)
        if table not in self.dark:
            self.put_in[table, number] = []  # it was dealt
        if not self.is_in_play(table):
            return
        self.put_in[table, number] = self.figures(pot_minor)
        for source, into, amount in self.figures(pot_minor):
            self.pencil.timeline.append(("contribution", source, into, amount))
        if late >= 0:
            self.completed_late(table, pot_minor, late)

    def completed_late(self, table: str, pot: int, late: int) -> None:
        """The unit's own figures: the difference counts, in either direction."""
        self.floor.complete(table, pot=late, commission=late // 20)
        self.put_in[table, self.floor.rounds[table]] = self.figures(late)
        before = {(source, into): amount for source, into, amount in self.figures(pot)}
        for source, into, amount in self.figures(late):
            change = amount - before[source, into]
            if change > 0:
                self.pencil.timeline.append(("contribution", source, into, change))
        back = [(s, i, before[s, i] - amount) for s, i, amount in self.figures(late)]
        self.pencil.timeline.append(("return_round", [part for part in back if part[2] > 0]))

    def decide_on(self, kind: str, table: str, number: int, reason: str) -> dict[str, object]:
        return self.floor.decide(kind, table=table, round=number, reason=reason, note="seen")

    def by_round(self, table: str, number: int) -> Hit | None:
        hits = self.floor.books.hits.values()
        return next((hit for hit in hits if (hit.table, hit.round) == (table, number)), None)

    @staticmethod
    def figures(pot: int) -> list[tuple[str, str, int]]:
        """What a round with that pot (minor units) puts in: source, into, micros."""
        return [
            ("pot", "pool", pot * 10_000 * 333 // 10_000),
            ("commission", "reserve", pot // 20 * 1000),
        ]
