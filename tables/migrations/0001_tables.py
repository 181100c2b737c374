"""The floor: casinos, systems, tables and their devices, streams and events, alarms, traces."""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import tables.models
from tables.schema.steps import in_one_step
from tables.schema.storage_parameters import VacuumBySlices


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        *in_one_step(
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
                ],
            ),
            migrations.CreateModel(
                name="BrokerAccounts",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(blank=True, max_length=64)),
                    ("written_at", models.DateTimeField(null=True)),
                    ("taken_at", models.DateTimeField(null=True)),
                    ("fault", models.CharField(blank=True, max_length=500)),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="IntakePulse",
                fields=[
                    (
                        "name",
                        models.CharField(max_length=80, primary_key=True, serialize=False),
                    ),
                    ("heard_at", models.DateTimeField()),
                    ("release", models.CharField(max_length=32)),
                    ("username", models.CharField(blank=True, max_length=80)),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="DeviceCredential",
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
                            choices=[
                                ("unit", "Table unit"),
                                ("display", "Display"),
                                ("intake", "Intake"),
                            ],
                            max_length=8,
                        ),
                    ),
                    ("name", models.CharField(blank=True, max_length=32)),
                    ("number", models.PositiveIntegerField()),
                    ("username", models.CharField(max_length=80)),
                    ("password_hash", models.CharField(blank=True, max_length=160)),
                    ("serial", models.CharField(blank=True, max_length=40)),
                    ("fingerprint", models.CharField(blank=True, max_length=64)),
                    ("not_after", models.DateTimeField(null=True)),
                    ("key_digest", models.CharField(blank=True, max_length=64)),
                    ("overlap_until", models.DateTimeField(null=True)),
                    (
                        "issued_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("issued_by", models.CharField(max_length=150)),
                    (
                        "replaces",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="successors",
                            to="tables.devicecredential",
                        ),
                    ),
                ],
                options={
                    "ordering": ["id"],
                    "default_permissions": (),
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
                    ("moved_entry", models.BigIntegerField(null=True)),
                    (
                        "moved_to",
                        models.OneToOneField(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="moved_from",
                            to="tables.gamingtable",
                        ),
                    ),
                ],
                options={
                    "ordering": ["system", "code"],
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
                    ("boot", models.BigIntegerField()),
                    ("seq", models.BigIntegerField()),
                    ("type", models.CharField(max_length=32)),
                    ("round", models.BigIntegerField(null=True)),
                    ("test", models.BooleanField(default=False)),
                    ("recorded_at", models.DateTimeField()),
                    ("received_at", models.DateTimeField()),
                    ("body", models.BinaryField()),
                    ("intake", models.TextField(db_default="", default="")),
                ],
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
                    ("at", models.DateTimeField()),
                    ("cleared_by", models.CharField(max_length=150)),
                    ("note", models.TextField()),
                    (
                        "alarm",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="clearing",
                            to="tables.alarm",
                        ),
                    ),
                ],
            ),
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
                    (
                        "language",
                        models.CharField(blank=True, db_default="", default="", max_length=8),
                    ),
                    (
                        "dates",
                        models.CharField(blank=True, db_default="", default="", max_length=12),
                    ),
                    (
                        "clock",
                        models.CharField(blank=True, db_default="", default="", max_length=12),
                    ),
                    (
                        "slip_language",
                        models.CharField(blank=True, db_default="", default="", max_length=8),
                    ),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("minor_digits__lte", 2)), name="casino_minor_digits"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("dates__in", ["", "month_first", "year_first"])),
                            name="casino_dates",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("clock__in", ["", "twelve"])), name="casino_clock"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="DeviceEnd",
                fields=[
                    (
                        "credential",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            related_name="end",
                            serialize=False,
                            to="tables.devicecredential",
                        ),
                    ),
                    ("kind", models.CharField(max_length=8)),
                    (
                        "at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                    ),
                    ("by", models.CharField(max_length=150)),
                    ("reason", models.CharField(blank=True, max_length=500)),
                ],
                options={
                    "default_permissions": (),
                },
            ),
            migrations.CreateModel(
                name="TraceRequest",
                fields=[
                    (
                        "table",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            serialize=False,
                            to="tables.gamingtable",
                        ),
                    ),
                    ("until", models.DateTimeField()),
                ],
                options={
                    "default_permissions": (),
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
                    ("sealed_key", models.CharField(blank=True, max_length=192)),
                    ("key_digest", models.CharField(blank=True, max_length=64)),
                    (
                        "sealed_other",
                        models.CharField(blank=True, db_default="", default="", max_length=192),
                    ),
                    (
                        "other_digest",
                        models.CharField(blank=True, db_default="", default="", max_length=64),
                    ),
                    ("other_until", models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("key_digest", ""), ("sealed_key", "")),
                                models.Q(
                                    ("key_digest__regex", "^[0-9a-f]{64}$"),
                                    ("sealed_key__regex", "^([0-9a-f]{2}){48,96}$"),
                                ),
                                _connector="OR",
                            ),
                            name="unit_key_is_sealed",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("other_digest", ""), ("sealed_other", "")),
                                models.Q(
                                    ("other_digest__regex", "^[0-9a-f]{64}$"),
                                    ("sealed_other__regex", "^([0-9a-f]{2}){48,96}$"),
                                ),
                                _connector="OR",
                            ),
                            name="other_unit_key_is_sealed",
                        ),
                    ],
                },
            ),
            migrations.AddField(
                model_name="devicecredential",
                name="table",
                field=models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="credentials",
                    to="tables.gamingtable",
                ),
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
            migrations.AddField(
                model_name="gamingtable",
                name="system",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="tables",
                    to="tables.jackpotsystem",
                ),
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
                    ("era", models.PositiveIntegerField()),
                    ("begun_at", models.DateTimeField()),
                    ("begun_by", models.CharField(max_length=150)),
                    ("reason", models.CharField(max_length=500)),
                    ("known", models.JSONField()),
                    (
                        "system",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="eras",
                            to="tables.jackpotsystem",
                        ),
                    ),
                ],
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
                    ("note", models.CharField(blank=True, max_length=500)),
                    (
                        "table",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.gamingtable",
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
            migrations.AddField(
                model_name="alarm",
                name="system",
                field=models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="alarms",
                    to="tables.jackpotsystem",
                ),
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
                    ("boot", models.BigIntegerField()),
                    ("seq", models.BigIntegerField()),
                ],
                options={
                    "db_table": "tables_straggler",
                },
            ),
            migrations.AddField(
                model_name="tableevent",
                name="system",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    to="tables.jackpotsystem",
                ),
            ),
            migrations.AddField(
                model_name="tableevent",
                name="table",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="events",
                    to="tables.gamingtable",
                ),
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
                    ("intake", models.TextField(db_default="", default="")),
                    (
                        "table",
                        models.ForeignKey(
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tables.gamingtable",
                        ),
                    ),
                ],
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
                name="RepeatedEvent",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("boot", models.BigIntegerField()),
                    ("seq", models.BigIntegerField()),
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
                    ("settled", models.BooleanField(db_default=False)),
                    ("discarded", models.BooleanField(db_default=False)),
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
                    ("resent", models.BigIntegerField(db_default=0, default=0)),
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
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="readings",
                            to="tables.gamingtable",
                        ),
                    ),
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
            migrations.AddConstraint(
                model_name="devicecredential",
                constraint=models.UniqueConstraint(
                    models.F("kind"),
                    models.F("table"),
                    models.F("name"),
                    models.F("number"),
                    name="device_number_once",
                    nulls_distinct=False,
                ),
            ),
            migrations.AddConstraint(
                model_name="devicecredential",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(
                            ("not_after__isnull", False), ("password_hash", ""), ("serial__gt", "")
                        ),
                        models.Q(("not_after", None), ("password_hash__gt", ""), ("serial", "")),
                        _connector="OR",
                    ),
                    name="device_has_one_way",
                ),
            ),
            migrations.AddConstraint(
                model_name="devicecredential",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("kind", "intake"), ("name__gt", ""), ("table", None)),
                        models.Q(
                            ("kind__in", ["unit", "display"]),
                            ("name", ""),
                            ("table__isnull", False),
                        ),
                        _connector="OR",
                    ),
                    name="device_has_its_place",
                ),
            ),
            migrations.AddConstraint(
                model_name="jackpotsystem",
                constraint=models.CheckConstraint(
                    condition=models.Q(("code", "console"), _negated=True),
                    name="system_code_is_no_account",
                ),
            ),
            migrations.AddConstraint(
                model_name="jackpotsystem",
                constraint=models.CheckConstraint(
                    condition=models.Q(("code", "rehearsal"), _negated=True),
                    name="system_code_is_no_rehearsal",
                ),
            ),
            migrations.AddConstraint(
                model_name="jackpotsystem",
                constraint=models.CheckConstraint(
                    condition=models.Q(("code__regex", "^[a-z0-9-]{1,32}$")),
                    name="system_code_is_written_small",
                ),
            ),
            migrations.AddConstraint(
                model_name="gamingtable",
                constraint=models.CheckConstraint(
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
            migrations.AddConstraint(
                model_name="erabegun",
                constraint=models.UniqueConstraint(
                    models.F("system"), models.F("era"), name="era_begun_once"
                ),
            ),
            migrations.AddIndex(
                model_name="closedgap",
                index=models.Index(models.F("table"), models.F("boot"), name="closed_gap_of_boot"),
            ),
            migrations.AddConstraint(
                model_name="closedgap",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        ("boot__gte", 1),
                        ("from_seq__gte", 1),
                        ("to_seq__gte", models.F("from_seq")),
                    ),
                    name="closed_gap_order",
                ),
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
            migrations.AddField(
                model_name="outoforderevent",
                name="system",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    to="tables.jackpotsystem",
                ),
            ),
            migrations.AddField(
                model_name="outoforderevent",
                name="table",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    to="tables.gamingtable",
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
                model_name="repeatedevent",
                constraint=models.UniqueConstraint(
                    models.F("system"),
                    models.F("table"),
                    models.F("boot"),
                    models.F("seq"),
                    name="repeated_once",
                ),
            ),
            migrations.AddIndex(
                model_name="stream",
                index=models.Index(
                    condition=models.Q(("settled", False)),
                    fields=["system"],
                    name="streams_in_play",
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
            migrations.AddIndex(
                model_name="outoforderevent",
                index=models.Index(
                    models.F("system"), models.F("event"), name="stragglers_of_system"
                ),
            ),
        ),
        # They grow with every round: vacuumed and frozen by slices.
        VacuumBySlices("TableEvent"),
        VacuumBySlices("DisplayReading"),
    ]
