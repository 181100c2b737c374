"""Shift handover: what the outgoing shift leaves, on one page, signed by both.

What is signed is kept as it stood then. Both people give their passwords, and what they sign is
what was shown: a digest of it comes back with the form.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from jackpot.hits.states import OPEN_STATES, HitState, StopKind
from jackpot.labels.claim_names import claim_name
from jackpot.labels.figures import write_money
from jackpot.models import Entry, Head
from settlement.approvals.proposal_labels import subjects
from settlement.approvals.proposals import open_proposals
from settlement.claims.status import with_corrections
from settlement.core import guards
from settlement.core.errors import NotPermitted, SamePerson, WrongState
from settlement.core.input import clean_text
from settlement.core.words.labels import ALARMS, QUARANTINE, plain
from settlement.core.words.translation import Labels, in_english
from settlement.floor import rulings
from settlement.floor.dark_displays import dark_displays
from settlement.floor.incidents import open_incidents
from settlement.floor.missed_rounds import SHOWN_BY, Signal, signals, to_countersign
from settlement.floor.suspensions import suspensions
from settlement.models import Handover, Reconciliation
from settlement.people.preferences.saved_views import USUAL
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, name_of
from settlement.people.rights.roles import held
from tables.intake.presence import silent_tables
from tables.models import Alarm, Casino, GamingTable, Quarantine
from tables.protocol.messages import RoundsMissed

LONGEST_REMARKS = 2000
FIRST_SHIFT = dt.timedelta(hours=24)  # how far back the first handover looks

Item = dict[str, str]
Section = dict[str, Any]


def may_sign(user: Any, casino: Casino) -> bool:
    """Who is in charge of a shift: game supervisors and casino managers of that casino."""
    return any(held(user).may(name, casino.pk) for name in ("verify_claim", "confirm_claim"))


def handovers(casino: Casino) -> QuerySet[Handover]:
    """The handovers of a casino, the newest first."""
    rows = Handover.objects.filter(casino=casino).select_related("outgoing", "incoming", "casino")
    return rows.order_by("-id")


def gather(casino: Casino) -> list[Section]:
    """What is open now, in the order in which people go through it; a fixed number of queries."""
    last = handovers(casino).values_list("at", flat=True).first()
    since = last or timezone.now() - FIRST_SHIFT
    return [
        _section(_("Systems that stand still or do not balance"), _systems(casino)),
        *_claims(casino),
        _section(_("Waiting for a second person"), _proposals(casino)),
        _section(_("Alarms"), _alarms(casino)),
        _section(_("Silent tables"), _silent(casino)),
        _section(_("Dark displays"), _dark(casino)),
        _section(_("Suspended tables"), _suspended(casino)),
        _section(_("Quarantine since the last handover"), _quarantine(casino, since)),
        _section(_("Staff at play"), _playing(casino)),
        _section(_("Dealers’ requests"), _dealer_requests(casino)),
        _section(_("Signs of missed rounds, and held rounds"), _signs(casino)),
        _section(_("Missed rounds to countersign"), _missed(casino)),
        _section(_("Incidents"), _incidents(casino)),
    ]


def digest(sections: list[Section]) -> str:
    """What the form carries, so that nobody signs what they have not read.

    Of what there is, without the details: the count of an alarm may rise while people read.
    """
    content = [
        [section["title"], *(item["text"] for item in section["items"])] for section in sections
    ]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def sign(
    casino: Casino,
    outgoing: Reauthenticated,
    incoming: Reauthenticated,
    *,
    read: str,
    remarks: str = "",
    key: uuid.UUID | None = None,
) -> Handover:
    """Keep the handover with both names; `read` is the digest of what was shown."""
    key = key or uuid.uuid4()
    handover = Handover.objects.filter(key=key).first()
    if handover is not None:
        return handover
    for person in (outgoing.user, incoming.user):
        if not may_sign(person, casino):
            raise NotPermitted(_(_NOT_IN_CHARGE) % {"name": name_of(person)})
    if outgoing.user.pk == incoming.user.pk:
        raise SamePerson(_("Two people hand over: the incoming person signs with their own name."))
    with in_english():  # the record is the same for whoever reads it
        body = gather(casino)
    if digest(gather(casino)) != read:
        raise WrongState(
            _("Something changed while you were reading: read the page again, then sign.")
        )
    with guards.in_words():
        return Handover.objects.create(
            casino=casino,
            outgoing=outgoing.user,
            incoming=incoming.user,
            remarks=clean_text(remarks, LONGEST_REMARKS),
            body=body,
            at=timezone.now(),
            key=key,
        )


def _section(title: str, items: list[Item]) -> Section:
    return {"title": title, "items": items}


def _item(text: str, detail: str = "", address: str = "") -> Item:
    return {"text": text, "detail": detail, "address": address}


def _systems(casino: Casino) -> list[Item]:
    halted = Head.objects.filter(system__casino=casino, halted_at__isnull=False)
    newest = Reconciliation.objects.filter(system__casino=casino)
    newest = newest.select_related("system").order_by("system", "-id").distinct("system")
    address = reverse("reconciliation")
    return [
        *(
            _item(
                _("%(system_name)s is halted") % {"system_name": head.system.name},
                _("On %(halted_on)s") % {"halted_on": head.halted_on or _("an entry")},
                address,
            )
            for head in halted.select_related("system").order_by("system")
        ),
        *(
            _item(
                _("%(system_name)s does not balance") % {"system_name": run.system.name},
                str(run.differences[0]),
                address,
            )
            for run in newest
            if run.differences
        ),
    ]


def _claims(casino: Casino) -> Iterator[Section]:
    """Open claims, and decided ones whose report was corrected since: by one query."""
    back = Entry.objects.filter(
        system=OuterRef("system"),
        hit=OuterRef("number"),
        type="reverse_rejection",
        outcome__refused__isnull=True,
    )
    hits: Any = with_corrections().filter(system__casino=casino)
    corrected = Q(corrected__isnull=False, is_corrected=True)  # the first: an index knows it
    hits = hits.filter(Q(state__in=OPEN_STATES) | corrected)
    hits = hits.annotate(came_back=~Q(state=HitState.REJECTED) & Exists(back))
    by_correction: dict[bool, list[Item]] = {True: [], False: []}
    for hit in hits.order_by("at", "system", "number"):
        by_correction[hit.is_corrected].append(
            _item(
                _("%(system)s, claim %(claim)s, %(table)s: %(state)s")
                % {
                    "system": hit.system.name,
                    "claim": claim_name(hit.system.code, hit.number),
                    "table": hit.table.name,
                    "state": _claim_words(hit, casino),
                },
                address=reverse("claim", args=[hit.system.code, hit.number]),
            )
        )
    yield _section(_("Open claims"), by_correction[False])
    yield _section(_("Reports corrected after the decision"), by_correction[True])


_NOT_IN_CHARGE = gettext_noop(
    "%(name)s is neither a game supervisor nor a casino manager: somebody who is in charge"
    " of a shift must sign."
)
_STOPPED = Labels(
    {
        StopKind.DISPUTE: gettext_noop("stopped by a dispute"),
        StopKind.HOLD: gettext_noop("stopped by a hold"),
        StopKind.ORDER: gettext_noop("its order in question"),
        StopKind.VERDICT: gettext_noop("the console cannot judge it"),
    }
)


def _claim_words(hit: Any, casino: Casino) -> str:
    amount = write_money(hit.held, casino)
    words = [plain(hit.standing), amount if hit.tier_id else _("prize not known yet")]
    if hit.rejection_proposed:
        words.append(_("a rejection is proposed"))
    if hit.came_back:
        words.append(_("rejection reversed"))
    words += [_STOPPED[stop.kind] for stop in hit.open_stops]
    words += [
        _("seat %(seat)s: %(state)s") % {"seat": line.seat, "state": plain(line.state).lower()}
        for line in hit.payee_lines
        if line.rest
    ]
    return ", ".join(words)


def _proposals(casino: Casino) -> list[Item]:
    proposals = list(open_proposals().filter(system__casino=casino).order_by("id"))
    about = subjects(proposals)
    return [
        _item(
            _("%(name_of)s proposes to %(kind_display)s: %(about)s, %(system_name)s")
            % {
                "name_of": name_of(each.person),
                "kind_display": each.get_kind_display(),
                "about": about[each.pk],
                "system_name": each.system.name,
            },
        )
        for each in proposals
    ]


def _dealer_requests(casino: Casino) -> list[Item]:
    address = reverse("irregularities")
    return [
        _item(f"{_asked_words(request)} {_where(request.table)}", request.note, address)
        for request in reversed(rulings.open_requests(*rulings.ON_ROUNDS))
        if request.table.system.casino_id == casino.pk
    ]


def _asked_words(request: rulings.Request) -> str:
    if isinstance(request.message, RoundsMissed):
        count = request.message.count
        words = ngettext("%(count)s missed round?", "%(count)s missed rounds?", count)
        return words % {"count": count}
    return _("Round %(round)s void?") % {"round": request.round}


def _signs(casino: Casino) -> list[Item]:
    address = reverse("irregularities")
    return [
        _item(
            f"{_sign_words(signal)}, {_where(signal.table)}",
            _("Sequence no. %(entry)s") % {"entry": signal.entry} if signal.entry else "",
            address,
        )
        for signal in reversed(signals())
        if signal.table.system.casino_id == casino.pk
    ]


def _sign_words(signal: Signal) -> str:
    if signal.what not in SHOWN_BY:
        return signal.words
    return _("%(what)s: round %(round)s") % {"what": signal.words, "round": signal.round}


def _where(table: GamingTable) -> str:
    return f"{table.name}, {table.system.name}"


def _missed(casino: Casino) -> list[Item]:
    address = reverse("irregularities")
    return [
        _item(
            _("%(missed)s at %(where)s, by %(name)s")
            % {
                "missed": row.missed.capitalize(),
                "where": _where(row.table),
                "name": name_of(row.person),
            },
            row.note,
            address,
        )
        for row in to_countersign().filter(system__casino=casino)
    ]


def _incidents(casino: Casino) -> list[Item]:
    address = f"{reverse('incidents')}?{USUAL}"
    return [
        _item(
            f"{row.get_kind_display()}: {row.table.name if row.table else row.system.name}",
            row.note,
            address,
        )
        for row in open_incidents().filter(system__casino=casino)
    ]


def _alarms(casino: Casino) -> list[Item]:
    alarms = Alarm.objects.filter(Q(system=None) | Q(system__casino=casino), cleared_at=None)
    return [
        _item(
            f"{ALARMS.get(alarm.kind, plain(alarm.kind))}: {alarm.subject}",
            alarm.message,
            reverse("reconciliation"),
        )
        for alarm in alarms.order_by("id")
    ]


def _silent(casino: Casino) -> list[Item]:
    tables = [
        table for table in silent_tables(timezone.now()) if table.system.casino_id == casino.pk
    ]
    tables.sort(key=lambda table: (table.system.name, len(table.code), table.code))
    return [
        _item(
            _where(table),
            address=reverse("table", args=[table.system.code, table.code]),
        )
        for table in tables
    ]


def _dark(casino: Casino) -> list[Item]:
    return [
        _item(
            _where(table),
            address=reverse("table", args=[table.system.code, table.code]),
        )
        for table in dark_displays()
        if table.system.casino_id == casino.pk
    ]


def _suspended(casino: Casino) -> list[Item]:
    return [
        _item(
            f"{suspension.jackpot.name}, {suspension.table.name}, {suspension.system.name}",
            suspension.words,
            reverse("jackpot-lifecycle", args=[suspension.system.code, suspension.jackpot.code]),
        )
        for suspension in suspensions(casino.systems.order_by("name", "pk"))
    ]


def _quarantine(casino: Casino, since: dt.datetime) -> list[Item]:
    here = Q(table=None) | Q(table__system__casino=casino)
    messages = Quarantine.objects.filter(here, received_at__gte=since).values("reason")
    counts = messages.annotate(count=Count("pk")).order_by("reason")
    return [
        _item(
            QUARANTINE.get(row["reason"], plain(row["reason"])),
            ngettext("once", "%(count)s times", row["count"]) % {"count": row["count"]},
            reverse("quarantine"),
        )
        for row in counts
    ]


def _playing(casino: Casino) -> list[Item]:
    here = {"table__system__casino": casino}
    return [
        *(
            _item(name_of(play.person), _where(play.table), reverse("plays"))
            for play in staff_play.playing().filter(**here)
        ),
        *(
            _item(
                name_of(play.person),
                _("%(where)s: named by %(name_of)s, needs a second person")
                % {"where": _where(play.table), "name_of": name_of(play.said_by)},
                reverse("plays"),
            )
            for play in staff_play.waiting().filter(**here)
        ),
    ]
