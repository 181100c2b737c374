"""What could not be recorded is kept with its reason, within bounds.

A unit gone mad must not fill the disk: of one unit at most `ROWS_A_MINUTE` messages a minute are
kept, and a day has its bounds as well (`tables.intake.quarantine_quota`); what is beyond is only
counted, also in an alarm. Messages of unknown units share one allowance.
A message that is not kept is not held either: it gets no result in the receipt, and its unit
sends it again later. Conflicts are evidence of tampering or of a broken counter and have as large
an allowance of their own, which no noise uses up; they are answered in any case, since the first
message of their identity is held. The same bytes under the same identity are kept once, however
often they come.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Sequence

from django.db.models import Count, Q

from tables.alarms import raise_alarm
from tables.intake import quarantine_quota
from tables.models import Quarantine
from tables.protocol.decode import Refused
from tables.protocol.table_ref import TableRef

ROWS_A_MINUTE = 120  # of a unit; as many conflicts
CONFLICT = "conflict"

Allowance = tuple[int | None, bool]  # whose (a table id), and whether for conflicts

_TOPIC_CHARACTERS = 200
_EXPLANATION_CHARACTERS = 500


def keep(refusals: Sequence[Refused], now: dt.datetime) -> list[Refused]:
    """Store refused messages; those to be answered: stored now or before, and all conflicts."""
    if not refusals:
        return []
    stored = _stored_identities(refusals)
    room = _room(refusals, now)
    days = quarantine_quota.of(map(_allowance, refusals), now)
    rows, answered, beyond = [], [], []
    for refused in refusals:
        identity = _identity(refused)
        if identity is not None and identity in stored:
            answered.append(refused)
            continue
        allowance = _allowance(refused)
        day = days[allowance[0] or quarantine_quota.UNKNOWN_UNITS, allowance[1]]
        if room[allowance] <= 0 or not quarantine_quota.has_room(day):
            quarantine_quota.drop(day, refused.message.sha256)
            beyond.append(refused)
            continue
        room[allowance] -= 1
        rows.append(_row(refused, quarantine_quota.kept_of(day, refused.message.body), now))
        answered.append(refused)
        if identity is not None:
            stored.add(identity)
    Quarantine.objects.bulk_create(rows)
    quarantine_quota.save(days.values())
    _raise_alarms(answered, beyond)
    return answered + [refused for refused in beyond if refused.reason == CONFLICT]


def plain(text: str, length: int) -> str:
    """Foreign text that the database can store: no NUL, no lone surrogate, not long."""
    return text[:length].replace("\x00", "\ufffd").encode(errors="replace").decode()


def _unit(refused: Refused) -> int | None:
    return refused.table_ref.table_id if refused.table_ref else None


def _allowance(refused: Refused) -> Allowance:
    return _unit(refused), refused.reason == CONFLICT


def _identity(refused: Refused) -> tuple[int, int, int, bytes] | None:
    if refused.table_ref is None or refused.boot is None or refused.seq is None:
        return None
    return refused.table_ref.table_id, refused.boot, refused.seq, refused.message.sha256


def _stored_identities(refusals: Sequence[Refused]) -> set[tuple[int, int, int, bytes]]:
    """Which of these bytes are in quarantine already."""
    identities = [one for one in map(_identity, refusals) if one is not None]
    if not identities:
        return set()
    rows = Quarantine.objects.filter(
        table_id__in={table for table, *_ in identities},
        boot__in={boot for _, boot, *_ in identities},
        seq__in={seq for _, _, seq, _ in identities},
    ).values_list("table_id", "boot", "seq", "sha256")
    return {
        (table, boot, seq, bytes(digest))
        for table, boot, seq, digest in rows
        if table is not None and boot is not None and seq is not None
    }


def _room(refusals: Sequence[Refused], now: dt.datetime) -> dict[Allowance, int]:
    """How many more rows each unit may have this minute."""
    room: dict[Allowance, int] = defaultdict(lambda: ROWS_A_MINUTE)
    since = now - dt.timedelta(minutes=1)
    recent = Quarantine.objects.filter(received_at__gt=since)
    units = {_unit(refused) for refused in refusals}
    stored_rows = recent.filter(table_id__in=units - {None})
    if None in units:
        stored_rows |= recent.filter(table=None)
    counted = stored_rows.values("table_id", is_conflict=Q(reason=CONFLICT)).annotate(
        rows=Count("id")
    )
    for row in counted:
        room[row["table_id"], row["is_conflict"]] -= row["rows"]
    return room


def _row(refused: Refused, body: bytes, now: dt.datetime) -> Quarantine:
    return Quarantine(
        topic=plain(refused.message.topic, _TOPIC_CHARACTERS),
        table_id=_unit(refused),
        boot=refused.boot,
        seq=refused.seq,
        reason=refused.reason,
        explanation=plain(refused.explanation, _EXPLANATION_CHARACTERS),
        received_at=now,
        body=body,
        size=refused.message.size,
        sha256=refused.message.sha256,
    )


def _raise_alarms(stored_refusals: Sequence[Refused], beyond: Sequence[Refused]) -> None:
    """One alarm a unit and kind, raised in one order: two intakes may do it at once."""
    counts: Counter[tuple[str, str]] = Counter()
    last: dict[tuple[str, str], tuple[TableRef | None, str]] = {}
    for kind, refusals in (("quarantine", stored_refusals), ("quarantine_limit", beyond)):
        for refused in refusals:
            is_kept_conflict = refused.reason == CONFLICT and kind == "quarantine"
            name = "identity_conflict" if is_kept_conflict else kind
            table_ref = refused.table_ref
            subject = f"{table_ref.system}/{table_ref.table}" if table_ref else "unknown unit"
            counts[name, subject] += 1
            last[name, subject] = table_ref, _alarm_message(name, refused)
    for (kind, subject), times in sorted(counts.items()):
        table_ref, message = last[kind, subject]
        system_id = table_ref.system_id if table_ref else None
        raise_alarm(kind, subject, message, system_id=system_id, times=times)


def _alarm_message(kind: str, refused: Refused) -> str:
    explanation = plain(refused.explanation, _EXPLANATION_CHARACTERS)
    if kind == "quarantine_limit":
        return (
            f"More than {ROWS_A_MINUTE} unusable messages in a minute, or"
            f" {quarantine_quota.ROWS_A_DAY:,} in a day; what is beyond is counted here and not"
            f" kept. Check the unit. The last: {explanation}"
        )
    return f"A message was quarantined ({refused.reason}): {explanation}"
