"""Metrics of people and payment, as the rows say them. No label is a name of a person."""

from settlement.people.factors import missing_factors
from tables.telemetry.row_metrics import RowGauge

ROWS = [
    RowGauge(
        "jackpot_claims_waiting",
        "Claims that wait for a person: held ones for a decision, confirmed ones for payment.",
        "SELECT s.code, h.state, count(*) FROM jackpot_hit h"
        " JOIN tables_jackpotsystem s ON s.id = h.system_id"
        " WHERE h.state IN ('held', 'confirmed') GROUP BY s.code, h.state",
        ("system", "state"),
    ),
    RowGauge(
        "jackpot_claim_oldest_seconds",
        "Since the hand of the oldest claim that somebody may decide on and nobody did.",
        "SELECT s.code, extract(epoch FROM clock_timestamp() - min(h.at)) FROM jackpot_hit h"
        " JOIN tables_jackpotsystem s ON s.id = h.system_id WHERE h.state = 'held'"
        " AND (h.strength IS NULL OR h.closing IS NOT NULL)"
        " AND NOT jsonb_path_exists(h.stops, '$[*] ? (@.lifted == null)') GROUP BY s.code",
        ("system",),
    ),
    RowGauge(
        "jackpot_reconciliation_age_seconds",
        "Since the last reconciliation of the system.",
        "SELECT s.code, extract(epoch FROM clock_timestamp() - r.at) FROM tables_jackpotsystem s"
        " CROSS JOIN LATERAL (SELECT at FROM settlement_reconciliation r"
        " WHERE r.system_id = s.id ORDER BY id DESC LIMIT 1) r",
        ("system",),
    ),
    RowGauge(
        "jackpot_reconciliation_differences",
        "Differences that the last reconciliation of the system found.",
        "SELECT s.code, jsonb_array_length(r.differences) FROM tables_jackpotsystem s"
        " CROSS JOIN LATERAL (SELECT differences FROM settlement_reconciliation r"
        " WHERE r.system_id = s.id ORDER BY id DESC LIMIT 1) r",
        ("system",),
    ),
    RowGauge(
        "jackpot_webhook_deliveries",
        "Deliveries of webhooks that wait, or were given up within a day.",
        "SELECT state, count(*) FROM settlement_webhookdelivery WHERE state = 'waiting'"
        " OR (state = 'dead' AND ended_at > now() - interval '1 day') GROUP BY state",
        ("state",),
    ),
    RowGauge(
        "jackpot_webhook_oldest_seconds",
        "How long the oldest delivery of a webhook has waited.",
        "SELECT coalesce(extract(epoch FROM clock_timestamp() - min(wanted_at)), 0)"
        " FROM settlement_webhookdelivery WHERE state = 'waiting'",
    ),
    RowGauge(
        "jackpot_notifications_waiting",
        "Mails and push messages that wait, some for the end of quiet hours.",
        "SELECT count(*) FROM settlement_notificationdelivery WHERE state = 'waiting'",
    ),
    RowGauge(
        "jackpot_notification_due_seconds",
        "How long the oldest of them is overdue.",
        "SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(next_at)), 0), 0)"
        " FROM settlement_notificationdelivery WHERE state = 'waiting'",
    ),
    RowGauge(
        "jackpot_exports",
        "Files of reports that wait or are written.",
        "SELECT state, count(*) FROM settlement_reportexport"
        " WHERE state IN ('waiting', 'running') GROUP BY state",
        ("state",),
    ),
    RowGauge(
        "jackpot_export_stuck_seconds",
        "Since the oldest of them was asked for, or the worker last said that it writes it.",
        "SELECT coalesce(extract(epoch FROM clock_timestamp() - min(coalesce(alive_at, at))), 0)"
        " FROM settlement_reportexport WHERE state IN ('waiting', 'running')",
    ),
    RowGauge(
        "jackpot_incidents_open",
        "Incidents that nobody resolved, by kind.",
        "SELECT i.kind, count(*) FROM settlement_incident i LEFT JOIN settlement_incidentend e"
        " ON e.incident_id = i.id WHERE e.id IS NULL GROUP BY i.kind",
        ("kind",),
    ),
    RowGauge(
        "jackpot_factors_missing",
        "People without the second factor that their role needs, by role.",
        missing_factors.BY_ROLE,
        ("kind",),
        ("SECOND_FACTOR_DEMANDED",),
    ),
]
