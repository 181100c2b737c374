"""Figures of terms that move far are typed again by both people; terms name tables that exist.

Which figures those are the services say (`settlement/figures.py`); the database asks that both typed
the same, of the roles of the running processes. That a table exists it asks of everybody: the order
keeps what is put there.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_TABLES = """
CREATE FUNCTION terms_name_known_tables() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    unknown text;
BEGIN
    SELECT named.code INTO unknown
    FROM jsonb_array_elements_text(NEW.body #> '{terms,tables}') AS named (code)
    WHERE NOT EXISTS (
        SELECT FROM tables_gamingtable g WHERE (g.system_id, g.code) = (NEW.system_id, named.code))
    ORDER BY named.code LIMIT 1;
    IF unknown IS NOT NULL THEN
        RAISE EXCEPTION 'unknown_table: command % of system % posts terms for the table %, which'
            ' does not exist', NEW.number, NEW.system_id, unknown
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER terms_name_known_tables BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (
        NEW.kind = 'put_terms' AND jsonb_typeof(NEW.body #> '{terms,tables}') = 'array')
    EXECUTE FUNCTION terms_name_known_tables();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER terms_name_known_tables;
"""
_TYPED = """
CREATE FUNCTION figures_are_typed_by_both() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT FROM settlement_proposal p
        JOIN settlement_proposaldecision d ON d.proposal_id = p.id
        LEFT JOIN settlement_retypedfigures a ON (a.proposal_id, a.person_id) = (p.id, p.person_id)
        LEFT JOIN settlement_retypedfigures b ON (b.proposal_id, b.person_id) = (p.id, d.person_id)
        WHERE p.system_id = NEW.system_id AND p.kind = NEW.kind AND d.command = NEW.number
          AND a.figures IS DISTINCT FROM b.figures
    ) THEN
        RAISE EXCEPTION 'figures: behind command % of system % two people did not type the same',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER figures_are_typed_by_both AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'put_terms')
    EXECUTE FUNCTION figures_are_typed_by_both();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER figures_are_typed_by_both;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0036_delegations"),
        ("tables", "0009_one_index_each"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RetypedFigures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("figures", models.JSONField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="retyped",
                        to="settlement.proposal",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("proposal"), models.F("person"), name="retyped_once_by_each"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TermsFactor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("factor", models.PositiveSmallIntegerField()),
                ("first", models.CharField(max_length=150)),
                ("second", models.CharField(max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="terms_factors",
                        to="tables.casino",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("factor__gte", 1)), name="factor_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("second", models.F("first")), _negated=True),
                        name="factor_takes_two_people",
                    ),
                ],
            },
        ),
        append_only("settlement_retypedfigures"),
        append_only("settlement_termsfactor"),
        migrations.RunSQL(
            _TABLES,
            "DROP TRIGGER terms_name_known_tables ON jackpot_command;"
            " DROP FUNCTION terms_name_known_tables();",
        ),
        migrations.RunSQL(
            _TYPED,
            "DROP TRIGGER figures_are_typed_by_both ON jackpot_command;"
            " DROP FUNCTION figures_are_typed_by_both();",
        ),
    ]
