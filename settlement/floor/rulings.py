"""What one supervisor decides about rounds and requests of dealers (19.17, 19.19, 20.1).

A request moves nothing. Accepted, it becomes a command in the system's order; refused, it is kept
with the reason. Missed rounds have limits of their own (`settlement.floor.missed_rounds`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.domain.command_handlers.rounds import CANCELS, VOIDS
from jackpot.models import Command, Entry, Hit, RoundState
from jackpot.writer import commands
from rules.dead_hands import misdeals_asked_as
from settlement.claims import services as claims
from settlement.claims.status import about
from settlement.core import guards
from settlement.core.errors import USED, BadReason, Declined, KeyUsed, WrongState
from settlement.core.gaming_day import day_of
from settlement.core.input import required_text
from settlement.models import Claim, Countersignature, Proposal, Ruling
from settlement.people.rights.permissions import name_of, require
from settlement.people.rights.staff_play import require_apart_of_round
from tables.models import GamingTable
from tables.protocol.messages import HandWithdrawn, RoundsMissed, VoidRequested, event_decoder

Kind = Ruling.Kind
ON_ROUNDS = ("void_requested", "rounds_missed")
REASONS = {Kind.VOID: VOIDS, Kind.CANCEL: CANCELS}
RequestMessage = VoidRequested | HandWithdrawn | RoundsMissed


@dataclass(frozen=True, slots=True)
class Request:
    """What a dealer asked for, at its place in the order, and what was decided."""

    entry: Entry
    message: RequestMessage
    ruling: Ruling | None

    @property
    def table(self) -> GamingTable:
        table: GamingTable = self.entry.event.table  # type: ignore[union-attr]
        return table

    @property
    def round(self) -> int | None:
        return getattr(self.message, "round", None)

    @property
    def note(self) -> str:
        """The dealer's own words."""
        if isinstance(self.message, HandWithdrawn):
            return self.message.reason
        return self.message.note or ""

    @property
    def who(self) -> str:
        return name_of(self.ruling.person) if self.ruling else ""


def requests(*types: str) -> QuerySet[Entry]:
    """Entries by which dealers ask for a decision, none of a unit in test mode, newest first."""
    entries = Entry.objects.filter(type__in=types, outcome__flags__contains=["request"])
    return entries.select_related(
        "system__casino", "event__table__system__casino", "event__ruling__person"
    ).order_by("-at", "-seq", "system_id")


def open_requests(*types: str) -> list[Request]:
    """Those that nobody has decided, and nobody has proposed to credit."""
    entries = list(requests(*types).filter(event__ruling=None))
    is_missed = any(entry.type == "rounds_missed" for entry in entries)
    proposed = _proposed() if is_missed else set()
    return [_request(entry) for entry in entries if (entry.system_id, entry.seq) not in proposed]


def open_request_count(*types: str) -> int:
    """How many `open_requests` finds, without reading what they say."""
    rows = requests(*types).filter(event__ruling=None).order_by().values_list("system", "seq")
    undecided = set(rows)
    return len(undecided - _proposed()) if undecided else 0


def _proposed() -> set[tuple[int, int]]:
    """Entries named by missed rounds that two people decide on, unless that was withdrawn."""
    proposals = Proposal.objects.filter(kind=Proposal.Kind.MISSED_ROUNDS)
    rows = proposals.exclude(decision__agreed=False).values_list("system", "body__signals")
    return {(system, seq) for system, seqs in rows for seq in seqs or ()}


def request_of(number: int) -> Request | None:
    """A request by the number of its event."""
    types = ("void_requested", "hand_withdrawn", "rounds_missed")
    entry = requests(*types).filter(event=number).first()
    return _request(entry) if entry is not None else None


def withdrawals_of(claim: Claim | Hit, entries: Iterable[Entry] | None = None) -> list[Request]:
    """Where a dealer asked to withdraw the hand of a claim, newest first.

    `entries`: those of its hit, where the caller has them.
    """
    if entries is None:
        entries = Entry.objects.filter(
            about(Hit.objects.get(system=claim.system_id, number=claim.number))
        )
    hand_entries = [entry for entry in entries if entry.type in ("hand_called", "hand_reported")]
    if not hand_entries:
        return []
    withdrawals = requests("hand_withdrawn").filter(
        system=claim.system_id, table=hand_entries[0].table_id
    )
    seqs = {(entry.boot, entry.event_seq) for entry in hand_entries}
    dealer_requests = [_request(entry) for entry in withdrawals]
    return [each for each in dealer_requests if _names(each, seqs, hand_entries[0].round)]


def requests_about(hit: Hit) -> list[Request]:
    """What dealers asked about a hand: to withdraw it, or to declare its round void; in order."""
    voids = requests("void_requested").filter(system=hit.system_id, table=hit.table_id)
    void_requests = [each for each in map(_request, voids) if each.round == hit.round]
    return sorted(withdrawals_of(hit) + void_requests, key=lambda each: each.entry.seq)


def rulings_about(hit: Hit) -> QuerySet[Ruling]:
    """What supervisors decided about a hand, its round and what dealers asked, in order."""
    event_ids = [each.entry.event_id for each in requests_about(hit)]
    of_hand = Q(request__in=event_ids) | Q(round=hit.round, table=hit.table_id)
    return Ruling.objects.filter(of_hand, system=hit.system_id).select_related("person")


def _names(request: Request, hands: set[tuple[Any, Any]], round_: int | None) -> bool:
    message, boot = request.message, request.entry.boot
    if not isinstance(message, HandWithdrawn):
        return False
    keys = {(boot, message.called_seq), (boot, message.reported_seq)} & hands
    return bool(keys) or (message.round is not None and message.round == round_)


def _request(entry: Entry) -> Request:
    event = entry.event
    if event is None:
        raise ValueError(f"entry {entry.seq} has no event")
    message: Any = event_decoder.decode(bytes(event.body))
    return Request(entry, message, getattr(event, "ruling", None))


@dataclass(frozen=True, slots=True)
class RoundRuling:
    """A round that a supervisor declares void or cancels, and why.

    `misdeal`: which of the reason's it was, where the game of the round has several.
    """

    kind: str
    table: GamingTable
    round: int
    reason: str
    note: str
    misdeal: str | None = None


def decide(
    decision: RoundRuling,
    user: Any,
    *,
    request: Request | None = None,
    key: uuid.UUID | None = None,
) -> commands.Answer:
    """Declare a round void (20.1) or cancel it; the writer's answer, or queued without a number."""
    kind, table, round_, reason = decision.kind, decision.table, decision.round, decision.reason
    require(user, "rule_round", table.system)
    if reason not in REASONS[Kind(kind)]:
        raise BadReason(_("Choose one of the reasons."))
    note = required_text(
        decision.note, _("Describe what you saw: footage reference, who was at the table.")
    )
    if request is not None and (request.table.pk, request.round) != (table.pk, round_):
        raise WrongState(_("This request is about another round: open it again."))
    if request is None and not _is_known(table, round_):
        raise WrongState(
            _("Nothing was recorded of round %(round)s at this table: look at its page.")
            % {"round": round_}
        )
    require_apart_of_round(table, round_, user)
    body = {"table": table.code, "round": round_, "reason": reason, "note": note}
    misdeal = _misdeal(decision)
    body |= {"misdeal": misdeal} if misdeal else {}
    ruling = Ruling(kind=kind, table=table, round=round_, reason=reason, note=note)
    ruling.misdeal = misdeal
    with guards.in_words():
        ruling = queued(ruling, body, user, request, key)
    return answer_of(ruling)


def _misdeal(decision: RoundRuling) -> str:
    """Which misdeal of 20.1 it was: the one that is named, or the only one that the game has."""
    table, code = decision.table, decision.misdeal
    if decision.kind != Kind.VOID:
        if code:
            raise BadReason(_("A cancelled round was not dealt: there is no misdeal to name."))
        return ""
    states = RoundState.objects.filter(system=table.system_id, table=table, round=decision.round)
    game = states.values_list("game", flat=True).first()
    possible = [each.code for each in misdeals_asked_as(decision.reason, game)]
    if code is None and (game is None or len(possible) == 1):
        return possible[0] if len(possible) == 1 else ""
    if code not in possible:
        raise BadReason(_("Choose the misdeal: one that can happen in the game of the round."))
    return code


def refuse(request: Request, user: Any, note: str, key: uuid.UUID | None = None) -> Ruling:
    """The request is not followed: nothing moves, and the reason is kept."""
    require(user, "rule_round", request.table.system)
    if request.round is not None:
        require_apart_of_round(request.table, request.round, user)
    note = required_text(note, _("Enter why the request is refused."))
    ruling = Ruling(kind=Kind.REFUSE, table=request.table, round=request.round, note=note)
    return recorded(ruling, user, request, key)


def accept_withdrawal(
    claim: Claim, request: Request, user: Any, note: str, key: uuid.UUID | None = None
) -> Ruling:
    """The hand was called in error: its rejection is proposed, for a second person (19.12)."""
    note = required_text(note, _("Enter the evidence that the hand was called in error."))
    with guards.in_words():
        claims.propose_rejection(
            claim, user, reason="R11", evidence=f"{request.note}. {note}"[:1000], affected=False
        )
        ruling = Ruling(kind=Kind.WITHDRAW, table=request.table, round=request.round, note=note)
        return recorded(ruling, user, request, key)


def queued(
    ruling: Ruling,
    body: dict[str, Any],
    user: Any,
    request: Request | None = None,
    key: uuid.UUID | None = None,
    beside: Any = None,
) -> Ruling:
    """Record a ruling with the command that carries it out. Inside a transaction.

    `beside`: a second person who signs it at the same moment, and whom the command names.
    """
    earlier = _ruling_of_key(ruling, user, request, key)
    if earlier is not None:
        _require_same(earlier, body)
        return earlier
    try:
        ruling.command = commands.queue(
            ruling.table.system,
            ruling.kind,
            body,
            first=user.get_username(),
            second=beside.get_username() if beside is not None else None,
            key=key,
        )
    except commands.KeyReused as error:
        raise KeyUsed(USED) from error
    row = recorded(ruling, user, request, key)
    if beside is not None:
        Countersignature.objects.create(ruling=row, person=beside)
    return row


def answer_of(ruling: Ruling) -> commands.Answer:
    """The writer's answer; Declined if it judged otherwise at the command's place."""
    answer = commands.wait(ruling.system, ruling.command or 0)
    if answer.refused:
        raise Declined(answer.refused)
    return answer


def recorded(
    ruling: Ruling, user: Any, request: Request | None, key: uuid.UUID | None = None
) -> Ruling:
    """Write a ruling down; a request is ruled upon once."""
    system = ruling.table.system
    ruling.system, ruling.person = system, user
    ruling.day = day_of(timezone.now(), system.casino)
    ruling.request_id = request.entry.event_id if request else None
    ruling.key = key or uuid.uuid4()
    earlier = _ruling_of_key(ruling, user, request, key)
    if earlier is not None:
        return earlier
    with guards.in_words():
        ruling.save(force_insert=True)
    return ruling


def _ruling_of_key(
    ruling: Ruling, user: Any, request: Request | None, key: uuid.UUID | None
) -> Ruling | None:
    """The ruling that this key was used for; KeyUsed where it is not this one, word for word."""
    earlier = Ruling.objects.filter(key=key).first() if key else None
    if earlier is None:
        return None
    event_id = request.entry.event_id if request else None
    names = ("kind", "table_id", "round", "reason", "misdeal", "note", "count")
    same = all(getattr(earlier, name) == getattr(ruling, name) for name in names)
    if not same or (earlier.person_id, earlier.request_id) != (user.pk, event_id):
        raise KeyUsed(USED)
    return earlier


def _require_same(earlier: Ruling, body: dict[str, Any]) -> None:
    """A key is of one command. Whether a unit was online is not said by its sender."""
    queued = Command.objects.get(system=earlier.system_id, number=earlier.command or 0)
    if queued.body | {"unit": None} != body | {"unit": None}:
        raise KeyUsed(USED)


def _is_known(table: GamingTable, round_: int) -> bool:
    of_round = Q(table=table, round=round_)
    return RoundState.objects.filter(of_round, system=table.system_id).exists()


def decided() -> QuerySet[Ruling]:
    """What was decided, in no order."""
    rows = Ruling.objects.select_related("system__casino", "table", "person", "countersignature")
    return rows.order_by()
