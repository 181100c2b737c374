"""After every entry every account equals the fold that leaves out the rejected hits.

A state machine drives rounds, hands, amendments, decisions and corrections in any order against
the reference of `pencil`, and looks at every account and every claim after each step.
Ten thousand steps and more in CI, a fifth of them in `make test`; HYPOTHESIS_EXAMPLES=5000 makes a
longer run.
"""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.domain.state.books import Hit
from jackpot.hits.payees import rest
from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms
from tests.support.play.models.order_decides_money import BOARD, MISTYPED, REPORT, RESET, UNIT
from tests.support.play.models.reference_model import Pencil, Terms, brought_up, parts
from tests.support.play.models.reversed_rejections import ComingBack
from tests.support.play.models.rulings import PER_ROUND, clocks, nth
from tests.support.suite.run_length import examples
from tests.support.suite.steps import Record, run

SHARE = 7_500  # three quarters, so that something stays in the pool
INCREMENTS = [
    {"source": "per_round", "amount": PER_ROUND},
    {"source": "pot", "basis_points": 333},
    {"source": "commission", "basis_points": 1000, "into": "reserve"},
]
TABLE_PART = 3_000  # of the share plan; what is left is the winner's
AROUND = [4, 5, 1, 2]  # the table share from the button at seat 2; seat 6 takes no part
TABLES = ("t0", "t1", "t2")
tables = st.sampled_from(TABLES)
MOST_TRIED = 6  # open claims before one: 64 replays are made for its payout bounds


class Evening(ComingBack):
    """One tier, three tables, and everything that people may decide."""

    prize: int | None = None  # a fixed one, instead of the share

    def __init__(self) -> None:
        super().__init__()
        share = SHARE if self.prize is None else 10_000
        self.terms = royal_terms(
            reset=RESET,
            share=share,
            prize=self.prize,
            plan={"winner": 10_000 - TABLE_PART, "table": TABLE_PART},
            increments=INCREMENTS,
            payable_unit=UNIT,
        ) | {"funding": "players", "dark_minutes": 5}
        self.floor = Floor(self.terms)
        self.pencil = Pencil(Terms(UNIT, RESET, share, self.prize))
        self.is_suspended = False

    @initialize()
    def open_tables(self) -> None:
        for table in TABLES:
            self.floor.open(table)
            self.press(table)

    # --- the floor ----------------------------------------------------------------------

    @rule(table=tables)
    def press(self, table: str) -> None:
        self.floor.press(table)
        adds = self.is_in_play(table)
        self.pressed[table, self.floor.rounds[table]] = PER_ROUND if adds else 0
        self.feed(table, "operator", "pool", PER_ROUND)

    def feed(self, table: str, source: str, into: str, amount: int) -> None:
        """A round adds to the tier, unless it began while the tier or its table was out of play."""
        if self.is_in_play(table):
            self.pencil.timeline.append(("contribution", source, into, amount))

    @rule(table=tables, pot=st.integers(0, 400_000))
    def complete(self, table: str, pot: int) -> None:
        self.press(table)
        self.floor.complete(table, pot=pot, commission=pot // 20)
        self.put_in[table, self.floor.rounds[table]] = (
            self.figures(pot) if self.is_in_play(table) else []
        )
        for source, into, amount in self.figures(pot):
            self.feed(table, source, into, amount)

    @rule(value=st.integers(0, 40 * MICROS))
    def show(self, value: int) -> None:
        """A display message with that value is committed now, right or wrong."""
        self.floor.books.displayed = {"royal": value}
        self.floor.books.displayed_seq = self.floor.books.seq
        self.pencil.timeline.append(("show", value))

    @rule(table=tables, clock=clocks)
    def call(self, table: str, clock: tuple[int, int] | None) -> None:
        self.press(table)
        outcome = self.said_at(clock).call(table)
        hit = outcome["hit"]
        if "perhaps_entered" in outcome.get("flags", ()):
            self.pencil.unread.add(hit)
        self.pencil.timeline.append(("hit", hit))
        self.pencil.clocks[hit] = clock
        self.meets(hit, outcome)

    @rule(table=tables, clock=clocks)
    def mistype(self, table: str, clock: tuple[int, int] | None) -> None:
        self.press(table)
        hit = self.said_at(clock).report(table, MISTYPED, BOARD)["hit"]
        self.pencil.unread.add(hit)
        self.pencil.timeline.append(("hit", hit))
        self.pencil.clocks[hit] = clock

    # --- decisions about claims -----------------------------------------------------------

    @precondition(lambda self: self.hits("held", unread=True))
    @rule(which=nth)
    def amend(self, which: int) -> None:
        hit = self.pick("held", which, unread=True)
        places = self.pencil.places()
        later = places[places.index(hit.number) + 1 :]
        outcome = self.floor.decide("amend_hand", hit=hit.number, report=REPORT)
        if (hit.table, hit.round) in self.void_rounds:
            return  # no hand of a void round wins anything
        self.pencil.unread.discard(hit.number)
        if any(number in self.pencil.confirmed for number in later):
            self.pencil.moved.add(hit.number)
            self.pencil.timeline.append(("actions here", hit.number))
        self.meets(hit.number, outcome)
        self.safe.clear()  # an earlier hand moved to this tier: safe amounts may fall

    @precondition(lambda self: self.hits("held"))
    @rule(which=nth)
    def reject(self, which: int) -> None:
        hit = self.pick("held", which)
        self.floor.decide("reject_claim", hit=hit.number, reason="R01", evidence="", affected=True)
        self.pencil.rejected.add(hit.number)

    @precondition(lambda self: self.hits("held", "confirmed", "paid"))
    @rule(which=nth)
    def confirm(self, which: int) -> None:
        hit = self.pick(("held", "confirmed", "paid"), which)
        if hit.tier is None or len(self.pencil.open_before(hit.number)) > MOST_TRIED:
            return
        amounts = self.pencil.possible_amounts(hit.number)
        due = min(amounts) - self.pencil.confirmed.get(hit.number, 0)
        # A hand on an empty pool is confirmed for nothing, and that closes it.
        ends = hit.state == "held" and due == max(amounts) == 0
        payees = self.payees(hit, due) if due or ends else [{"seat": 3, "amount": 1}]
        outcome = self.floor.decide("confirm_claim", hit=hit.number, amount=due, payees=payees)
        stopped = bool(self.pencil.stopped.get(hit.number))
        stopped = stopped or (hit.table, hit.round) in self.void_rounds
        stopped = stopped or hit.number in self.pencil.mistyped
        is_refused = stopped or (due == 0 and not ends)
        assert ("refused" in outcome) == is_refused
        if not is_refused:
            assert (hit.state == "paid") == (due == 0)
            so_far = self.pencil.confirmed.get(hit.number, 0)
            self.pencil.confirmed[hit.number] = so_far + due

    @precondition(lambda self: self.hits("confirmed"))
    @rule(which=nth, part=st.integers(1, 3))
    def pay(self, which: int, part: int) -> None:
        hit = self.pick("confirmed", which)
        for line in hit.payees:
            if rest(line) and line["state"] in ("due", "part_paid"):
                amount = -(-rest(line) // part)
                outcome = self.floor.decide(
                    "pay", hit=hit.number, line=line["line"], parts={"cash": amount}
                )
                if self.pencil.stopped.get(hit.number):
                    assert "stops this claim" in outcome["refused"]
                else:
                    assert outcome["paid"] == amount
                return

    @precondition(lambda self: self.hits("confirmed"))
    @rule(which=nth)
    def forfeit(self, which: int) -> None:
        hit = self.pick("confirmed", which)
        for line in hit.payees:
            if amount := rest(line):
                body = {"hit": hit.number, "line": line["line"], "reason": "law"}
                outcome = self.floor.decide("forfeit", **body)
                if self.pencil.stopped.get(hit.number):
                    assert "stops this claim" in outcome["refused"]
                else:
                    self.pencil.timeline.append(("back", amount, {}))
                return

    @precondition(lambda self: self.hits("confirmed", "paid"))
    @rule(which=nth, recovered=st.integers(0, 4))
    def reverse(self, which: int, recovered: int) -> None:
        hit = self.pick(("confirmed", "paid"), which)
        if len(self.pencil.open_before(hit.number)) > MOST_TRIED:
            return
        before, held = {*self.pencil.possible_amounts(hit.number)}, hit.held
        handed = sum(sum(line["parts"].values()) for line in hit.payees)
        left = handed + sum(map(rest, hit.payees))
        forfeited_amount = sum(line["amount"] for line in hit.payees) - left
        back = handed * recovered // 4
        outcome = self.floor.decide(
            "reverse_claim",
            hit=hit.number,
            reason="R13",
            evidence="camera 4",
            recovered={"cash": back},
        )
        if len(before) > 1:
            assert "refused" in outcome  # it depends on what becomes of others
            return
        assert outcome["reversed"] == held - forfeited_amount  # what was forfeited is back already
        self.pencil.reversed[hit.number] = held
        self.pencil.timeline.append(("back", held - forfeited_amount, {"operator": handed - back}))

    # --- corrections at their own place -----------------------------------------------------

    @rule(
        into=st.sampled_from(["pool", "reserve"]),
        amount=st.integers(-30 * MICROS, 10 * MICROS).filter(bool),
        source=st.sampled_from(["operator", "pot"]),
        why_low=st.sampled_from([None, "the jackpot ends"]),
    )
    def adjust(self, into: str, amount: int, source: str, why_low: str | None) -> None:
        may = self.pencil.may_adjust(into, amount, why_low)
        outcome = self.floor.decide(
            "adjust_pool",
            tier="royal",
            into=into,
            amount=amount,
            source=source,
            reason="A04",
            evidence="count of the drop box",
            below_reset=why_low,
        )
        assert ("refused" in outcome) != may
        if may:
            self.pencil.timeline.append(("adjust", into, amount, source))

    @rule(limit=st.one_of(st.none(), st.integers(RESET, RESET + 15 * MICROS)))
    def new_limit(self, limit: int | None) -> None:
        tier = self.terms["tiers"][0] | {"limit": limit}
        terms = self.terms | {"tiers": [tier]}
        body = {"terms": terms} if not self.hits("held") else {"terms": terms, "force": "a typo"}
        outcome = self.floor.decide("put_terms", **body)
        assert "refused" not in outcome
        self.pencil.timeline.append(("limit", limit))

    @rule()
    def suspend_or_resume(self) -> None:
        kind = "resume" if self.is_suspended else "suspend"
        outcome = self.floor.decide(kind, jackpot="house", tier="royal", reason="dark displays")
        assert "refused" not in outcome
        self.is_suspended = not self.is_suspended

    # --- what must hold after every step ------------------------------------------------------

    @invariant()
    def every_account_is_what_the_pencil_says(self) -> None:
        self.pencil.give_what_is_over()
        balances, pencil_balances = self.floor.books.balances, self.pencil.play()
        names = ("operator", "pot", "commission", "rounding")
        ours = {name: balances[name] for name in names}
        ours |= {f"royal:{k}": balances[f"royal:{k}"] for k in ("pool", "reserve", "overflow")}
        ours["royal:held"] = balances["royal:held"]
        assert ours == {name: pencil_balances.get(name, 0) for name in ours}
        assert sum(balances.values()) == 0
        for hit in self.floor.books.hits.values():
            if hit.tier is not None and hit.state != "rejected":
                assert hit.held == pencil_balances[f"hit {hit.number}"]
                assert hit.confirmed == self.pencil.confirmed.get(hit.number, 0) <= hit.held

    @invariant()
    def a_safe_amount_is_the_least_of_all_outcomes_and_never_falls(self) -> None:
        self.pencil.void = {
            hit.number
            for hit in self.floor.books.hits.values()
            if (hit.table, hit.round) in self.void_rounds
        }
        for hit in self.hits("held", "confirmed", "paid"):
            if hit.tier is None or len(self.pencil.open_before(hit.number)) > MOST_TRIED:
                continue
            amounts = self.pencil.possible_amounts(hit.number)
            payout_bounds = bounds_of(self.floor.books, hit)
            assert (payout_bounds.safe, payout_bounds.most) == (min(amounts), max(amounts))
            assert min(amounts) >= self.safe.get(hit.number, 0)
            self.safe[hit.number] = min(amounts)

    def payees(self, hit: Hit, due: int) -> list[dict[str, Any]]:
        """By the share plan; where only a call is there nobody can say, and seat 3 gets all."""
        if hit.report is None:
            return [{"seat": 3, "amount": due}] if due else []
        had = dict.fromkeys((3, *AROUND), 0)
        for line in hit.payees:
            had[line["seat"]] += line["amount"]
        whole = parts(sum(had.values()) + due, UNIT, TABLE_PART, 3, AROUND)
        return [
            {"seat": seat, "role": "winner" if seat == 3 else "table", "amount": amount}
            for seat, amount in brought_up(whole, had, due).items()
            if amount
        ]


class FixedPrizes(Evening):
    """The same, where the tier pays a fixed prize, above its reset amount."""

    prize = 30 * MICROS


EXAMPLES = examples(300)
LIKE_THIS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_an_evening_in_any_order(record_property: Record) -> None:
    steps = run(Evening, LIKE_THIS, record_property)
    assert steps >= 10_000 or EXAMPLES < 300


def test_an_evening_of_fixed_prizes(record_property: Record) -> None:
    run(FixedPrizes, settings(LIKE_THIS, max_examples=EXAMPLES // 3), record_property)
