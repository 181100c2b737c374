"""Rows that every round writes carry fewer indexes, and no constraint that asks for each row.

What they refer to is kept: events are append-only, tables and systems are held by their streams
and cursors, and an account is neither removed nor made another's from here on.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

_ACCOUNTS_STAY = migrations.RunSQL(
    sql="""
    CREATE TRIGGER account_stays BEFORE DELETE ON jackpot_account
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER account_is_itself BEFORE UPDATE OF id, system_id, code, tier_id
        ON jackpot_account
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER accounts_stay BEFORE TRUNCATE ON jackpot_account
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER account_stays;
    ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER account_is_itself;
    ALTER TABLE jackpot_account ENABLE ALWAYS TRIGGER accounts_stay;
    """,
    reverse_sql="""
    DROP TRIGGER account_stays ON jackpot_account;
    DROP TRIGGER account_is_itself ON jackpot_account;
    DROP TRIGGER accounts_stay ON jackpot_account;
    """,
)


def _foreign(to: str, **options: Any) -> Any:
    return models.ForeignKey(
        to,
        django.db.models.deletion.PROTECT,
        db_index=False,
        db_constraint=False,
        **options,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0004_continuity"),
        ("tables", "0003_closed_gap_note"),
    ]

    operations = [
        migrations.RemoveConstraint("entry", "command_posted_once"),
        migrations.RemoveConstraint("entry", "event_posted_once"),
        migrations.RemoveIndex("transfer", "transfers_of_entry"),
        migrations.RemoveIndex("transfer", "transfers_from"),
        migrations.AlterField(
            "entry",
            "event",
            models.OneToOneField(
                "tables.tableevent",
                django.db.models.deletion.PROTECT,
                db_constraint=False,
                null=True,
            ),
        ),
        migrations.AlterField("entry", "system", _foreign("tables.jackpotsystem")),
        migrations.AlterField("entry", "table", _foreign("tables.gamingtable", null=True)),
        migrations.AlterField("roundstate", "system", _foreign("tables.jackpotsystem")),
        migrations.AlterField("roundstate", "table", _foreign("tables.gamingtable")),
        migrations.AlterField(
            "transfer", "credit", _foreign("jackpot.account", related_name="credits")
        ),
        migrations.AlterField(
            "transfer", "debit", _foreign("jackpot.account", related_name="debits")
        ),
        migrations.AlterField("transfer", "system", _foreign("tables.jackpotsystem")),
        migrations.AddIndex(
            "entry",
            models.Index(
                models.F("system"),
                models.F("table"),
                models.F("boot"),
                models.F("event_seq"),
                condition=models.Q(type__in=["hand_called", "hand_reported"]),
                name="entries_of_hands",
            ),
        ),
        migrations.AddIndex(
            "transfer",
            models.Index(
                models.F("debit"),
                models.F("number"),
                condition=~models.Q(reason="contribution"),
                name="rare_transfers_from",
            ),
        ),
        migrations.AddIndex(
            "transfer",
            models.Index(
                models.F("credit"),
                models.F("number"),
                condition=~models.Q(reason="contribution"),
                name="rare_transfers_to",
            ),
        ),
        migrations.AddConstraint(
            "entry",
            models.UniqueConstraint(
                "system",
                "command",
                condition=models.Q(command__isnull=False),
                name="command_posted_once",
            ),
        ),
        _ACCOUNTS_STAY,
    ]
