"""What happened to a claim: the entries of the order that touched it, and what people did."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from jackpot.domain.command_handlers import TAX, rejection_words
from jackpot.hits.states import HitState
from jackpot.labels.figures import write_count, write_money
from jackpot.models import Entry, Hit
from settlement.claims.status import about
from settlement.core.words.labels import ENTRIES, FLAGS, plain
from settlement.core.words.translation import rule_in_words, translated
from settlement.models import Action, BundleExport
from settlement.people.rights.permissions import name_of
from settlement.signatures.signing import signatures_of

_VERSIONS = ("hand_reported", "amend_hand")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry of the order that touched the claim."""

    seq: int
    at: dt.datetime
    what: str
    where: str
    outcome: str
    refused: str
    version: int | None  # of the report, where the entry brought one


@dataclass(frozen=True, slots=True)
class ActionRow:
    """Something that a person did."""

    who: str
    what: str
    details: str
    at: dt.datetime
    version: int | None
    seq: int | None
    refused: str
    queued: bool
    signed: bool = False  # by the person, with a passkey


def entries_of(hit: Hit) -> list[Entry]:
    """Every entry that touched the hit, in their order."""
    return list(Entry.objects.filter(about(hit)).select_related("table").order_by("seq"))


def versions_of(entries: Iterable[Entry]) -> dict[int, int]:
    """The entries that brought a version of the report, numbered from one."""
    versions = [entry.seq for entry in entries if _brings(entry) and _counts(entry)]
    return {seq: number for number, seq in enumerate(versions, start=1)}


def _brings(entry: Entry) -> bool:
    """Whether it brought a report that counted; what a unit says of a hand that was entered on the
    console counts only where it was taken."""
    if "paired" in entry.outcome.get("flags", []) or entry.type not in _VERSIONS:
        return bool(entry.outcome.get("taken"))
    return True


def decided_by(entries: Iterable[Entry], type_: str) -> Entry | None:
    """The entry by which a decision took effect, if it did."""
    return next((e for e in reversed(list(entries)) if e.type == type_ and _counts(e)), None)


def entry_rows(hit: Hit, entries: Iterable[Entry], names: Mapping[str, str]) -> list[EntryRow]:
    """The entries in words."""
    entry_list = list(entries)
    versions = versions_of(entry_list)
    return [
        EntryRow(
            seq=entry.seq,
            at=entry.at,
            what=ENTRIES.get(entry.type, plain(entry.type)),
            where=entry.table.name if entry.table else _("Console"),
            outcome=_outcome(hit, entry, names),
            refused=entry.outcome.get("refused", ""),
            version=versions.get(entry.seq),
        )
        for entry in entry_list
    ]


def action_rows(hit: Hit, actions: Iterable[Action], entries: Iterable[Entry]) -> list[ActionRow]:
    """What people did, the last first, with what became of it in the order."""
    entry_list = list(entries)
    by_command = {entry.command: entry for entry in entry_list if entry.command is not None}
    versions = versions_of(entry_list)
    rows = []
    claim_actions = list(actions)
    signed = {signature.row for signature in signatures_of(claim_actions)}
    for action in claim_actions:
        entry = by_command.get(action.command) if action.command is not None else None
        rows.append(
            ActionRow(
                who=name_of(action.person),
                what=action.get_kind_display(),
                details=_details(hit, action),
                at=action.at,
                version=versions.get(action.report_entry) if action.report_entry else None,
                seq=entry.seq if entry else None,
                refused=entry.outcome.get("refused", "") if entry else "",
                queued=action.command is not None and entry is None,
                signed=action.pk in signed,
            )
        )
    return rows[::-1]


def bundle_rows(exports: Iterable[BundleExport]) -> list[ActionRow]:
    """Who took the dispute bundle, and which one: the same hash is the same archive."""
    return [
        ActionRow(
            who=name_of(export.person) if export.person else _("Technical support, on the server"),
            what=_("downloaded the dispute bundle"),
            details=_("%(size)s bytes, SHA-256 %(hex)s")
            % {"size": write_count(export.size), "hex": bytes(export.sha256).hex()},
            at=export.at,
            version=None,
            seq=None,
            refused="",
            queued=False,
        )
        for export in exports
    ]


def _counts(entry: Entry) -> bool:
    outcome = entry.outcome
    return "refused" not in outcome and "after_decision" not in outcome.get("flags", [])


def _outcome(hit: Hit, entry: Entry, names: Mapping[str, str]) -> str:
    outcome, parts = _for_this(hit, entry.outcome), list[str]()
    if outcome.get("withdrawn"):
        parts.append(_("the hand as reported is not for this prize: withdrawn"))
    elif outcome.get("held"):
        prize = names.get(outcome.get("tier") or "", _("no prize yet"))
        parts.append(
            _("%(money)s reserved for %(prize)s")
            % {"money": _money(hit, outcome["held"]), "prize": prize}
        )
    elif "held" in outcome and not outcome.get("tier"):
        parts.append(_("no prize known yet"))
    elif "held" in outcome and hit.strength is None:
        parts.append(
            _("nothing reserved for %(names)s: its pool was empty")
            % {"names": names.get(outcome["tier"])}
        )
    if outcome.get("confirmed") == 0:
        parts.append(_("confirmed that nothing is due: closed"))
    elif "confirmed" in outcome:
        parts.append(_("%(money)s confirmed") % {"money": _money(hit, outcome["confirmed"])})
    if "paid" in outcome:
        parts.append(
            _("%(money)s to seat %(seat)s")
            % {"money": _money(hit, outcome["paid"]), "seat": outcome["seat"]}
        )
    if "state" in outcome and "line" in outcome:
        parts.append(
            _("line %(line)s, seat %(seat)s") % {"line": outcome["line"], "seat": outcome["seat"]}
        )
    if "reversed" in outcome:
        parts.append(_("%(money)s back to the pool") % {"money": _money(hit, outcome["reversed"])})
    parts.extend(FLAGS.get(flag, plain(flag).lower()) for flag in outcome.get("flags", []))
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _for_this(hit: Hit, outcome: dict[str, Any]) -> dict[str, Any]:
    """Of an entry about several claims of a hand, what it came to for this one."""
    for number, tier, state, held in outcome.get("claims", ()):
        if number == hit.number:
            is_withdrawn = state == HitState.WITHDRAWN
            return {**outcome, "tier": tier, "held": held, "withdrawn": is_withdrawn}
    if outcome.get("hit") not in (None, hit.number):  # this claim was not there yet
        return {key: value for key, value in outcome.items() if key not in ("tier", "held")}
    return outcome


def _details(hit: Hit, action: Action) -> str:
    body = action.body
    if action.kind == Action.Kind.PROPOSE_REJECTION:
        rule, text = rejection_words(body["reason"], body.get("irregularity"))
        sentence = _(
            "%(reason)s %(text)s (%(rule)s). Evidence: %(evidence)s. It did not affect the outcome."
        )
        if body["affected"]:
            sentence = _(
                "%(reason)s %(text)s (%(rule)s). Evidence: %(evidence)s. It affected the outcome."
            )
        return sentence % {
            "reason": body["reason"],
            "text": translated(text),
            "rule": rule_in_words(rule),
            "evidence": body["evidence"],
        }
    if action.kind in (Action.Kind.APPROVE, Action.Kind.CONFIRM):
        if body["amount"] == 0:
            return _("Nothing is due: the pool was empty")
        return _money(hit, body["amount"])
    if action.kind == Action.Kind.PAY:
        words = {"chips": _("chips"), "cash": _("cash"), "equivalent": _("cash equivalent")}
        amounts = [
            _("%(money)s in %(words)s")
            % {"money": _money(hit, body["parts"][m]), "words": words[m]}
            for m in words
            if body["parts"][m]
        ]
        amounts += _withheld(hit, body)
        return _("Seat %(seat)s: %(amounts)s") % {
            "seat": body["seat"],
            "amounts": ", ".join(amounts),
        }
    note = str(body.get("note") or "")
    if "seat" in body:
        return _("Seat %(seat)s%(which)s%(note)s") % {
            "seat": body["seat"],
            "which": ": " if note else "",
            "note": note,
        }
    return note


def _withheld(hit: Hit, body: dict[str, Any]) -> list[str]:
    """What a payment withheld, and why where that is not what the rules of the place ask for."""
    record, tax = body.get("withholding", {}), body["parts"].get(TAX, 0)
    texts = [_("%(money)s withheld as tax") % {"money": _money(hit, tax)}] if tax else []
    if record.get("reason"):
        texts.append(
            _("%(due)s were asked for: %(reason)s")
            % {"due": _money(hit, record["due"]), "reason": record["reason"]}
        )
    return texts


def _money(hit: Hit, micros: int) -> str:
    casino = hit.system.casino
    return write_money(micros, casino)
