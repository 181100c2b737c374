"""Rounds that are void, cancelled or credited as missed: the figures that were credited are kept.

Of rounds completed before this they are read from the events, as the fold reads them.
"""

from django.db import migrations, models

_FIGURES = """
    UPDATE jackpot_roundstate r
    SET uncalled = CASE WHEN said.uncalled <= 1000000000 THEN said.uncalled * said.unit END,
        commission = CASE WHEN said.commission <= 1000000000 THEN said.commission * said.unit END,
        taken = CASE WHEN said.taken <= 1000000000 THEN said.taken * said.unit END
    FROM (
        SELECT n.system_id, n.table_id, n.round, n.seq, (told ->> 'uncalled')::bigint AS uncalled,
               (told ->> 'commission')::bigint AS commission,
               (told ->> 'jackpot_drop')::bigint AS taken,
               (10 ^ (6 - c.minor_digits))::bigint AS unit
        FROM jackpot_entry n
        JOIN tables_tableevent e ON e.id = n.event_id
        JOIN tables_jackpotsystem s ON s.id = n.system_id
        JOIN tables_casino c ON c.id = s.casino_id
        CROSS JOIN LATERAL (SELECT convert_from(e.body, 'UTF8')::jsonb AS told) event
        WHERE n.type = 'round_completed' AND NOT n.outcome ? 'set_aside'
    ) said
    WHERE (r.system_id, r.table_id, r.round, r.completed)
        = (said.system_id, said.table_id, said.round, said.seq)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0010_closing_tiers"),
        ("tables", "0006_firmer_guards"),
    ]

    operations = [
        *(
            migrations.AddField("roundstate", name, models.BigIntegerField(null=True))
            for name in ("cancelled", "uncalled", "commission", "taken")
        ),
        migrations.AddField("roundstate", "priced", models.SmallIntegerField(null=True)),
        migrations.AddIndex(
            "roundstate",
            models.Index(
                models.F("system"),
                models.F("table"),
                models.F("round"),
                name="rounds_unpressed",
                condition=models.Q(("priced", None), ("started", None), ("void", None)),
            ),
        ),
        migrations.AddIndex(
            "entry",
            models.Index(
                models.F("system"),
                models.F("seq"),
                name="entries_of_requests",
                condition=models.Q(
                    ("type__in", ["rounds_missed", "void_requested", "hand_withdrawn"])
                ),
            ),
        ),
        migrations.RunSQL(_FIGURES, migrations.RunSQL.noop),
    ]
