"""Promise: the money is what rules, posted terms and decisions make of the order.

After every entry each account that moved, by the ledger or by this fold, holds what the fold
says: all entries so far without the hits of rejected claims. What the writer noted as the outcome
agrees: which hit, for which prize, how much; refused or not; flagged or not.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from verifier.database.report import Scope
from verifier.database.rows import (
    Accounts,
    Entry,
    Sealed,
    System,
    Transfer,
    parsed,
    read_event,
)
from verifier.fold.books.day_ends import DayEnds
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Contradiction
from verifier.fold.books.usual_starts import UsualStarts
from verifier.fold.claims import unjudged_hands
from verifier.fold.claims.candidates import period_closed
from verifier.fold.claims.clock_disputes import put_in_question, wrong_in
from verifier.fold.entries.commands import COMMANDS
from verifier.fold.entries.device_events import EVENTS, Outcome
from verifier.fold.entries.entered_hands import hand_of_unit
from verifier.fold.entries.lifecycle import display_dark
from verifier.fold.skipped_entries import SkippedEntries
from verifier.fold.terms.calendar import Calendar
from verifier.fold.terms.shapes import Refusal

KIND = "fold"
_FOR = {"prize": "fixed prizes", "cover": "claims confirmed before a correction"}
_OF_THE_ORDER = {"late", "ahead_of_gap"}  # flags that `verifier.order.order` answers for
_COMPARED = (
    *("hit", "tier", "held", "values", "terms", "forced", "confirmed", "reversed"),
    *("line", "part", "seat", "paid", "state", "adjusted", "before", "after"),
    *("round", "rounds", "taken_back", "credited", "claims", "judged"),
    *("moved", "received", "entry", "value", "candidates", "jackpots"),
    *("paired", "unpaired", "differs", "taken", "in_question", "completion", "figures"),
    *("day", "month", "through_seq", "remitted"),
)

ROUNDS = ("round_started", "round_completed")  # events that change neither terms nor sessions

# Whether displays were sent these values (micros by tier) at that entry.
Displayed = Callable[[int, dict[str, int]], bool]


@dataclass(frozen=True, slots=True)
class Decision:
    """A command that took effect, as the fold judged it."""

    entry: Entry
    body: dict[str, Any]
    outcome: Outcome


class Fold:
    """Folds the order of one system, and holds ledger and outcomes against it."""

    def __init__(
        self,
        scope: Scope,
        system: System,
        accounts: Accounts,
        displayed: Displayed,
        skipped: SkippedEntries,
        returning: frozenset[int] = frozenset(),
    ) -> None:
        self._scope, self._system, self._accounts = scope, system, accounts
        self._displayed, self._skipped = displayed, skipped
        self._calendar = Calendar(system.zone, system.day_starts)
        unit = 10 ** (6 - system.digits)
        self.state = State(unit=unit, system=system.code, returning=returning)
        self.decisions: list[Decision] = []
        self.day_ends = DayEnds(self._calendar)
        self.dark: list[Entry] = []  # displays that took their tables out
        self._usual = UsualStarts(self.state, accounts)
        self._off: dict[str, int] = defaultdict(int)  # how far the ledger is from the fold,
        self._reported: dict[str, int] = {}  # and how far it was when that was said
        # By the ledger's own reason, and tier.
        self._gave: dict[str, dict[str, int]] = {each: defaultdict(int) for each in _FOR}
        self._shown_at = 0
        self._is_even = True  # the operator gave as much as it had to
        self.is_broken = False
        self.opened: int | None = None  # the first entry of a table's event

    def block(self, sealed: Sealed) -> None:
        """Fold a block's entries and look at the balances after each."""
        moved: dict[int, list[Transfer]] = defaultdict(list)
        for transfer in sealed.transfers:
            moved[transfer[1]].append(transfer)
        for entry in sealed.entries:
            if self.day_ends.is_over(entry.at):
                self._usual.write_down()
                self.day_ends.next_day(entry.seq, entry.at, self.state)
            if self.opened is None and entry.kind == "event":
                self.opened = entry.seq
            transfers = moved.pop(entry.seq, [])
            if self._is_even and self._usual.take(entry, transfers):
                continue
            self._usual.write_down()
            self._take(entry)
            self._agree(entry.seq, transfers)
            if entry.type not in ROUNDS:
                self._usual.forget()
        for seq, transfers in moved.items():
            self._usual.write_down()
            numbers = f"transfer {transfers[0][0]}"
            self._scope.add(KIND, numbers, f"it names entry {seq}, which is not in its block")
            self._agree(seq, transfers)

    def _take(self, entry: Entry) -> None:
        if self.is_broken or (entry.kind == "fact" and entry.type == "gap_released"):
            return
        if "set_aside" in entry.outcome:
            self._skipped.holds(entry)
            return
        self.state.met.clear()
        unjudged_hands.begin(self.state, entry)
        try:
            outcome = _KINDS[entry.kind](self, entry)
            pairs = put_in_question(self.state, entry.seq)
        except Contradiction as why:
            self._say(entry, str(why))
            return
        except Exception as fault:  # noqa: BLE001 whatever stands in the rows is a finding
            self._say(entry, f"it cannot be folded ({fault!r}); nothing after it was folded")
            self.is_broken, self._is_even = True, False
            return
        if outcome is not None:
            outcome["flags"] = {*outcome.get("flags", ()), *unjudged_hands.flags_of(self.state)}
            if pairs:
                outcome |= {
                    "flags": {*outcome.get("flags", ()), "in_question"},
                    "in_question": pairs,
                }
            self._compare(entry, outcome)

    def _event(self, entry: Entry) -> Outcome | None:
        if entry.event_body is None:
            return None  # the order says that it is missing
        event = read_event(entry.event_body)
        identity = tuple(event.get(name) for name in ("system", "table", "boot", "seq", "type"))
        noted = (self._system.code, entry.table, entry.boot, entry.event_seq, entry.type)
        if identity != noted or event.get("round") != entry.round:
            self._say(entry, "the entry's columns say something else than the event's bytes")
        if event.get("test"):
            outcome: Outcome = {"flags": {"test"}}
        elif event["type"] in ("hand_called", "hand_reported"):
            self._was_shown(entry)
            if wrong := wrong_in(entry, event):
                self._say(entry, wrong)
            outcome = hand_of_unit(self.state, entry, event)
        else:
            outcome = EVENTS[event["type"]](self.state, entry, event)
        if entry.table in self.state.left:
            outcome["flags"] = {*outcome.get("flags", ()), "moved"}
        return outcome

    def _fact(self, entry: Entry) -> Outcome | None:
        body = parsed(entry.body_text or "{}")
        if entry.type == "display_dark":
            self.dark.append(entry)
            if body["table"] != entry.table:
                self._say(entry, f"its column names table {entry.table}, the fact another")
            return display_dark(self.state, body)
        if entry.type != "period_closed":
            return None  # the order says that nobody knows it
        self._was_shown(entry)
        return period_closed(self.state, entry, body, self._calendar)

    def _command(self, entry: Entry) -> Outcome | None:
        if entry.command_text is None:
            return None
        body = json.loads(entry.command_text)
        if entry.command_kind == "enter_hand":
            self._was_shown(entry)
        carry_out = COMMANDS.get(entry.command_kind or "")
        if carry_out is None:
            self._say(entry, f"this verifier knows no decision {entry.command_kind}")
            return None
        try:
            outcome = carry_out(self.state, entry, body)
        except Refusal as why:
            return {"refused": str(why)}
        self.decisions.append(Decision(entry, body, outcome))
        return outcome

    def _was_shown(self, entry: Entry) -> None:
        """What the writer says that displays showed (19.14(a)) was sent to them."""
        display = entry.outcome.get("shown")
        if not isinstance(display, dict) or not display.get("values"):
            return
        seq, values = display.get("seq") or 0, display["values"]
        if seq >= entry.seq or seq < self._shown_at or not self._displayed(seq, values):
            self._say(entry, f"displays were not sent {values} at entry {seq}, before this hand")
        self._shown_at = max(seq, self._shown_at)

    def _compare(self, entry: Entry, own_outcome: Outcome) -> None:
        outcome = entry.outcome
        refused = "refused" in own_outcome
        if refused != ("refused" in outcome):
            judged = f"refused ({own_outcome['refused']})" if refused else "carried out"
            self._say(entry, f"by the rules it is {judged}, the outcome says otherwise")
        elif not refused:
            for name in _COMPARED if outcome or len(own_outcome) > 1 else ():
                if own_outcome.get(name) != outcome.get(name):
                    what = f"{name} is {own_outcome.get(name)} by the rules"
                    self._say(entry, f"{what}, the outcome says {outcome.get(name)}")
            flags = {str(each) for each in entry.flags} - _OF_THE_ORDER
            if flags != own_outcome.get("flags", set()):
                due = sorted(own_outcome.get("flags", ()))
                self._say(entry, f"its flags are {due} by the rules, it carries {sorted(flags)}")
        if entry.hit != outcome.get("hit"):
            self._say(entry, f"it stands under hit {entry.hit}, its outcome names another")

    def _agree(self, seq: int, transfers: list[Transfer]) -> None:
        """The ledger after an entry against the fold."""
        off, moved = self._off, self.state.moved
        for number, _, debit_id, credit_id, amount, _, _, reason, _ in transfers:
            self.state.transfers = number
            debit, credit = self._accounts[debit_id], self._accounts[credit_id]
            moved[debit] += amount  # what is left here is what only one of both moved
            moved[credit] -= amount
            if reason in _FOR:
                pool, sign = (credit, 1) if debit == "operator" else (debit, -1)
                self._gave[reason][pool.removesuffix(":pool")] += sign * amount
        if self.is_broken:
            return
        self._own_money(seq, is_due=bool(transfers))
        for code, more in moved.items():
            off[code] -= more
            if off[code] != self._reported.get(code, 0):
                due = self.state.balances[code]
                says = f"{code} holds {due + off[code]} micros by the ledger"
                self._scope.add(
                    KIND,
                    f"entry {seq}",
                    f"after it {says}, {due} by rules, terms and decisions",
                )
                self._reported[code] = off[code]
        moved.clear()

    def _own_money(self, seq: int, *, is_due: bool) -> None:
        """What the operator gave for one reason, by the ledger's word, against the fold."""
        self._is_even = True
        for reason, due in (("prize", self.state.lent), ("cover", self.state.covered)):
            gave = self._gave[reason]
            for tier in {*gave, *due}:
                if (took := gave[tier]) == (lent := due[tier]):
                    continue
                if not is_due:  # it is held against the ledger where that moves next
                    self._is_even = False
                    continue
                sentence = (
                    f"{_FOR[reason]} of {tier} took {took} micros of the operator, not {lent}"
                )
                self._scope.add(KIND, f"entry {seq}", sentence)
                gave[tier] = lent  # said once

    def end(self, balances: dict[str, int]) -> None:
        """The balances of the account rows against the fold."""
        self._usual.write_down()
        if self.is_broken:
            return
        for code in sorted(balances.keys() | self.state.balances.keys()):
            held, due = balances.get(code, 0), self.state.balances[code]
            if held != due:
                sentence = f"it holds {held} micros, rules, terms and decisions lead to {due}"
                self._scope.add(KIND, f"account {code}", sentence)

    def _say(self, entry: Entry, sentence: str) -> None:
        self._scope.add(KIND, f"entry {entry.seq}", sentence)


_KINDS = {"event": Fold._event, "command": Fold._command, "fact": Fold._fact}
