"""Metrics of order and money: what poster and displays observe, and what the rows say."""

from prometheus_client import Histogram

from tables.telemetry.batch_histogram import BOUNDS, BatchHistogram
from tables.telemetry.row_metrics import RowGauge

SEQUENCED = BatchHistogram(
    "jackpot_recorded_sequenced_seconds",
    "From the recording of an event in the inbox to the commit of its place in the order.",
)
# Of each display message that changed: of the oldest entry that the one before did not show.
DISPLAYED = Histogram(
    "jackpot_sequenced_displayed_seconds",
    "From the place of an entry in the order to the first display message that shows it.",
    buckets=BOUNDS,
)
PRESS_DISPLAYED = Histogram(
    "jackpot_press_displayed_seconds",
    "From what a unit recorded, by its clock, to the first display message that shows it.",
    buckets=BOUNDS,
)

ROWS = [
    RowGauge(
        "jackpot_system_halted",
        "1: posting of the system stopped.",
        "SELECT s.code, (h.halted_at IS NOT NULL)::integer FROM jackpot_head h"
        " JOIN tables_jackpotsystem s ON s.id = h.system_id",
        ("system",),
    ),
    RowGauge(
        "jackpot_system_sequence",
        "The newest number of the order.",
        "SELECT s.code, h.seq FROM jackpot_head h"
        " JOIN tables_jackpotsystem s ON s.id = h.system_id",
        ("system",),
    ),
    RowGauge(
        "jackpot_input_waiting",
        "Events of the inbox that nothing stands before, and that have no place yet.",
        "SELECT s.code, coalesce(sum(stream.committed_seq - c.through)"
        " FILTER (WHERE stream.committed_seq > c.through), 0)"
        " FROM tables_jackpotsystem s"
        " JOIN tables_stream stream ON stream.system_id = s.id AND NOT stream.settled"
        " CROSS JOIN LATERAL (SELECT coalesce(max(c.through), 0) AS through FROM jackpot_cursor c"
        " WHERE (c.system_id, c.table_id, c.boot)"
        " = (stream.system_id, stream.table_id, stream.boot)) c GROUP BY s.code",
        ("system",),
    ),
    RowGauge(
        "jackpot_commands_waiting",
        "What people decided and the writer has not taken yet.",
        "SELECT s.code, q.last_number - q.taken FROM jackpot_commandqueue q"
        " JOIN tables_jackpotsystem s ON s.id = q.system_id",
        ("system",),
    ),
    RowGauge(
        "jackpot_command_oldest_seconds",
        "How long the oldest of these has waited.",
        "SELECT s.code, extract(epoch FROM clock_timestamp() - c.issued_at)"
        " FROM jackpot_commandqueue q JOIN tables_jackpotsystem s ON s.id = q.system_id"
        " JOIN jackpot_command c ON (c.system_id, c.number) = (q.system_id, q.taken + 1)"
        " WHERE q.last_number > q.taken",
        ("system",),
    ),
    RowGauge(
        "jackpot_display_age_seconds",
        "Since the last display message of the system.",
        "SELECT s.code, extract(epoch FROM clock_timestamp() - p.at) FROM jackpot_displaypulse p"
        " JOIN tables_jackpotsystem s ON s.id = p.system_id",
        ("system",),
    ),
    RowGauge(
        "jackpot_displays_dark",
        "Open tables whose displays have read nothing back for DISPLAY_DARK_AFTER_S.",
        "SELECT s.code, count(*) FROM jackpot_displaysilence d"
        " JOIN tables_gamingtable t ON t.id = d.table_id"
        " JOIN tables_jackpotsystem s ON s.id = t.system_id"
        " WHERE d.until > clock_timestamp() - interval '1 minute'"
        " AND d.until - d.since > make_interval(secs => %(DISPLAY_DARK_AFTER_S)s) GROUP BY s.code",
        ("system",),
        ("DISPLAY_DARK_AFTER_S",),
    ),
    RowGauge(
        "jackpot_skipped_entries",
        "Entries that two people skipped, ever.",
        "SELECT s.code, count(*) FROM jackpot_setaside a"
        " JOIN tables_jackpotsystem s ON s.id = a.system_id GROUP BY s.code",
        ("system",),
    ),
    RowGauge(
        "jackpot_blocks_unsigned",
        "Blocks that no checkpoint covers, where checkpoints are made.",
        "SELECT s.code, h.block_number - c.size FROM jackpot_head h"
        " JOIN tables_jackpotsystem s ON s.id = h.system_id"
        " CROSS JOIN LATERAL (SELECT size FROM jackpot_checkpoint c WHERE c.system_id = s.id"
        " ORDER BY size DESC LIMIT 1) c",
        ("system",),
    ),
    RowGauge(
        "jackpot_witness_silent_seconds",
        "For how long the witness that has failed for the longest has not answered.",
        "SELECT s.code, coalesce(max(extract(epoch FROM clock_timestamp() - w.failing_since)), 0)"
        " FROM jackpot_witnesscontact w JOIN tables_jackpotsystem s ON s.id = w.system_id"
        " GROUP BY s.code",
        ("system",),
    ),
]
