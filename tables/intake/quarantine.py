"""What could not be recorded is kept with its reason, within bounds.

A unit gone mad must not fill the disk: of one unit at most `ROWS_A_MINUTE` messages a minute are
kept, and a day has its bounds as well (`tables.intake.quarantine_quota`); what is beyond is only
counted, also in an alarm. Messages of unknown units share one allowance.
A message that is not kept is not held either: it gets no result in the receipt, and its unit
sends it again later. Conflicts are evidence of tampering or of a broken counter and have as large
an allowance of their own, which no noise uses up; they are answered in any case, since the first
message of their identity is held. The same bytes under the same identity are kept once, however
often they come.

Two intakes each hear a copy. What another one has kept gets no second row and counts in no alarm
again; of bytes without an identity, which a unit may well say twice, that is what another one kept
within a day. What is beyond the bounds leaves no row to know it by, and is counted by each.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet

from tables.alarms import FloorAlarm, raise_alarm
from tables.intake import quarantine_quota
from tables.models import Quarantine
from tables.protocol.decode import Refused
from tables.protocol.table_ref import TableRef

ROWS_A_MINUTE = 120  # of a unit; as many conflicts
CONFLICT = "conflict"

Allowance = tuple[int | None, bool]  # whose (a table id), and whether for conflicts
# Table id, boot, seq and SHA-256; where the counters cannot be read, table id, topic and SHA-256.
Identity = tuple[int, int, int, bytes] | tuple[int | None, str, bytes]
_COPIES_FOR = dt.timedelta(days=1)

_TOPIC_CHARACTERS = 200
_EXPLANATION_CHARACTERS = 500


class QuarantineOutcome(NamedTuple):
    """What became of refused messages."""

    answers: list[Refused]  # stored now or before, and all conflicts
    copies: int  # of these, which another intake had kept


def keep(refusals: Sequence[Refused], now: dt.datetime, intake: str = "") -> QuarantineOutcome:
    """Store refused messages that this intake heard."""
    if not refusals:
        return QuarantineOutcome([], 0)
    # Locks the days of these units first: of two intakes the second one sees the first one's rows.
    days = quarantine_quota.of(map(_allowance, refusals), now)
    stored = _stored_by(refusals, now, intake)
    room = _room(refusals, now)
    rows: list[Quarantine] = []
    answers, copies, beyond = list[Refused](), list[Refused](), list[Refused]()
    for refused in refusals:
        identity = _identity(refused)
        if identity in stored:
            is_copy = stored[identity] not in ("", intake)
            (copies if is_copy else answers).append(refused)
            continue
        allowance = _allowance(refused)
        day = days[allowance[0] or quarantine_quota.UNKNOWN_UNITS, allowance[1]]
        if room[allowance] <= 0 or not quarantine_quota.has_room(day):
            quarantine_quota.drop(day, refused.message.sha256)
            beyond.append(refused)
            continue
        room[allowance] -= 1
        kept_body = quarantine_quota.kept_of(day, refused.message.body)
        rows.append(_row(refused, kept_body, now, intake))
        answers.append(refused)
        if _has_counters(refused):
            stored[identity] = intake
    Quarantine.objects.bulk_create(rows)
    quarantine_quota.save(days.values())
    _raise_alarms(answers, beyond)
    conflicts = [refused for refused in beyond if refused.reason == CONFLICT]
    return QuarantineOutcome([*answers, *copies, *conflicts], len(copies))


def plain(text: str, length: int) -> str:
    """Foreign text that the database can store: no NUL, no lone surrogate, not long."""
    return text[:length].replace("\x00", "\ufffd").encode(errors="replace").decode()


def _unit(refused: Refused) -> int | None:
    return refused.table_ref.table_id if refused.table_ref else None


def _allowance(refused: Refused) -> Allowance:
    return _unit(refused), refused.reason == CONFLICT


def _has_counters(refused: Refused) -> bool:
    return None not in (refused.table_ref, refused.boot, refused.seq)


def _identity(refused: Refused) -> Identity:
    digest = refused.message.sha256
    if refused.table_ref is None or refused.boot is None or refused.seq is None:
        return _unit(refused), _topic(refused), digest
    return refused.table_ref.table_id, refused.boot, refused.seq, digest


def _topic(refused: Refused) -> str:
    return plain(refused.message.topic, _TOPIC_CHARACTERS)


def _stored_by(refusals: Sequence[Refused], now: dt.datetime, intake: str) -> dict[Identity, str]:
    """Which of these bytes are in quarantine already, and which intake kept them; of those without
    counters only what another one kept recently.
    """
    counted = [refused for refused in refusals if _has_counters(refused)]
    stored: dict[Identity, str] = {}
    if counted:
        held = Quarantine.objects.filter(
            table_id__in={_unit(refused) for refused in counted},
            boot__in={refused.boot for refused in counted},
            seq__in={refused.seq for refused in counted},
        )
        stored |= {
            (unit or 0, boot or 0, seq or 0, bytes(digest)): kept_by
            for unit, boot, seq, digest, kept_by in held.values_list(
                "table_id", "boot", "seq", "sha256", "intake"
            )
        }
    if len(counted) < len(refusals) and intake:
        others = _of_units(refusals, now - _COPIES_FOR).exclude(intake__in=("", intake))
        digests = {refused.message.sha256 for refused in refusals}
        stored |= {
            (unit, topic, bytes(digest)): kept_by
            for unit, topic, digest, kept_by in others.filter(sha256__in=digests).values_list(
                "table_id", "topic", "sha256", "intake"
            )
        }
    return stored


def _of_units(refusals: Sequence[Refused], since: dt.datetime) -> QuerySet[Quarantine]:
    """What is kept of these units since then."""
    recent = Quarantine.objects.filter(received_at__gt=since)
    units = {_unit(refused) for refused in refusals}
    stored_rows = recent.filter(table_id__in=units - {None})
    return stored_rows | recent.filter(table=None) if None in units else stored_rows


def _room(refusals: Sequence[Refused], now: dt.datetime) -> dict[Allowance, int]:
    """How many more rows each unit may have this minute."""
    room: dict[Allowance, int] = defaultdict(lambda: ROWS_A_MINUTE)
    recent = _of_units(refusals, now - dt.timedelta(minutes=1))
    counted = recent.values("table_id", is_conflict=Q(reason=CONFLICT)).annotate(rows=Count("id"))
    for row in counted:
        room[row["table_id"], row["is_conflict"]] -= row["rows"]
    return room


def _row(refused: Refused, body: bytes, now: dt.datetime, intake: str) -> Quarantine:
    return Quarantine(
        topic=_topic(refused),
        table_id=_unit(refused),
        boot=refused.boot,
        seq=refused.seq,
        reason=refused.reason,
        explanation=plain(refused.explanation, _EXPLANATION_CHARACTERS),
        received_at=now,
        body=body,
        size=refused.message.size,
        sha256=refused.message.sha256,
        intake=intake,
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
        return FloorAlarm.FLOOD % {
            "most": ROWS_A_MINUTE,
            "a_day": f"{quarantine_quota.ROWS_A_DAY:,}",
            "explanation": explanation,
        }
    return FloorAlarm.QUARANTINED % {"code": refused.reason, "explanation": explanation}
