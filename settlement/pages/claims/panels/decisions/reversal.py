"""What a claim's page says of its reversal: proposed, withdrawn, or carried out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.domain.command_handlers import METHODS, rejection_words
from jackpot.hits.states import DECIDED
from jackpot.labels.figures import write_amount
from jackpot.models import Entry, Hit
from settlement.claims.decisions.reversals import APART
from settlement.core.words.translation import Labels, rule_in_words, translated
from settlement.models import Action, Proposal
from settlement.pages.claims.panels.history import ActionRow, decided_by
from settlement.people.rights.permissions import name_of


def reversal_context(
    hit: Hit,
    proposals: list[Proposal],
    entries: Iterable[Entry],
    actions: Iterable[Action],
    user: Any,
) -> dict[str, Any]:
    """For `console/claims/reversal.html`: the open proposal or the reversal, and who may what."""
    proposals = [each for each in proposals if each.kind == Proposal.Kind.REVERSE_CLAIM]
    waiting = next((proposal for proposal in proposals if not hasattr(proposal, "decision")), None)
    entry = decided_by(entries, "reverse_claim")
    latest = next(
        (p for p in proposals if entry and hasattr(p, "decision") and _is_of(p, entry)), None
    )
    stays_out = any(action.person_id == user.pk and action.kind in APART for action in actions)
    decided = hit.state in DECIDED
    return {
        "reversal_proposed": _words(waiting),
        "reversed_by": _words(latest),
        "may_propose_reversal": decided
        and waiting is None
        and not stays_out
        and user.has_perm("settlement.propose_reversal"),
        "may_agree_reversal": decided
        and waiting is not None
        and not stays_out
        and waiting.person_id != user.pk
        and user.has_perm("settlement.second_reversal"),
        "may_withdraw_reversal": waiting is not None
        and user.has_perm("settlement.propose_reversal"),
    }


def proposal_rows(hit: Hit, proposals: list[Proposal], entries: Iterable[Entry]) -> list[ActionRow]:
    """What people did about reversals, forfeits and stops, for the history."""
    by_command = {e.command: e for e in entries if e.command is not None}
    rows = []
    for proposal in proposals:
        kind = Proposal.Kind(proposal.kind)
        rows.append(
            _row(
                name_of(proposal.person),
                _PROPOSED[kind],
                _details(hit, proposal),
                proposal.at,
            )
        )
        decision = getattr(proposal, "decision", None)
        if decision is None:
            continue
        if not decision.agreed:
            rows.append(
                _row(
                    name_of(decision.person),
                    _WITHDRAWN[kind],
                    decision.note,
                    decision.at,
                )
            )
            continue
        entry = by_command.get(decision.command)
        rows.append(
            ActionRow(
                who=name_of(decision.person),
                what=_AGREED[kind],
                details="",
                at=decision.at,
                version=None,
                seq=entry.seq if entry else None,
                refused=entry.outcome.get("refused", "") if entry else "",
                queued=entry is None,
            )
        )
    return rows


# What is said of each proposal, by its kind.
_PROPOSED = Labels(
    {
        Proposal.Kind.REVERSE_CLAIM: gettext_noop("proposed to reverse"),
        Proposal.Kind.REVERSE_REJECTION: gettext_noop("proposed to reverse the rejection"),
        Proposal.Kind.FORFEIT: gettext_noop("proposed to forfeit"),
        Proposal.Kind.RESOLVE_DISPUTE: gettext_noop("proposed to resolve the dispute"),
        Proposal.Kind.LIFT_HOLD: gettext_noop("proposed to lift the regulator's hold"),
        Proposal.Kind.SETTLE_ORDER: gettext_noop("proposed to settle the order in question"),
        Proposal.Kind.DELEGATE: gettext_noop("proposed to delegate a decision"),
        Proposal.Kind.PAY_EXCLUDED: gettext_noop("proposed to pay an excluded person"),
        Proposal.Kind.SAME_PLAYER: gettext_noop("proposed what two numbers of a player are"),
    }
)
_WITHDRAWN = Labels(
    {
        Proposal.Kind.REVERSE_CLAIM: gettext_noop("withdrew the proposal to reverse"),
        Proposal.Kind.REVERSE_REJECTION: gettext_noop(
            "withdrew the proposal to reverse the rejection"
        ),
        Proposal.Kind.FORFEIT: gettext_noop("withdrew the proposal to forfeit"),
        Proposal.Kind.RESOLVE_DISPUTE: gettext_noop("withdrew the proposal to resolve the dispute"),
        Proposal.Kind.LIFT_HOLD: gettext_noop("withdrew the proposal to lift the regulator's hold"),
        Proposal.Kind.SETTLE_ORDER: gettext_noop(
            "withdrew the proposal to settle the order in question"
        ),
        Proposal.Kind.DELEGATE: gettext_noop("withdrew the proposal to delegate a decision"),
        Proposal.Kind.PAY_EXCLUDED: gettext_noop("withdrew the proposal to pay an excluded person"),
        Proposal.Kind.SAME_PLAYER: gettext_noop("withdrew the proposal on numbers of a player"),
    }
)
_AGREED = Labels(
    {
        Proposal.Kind.REVERSE_CLAIM: gettext_noop("agreed to reverse"),
        Proposal.Kind.REVERSE_REJECTION: gettext_noop("agreed to reverse the rejection"),
        Proposal.Kind.FORFEIT: gettext_noop("agreed to forfeit"),
        Proposal.Kind.RESOLVE_DISPUTE: gettext_noop("agreed to resolve the dispute"),
        Proposal.Kind.LIFT_HOLD: gettext_noop("agreed to lift the regulator's hold"),
        Proposal.Kind.SETTLE_ORDER: gettext_noop("agreed to settle the order in question"),
        Proposal.Kind.DELEGATE: gettext_noop("agreed to delegate a decision"),
        Proposal.Kind.PAY_EXCLUDED: gettext_noop("agreed to pay an excluded person"),
        Proposal.Kind.SAME_PLAYER: gettext_noop("agreed on numbers of a player"),
    }
)


def _details(hit: Hit, proposal: Proposal) -> str:
    if proposal.kind == Proposal.Kind.FORFEIT:
        return _("Line %(line)s. %(reason)s") % {
            "line": proposal.body["line"],
            "reason": proposal.body["reason"],
        }
    if proposal.kind == Proposal.Kind.PAY_EXCLUDED:
        return _("Seat %(seat)s. %(reason)s") % {
            "seat": proposal.body["seat"],
            "reason": proposal.body["reason"],
        }
    if proposal.kind == Proposal.Kind.SAME_PLAYER:
        text = (
            _("No. %(player)s and No. %(other)s are one player. %(reason)s")
            if proposal.body["is_one"]
            else _("No. %(player)s and No. %(other)s are not one player. %(reason)s")
        )
        return text % {name: proposal.body[name] for name in ("player", "other", "reason")}
    if proposal.kind == Proposal.Kind.DELEGATE:
        return _("%(person)s, as %(capacity)s. %(reason)s") % {
            "person": proposal.body["person"],
            "capacity": proposal.body["capacity"],
            "reason": proposal.body["reason"],
        }
    if "finding" in proposal.body:
        return _("Opened by entry %(stop)s. %(finding)s") % {
            "stop": proposal.body["stop"],
            "finding": proposal.body["finding"],
        }
    if proposal.kind == Proposal.Kind.REVERSE_REJECTION:
        return _("%(reason)s. Evidence: %(evidence)s.") % {
            "reason": proposal.body["reason"],
            "evidence": proposal.body["evidence"],
        }
    words = _words(proposal)
    digits = hit.system.casino.minor_digits
    amounts = [
        _("%(micros)s in %(way)s") % {"micros": write_amount(micros, digits), "way": way}
        for way, micros in words["recovered"]
    ]
    return _("%(code)s %(text)s (%(rule)s). %(evidence)s. Recovered: %(amounts)s.") % {
        "code": words["code"],
        "text": words["text"],
        "rule": words["rule"],
        "evidence": words["evidence"],
        "amounts": ", ".join(amounts) or "nothing",
    }


def _is_of(proposal: Proposal, entry: Entry) -> bool:
    return bool(proposal.decision.agreed and proposal.decision.command == entry.command)


def _row(who: str, what: str, details: str, at: Any) -> ActionRow:
    return ActionRow(who, what, details, at, version=None, seq=None, refused="", queued=False)


_METHODS = Labels(
    {
        "chips": gettext_noop("chips"),
        "cash": gettext_noop("cash"),
        "equivalent": gettext_noop("cash equivalent"),
    }
)


def _words(proposal: Proposal | None) -> Any:
    if proposal is None:
        return None
    rule, text = rejection_words(proposal.body["reason"], proposal.body.get("irregularity"))
    decision = getattr(proposal, "decision", None)
    return {
        "pk": proposal.pk,
        "code": proposal.body["reason"],
        "rule": rule_in_words(rule),
        "text": translated(text),
        "evidence": proposal.body["evidence"],
        "recovered": [
            (_METHODS[m], proposal.body["recovered"][m])
            for m in METHODS
            if proposal.body["recovered"][m]
        ],
        "who": name_of(proposal.person),
        "by": proposal.person_id,
        "at": proposal.at,
        "second": name_of(decision.person) if decision else "",
        "second_at": decision.at if decision else None,
    }
