"""Witnesses are asked to cosign checkpoints (C2SP tlog-witness), by the worker.

What is asked follows from rows: of each system the checkpoints of closes and reports, the oldest
first, then the newest one at most every WITNESS_EVERY_S seconds. So a witness that was away for
days has caught up with one request, and each of those checkpoints has its cosignature.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import re
import time
from dataclasses import dataclass
from typing import NoReturn

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from jackpot.labels.order_alarms import OrderAlarm
from jackpot.models import Checkpoint, WitnessAnswer, WitnessContact
from jackpot.models.transparency import CheckpointCause
from jackpot.transparency import checkpoints, merkle, notes, witness_client
from jackpot.transparency.cosignatures import WitnessKey, good_lines
from jackpot.transparency.proofs import COSIGNED
from jackpot.transparency.tree import Tree
from jackpot.transparency.witness_client import Reply, Silent
from tables.alarms import raise_alarm
from tables.models import JackpotSystem

ALARM = "witness"
CONFLICT = 409
CLAIM = dt.timedelta(minutes=2)  # then the worker that was asking is dead
LONGEST_WAIT_S = 300.0  # between two attempts
LONGEST_S = 60.0  # of asking for one system, before others have their turn
_ATTEMPTS = 3  # of one checkpoint, as the witness may name another size
_SIZE = re.compile(r"(0|[1-9][0-9]{0,18})\n?\Z")


class Refused(Exception):
    """The witness does not cosign; the message says why."""


@dataclass(frozen=True)
class Witness:
    """Somebody who cosigns: where to ask, and by which keys."""

    name: str
    url: str
    keys: tuple[WitnessKey, ...]


def witnesses() -> list[Witness]:
    """Those of the setting WITNESSES. KeyUnreadable where an entry is none."""
    by_name: dict[str, Witness] = {}
    for entry in filter(None, map(str.split, re.split("[,\n]", settings.WITNESSES))):
        if len(entry) != 2 or len(entry[0]) > 4000 or not witness_client.is_address(entry[1]):
            raise notes.KeyUnreadable(f"WITNESSES: {' '.join(entry)} is no key and address.")
        key, url = WitnessKey.parse(entry[0]), entry[1].rstrip("/")
        before = by_name.get(key.name, Witness(key.name, url, ()))
        if before.url != url:
            raise notes.KeyUnreadable(f"WITNESSES: {key.name} has two addresses.")
        by_name[key.name] = Witness(key.name, url, (*before.keys, key))
    return list(by_name.values())


def due() -> list[str]:
    """The names of the witnesses that are to be asked now."""
    names = [witness.name for witness in witnesses()]
    if not names:
        return []
    logs = Exists(Checkpoint.objects.filter(system=OuterRef("pk")))
    systems = JackpotSystem.objects.filter(logs).values_list("pk", flat=True)
    contacts = WitnessContact.objects.filter(witness__in=names)
    pairs = set(contacts.values_list("system_id", "witness"))
    missing = [
        (system, name) for system in systems for name in names if (system, name) not in pairs
    ]
    if missing:
        rows = [WitnessContact(system_id=system, witness=name) for system, name in missing]
        WitnessContact.objects.bulk_create(rows, ignore_conflicts=True)
    now = timezone.now()
    return sorted({row.witness for row in _open(names) if _is_due(row, now)})


def ask(name: str) -> None:
    """Have one witness cosign what it is to cosign, of every system."""
    now = timezone.now()
    for witness in witnesses():
        if witness.name != name:
            continue
        for contact in _open([name]):
            if _is_due(contact, now) and _claim(contact, now):
                try:
                    _ask(witness, contact, now)
                except Silent as silence:
                    _note_silence(name, str(silence), now)
                    return


def _open(names: list[str]) -> QuerySet[WitnessContact]:
    """Where there is something to cosign."""
    newer = Checkpoint.objects.filter(system=OuterRef("system"), size__gt=OuterRef("size"))
    contacts = WitnessContact.objects.filter(Exists(newer), witness__in=names)
    with_cause = newer.exclude(cause=CheckpointCause.INTERVAL)
    return contacts.annotate(has_cause=Exists(with_cause)).select_related("system").order_by("pk")


def _is_due(contact: WitnessContact, now: dt.datetime) -> bool:
    if contact.claimed_until is not None and contact.claimed_until > now:
        return False
    has_cause = contact.has_cause  # type: ignore[attr-defined]
    return _is_time(contact, now) or (has_cause and not contact.failures)


def _is_time(contact: WitnessContact, now: dt.datetime) -> bool:
    """Whether it was not asked for so long, and longer where it does not answer."""
    wait = settings.WITNESS_EVERY_S * 2 ** min(max(contact.failures - 1, 0), 20)
    since = now - dt.timedelta(seconds=min(wait, max(LONGEST_WAIT_S, settings.WITNESS_EVERY_S)))
    return contact.asked_at is None or contact.asked_at <= since


def _claim(contact: WitnessContact, now: dt.datetime) -> bool:
    """Whether this worker asks; others leave it alone."""
    free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    rows = WitnessContact.objects.filter(free, pk=contact.pk)
    return rows.update(claimed_until=now + CLAIM, asked_at=now) == 1


def _ask(witness: Witness, contact: WitnessContact, now: dt.datetime) -> None:
    until = time.monotonic() + LONGEST_S
    try:
        while time.monotonic() < until and (checkpoint := _next(contact, now)) is not None:
            _have_cosigned(witness, contact, checkpoint)
            if checkpoint.cause == CheckpointCause.INTERVAL:
                break
    except Refused as refusal:
        _note_refusal(contact, str(refusal), now)
    else:
        contact.failures, contact.failing_since, contact.fault = 0, None, ""
    contact.claimed_until = None
    contact.save(update_fields=["size", "claimed_until", "failures", "failing_since", "fault"])


def _next(contact: WitnessContact, now: dt.datetime) -> Checkpoint | None:
    """What the witness is to cosign next; None: nothing for now."""
    rows = Checkpoint.objects.filter(system=contact.system_id, size__gt=contact.size)
    rows = rows.only("system", "size", "note", "cause")
    with_cause = rows.exclude(cause=CheckpointCause.INTERVAL).order_by("size")
    if (oldest := with_cause.first()) is not None:
        return oldest
    return rows.order_by("-size").first() if _is_time(contact, now) else None


def _have_cosigned(witness: Witness, contact: WitnessContact, checkpoint: Checkpoint) -> None:
    """Send it, from where the witness says that it stands; keep the cosignature.

    Refused where it does not cosign, Silent where it says nothing that can be understood.
    """
    for _ in range(_ATTEMPTS):
        request = _request(checkpoint, contact.size)
        reply = witness_client.ask(f"{witness.url}/add-checkpoint", request)
        if reply.status == COSIGNED:
            break
        size = _size(reply)
        if size is None or size == contact.size:
            _refuse(witness, checkpoint, reply)
        if size > checkpoint.size:
            checkpoint = _newest(witness, checkpoint, size, reply)
        contact.size = size
    lines = good_lines(checkpoint.note, reply.text, witness.keys)
    if reply.status != COSIGNED or not lines:
        raise Refused("its cosignature is not good")
    contact.size = checkpoint.size
    _keep(witness, checkpoint, reply.status, lines)


def _request(checkpoint: Checkpoint, size: int) -> bytes:
    """The body of `add-checkpoint`: the log has grown from that size."""
    path = merkle.consistency_proof(size, checkpoint.size, Tree(checkpoint).find)
    lines = [f"old {size}", *(base64.b64encode(step).decode() for step in path)]
    return ("\n".join(lines) + "\n\n" + checkpoint.note).encode()


def _size(reply: Reply) -> int | None:
    """The size that a witness names in a conflict."""
    match = _SIZE.match(reply.text) if reply.status == CONFLICT else None
    return int(match[1]) if match else None


def _newest(witness: Witness, checkpoint: Checkpoint, size: int, reply: Reply) -> Checkpoint:
    """The newest checkpoint; Refused where the witness has cosigned more than there is."""
    newest = checkpoints.latest(checkpoint.system)
    if newest is None or newest.size < size:
        _refuse(witness, checkpoint, reply, f"it has cosigned {size} blocks, there are fewer")
    return newest


def _refuse(witness: Witness, checkpoint: Checkpoint, reply: Reply, why: str = "") -> NoReturn:
    """Silent where it is no word about the log; else the refusal is kept, and Refused raised."""
    if not 400 <= reply.status < 500 or reply.status in (408, 429):
        raise Silent(f"{witness.name} answers {reply.status}")
    before = WitnessAnswer.objects.filter(
        witness=witness.name, checkpoint__system=checkpoint.system_id
    )
    last = before.order_by("-pk").values_list("status", flat=True).first()
    if last != reply.status:
        origin = checkpoint.note.partition("\n")[0]
        latest = _latest(f"{witness.url}/{hashlib.sha256(origin.encode()).hexdigest()}/checkpoint")
        _keep(witness, checkpoint, reply.status, why or reply.text[:2000], latest)
    raise Refused(why or " ".join(reply.text.split())[:500])


def _latest(url: str) -> str:
    """The checkpoint that the witness gives out as the last one that it cosigned."""
    try:
        reply = witness_client.ask(url)
    except Silent:
        return ""
    return reply.text if reply.status == COSIGNED else ""


def _keep(
    witness: Witness, checkpoint: Checkpoint, status: int, text: str, latest: str = ""
) -> None:
    answer = WitnessAnswer(
        checkpoint=checkpoint,
        witness=witness.name,
        at=timezone.now(),
        status=status,
        text=text,
        latest=latest,
    )
    WitnessAnswer.objects.bulk_create([answer], ignore_conflicts=True)


def _note_refusal(contact: WitnessContact, why: str, now: dt.datetime) -> None:
    contact.failures += 1
    contact.failing_since = contact.failing_since or now
    contact.fault = why
    raise_alarm(
        ALARM,
        f"{contact.system.code} {contact.witness}",
        OrderAlarm.WITNESS_REFUSES
        % {"witness": contact.witness, "system": contact.system.name, "why": why},
        contact.system,
    )


def _note_silence(name: str, why: str, now: dt.datetime) -> None:
    """It is the witness that is away: the other systems need not find out for themselves."""
    long = now - dt.timedelta(seconds=settings.WITNESS_SILENT_AFTER_S)
    for contact in WitnessContact.objects.filter(witness=name).select_related("system__casino"):
        contact.failures += 1
        contact.failing_since = contact.failing_since or now
        contact.fault, contact.asked_at, contact.claimed_until = why, now, None
        contact.save(
            update_fields=["failures", "failing_since", "fault", "asked_at", "claimed_until"]
        )
        if contact.failing_since <= long:
            raise_alarm(
                ALARM,
                f"{contact.system.code} {name}",
                OrderAlarm.WITNESS_SILENT
                % {
                    "witness": name,
                    "since": contact.system.casino.local_minute(contact.failing_since),
                    "why": why,
                    "system": contact.system.name,
                },
                contact.system,
            )
