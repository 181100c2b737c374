"""Metrics of the floor: what intake observes, and what the rows of the tables say."""

from prometheus_client import Counter

from tables.process.standby import MISSING
from tables.telemetry.batch_histogram import BatchHistogram
from tables.telemetry.row_metrics import RowGauge

RECORDED = BatchHistogram(
    "jackpot_press_recorded_seconds",
    "From what a unit recorded, by its clock, to the commit in the inbox; journals, too.",
)
SEND_DELAY = BatchHistogram(
    "jackpot_outbox_sent_seconds",
    "From the commit of a message to tables and displays to its handing over to the broker.",
)
TAKEN_IN = Counter(
    "jackpot_intake_messages", "What intake took in, by what became of it.", ["outcome"]
)

ROWS = [
    RowGauge(
        "jackpot_alarms_open",
        "Open alarms, by kind.",
        "SELECT kind, count(*) FROM tables_alarm WHERE cleared_at IS NULL GROUP BY kind",
        ("kind",),
    ),
    RowGauge(
        "jackpot_outbox_messages",
        "Messages to tables and displays that the broker has not acknowledged.",
        "SELECT count(*) FROM tables_outboxmessage",
    ),
    RowGauge(
        "jackpot_outbox_oldest_seconds",
        "How long the oldest of these messages has waited.",
        "SELECT coalesce((SELECT extract(epoch FROM clock_timestamp() - created)"
        " FROM tables_outboxmessage ORDER BY id LIMIT 1), 0)",
    ),
    RowGauge(
        "jackpot_units_in_service",
        "Tables in service, by jackpot system.",
        "SELECT s.code, count(*) FROM tables_gamingtable t"
        " JOIN tables_jackpotsystem s ON s.id = t.system_id WHERE t.in_service GROUP BY s.code",
        ("system",),
    ),
    RowGauge(
        "jackpot_units_silent",
        "Tables in service whose unit was offline or not heard for UNIT_SILENT_AFTER_S.",
        "SELECT s.code, count(*) FILTER (WHERE NOT coalesce(p.online, false) OR p.heard_at"
        " < clock_timestamp() - make_interval(secs => %(UNIT_SILENT_AFTER_S)s))"
        " FROM tables_gamingtable t JOIN tables_jackpotsystem s ON s.id = t.system_id"
        " LEFT JOIN tables_unitpresence p ON p.table_id = t.id"
        " WHERE t.in_service GROUP BY s.code",
        ("system",),
        ("UNIT_SILENT_AFTER_S",),
    ),
    RowGauge(
        "jackpot_gaps_open",
        "Streams of units in which something is missing.",
        "SELECT s.code, count(*) FROM tables_stream stream"
        " JOIN tables_jackpotsystem s ON s.id = stream.system_id WHERE NOT stream.settled"
        " AND NOT stream.discarded AND stream.last_seq > stream.committed_seq GROUP BY s.code",
        ("system",),
    ),
    RowGauge(
        "jackpot_quarantined_today",
        "Unusable messages since midnight UTC, kept or only counted.",
        "SELECT coalesce(sum(rows + dropped), 0) FROM tables_quarantineday"
        " WHERE day = (now() AT TIME ZONE 'UTC')::date",
    ),
    RowGauge(
        "jackpot_standby_missing",
        "1: commits should be on two disks (DATABASE_STANDBY), and there is no standby.",
        MISSING,
        settings=("DATABASE_STANDBY",),
    ),
]
