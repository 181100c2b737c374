"""What supervisors and managers decide about rounds, dealers' requests and places of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import Error, connection

from jackpot.models import Hit
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from rules.dead_hands import VOID_REASONS, misdeals_asked_as
from settlement.approvals import proposals
from settlement.floor import held_rounds, missed_rounds, rulings, table_transfer
from settlement.models import Claim, Proposal
from settlement.people.rights.permissions import Reauthenticated
from simulation.floor import Table
from simulation.people import MANAGERS, SUPERVISORS, PeoplePart, answer_text
from tables.intake.boots.gaps import close_gap, missing_of
from tables.models import GamingTable, JackpotSystem, Stream

_FIGURES = {
    "pot": "pot",
    "uncalled": "uncalled",
    "commission": "commission",
    "drop": "jackpot_drop",
}


class FloorStaff:
    """The people of `PeoplePart`, at the pages of the floor."""

    def __init__(self, people: PeoplePart) -> None:
        self._people = people
        self._dice = people.world.dice

    # --- rulings ----------------------------------------------------------------------------

    def void(self, table: Table, number: int) -> str:
        """A supervisor declares a round void for a misdeal (20.1)."""
        reason = self._dice.choice(sorted(VOID_REASONS))
        misdeal = self._dice.choice(misdeals_asked_as(reason, "holdem")).code
        return self._rule(table, "void_round", number, reason, misdeal)

    def cancel(self, table: Table, number: int) -> str:
        """A supervisor cancels a round that was pressed and not dealt."""
        reason = self._dice.choice(("double_press", "no_deal"))
        return self._rule(table, "cancel_round", number, reason, None)

    def _rule(self, table: Table, kind: str, number: int, reason: str, misdeal: str | None) -> str:
        def act() -> str:
            ruling = rulings.RoundRuling(
                kind, _row(table), number, reason, "camera 4", misdeal=misdeal
            )
            return self._people.do(rulings.decide, ruling, self._supervisor())

        return f"{kind} {number} of {table.name}: {self._people.attempt(act)}"

    def credit_missed(self, table: Table, rounds: list[int], figures: dict[str, Any]) -> str:
        """Rounds whose button was not pressed: one person credits them, or proposes it to another;
        of one round with its figures, if there are any."""
        count = len(rounds) or self._dice.randint(1, 3)
        amounts = {
            name: figures[of_unit] * MICROS // 100
            for name, of_unit in _FIGURES.items()
            if figures and count == 1
        }
        missed = missed_rounds.MissedCredit(
            count=count, evidence="camera 4", rounds=rounds, another=True, figures=amounts
        )

        def act() -> str:
            outcome = missed_rounds.credit(
                _row(table), self._supervisor(), missed, key=self._people.key()
            )
            if isinstance(outcome, commands.Answer):
                return answer_text(outcome)
            return f"proposed, {answer_text(proposals.agree(outcome, self._manager()))}"

        numbers = ", ".join(map(str, rounds)) or "nobody knows which"
        return f"{count} missed of {table.name}, {numbers}: {self._people.attempt(act)}"

    def countersign(self) -> str:
        """A manager looks at what one supervisor credited alone."""

        def act() -> str:
            ruling = missed_rounds.to_countersign().first()
            if ruling is None:
                return "nothing to countersign"
            missed_rounds.countersign(ruling, self._manager().user, "seen")
            return "countersigned"

        return self._people.attempt(act)

    def judge_held(self, table: Table) -> str:
        """Of rounds that were pressed too fast some were played, and some were not."""

        def act() -> str:
            row = _row(table)
            waiting = held_rounds.open_refusal(row)
            if waiting is not None:
                return answer_text(proposals.agree(waiting, self._manager()))
            held = [each.round for each in held_rounds.rounds_of(row)]
            if not held:
                return "none held"
            some = sorted(self._dice.sample(held, self._dice.randint(1, min(2, len(held)))))
            decide = self._dice.choice((held_rounds.accept, held_rounds.refuse))
            answer = self._people.do(decide, row, self._supervisor(), some, "camera 4")
            return f"{decide.__name__} {some}, {answer}"

        return f"held rounds of {table.name}: {self._people.attempt(act)}"

    def decide_request(self, table: Table) -> str:
        """The oldest request of the table's dealer is followed, or refused."""

        def act() -> str:
            requests = rulings.open_requests("void_requested", "rounds_missed", "hand_withdrawn")
            own = [each for each in requests if each.table.code == table.code]
            own = [each for each in own if each.table.system.code == table.system]
            if not own:
                return "no request"
            request = own[-1]
            what, person = request.entry.type, self._supervisor()
            if self._dice.random() < 0.5:
                rulings.refuse(request, person, "not so", self._people.key())
                return f"{what} refused"
            follow: dict[str, Callable[[rulings.Request, Any], str]] = {
                "void_requested": self._follow_void,
                "rounds_missed": self._follow_missed,
                "hand_withdrawn": self._follow_withdrawal,
            }
            return f"{what} {follow[what](request, person)}"

        return f"request at {table.name}: {self._people.attempt(act)}"

    def _follow_void(self, request: rulings.Request, person: Any) -> str:
        reason = str(request.message.reason)  # type: ignore[union-attr]
        misdeal = self._dice.choice(misdeals_asked_as(reason, "holdem")).code
        ruling = rulings.RoundRuling(
            "void_round", request.table, request.round or 0, reason, "camera 4", misdeal=misdeal
        )
        return answer_text(rulings.decide(ruling, person, request=request, key=self._people.key()))

    def _follow_missed(self, request: rulings.Request, person: Any) -> str:
        missed = missed_rounds.MissedCredit(
            count=request.message.count,  # type: ignore[union-attr]
            evidence="the dealer's word",
            entries=[request.entry.seq],
        )
        outcome = missed_rounds.credit(
            request.table, person, missed, request=request, key=self._people.key()
        )
        if isinstance(outcome, commands.Answer):
            return answer_text(outcome)
        return f"proposed, {answer_text(proposals.agree(outcome, self._manager()))}"

    def _follow_withdrawal(self, request: rulings.Request, person: Any) -> str:
        for hit in Hit.objects.filter(system=request.entry.system_id, table=request.table):
            if any(each.entry.pk == request.entry.pk for each in rulings.withdrawals_of(hit)):
                claim = Claim.objects.filter(system=hit.system_id, number=hit.number).first()
                if claim is not None:
                    rulings.accept_withdrawal(claim, request, person, "seen", self._people.key())
                    return "proposed to a manager"
        return "of no claim"

    # --- moves of tables --------------------------------------------------------------------

    def free(self, tables: list[Table]) -> list[Table]:
        """Those of them without an open claim, as people see on their pages."""
        with_claims: list[tuple[str, str]] = []

        def look() -> str:
            rows = Hit.objects.filter(state__in=("held", "confirmed"), table__isnull=False)
            with_claims.extend(rows.values_list("system__code", "table__code"))
            return ""

        self._people.attempt(look)
        return [table for table in tables if (table.system, table.code) not in with_claims]

    def propose_move(self, table: Table, system: str, code: str) -> str:
        """Somebody proposes that a table goes to another system, there under that code."""

        def act() -> str:
            to = JackpotSystem.objects.get(code=system)
            person = self._people.person(*SUPERVISORS, *SUPERVISORS, MANAGERS[0])
            table_transfer.propose(
                _row(table), person, to=to, code=code, reason="full", key=self._people.key()
            )
            return "done"

        return self._people.attempt(act)

    def decide_move(self, *, agrees: bool) -> str:
        """A manager agrees to the oldest move that is proposed, or it is withdrawn."""

        def act() -> str:
            waiting = proposals.open_proposals().filter(kind=Proposal.Kind.MOVE_TABLE)
            proposal = waiting.order_by("id").first()
            if proposal is None:
                return "no move proposed"
            if not agrees:
                proposals.withdraw(proposal, self._people.person(*SUPERVISORS), "not tonight")
                return "withdrawn"
            return answer_text(table_transfer.agree(proposal, self._manager()))

        return self._people.attempt(act)

    def give_up_missing(self, table: Table) -> str:
        """A manager gives up the first missing events of a table where its unit has lost them: of
        others nobody knows that they never come."""

        def act() -> str:
            row = _row(table)
            for stream in Stream.objects.filter(system=row.system_id, table=row).order_by("boot"):
                for first, last in missing_of(stream)[:1]:
                    if not table.has_lost(stream.boot, first, last):
                        continue
                    close_gap(row, stream.boot, last, closed_by="david", note="lost")
                    return f"{stream.boot}/{last}"
            return "nothing is missing"

        return self._people.attempt(act)

    def places(self) -> dict[str, str]:
        """Every table that the console knows, as `system/code`: where it moved to, or nothing."""

        def look() -> dict[str, str]:
            try:
                rows = GamingTable.objects.values_list(
                    "system__code", "code", "moved_to__system__code", "moved_to__code"
                )
                return {f"{s}/{t}": f"{there}/{as_}" if there else "" for s, t, there, as_ in rows}
            except Error:
                connection.close()
                return {}

        return self._people.process.run("look", look) or {}

    def _supervisor(self) -> Any:
        return self._people.person(*SUPERVISORS)

    def _manager(self) -> Reauthenticated:
        return Reauthenticated(self._people.person(*MANAGERS))


def _row(table: Table) -> GamingTable:
    tables = GamingTable.objects.select_related("system__casino", "presence")
    return tables.get(system__code=table.system, code=table.code)
