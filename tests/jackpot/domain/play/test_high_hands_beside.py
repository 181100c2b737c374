"""High hands beside all else: several prizes of a hand, hands entered on the console, tables that
leave; and what is safe of them, by the product and by the verifier."""

import random
from typing import Any

import pytest

from jackpot.domain.fold import apply
from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.domain.state.entries import FactEntry, Outcome
from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.play.books import AT
from tests.support.play.fixed_high_hands import ADDED, fixed_terms
from tests.support.play.high_hands import HALF_HOUR, HOUSE, NINES, NOTHING, STEEL, high_terms
from tests.support.proof.verified_books import Witnessed, entry_of
from verifier.fold.claims.candidates import period_closed
from verifier.fold.claims.payout_bounds import bounds, is_settled
from verifier.fold.terms.calendar import Calendar

FORM = "%Y-%m-%dT%H:%M:%S.%fZ"
BESIDE = high_terms() | {"code": "second", "name": "Second"}
FIXED = fixed_terms(requirements=ADDED) | {"code": "second", "name": "Second"}


def report_of(cards: tuple[str, str]) -> dict[str, Any]:
    """A report as people type it: the hole cards of seat 3, and the board."""
    hand = {"seat": 3, "hole": cards[0].split(), "exposed": "yes", "folded": False}
    hand |= {"participating": True, "won_pot": True}
    return {"boards": [cards[1].split()], "hands": [hand]}


class Night(Witnessed):
    """A jackpot in which a hand wins each prize, and another that is a high hand; two tables."""

    def __init__(self, beside: dict[str, Any] = BESIDE) -> None:
        super().__init__(each_terms(), beside)
        self.ends = AT.replace(minute=0)
        self.witness.pools["high"].began = AT.strftime(FORM)
        self.witness.returning = frozenset(range(1, 100))
        self.open("t3")
        self.open("t7")

    def end(self) -> Outcome:
        self.ends += HALF_HOUR
        ends = self.ends.strftime(FORM)
        body = {"tier": "high", "ends": ends}
        seq = self.books.seq + 1
        outcome = apply(self.books, FactEntry(seq, self.ends, "period_closed", body))
        entry = entry_of(seq, "fact", "period_closed", outcome, at=ends)
        own_outcome = period_closed(self.witness, entry, body, Calendar("UTC", "06:00:00"))
        assert (outcome["value"], outcome["candidates"]) == (
            own_outcome["value"],
            own_outcome["candidates"],
        )
        return outcome

    def show(self, table: str, cards: tuple[str, str]) -> int:
        self.press(table)
        hit: int = self.report(table, *cards)["hit"]
        return hit

    def enter(self, table: str, **fields: Any) -> Outcome:
        """A hand at a table whose unit is dark; the next round of it, if it is known."""
        newest = max([0, *(h.number for h in self.books.hits.values() if h.table == table)])
        body: dict[str, Any] = {"game": "holdem", "seats": [3], "note": "dark", "seen": newest}
        return self.decide("enter_hand", second=None, table=table, **(body | fields))

    def amend(self, hit: int, cards: tuple[str, str]) -> Outcome:
        return self.decide("amend_hand", second=None, hit=hit, report=report_of(cards))

    def reject(self, hit: int) -> Outcome:
        body: dict[str, Any] = {"reason": "R11", "evidence": "camera 1", "affected": True}
        return self.decide("reject_claim", hit=hit, **body)

    def come_back(self, hit: int) -> Outcome:
        newest, _ = self.books.hits[hit].newest_report
        body: dict[str, Any] = {"reason": "a slip", "evidence": "camera 1"}
        return self.decide("reverse_rejection", hit=hit, report_entry=newest, **body)

    def confirm(self, hit: int) -> Outcome:
        amount = bounds_of(self.books, self.books.hits[hit]).due
        payees = [{"seat": 3, "amount": amount, "role": "winner"}]
        return self.decide("confirm_claim", hit=hit, amount=amount, payees=payees)

    def stands(self) -> list[tuple[int, str | None, str, float]]:
        hits = self.books.hits.values()
        return [(hit.number, hit.tier, hit.state, hit.held / MICROS) for hit in hits]

    def look(self) -> None:
        """The verifier's books are these, and it says the same of what claims may come to."""
        for account, balance in self.books.balances.items():
            assert self.witness.balances[account] == balance, account
        for hit in self.books.hits.values():
            of_period = hit.strength is not None and hit.closing is None
            if hit.state not in ("held", "confirmed") or hit.tier is None or of_period:
                continue
            payout_bounds, own_hit = bounds_of(self.books, hit), self.witness.hits[hit.number]
            assert (payout_bounds.safe, payout_bounds.most) == bounds(self.witness, own_hit), (
                hit.number
            )
            assert (not payout_bounds.waits_for) == is_settled(self.witness, own_hit), hit.number


def test_a_hand_holds_its_prize_at_once_and_its_high_hand_at_the_end() -> None:
    """The straight flush holds 205.00 where it lies; the high hand 101.00 behind its period."""
    night = Night()
    night.show("t3", STEEL)
    assert night.stands() == [(1, "steel", "held", 205.00), (2, "high", "held", 0)]
    night.show("t7", NINES)
    night.end()
    assert night.stands() == [
        (1, "steel", "held", 205.00),
        (2, "high", "held", 101.00),
        (3, "high", "held", 0),
    ]
    # Each claim is decided by itself: the high hand rejected, the straight flush stands.
    night.reject(2)
    night.look()
    assert night.stands() == [
        (1, "steel", "held", 205.00),
        (2, "high", "rejected", 0),
        (3, "high", "held", 101.00),
    ]


def test_amended_to_less_a_hand_keeps_no_prize_and_stays_behind_in_its_period() -> None:
    night = Night()
    night.show("t3", STEEL)
    night.show("t7", HOUSE)
    night.end()
    night.amend(1, NINES)
    night.look()
    assert night.stands()[0][2] == "withdrawn"
    assert night.stands()[1:] == [(2, "high", "held", 101.00), (3, "high", "held", 0)]


def test_a_hand_entered_on_the_console_is_of_the_period_of_its_entry() -> None:
    """Its unit tells of it in the next period: nothing moves, its place is that of the entry."""
    night = Night()
    outcome = night.enter("t3", tier="high", round=1, report=report_of(NINES))
    assert (outcome["hit"], outcome["tier"]) == (1, "high")
    night.show("t7", HOUSE)
    night.end()
    assert night.stands() == [(1, "high", "held", 101.00), (2, "high", "held", 0)]  # 100.50
    call_outcome = night.say("t3", messages.HandCalled, round=1, tier="high", seats=[3])
    assert call_outcome["flags"] == ["paired"]
    night.end()
    night.look()
    assert night.stands() == [(1, "high", "held", 101.00), (2, "high", "held", 0)]


def test_kept_apart_a_units_hand_is_a_candidate_of_the_period_in_which_it_came() -> None:
    night = Night()
    night.enter("t3", tier="high")
    night.end()
    assert night.stands() == [(1, "high", "held", 100.00)]
    night.say("t3", messages.HandCalled, round=1, tier="high", seats=[5])
    night.end()
    assert night.stands()[1] == (2, None, "held", 0)  # nobody has said which hand it is
    night.decide("separate_hand", second=None, hit=2, note="camera 4")
    night.look()
    assert night.stands() == [(1, "high", "held", 100.00), (2, "high", "held", 100.00)]


def test_a_table_leaves_when_its_candidate_is_decided() -> None:
    night = Night()
    night.show("t3", NINES)
    night.show("t7", HOUSE)
    night.say("t7", messages.SessionClosed)
    to: dict[str, Any] = {"to_system": "high", "to_table": "h1", "receipted": []}
    assert "refused" in night.decide("move_table", table="t7", reason="full", **to)
    night.end()
    assert "refused" in night.decide("move_table", table="t7", reason="full", **to)
    assert night.confirm(1)["confirmed"] == 101 * MICROS
    assert night.stands()[1][2] == "outranked"
    assert "refused" not in night.decide("move_table", table="t7", reason="full", **to)
    night.show("t3", HOUSE)
    assert "refused" in night.enter("t7", tier="high")  # it is entered where the table is now
    night.end()
    night.look()
    assert night.stands()[2] == (3, "high", "held", 101.00)


def test_the_best_hand_comes_back_after_another_was_confirmed() -> None:
    """It wins its period; what was confirmed for the next best the operator covers."""
    night = Night()
    night.show("t3", NINES)
    night.show("t7", HOUSE)
    night.end()
    night.reject(1)
    night.confirm(2)
    operator = night.books.balances["operator"]
    night.come_back(1)
    night.look()
    assert night.stands() == [(1, "high", "held", 101.00), (2, "high", "confirmed", 101.00)]
    assert operator - night.books.balances["operator"] == 101 * MICROS
    assert night.confirm(1)["confirmed"] == 101 * MICROS
    night.show("t3", HOUSE)
    night.end()
    assert night.stands()[2] == (3, "high", "held", 101.00)  # as it would have been


def test_a_lower_hand_comes_back_behind_a_confirmed_one() -> None:
    night = Night()
    night.show("t3", HOUSE)
    night.show("t7", NINES)
    night.reject(1)
    night.end()
    night.confirm(2)
    night.come_back(1)
    night.look()
    assert night.stands() == [(1, "high", "outranked", 0), (2, "high", "confirmed", 101.00)]


def test_an_equal_hand_comes_back_and_shares() -> None:
    night = Night()
    night.show("t3", NINES)
    night.show("t7", ("9h 9d", "9s 9c Kd 7c 2c"))
    night.end()
    night.reject(2)
    night.confirm(1)
    night.come_back(2)
    night.look()
    assert night.stands() == [(1, "high", "confirmed", 101.00), (2, "high", "held", 50.00)]


def test_a_candidate_comes_back_while_its_period_runs() -> None:
    night = Night()
    night.show("t3", NINES)
    night.show("t7", HOUSE)
    night.reject(1)
    night.come_back(1)
    night.end()
    night.look()
    assert night.stands() == [(1, "high", "held", 101.00), (2, "high", "held", 0)]


HANDS = (HOUSE, NINES, STEEL, NOTHING)


FLOOR = ("press", "show", "show", "call", "enter", "end", "again")
PEOPLE = ("reject", "confirm", "amend", "back", "undo")


def on_the_floor(night: Night, dice: random.Random, what: str) -> None:
    table = dice.choice(["t3", "t7"])
    is_full = sum(hit.state == "held" for hit in night.books.hits.values()) >= 8
    match what:
        case "press":
            night.press(table)
        case "end":
            night.end()
        case "again" if night.rounds.get(table):  # a correction, also after a decision
            night.report(table, *dice.choice(HANDS))
        case "show" if not is_full:
            night.show(table, dice.choice(HANDS))
        case "call" if not is_full:
            night.press(table)
            night.call(table, dice.choice(["high", "steel", "royal", None]))
        case "enter" if not is_full:
            number = night.rounds.get(table, 0) + 1
            night.press(table)
            night.enter(table, tier=dice.choice(["high", "steel", None]), round=number)


def by_people(night: Night, dice: random.Random, what: str) -> None:
    hits = night.books.hits.values()
    of = {"back": ("rejected",), "undo": ("confirmed", "paid")}.get(what, ("held",))
    numbers = [h.number for h in hits if h.state in of and (what != "confirm" or h.tier)]
    if not numbers:
        return
    hit = dice.choice(numbers)
    match what:
        case "reject":
            night.reject(hit)
        case "confirm":
            night.confirm(hit)
        case "amend":
            night.amend(hit, dice.choice(HANDS))
        case "back":
            assert "refused" not in night.come_back(hit)
        case "undo" if dice.random() < 0.5:
            undone: dict[str, Any] = {"reason": "R13", "evidence": "camera 1"}
            night.decide("reverse_claim", hit=hit, **undone)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_safe_of_a_high_hand_is_safe_by_the_verifier(seed: int) -> None:
    """Hands read and unread, entered, corrected, rejected and confirmed, both undone again, over
    several periods; with every third seed for a fixed prize that is added to the next one where
    nobody wins it."""
    dice, night = random.Random(seed), Night(BESIDE if seed % 3 else FIXED)
    for _ in range(24):
        what = dice.choice([*FLOOR, *PEOPLE])
        (on_the_floor if what in FLOOR else by_people)(night, dice, what)
        night.look()
