"""Identity of casinos, systems and tables; inbox, quarantine, readings, alarms."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import tables.models
from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = in_one_step(
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
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="systems",
                        to="tables.casino",
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
            ],
        ),
        migrations.CreateModel(
            name="EraBegun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="eras",
                        to="tables.jackpotsystem",
                    ),
                ),
                ("era", models.PositiveIntegerField()),
                ("begun_at", models.DateTimeField()),
                ("begun_by", models.CharField(max_length=150)),
                ("reason", models.CharField(max_length=500)),
                ("known", models.JSONField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("system"), models.F("era"), name="era_begun_once"
                    )
                ],
            },
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
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables",
                        to="tables.jackpotsystem",
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
                    "display_key",
                    models.CharField(
                        default=tables.models.new_display_key, max_length=64, unique=True
                    ),
                ),
                (
                    "moved_to",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moved_from",
                        to="tables.gamingtable",
                    ),
                ),
                ("moved_entry", models.BigIntegerField(null=True)),
            ],
            options={
                "ordering": ["system", "code"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("moved_entry", None), ("moved_to", None)),
                            models.Q(
                                ("in_service", False),
                                ("moved_entry__isnull", False),
                                ("moved_to__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="moved_table_is_out_of_service",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("code__in", ["console", "display"]), _negated=True),
                        name="table_code_is_no_topic",
                    ),
                    models.UniqueConstraint(
                        models.F("system"), models.F("code"), name="table_code_once_per_system"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="UnitKey",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="unit_key",
                        serialize=False,
                        to="tables.gamingtable",
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        max_length=128,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A([0-9a-fA-F]{2}){16,64}\\Z",
                                "Use 32 to 128 hexadecimal digits, an even number.",
                            )
                        ],
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
                        related_name="streams",
                        to="tables.gamingtable",
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("committed_seq", models.BigIntegerField(default=0)),
                ("last_seq", models.BigIntegerField(default=0)),
                ("settled", models.BooleanField(db_default=False)),
                ("discarded", models.BooleanField(db_default=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("settled", False)),
                        fields=["system"],
                        name="streams_in_play",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("system"),
                        models.F("table"),
                        models.F("boot"),
                        name="stream_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("last_seq__gte", models.F("committed_seq"))),
                        name="stream_order",
                    ),
                ],
            },
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
                (
                    "system",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="tables.gamingtable",
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
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("boot__gte", 1), ("seq__gte", 1)),
                        name="event_counters",
                    ),
                    models.UniqueConstraint(
                        models.F("system"),
                        models.F("table"),
                        models.F("boot"),
                        models.F("seq"),
                        name="event_identity",
                    ),
                ],
            },
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
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.gamingtable",
                    ),
                ),
                ("boot", models.BigIntegerField(null=True)),
                ("seq", models.BigIntegerField(null=True)),
                ("reason", models.CharField(max_length=40)),
                ("explanation", models.TextField()),
                ("received_at", models.DateTimeField()),
                ("body", models.BinaryField()),
                ("size", models.BigIntegerField()),
                ("sha256", models.BinaryField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("table"), models.F("received_at"), name="quarantine_by_unit"
                    ),
                    models.Index(
                        models.F("table"),
                        models.F("boot"),
                        models.F("seq"),
                        condition=models.Q(("seq__isnull", False)),
                        name="quarantine_held",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QuarantineDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("unit", models.BigIntegerField()),
                ("conflicts", models.BooleanField()),
                ("day", models.DateField()),
                ("rows", models.IntegerField(default=0)),
                ("kept_bytes", models.BigIntegerField(default=0)),
                ("dropped", models.BigIntegerField(default=0)),
                (
                    "digest",
                    models.BinaryField(
                        default=b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("unit"),
                        models.F("conflicts"),
                        models.F("day"),
                        name="quarantine_day_once",
                    )
                ],
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
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="tables.jackpotsystem"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.gamingtable",
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("from_seq", models.BigIntegerField()),
                ("to_seq", models.BigIntegerField()),
                ("closed_by", models.CharField(max_length=150)),
                ("note", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "indexes": [
                    models.Index(models.F("table"), models.F("boot"), name="closed_gap_of_boot")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("boot__gte", 1),
                            ("from_seq__gte", 1),
                            ("to_seq__gte", models.F("from_seq")),
                        ),
                        name="closed_gap_order",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RepeatedEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.gamingtable",
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("seq", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("system"),
                        models.F("table"),
                        models.F("boot"),
                        models.F("seq"),
                        name="repeated_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OutOfOrderEvent",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="tables.tableevent",
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.gamingtable",
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("seq", models.BigIntegerField()),
            ],
            options={
                "db_table": "tables_straggler",
                "indexes": [
                    models.Index(models.F("system"), models.F("event"), name="stragglers_of_system")
                ],
            },
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
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="presence",
                        to="tables.gamingtable",
                    ),
                ),
                ("online", models.BooleanField(default=False)),
                ("boot", models.BigIntegerField(default=0)),
                ("connection", models.BigIntegerField(default=0)),
                ("last_seq", models.BigIntegerField(default=0)),
                ("said_at", models.DateTimeField(null=True)),
                ("heard_at", models.DateTimeField()),
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
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="readings",
                        to="tables.gamingtable",
                    ),
                ),
                ("display", models.CharField(max_length=32)),
                ("said_at", models.DateTimeField()),
                ("received_at", models.DateTimeField()),
                ("system_seq", models.BigIntegerField()),
                ("terms", models.BigIntegerField()),
                ("shown", models.JSONField()),
            ],
            options={
                "indexes": [
                    models.Index(models.F("table"), models.F("system_seq"), name="reading_at"),
                    models.Index(
                        models.F("table"), models.F("received_at"), name="reading_by_table"
                    ),
                ],
            },
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
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.jackpotsystem",
                    ),
                ),
                ("topic", models.CharField(max_length=200)),
                ("payload", models.BinaryField()),
                ("retain", models.BooleanField(default=False)),
                ("created", models.DateTimeField(auto_now_add=True)),
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
                (
                    "system",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alarms",
                        to="tables.jackpotsystem",
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("kind"),
                        models.F("subject"),
                        condition=models.Q(("cleared_at__isnull", True)),
                        name="alarm_open_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AlarmClearing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "alarm",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="clearing",
                        to="tables.alarm",
                    ),
                ),
                ("at", models.DateTimeField()),
                ("cleared_by", models.CharField(max_length=150)),
                ("note", models.TextField()),
            ],
        ),
    )
