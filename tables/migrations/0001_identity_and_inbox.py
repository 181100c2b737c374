"""Identity of casinos, systems and tables; inbox, quarantine, readings, alarms."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import tables.models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Casino",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        max_length=32,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9-]{1,32}\\Z",
                                "Use 1 to 32 of: small letters, digits, hyphens.",
                            )
                        ],
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("timezone", models.CharField(default="UTC", max_length=64)),
                ("currency", models.CharField(max_length=3)),
                ("minor_digits", models.PositiveSmallIntegerField(default=2)),
                ("day_starts", models.TimeField(default="06:00")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("minor_digits__lte", 2)), name="casino_minor_digits"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JackpotSystem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        max_length=32,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9-]{1,32}\\Z",
                                "Use 1 to 32 of: small letters, digits, hyphens.",
                            )
                        ],
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("era", models.PositiveIntegerField(default=1)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="systems",
                        to="tables.casino",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="GamingTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        max_length=32,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9-]{1,32}\\Z",
                                "Use 1 to 32 of: small letters, digits, hyphens.",
                            )
                        ],
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("in_service", models.BooleanField(default=True)),
                (
                    "mac_key",
                    models.CharField(
                        blank=True,
                        max_length=128,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A([0-9a-fA-F]{2}){16,64}\\Z",
                                "Use 32 to 128 hexadecimal digits, an even number.",
                            )
                        ],
                    ),
                ),
                (
                    "display_key",
                    models.CharField(
                        default=tables.models.new_display_key, max_length=64, unique=True
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables",
                        to="tables.jackpotsystem",
                    ),
                ),
            ],
            options={
                "ordering": ["system", "code"],
            },
        ),
        migrations.CreateModel(
            name="ClosedGap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("from_seq", models.BigIntegerField()),
                ("to_seq", models.BigIntegerField()),
                ("closed_by", models.CharField(max_length=150)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="tables.gamingtable"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="tables.jackpotsystem"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Alarm",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("subject", models.CharField(max_length=200)),
                ("message", models.TextField()),
                ("raised_at", models.DateTimeField(auto_now_add=True)),
                ("count", models.PositiveIntegerField(default=0)),
                ("last_at", models.DateTimeField(auto_now=True)),
                ("cleared_at", models.DateTimeField(null=True)),
                ("cleared_by", models.CharField(blank=True, max_length=150)),
                ("cleared_note", models.TextField(blank=True)),
                (
                    "system",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alarms",
                        to="tables.jackpotsystem",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OutboxMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(max_length=200)),
                ("payload", models.BinaryField()),
                ("retain", models.BooleanField(default=False)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.jackpotsystem",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Quarantine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.TextField()),
                ("boot", models.BigIntegerField(null=True)),
                ("seq", models.BigIntegerField(null=True)),
                ("reason", models.CharField(max_length=40)),
                ("explanation", models.TextField()),
                ("received_at", models.DateTimeField()),
                ("body", models.BinaryField()),
                ("size", models.BigIntegerField()),
                ("sha256", models.BinaryField()),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.gamingtable",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Stream",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("committed_seq", models.BigIntegerField(default=0)),
                ("last_seq", models.BigIntegerField(default=0)),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="tables.jackpotsystem"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="streams",
                        to="tables.gamingtable",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TableEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("seq", models.BigIntegerField()),
                ("type", models.CharField(max_length=32)),
                ("round", models.BigIntegerField(null=True)),
                ("test", models.BooleanField(default=False)),
                ("recorded_at", models.DateTimeField()),
                ("received_at", models.DateTimeField()),
                ("body", models.BinaryField()),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="tables.gamingtable",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="UnitPresence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("online", models.BooleanField(default=False)),
                ("boot", models.BigIntegerField(default=0)),
                ("connection", models.BigIntegerField(default=0)),
                ("last_seq", models.BigIntegerField(default=0)),
                ("said_at", models.DateTimeField(null=True)),
                ("heard_at", models.DateTimeField()),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="presence",
                        to="tables.gamingtable",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DisplayReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("display", models.CharField(max_length=32)),
                ("said_at", models.DateTimeField()),
                ("received_at", models.DateTimeField()),
                ("system_seq", models.BigIntegerField()),
                ("terms", models.BigIntegerField()),
                ("shown", models.JSONField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="readings",
                        to="tables.gamingtable",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(models.F("table"), models.F("system_seq"), name="reading_at")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="gamingtable",
            constraint=models.UniqueConstraint(
                models.F("system"), models.F("code"), name="table_code_once_per_system"
            ),
        ),
        migrations.AddConstraint(
            model_name="gamingtable",
            constraint=models.CheckConstraint(
                condition=models.Q(("code__in", ["console", "display"]), _negated=True),
                name="table_code_is_no_topic",
            ),
        ),
        migrations.AddIndex(
            model_name="closedgap",
            index=models.Index(models.F("table"), models.F("boot"), name="closed_gap_of_boot"),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.UniqueConstraint(
                models.F("kind"),
                models.F("subject"),
                condition=models.Q(("cleared_at__isnull", True)),
                name="alarm_open_once",
            ),
        ),
        migrations.AddIndex(
            model_name="quarantine",
            index=models.Index(
                models.F("table"),
                models.F("boot"),
                models.F("seq"),
                condition=models.Q(("seq__isnull", False)),
                name="quarantine_held",
            ),
        ),
        migrations.AddIndex(
            model_name="quarantine",
            index=models.Index(
                models.F("table"), models.F("received_at"), name="quarantine_by_unit"
            ),
        ),
        migrations.AddConstraint(
            model_name="stream",
            constraint=models.UniqueConstraint(
                models.F("system"), models.F("table"), models.F("boot"), name="stream_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="stream",
            constraint=models.CheckConstraint(
                condition=models.Q(("last_seq__gte", models.F("committed_seq"))),
                name="stream_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="tableevent",
            constraint=models.UniqueConstraint(
                models.F("system"),
                models.F("table"),
                models.F("boot"),
                models.F("seq"),
                name="event_identity",
            ),
        ),
        migrations.AddConstraint(
            model_name="tableevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("boot__gte", 1), ("seq__gte", 1)), name="event_counters"
            ),
        ),
    ]
