"""What actions on one claim come to, on paper: a reference for two people who act at once.

Written without the product's code. Actions are judged in two steps, as in the console: at the desk,
on what is posted and on the actions that are recorded; then by the writer, in the order in which
commands were queued. Amounts come from the pencil (`reference_model`). Claims come
in pairs: the second of them is the one at the desk, the first is decided beside it. Both at their
end, the next pair comes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

from tests.support.play.models.reference_model import Pencil

APART = ("verify", "confirm", "pay")


@dataclass(frozen=True, slots=True)
class Press:
    """One person's action with what the form carried."""

    kind: str
    who: str
    line: int = 0
    amount: int = 0
    proposal: int = 0  # which of the proposals, in their order

    def __str__(self) -> str:
        return f"{self.who} {self.kind} {self.line or ''} {self.amount or ''}".strip()


@dataclass
class Line:
    amount: int
    paid: int = 0
    state: str = "due"

    @property
    def rest(self) -> int:
        return 0 if self.state in ("forfeited", "reversed") else self.amount - self.paid


@dataclass
class Proposed:
    kind: str
    who: str
    line: int
    is_open: bool = True


@dataclass
class Desk:
    """The claim as it stands, and what people did to it."""

    pencil: Pencil
    number: int = 2
    payable_before: int = 0  # of all claims before it
    paid_before: int = 0
    state: str = "held"
    verified_by: str | None = None
    rejection_by: str | None = None
    rejected_before: set[str] = field(default_factory=set)
    rejected_by: set[str] = field(default_factory=set)  # who agreed to a rejection
    did: dict[str, set[str]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    proposals: list[Proposed] = field(default_factory=list)
    queue: list[Press] = field(default_factory=list)

    def next_pair(self) -> Desk:
        """A desk for the second of the two claims that come next."""
        return Desk(self.pencil, self.number + 2, self.payable, self.paid)

    def copy(self) -> Desk:
        pencil = self.pencil
        return replace(
            self,
            pencil=replace(
                pencil,
                timeline=[*pencil.timeline],
                rejected={*pencil.rejected},
                confirmed={**pencil.confirmed},
                reversed={**pencil.reversed},
            ),
            rejected_before={*self.rejected_before},
            rejected_by={*self.rejected_by},
            did={who: {*kinds} for who, kinds in self.did.items()},
            lines=[replace(line) for line in self.lines],
            proposals=[replace(each) for each in self.proposals],
            queue=[*self.queue],
        )

    # --- at the desk --------------------------------------------------------------------------

    def may(self, press: Press) -> bool:
        """Whether the action would be recorded."""
        if press.kind in APART and self.did.get(press.who, set()) - {press.kind}:
            return False
        return bool(getattr(self, f"_may_{press.kind}")(press))

    def judge(self, press: Press) -> bool:
        """Whether the action is recorded; what moves money is queued."""
        if not self.may(press):
            return False
        if press.kind in APART:
            self.did.setdefault(press.who, set()).add(press.kind)
        getattr(self, f"_record_{press.kind}", self.queue.append)(press)
        return True

    def _may_verify(self, _press: Press) -> bool:
        return self.state == "held" and not self.rejection_by and not self.verified_by

    def _record_verify(self, press: Press) -> None:
        self.verified_by = press.who

    def _may_confirm(self, press: Press) -> bool:
        if self.state in ("rejected", "reversed") or (self.state == "held" and self.rejection_by):
            return False
        is_other = self.verified_by is not None and self.verified_by != press.who
        return is_other and press.amount == self.due > 0

    def _may_propose_rejection(self, _press: Press) -> bool:
        return self.state == "held" and not self.rejection_by

    def _record_propose_rejection(self, press: Press) -> None:
        self.rejection_by = press.who
        self.rejected_before.add(press.who)

    def _may_withdraw_rejection(self, _press: Press) -> bool:
        return self.state == "held" and self.rejection_by is not None

    def _record_withdraw_rejection(self, _press: Press) -> None:
        self.rejection_by = None

    def _may_second_rejection(self, press: Press) -> bool:
        proposed = self.state == "held" and self.rejection_by is not None
        return proposed and press.who not in self.rejected_before

    def _record_second_rejection(self, press: Press) -> None:
        self.rejected_by.add(press.who)
        self.queue.append(press)

    def _may_pay(self, press: Press) -> bool:
        line = self._line(press)
        return line is not None and self._payable(line, press.amount)

    def _may_withhold(self, press: Press) -> bool:
        line = self._line(press)
        return line is not None and line.rest > 0 and line.state in ("due", "part_paid")

    def _may_release(self, press: Press) -> bool:
        line = self._line(press)
        return line is not None and line.rest > 0 and line.state == "withheld"

    def _may_propose_forfeit(self, press: Press) -> bool:
        line = self._line(press)
        is_proposed = any(
            each.is_open and (each.kind, each.line) == ("forfeit", press.line)
            for each in self.proposals
        )
        return line is not None and line.rest > 0 and not is_proposed

    def _record_propose_forfeit(self, press: Press) -> None:
        self.proposals.append(Proposed("forfeit", press.who, press.line))

    def _may_propose_reversal(self, press: Press) -> bool:
        is_proposed = any(each.is_open and each.kind == "reversal" for each in self.proposals)
        return self.state in ("confirmed", "paid") and self._apart(press.who) and not is_proposed

    def _record_propose_reversal(self, press: Press) -> None:
        self.proposals.append(Proposed("reversal", press.who, 0))

    def _may_reverse_rejection(self, press: Press) -> bool:
        is_proposed = any(each.is_open and each.kind == press.kind for each in self.proposals)
        return self.state == "rejected" and self._had_no_part(press.who) and not is_proposed

    def _record_reverse_rejection(self, press: Press) -> None:
        self.proposals.append(Proposed(press.kind, press.who, 0))

    def _may_agree(self, press: Press) -> bool:
        proposal = self.proposals[press.proposal]
        if not proposal.is_open or proposal.who == press.who:
            return False
        if proposal.kind == "reverse_rejection":
            apart = self._had_no_part(press.who) and self._had_no_part(proposal.who)
            return self.state == "rejected" and apart
        if self.state not in ("confirmed", "paid"):
            return False
        if proposal.kind == "reversal":
            return self._apart(press.who) and self._apart(proposal.who)
        return self.lines[proposal.line - 1].rest > 0

    def _record_agree(self, press: Press) -> None:
        self.proposals[press.proposal].is_open = False
        self.queue.append(press)

    def _may_withdraw(self, press: Press) -> bool:
        return self.proposals[press.proposal].is_open

    def _record_withdraw(self, press: Press) -> None:
        self.proposals[press.proposal].is_open = False

    # --- the writer ---------------------------------------------------------------------------

    def post(self) -> set[Press]:
        """Take what is queued; the commands that were declined."""
        declined = {press for press in self.queue if not self._take(press)}
        self.queue = []
        return declined

    def _take(self, press: Press) -> bool:
        if press.kind == "confirm":
            if self.state in ("rejected", "reversed") or press.amount != self.due or not self.due:
                return False
            confirmed = self.pencil.confirmed
            confirmed[self.number] = confirmed.get(self.number, 0) + press.amount
            self.lines.append(Line(press.amount))
            self.state = "confirmed"
            return True
        if press.kind == "second_rejection":
            if self.state != "held":
                return False
            self.pencil.rejected.add(self.number)
            self.state = "rejected"
            return True
        if press.kind == "agree" and self.proposals[press.proposal].kind == "reversal":
            return self._reverse()
        if press.kind == "agree" and self.proposals[press.proposal].kind == "reverse_rejection":
            return self._take_back()
        at = self.proposals[press.proposal].line if press.kind == "agree" else press.line
        return self._handle(press, self.lines[at - 1])

    def _handle(self, press: Press, line: Line) -> bool:
        if self.state not in ("confirmed", "paid") or line.rest == 0:
            return False
        if press.kind == "pay":
            if not self._payable(line, press.amount):
                return False
            line.paid += press.amount
            line.state = "part_paid" if line.rest else "paid"
        elif press.kind == "withhold":
            if line.state not in ("due", "part_paid"):
                return False
            line.state = "withheld"
        elif press.kind == "release":
            if line.state != "withheld":
                return False
            line.state = "part_paid" if line.paid else "due"
        else:
            self.pencil.timeline.append(("back", line.rest, {}))
            line.state = "forfeited"
        self._settle()
        return True

    def _reverse(self) -> bool:
        depends = len({*self.pencil.possible_amounts(self.number)}) > 1
        if self.state not in ("confirmed", "paid") or depends:
            return False
        forfeited_amount = sum(
            line.amount - line.paid for line in self.lines if line.state == "forfeited"
        )
        handed = sum(line.paid for line in self.lines)
        back = self.held - forfeited_amount
        for line in self.lines:
            line.state = line.state if line.state == "forfeited" else "reversed"
        self.state = "reversed"
        self.pencil.reversed[self.number] = self.held
        self.pencil.timeline.append(("back", back, {"operator": handed}))
        return True

    def _take_back(self) -> bool:
        """The rejection was wrong: the proposal behind it is spent, and the claim open again."""
        if self.state != "rejected":
            return False
        self.pencil.rejected.discard(self.number)
        self.state, self.rejection_by = "held", None
        return True

    def _settle(self) -> None:
        is_paid = self.held == self.pencil.confirmed[self.number] and not any(
            x.rest for x in self.lines
        )
        self.state = "paid" if is_paid else "confirmed"

    # --- what is read ---------------------------------------------------------------------------

    @property
    def held(self) -> int:
        return self.pencil.play()[f"hit {self.number}"]

    @property
    def due(self) -> int:
        safe = min(self.pencil.possible_amounts(self.number))
        return safe - self.pencil.confirmed.get(self.number, 0)

    @property
    def payable(self) -> int:
        return self.payable_before + sum(line.rest for line in self.lines)

    @property
    def paid(self) -> int:
        return self.paid_before + sum(line.paid for line in self.lines)

    @property
    def first_is_open(self) -> bool:
        return bool(self.pencil.open_before(self.number))

    @property
    def is_over(self) -> bool:
        """Nothing moves any more, unless somebody reverses what was paid."""
        return not self.first_is_open and self.state in ("paid", "rejected", "reversed")

    def decide_first(self, confirmed: int | None) -> None:
        """The claim before is confirmed, and never paid, or rejected. A supplement opens a paid
        claim again."""
        if confirmed is None:
            self.pencil.rejected.add(self.number - 1)
        else:
            self.pencil.confirmed[self.number - 1] = confirmed
            self.payable_before += confirmed
        if self.state == "paid":
            self._settle()

    def _line(self, press: Press) -> Line | None:
        has_lines = self.state in ("confirmed", "paid") and 0 < press.line <= len(self.lines)
        return self.lines[press.line - 1] if has_lines else None

    def _payable(self, line: Line, amount: int) -> bool:
        return line.state in ("due", "part_paid") and 0 < amount <= line.rest

    def _apart(self, who: str) -> bool:
        return not self.did.get(who, set()) & {"confirm", "pay"}

    def _had_no_part(self, who: str) -> bool:
        return who not in self.rejected_before | self.rejected_by

    def expected_state(self) -> Any:
        """All that the database must say, too."""
        lines = [(line.amount, line.paid, line.state) for line in self.lines]
        did = {who: kinds for who, kinds in self.did.items() if kinds}
        proposed = [(each.kind, each.who, each.line, each.is_open) for each in self.proposals]
        return (self.state, self.pencil.confirmed.get(self.number, 0), lines, did, proposed)


def outcomes(desk: Desk, presses: tuple[Press, Press]) -> list[tuple[Desk, set[Press]]]:
    """Every way in which two actions at once may end: whoever was first at the desk, and whether
    the writer came between. With it the actions that took effect."""
    pairs = []
    for order in permutations(range(len(presses))):
        for between in (False, True):
            after, effects = desk.copy(), set[Press]()
            for at in order:
                if after.judge(presses[at]):
                    effects.add(presses[at])
                if between:
                    effects -= after.post()
            effects -= after.post()
            pairs.append((after, effects))
    return pairs
