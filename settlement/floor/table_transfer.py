"""Moving a table to another system: two people, closed, fully receipted, without an open claim.

The order of the system that it leaves decides. What follows from that entry is derived from it: a
row for the table in the other system, whose order says that it came, and an address that takes
nothing new. Should the console stop in between, Celery's beat does it later; it may run twice.
"""

from __future__ import annotations

import logging
import uuid
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.hits.states import OPEN_STATES
from jackpot.labels.claim_names import claim_name
from jackpot.models import Cursor, Entry, Hit, TableState
from jackpot.queries.dry_run import refusal
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.core import guards
from settlement.core.errors import BadReason, RuleBroken, WrongState
from settlement.core.input import required_text
from settlement.floor import rulings
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated, require
from tables.intake.presence import is_heard
from tables.models import (
    GamingTable,
    JackpotSystem,
    OutOfOrderEvent,
    Stream,
    TableEvent,
    code_validator,
)

log = logging.getLogger(__name__)

KIND = Proposal.Kind.MOVE_TABLE


# What the order refused, or two people skipped, reserves no code.
_REFUSED = Entry.objects.filter(
    system=OuterRef("system"), command=OuterRef("decision__command"), outcome__has_key="refused"
)


def in_the_way(table: GamingTable, now: Any = None) -> list[str]:
    """Why the table cannot leave now, each with what to do; empty where nothing is in the way."""
    if table.moved_to_id is not None:
        return [_("This table has moved to another system already.")]
    obstacles = []
    if TableState.objects.filter(table=table, session__isnull=False).exists():
        obstacles.append(_("The table is open: close its session on the handset."))
    obstacles += [
        _("Claim %(claim_name)s of this table is open: decide it, and pay what is due.")
        % {"claim_name": claim_name(table.system.code, number)}
        for number in _open_claims(table)[:3]
    ]
    requests = rulings.open_requests(*rulings.ON_ROUNDS)
    if any(request.table.pk == table.pk for request in requests):
        obstacles.append(_("A request of the dealer waits: decide it on the page Irregularities."))
    return obstacles + _not_receipted(table, now or timezone.now())


def _open_claims(table: GamingTable) -> list[int]:
    hits = Hit.objects.filter(system=table.system_id, table=table, state__in=OPEN_STATES)
    return list(hits.order_by("number").values_list("number", flat=True))


def _not_receipted(table: GamingTable, now: Any) -> list[str]:
    """What the unit may still have, or what has no place in the order yet."""
    streams = Stream.objects.filter(system=table.system_id, table=table)
    held = dict(streams.values_list("boot", "committed_seq"))
    presence = getattr(table, "presence", None)
    if presence is None:
        return (
            [_("The unit has never connected: connect it, so that it reports what it has.")]
            if held
            else []
        )
    obstacles = []
    if not is_heard(presence, now):
        obstacles.append(_("The unit is silent: connect it, so that it reports what it has."))
    is_behind = streams.filter(last_seq__gt=F("committed_seq")).exists()
    if is_behind or presence.last_seq > held.get(presence.boot, 0):
        obstacles.append(
            _(
                "The unit has events without a receipt: wait for them, or close the"
                " gap on the table's page."
            )
        )
    if _is_unposted(table):
        obstacles.append(_("Events of the table are waiting for a sequence number: try again."))
    return obstacles


def _is_unposted(table: GamingTable) -> bool:
    """Whether an event behind a cursor has no place yet, or one that came late before it."""
    place = {"system": table.system_id, "table": table}
    if OutOfOrderEvent.objects.filter(**place, event__entry=None).exists():
        return True
    through = dict(Cursor.objects.filter(**place).values_list("boot", "through"))
    later = Q(pk=None)
    for boot in Stream.objects.filter(**place).values_list("boot", flat=True):
        later |= Q(boot=boot, seq__gt=through.get(boot, 0))
    return TableEvent.objects.filter(later, **place, entry=None).exists()


def destinations(table: GamingTable) -> QuerySet[JackpotSystem]:
    """The systems that the table may go to: the others of its casino, never into or out of a
    rehearsal."""
    here = JackpotSystem.objects
    systems = here.rehearsals() if table.system.is_rehearsal else here.for_money()
    systems = systems.filter(casino=table.system.casino_id)
    return systems.exclude(pk=table.system_id).order_by("name")


def propose(
    table: GamingTable,
    user: Any,
    *,
    to: JackpotSystem,
    code: str,
    reason: str,
    key: uuid.UUID | None = None,
) -> Proposal:
    """Propose that the table goes to another system, there under `code`."""
    require(user, proposals.PERMISSIONS[KIND][0], table.system)
    reason_text = required_text(reason, _("Enter a reason: it is kept in the record."))
    waiting = open_move(table)
    if waiting is not None and waiting.key != key:
        raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
    body = {
        "table": table.code,
        "to_system": to.code,
        "to_table": code.strip(),
        "receipted": _receipted(table),
        "reason": reason_text,
    }
    if waiting is None:
        _require_free(table, to, code.strip())
        _require_nothing_in_the_way(table)
        refused = refusal(table.system, KIND, body, user.get_username())
        if refused:
            raise WrongState(refused)
    return proposals.propose(table.system, KIND, table.code, body, user, key)


def open_move(table: GamingTable) -> Proposal | None:
    """What is proposed for this table and nobody has decided."""
    moves = proposals.open_proposals().filter(system=table.system_id, kind=KIND)
    return moves.filter(subject=table.code).first()


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: the table leaves, and comes to the other system."""
    table = _table_of(proposal)

    def judge() -> None:
        # Intake waits here: what is receipted stands still until the command is queued.
        list(Stream.objects.select_for_update().filter(table=table).order_by("boot"))
        # Two tables for one code there meet here.
        to = JackpotSystem.objects.select_for_update().get(code=proposal.body["to_system"])
        _require_free(table, to, proposal.body["to_table"])
        _require_nothing_in_the_way(table)
        if _receipted(table) != proposal.body["receipted"]:
            raise WrongState(
                _(
                    "The table has sent more since this was proposed: withdraw it and propose "
                    "it again."
                )
            )

    answer = proposals.agree(proposal, person, judge)
    if answer.seq is not None:
        finish(table)
    return answer


def unfinished(table: GamingTable) -> Entry | None:
    """The entry at which the table left, while the other system does not have it yet."""
    if table.moved_to_id is not None:
        return None
    agreed = Proposal.objects.filter(system=table.system_id, kind=KIND, subject=table.code)
    numbers = agreed.filter(decision__agreed=True).values_list("decision__command", flat=True)
    entries = Entry.objects.filter(system=table.system_id, command__in=list(numbers))
    return entries.filter(outcome__has_key="moved").order_by("seq").first()


def finish(table: GamingTable) -> GamingTable:
    """Do what follows from the entry at which the table left; where the table is now.

    No decision of its own: it names the two people who decided.
    """
    code_conflict = _("The code was given to another table meanwhile: call technical support.")
    with guards.in_words((("table_code_once", WrongState, code_conflict),)):
        left = GamingTable.objects.select_for_update().get(pk=table.pk)
        if left.moved_to is not None:
            return left.moved_to
        entry = unfinished(left)
        if entry is None:
            raise WrongState(_("No order says that this table moves: propose it first."))
        return _come(left, entry)


def finish_all() -> int:
    """Finish every move that an order carried out and nobody has finished; how many."""
    agreed = Proposal.objects.filter(kind=KIND, decision__agreed=True)
    still = GamingTable.objects.filter(system=OuterRef("system"), code=OuterRef("subject"))
    count = 0
    for proposal in agreed.filter(Exists(still.filter(moved_to=None))):
        table = _table_of(proposal)
        if unfinished(table) is None:
            continue  # the writer has not come to it, or refused it
        try:
            finish(table)
        except RuleBroken as fault:
            log.warning("table %s of %s: %s", table.code, table.system.code, fault)
        else:
            count += 1
    return count


def _come(left: GamingTable, entry: Entry) -> GamingTable:
    agreed = Proposal.objects.filter(
        system=left.system_id, kind=KIND, decision__command=entry.command
    )
    body, key, first, second = agreed.values_list(
        "body", "key", "person__username", "decision__person__username"
    ).get()
    to = JackpotSystem.objects.get(code=body["to_system"])
    come = GamingTable.objects.create(
        system=to, code=body["to_table"], name=left.name
    )  # its unit's key goes along by a trigger
    left.moved_to, left.moved_entry, left.in_service = come, entry.seq, False
    left.save(update_fields=["moved_to", "moved_entry", "in_service"])
    commands.queue(
        to,
        "receive_table",
        {
            "table": come.code,
            "from_system": left.system.code,
            "from_table": left.code,
            "entry": entry.seq,
        },
        first=first,
        second=second,
        key=uuid.uuid5(key, "receive_table"),
    )
    return come


def _table_of(proposal: Proposal) -> GamingTable:
    tables = GamingTable.objects.select_related("system__casino", "presence")
    return tables.get(system=proposal.system_id, code=proposal.subject)


def _receipted(table: GamingTable) -> list[list[int]]:
    """How far each boot is held; of one without a gap it is all that its unit sent."""
    streams = Stream.objects.filter(system=table.system_id, table=table).order_by("boot")
    return [list(row) for row in streams.values_list("boot", "committed_seq")]


def _require_free(table: GamingTable, to: JackpotSystem, code: str) -> None:
    if to.casino_id != table.system.casino_id or to.pk == table.system_id:
        raise BadReason(_("Choose another system of this casino."))
    try:
        code_validator(code)
    except Exception as fault:
        raise BadReason(
            _("Enter a code for the table there: small letters, digits, hyphens.")
        ) from fault
    others = Proposal.objects.filter(kind=KIND, body__to_system=to.code, body__to_table=code)
    others = others.exclude(decision__agreed=False).exclude(Exists(_REFUSED))
    if (
        code in ("console", "display")
        or GamingTable.objects.filter(system=to, code=code).exists()
        or others.exclude(system=table.system_id, subject=table.code).exists()
    ):
        raise BadReason(
            _(
                "%(to_name)s has, had or was to get a table %(code)s: choose another"
                " code for it there."
            )
            % {"to_name": to.name, "code": code}
        )


def _require_nothing_in_the_way(table: GamingTable) -> None:
    obstacles = in_the_way(table)
    if obstacles:
        raise WrongState(obstacles[0])
