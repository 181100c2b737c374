"""Shift handovers, signed by two people."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_SIGNED = """
CREATE FUNCTION handover_is_signed_by_both() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.at := clock_timestamp();
    IF (SELECT count(*) FROM auth_user
        WHERE is_active AND id IN (NEW.outgoing_id, NEW.incoming_id)) <> 2
    THEN
        RAISE EXCEPTION 'two_people: a handover is signed by two people who may log in'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER handover_is_signed_by_both BEFORE INSERT ON settlement_handover
    FOR EACH ROW EXECUTE FUNCTION handover_is_signed_by_both();
ALTER TABLE settlement_handover ENABLE ALWAYS TRIGGER handover_is_signed_by_both;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0015_slips"),
        ("tables", "0006_firmer_guards"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Handover",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("remarks", models.CharField(blank=True, max_length=2000)),
                ("body", models.JSONField()),
                ("at", models.DateTimeField()),
                ("key", models.UUIDField(unique=True)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="handovers",
                        to="tables.casino",
                    ),
                ),
                (
                    "incoming",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "outgoing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outgoing", models.F("incoming")), _negated=True),
                        name="handover_takes_two_people",
                    )
                ],
            },
        ),
        append_only("settlement_handover"),
        migrations.RunSQL(
            _SIGNED,
            "DROP TRIGGER handover_is_signed_by_both ON settlement_handover;"
            " DROP FUNCTION handover_is_signed_by_both();",
        ),
    ]
