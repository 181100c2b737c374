"""Incidents that the console finds in the order: nobody entered them, an entry shows them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("button", "Jackpot button"),
    ("handset", "Handset"),
    ("display", "Display"),
    ("unit_offline", "Unit offline"),
    ("outage", "Console or broker outage"),
    ("power", "Power"),
    ("clock", "Clock"),
    ("identity_conflict", "Identity conflict"),
    ("system_halt", "System halt"),
    ("wrong_notice", "Wrong notice"),
    ("tampering", "Suspected tampering"),
    ("procedure", "Dealer procedure"),
    ("figures", "Figures differ"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0034_large_adjustments"),
        ("jackpot", "0025_forgotten_completions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="incident",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="incidents",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AddField(
            model_name="incident",
            name="entry",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="incident",
            name="person",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="incident",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=20),
        ),
        migrations.RemoveConstraint(model_name="incident", name="incident_kind"),
        migrations.AddConstraint(
            model_name="incident",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", [kind for kind, _ in KINDS])),
                name="incident_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="incident",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("entry__isnull", False), ("kind", "figures"), ("person", None)),
                    models.Q(
                        models.Q(("kind", "figures"), _negated=True),
                        ("entry", None),
                        ("person__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="incident_of_person_or_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="incident",
            constraint=models.UniqueConstraint(
                models.F("system"), models.F("entry"), name="one_incident_an_entry"
            ),
        ),
    ]
