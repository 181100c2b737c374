"""Promise: behind each decision stands what the people whom it names recorded, in their order.

`RULES` has a rule for every kind of command: how many people it names, and what must stand behind
it. A kind without one is a finding by itself, so that no new kind slips through.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.database.people_records import Action, Recorded, Ruling
from verifier.database.report import Scope
from verifier.fold.folding import Decision
from verifier.fold.terms.payees import METHODS, TAX

KIND = "people"

Stands = Callable[[Decision, Recorded], str | None]  # what is missing, in words


@dataclass(frozen=True)
class Rule:
    """How many people a command names (None: one or two), and what stands behind it."""

    people: int | None
    stands: Stands


def two_people(scope: Scope, decisions: list[Decision]) -> None:
    """Each decision that takes two people names two."""
    for decision in decisions:
        entry, rule = decision.entry, RULES.get(decision.entry.type)
        if rule is None:
            sentence = f"this verifier knows nobody behind {entry.type}: take a newer one"
            scope.add(KIND, f"entry {entry.seq}", sentence)
        elif rule.people == 2 and (
            not entry.first or not entry.second or entry.first == entry.second
        ):
            scope.add(KIND, f"entry {entry.seq}", f"{entry.type} names one person alone")


def behind(scope: Scope, decisions: list[Decision], records: Recorded) -> None:
    """Behind each decision stands what its kind asks for."""
    for decision in decisions:
        entry = decision.entry
        rule = RULES.get(entry.type)
        missing = rule.stands(decision, records) if rule is not None else None
        if missing:
            scope.add(KIND, f"entry {entry.seq}", f"{entry.type} {missing}")
    for proposals in records.proposals.values():
        for proposal in proposals:
            if proposal.agreed and proposal.command_kind != proposal.kind:
                sentence = f"it was agreed to by command {proposal.command}, which is another one"
                place = f"proposal {proposal.id} ({proposal.kind})"
                scope.add(KIND, place, sentence)
    _times(scope, decisions, records)
    opening = [each.entry.seq for each in decisions if _is_opening(each, records)]
    if opening:
        numbers = ", ".join(str(seq) for seq in opening)
        scope.report.remarks.append(
            f"system {scope.system}: the owner put the first terms (entry {numbers}), before any"
            " table had said anything and without a proposal"
        )


def _times(scope: Scope, decisions: list[Decision], records: Recorded) -> None:
    """Say where a proposal bears a later time than its agreement.

    No fault by itself: the agreement names its proposal, so it came later, and the database's clock
    was set back between the two. A time that was changed afterwards breaks the command's basis.
    """
    for decision in decisions:
        entry = decision.entry
        times = [
            (each.proposed_at, each.agreed_at)
            for each in records.proposals.get(entry.command or 0, [])
        ]
        if entry.type == "reject_claim":
            agreed, _ = _last(decision, records, "second_rejection", entry.second)
            before = _before(decision, records, agreed)
            proposed = [each.at for each in before if each.kind == "propose_rejection"]
            times += [(proposed[-1], agreed.at)] if agreed is not None and proposed else []
        for proposed_at, agreed_at in times:
            if proposed_at > agreed_at:
                early = (proposed_at - agreed_at).total_seconds()
                scope.report.remarks.append(
                    f"system {scope.system}: entry {entry.seq}, {entry.type}: the agreement bears"
                    f" a time {early:.1f} s before its proposal: the database's clock was set back"
                )


# --- one proposed, another agreed -----------------------------------------------------------------


def _proposed(decision: Decision, records: Recorded) -> str | None:
    """Exactly this was proposed by the first and agreed to by the second, once, in this order."""
    entry = decision.entry
    first, second = entry.first, entry.second
    proposals = records.proposals.get(entry.command or 0, [])
    if not proposals:
        return f"without a proposal by {first} that {second} agreed to"
    if len(proposals) > 1:
        return f"stands on {len(proposals)} decisions on proposals"
    (proposal,) = proposals
    if proposal.kind != entry.type or not proposal.agreed:
        return f"without a proposal by {first} that {second} agreed to"
    if (proposal.proposer, proposal.agreer) != (first, second):
        people = f"{proposal.proposer} proposed it, {proposal.agreer} agreed"
        return f"names {first} and {second}: {people}"
    if _canonical(proposal.body) != _canonical(entry.command_text):
        return f"is not what {first} proposed"
    return None


def _terms(decision: Decision, records: Recorded) -> str | None:
    """As `_proposed`; the owner puts the first terms, before a table has said anything."""
    return None if _is_opening(decision, records) else _proposed(decision, records)


def _is_opening(decision: Decision, records: Recorded) -> bool:
    entry = decision.entry
    is_first = records.opened is None or entry.seq < records.opened
    return entry.type == "put_terms" and is_first and entry.command not in records.proposals


# --- actions on a claim ---------------------------------------------------------------------------


def _amended(decision: Decision, records: Recorded) -> str | None:
    action, missing = _last(decision, records, "amend", decision.entry.first)
    if action is not None and action.content.get("report") != decision.body["report"]:
        return f"is not the report that {decision.entry.first} typed"
    return missing


def _confirmed(decision: Decision, records: Recorded) -> str | None:
    report, first = decision.body["report_entry"], decision.entry.first
    action, missing = _last(decision, records, "confirm", decision.entry.second)
    before = _before(decision, records, action)
    if not any(
        (each.kind, each.person, each.report_entry) == ("verify", first, report) for each in before
    ):
        return f"without a verification of that report by {first}"
    if action is None:
        return missing
    if action.content.get("amount") != decision.body["amount"] or action.report_entry != report:
        return f"is not what {decision.entry.second} confirmed"
    return None


def _rejected(decision: Decision, records: Recorded) -> str | None:
    """The newest proposal before the agreement says exactly this, and was neither withdrawn nor
    spent on a rejection that was reversed."""
    first = decision.entry.first
    action, missing = _last(decision, records, "second_rejection", decision.entry.second)
    steps = ("propose_rejection", "withdraw_rejection", "second_rejection")
    proposed = [each for each in _before(decision, records, action) if each.kind in steps]
    if not any((each.kind, each.person) == (steps[0], first) for each in proposed):
        return f"without a proposal by {first}"
    if action is None:
        return missing
    newest = proposed[-1]
    if (newest.kind, newest.person) != (steps[0], first):
        return f"though the proposal by {first} was withdrawn or spent, or another one followed"
    rest = {**decision.body}
    report = rest.pop("report_entry")
    rest.pop("hit")
    if newest.content != rest or newest.report_entry != report:
        return f"is not what {first} proposed"
    return None


def _paid(decision: Decision, records: Recorded) -> str | None:
    action, missing = _last(decision, records, "pay", decision.entry.first)
    if action is None:
        return missing
    content, body = action.content, decision.body
    parts = content.get("parts", {})
    same = all(parts.get(each, 0) == body["parts"].get(each, 0) for each in (*METHODS, TAX))
    if content.get("line") == body["line"] and same:
        return None
    return f"is not what {decision.entry.first} paid"


def _noted(word: str, *same: str) -> Stands:
    """An action of the command's own kind; its note is the command's `word`."""

    def stands(decision: Decision, records: Recorded) -> str | None:
        entry, body = decision.entry, decision.body
        action, missing = _last(decision, records, entry.type, entry.first)
        if action is None:
            return missing
        content = {"note": body.get(word, ""), **{name: body.get(name) for name in same}}
        if all(action.content.get(name) == value for name, value in content.items()):
            return None
        return f"is not what {entry.first} said"

    return stands


def _last(
    decision: Decision, records: Recorded, kind: str, who: str | None
) -> tuple[Action | None, str | None]:
    """The action that queued the command, of that kind and that person."""
    actions = records.actions.get(decision.outcome["hit"], [])
    own = [each for each in actions if each.command == decision.entry.command]
    fitting = [each for each in own if (each.kind, each.person) == (kind, who)]
    if len(own) > 1:
        return None, f"stands on {len(own)} actions"
    return (fitting[0], None) if fitting else (None, f"without the action of {who} that it names")


def _before(decision: Decision, records: Recorded, action: Action | None) -> list[Action]:
    """The actions on the claim before this one; all of them where it is missing."""
    actions = records.actions.get(decision.outcome["hit"], [])
    return actions if action is None else actions[: actions.index(action)]


# --- rulings on rounds ----------------------------------------------------------------------------


def _ruled(decision: Decision, records: Recorded) -> str | None:
    """The ruling of the one supervisor whom it names."""
    ruling = None if decision.entry.second is not None else _ruling(decision, records)
    return None if ruling is not None else "without the ruling behind it"


def _entered(decision: Decision, records: Recorded) -> str | None:
    """Likewise; where it names a second person, that one signed beside it."""
    ruling, second = _ruling(decision, records), decision.entry.second
    if ruling is None:
        return "without the ruling behind it"
    return None if ruling.signed == second else f"without the signature of {second}"


def _ruling(decision: Decision, records: Recorded) -> Ruling | None:
    """The ruling that queued the command and says exactly this, where there is one."""
    entry, body = decision.entry, decision.body
    rulings = records.rulings.get(entry.command or 0, [])
    if len(rulings) != 1:
        return None
    (ruling,) = rulings
    ruling_key = (ruling.kind, ruling.person, ruling.table, ruling.round, ruling.rounds)
    facts = (entry.type, entry.first, body["table"], _round(body), body.get("count", 0))
    words = ruling.note, ruling.reason, ruling.misdeal
    named_so = body.get("misdeal") or ""
    same = words == (body.get("note", body.get("evidence")), _reason(body), named_so)
    return ruling if ruling_key == facts and same else None


def _round(body: Mapping[str, Any]) -> int | None:
    """The one round that it is about."""
    rounds = body.get("rounds", [body.get("round")])
    number: int | None = rounds[0] if len(rounds) == 1 else None
    return number


def _reason(body: Mapping[str, Any]) -> str:
    """Why, by its code; of a missed completion that it was one."""
    reason = "completion" if body.get("completion") else body.get("reason")
    return reason if isinstance(reason, str) else ""


def _missed(decision: Decision, records: Recorded) -> str | None:
    """Missed rounds: alone as far as one may (`verifier.people.conflicts`), or by two people."""
    if decision.entry.second is not None:
        return _proposed(decision, records)
    return _ruled(decision, records)


# --- where something else is held against it ------------------------------------------------------


def _elsewhere(_decision: Decision, _records: Recorded) -> str | None:
    """`verifier.order.table_transfers`, `verifier.people.files`, `verifier.people.counts` and
    `verifier.people.remittances` hold these against both orders, files, counts, and remitted tax.
    """
    return None


def _itself(_decision: Decision, _records: Recorded) -> str | None:
    """One person's word at once, which is the command: who said it and why stands in it."""
    return None


def _console(decision: Decision, _records: Recorded) -> str | None:
    """Nobody's decision: it says nothing, and its basis takes in what was recorded."""
    entry = decision.entry
    return None if (entry.first, entry.second) == ("console", None) else "is not the console's own"


_OF_ONE_ACTION = _noted("reason")
_PAYMENT_ACTION = _noted("reason", "line")
_PAIRING_ACTION = _noted("note")

RULES: dict[str, Rule] = {
    "put_terms": Rule(2, _terms),
    "suspend": Rule(1, _itself),
    "resume": Rule(1, _itself),
    "close_tier": Rule(2, _proposed),
    "move_table": Rule(2, _proposed),
    "receive_table": Rule(2, _elsewhere),
    "amend_hand": Rule(1, _amended),
    "reject_claim": Rule(2, _rejected),
    "confirm_claim": Rule(2, _confirmed),
    "reverse_claim": Rule(2, _proposed),
    "reverse_rejection": Rule(2, _proposed),
    "adjust_pool": Rule(2, _proposed),
    "enter_hand": Rule(None, _entered),
    "name_round": Rule(1, _noted("note", "round")),
    "separate_hand": Rule(1, _PAIRING_ACTION),
    "unpair_hand": Rule(1, _PAIRING_ACTION),
    "void_round": Rule(1, _ruled),
    "cancel_round": Rule(1, _ruled),
    "missed_rounds": Rule(None, _missed),
    "accept_rounds": Rule(1, _ruled),
    "refuse_rounds": Rule(None, _missed),
    "pay": Rule(1, _paid),
    "withhold": Rule(1, _PAYMENT_ACTION),
    "release": Rule(1, _PAYMENT_ACTION),
    "unclaimed": Rule(1, _PAYMENT_ACTION),
    "forfeit": Rule(2, _proposed),
    "dispute": Rule(1, _OF_ONE_ACTION),
    "resolve_dispute": Rule(2, _proposed),
    "hold_claim": Rule(1, _OF_ONE_ACTION),
    "lift_hold": Rule(2, _proposed),
    "settle_order": Rule(2, _proposed),
    "reset_boots": Rule(2, _proposed),
    "delegate_claim": Rule(2, _proposed),
    "close_day": Rule(2, _proposed),
    "close_month": Rule(2, _proposed),
    "release_excluded": Rule(2, _proposed),
    "same_player": Rule(2, _proposed),
    "count_drop": Rule(1, _elsewhere),
    "enter_balance": Rule(1, _elsewhere),
    "remit_tax": Rule(1, _elsewhere),
    "reverse_remittance": Rule(1, _elsewhere),
    "attach_file": Rule(1, _elsewhere),
    "seal_records": Rule(1, _console),
}


def _canonical(text: str | None) -> str:
    return json.dumps(json.loads(text or "null"), sort_keys=True)
