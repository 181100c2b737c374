"""Missing events that will never come: declared lost by the unit, or given up by a person."""

from collections.abc import Iterable

from django.db import connection, transaction

from tables.intake.boots.watermark import go_past, lock_stream
from tables.models import ClosedGap, GamingTable, Quarantine, Stream, TableEvent
from tables.protocol.decode import NOT_HELD, Decoded
from tables.protocol.messages import EventsLost
from tables.protocol.table_ref import table_ref_of

BY_UNIT = "unit"
LOOKED_AT = 2000  # held events behind the first missing one


def declare_lost(recorded: Iterable[Decoded]) -> None:
    """Close the gaps that newly recorded `events_lost` name; their streams are locked."""
    gaps = []
    for decoded in recorded:
        event = decoded.event
        if not isinstance(event, EventsLost):
            continue
        gaps.append(
            ClosedGap(
                system_id=decoded.table_ref.system_id,
                table_id=decoded.table_ref.table_id,
                boot=event.boot,
                from_seq=event.from_seq,
                to_seq=event.to_seq,
                closed_by=BY_UNIT,
            )
        )
    ClosedGap.objects.bulk_create(gaps)


def missing_of(stream: Stream) -> list[tuple[int, int]]:
    """What is missing of a boot among what is held of it, first to last of each hole.

    It looks at so many held events behind the first hole, however long the boot has gone on.
    """
    committed = stream.committed_seq
    of_boot = {"table": stream.table_id, "boot": stream.boot, "seq__gt": committed}
    recorded = TableEvent.objects.filter(system=stream.system_id, **of_boot)
    quarantined = Quarantine.objects.filter(**of_boot).exclude(reason__in=NOT_HELD)
    seqs: list[list[int]] = [
        list(recorded.order_by("seq").values_list("seq", flat=True)[:LOOKED_AT]),
        [
            seq
            for seq in quarantined.order_by("seq").values_list("seq", flat=True)[:LOOKED_AT]
            if seq is not None
        ],
    ]
    closed = ClosedGap.objects.filter(table=stream.table_id, boot=stream.boot, to_seq__gt=committed)
    # Behind the end of a list that was cut short nothing is known.
    through = min(
        (numbers[-1] for numbers in seqs if len(numbers) == LOOKED_AT), default=stream.last_seq
    )
    held = [(seq, seq) for numbers in seqs for seq in numbers]
    held += closed.values_list("from_seq", "to_seq")
    missing, before = [], committed
    for from_seq, to_seq in sorted(held):
        if from_seq > through:
            break
        if from_seq > before + 1:
            missing.append((before + 1, from_seq - 1))
        before = max(before, to_seq)
    return missing


@transaction.atomic
def close_gap(table: GamingTable, boot: int, to_seq: int, closed_by: str, note: str = "") -> int:
    """A person gives up the missing events of a boot up to `to_seq`; the new committed seq.

    ValueError when nothing is missing there: a gap lies below an event that is held, so that a
    slip of the finger cannot cover events which the unit has still to send.
    """
    table_ref = table_ref_of(table)
    held = lock_stream(table_ref, boot)
    if held is None:
        raise ValueError(f"No event is missing there: nothing was heard of boot {boot}.")
    if not held.committed_seq < to_seq < held.last_seq:
        raise ValueError(
            f"No event is missing there: boot {boot} is held up to {held.committed_seq},"
            f" the last event heard is {held.last_seq}."
        )
    ClosedGap.objects.create(
        system_id=table_ref.system_id,
        table=table,
        boot=boot,
        from_seq=held.committed_seq + 1,
        to_seq=to_seq,
        closed_by=closed_by,
        note=note,
    )
    go_past(held)
    with connection.cursor() as cursor:  # the database says it: the web process writes no receipts
        cursor.execute("SELECT tell_what_is_held(%s)", [held.id])
    return held.committed_seq
