"""Withheld tax that was remitted."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0004_drop"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="TaxRemittance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("remit_tax", "Remitted"), ("reverse_remittance", "Reversed")],
                        max_length=20,
                    ),
                ),
                ("amount", models.BigIntegerField()),
                ("reference", models.CharField(blank=True, max_length=100)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("command", models.BigIntegerField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("key", models.UUIDField(unique=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversed_by",
                        to="settlement.taxremittance",
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remittances",
                        to="tables.jackpotsystem",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "permissions": [("remit_tax", "Enter withheld tax that was remitted")],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("system"),
                        models.F("command"),
                        name="remittance_of_one_command",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gt", 0)), name="remittance_above_zero"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind", "remit_tax"),
                                ("reverses__isnull", True),
                                models.Q(("reference", ""), _negated=True),
                            ),
                            models.Q(
                                ("kind", "reverse_remittance"),
                                ("reverses__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="remittance_says_what_it_is",
                    ),
                ],
            },
        ),
    )
