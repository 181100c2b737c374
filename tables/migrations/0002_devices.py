"""Credentials of devices, two keys for a while, and what a unit says of itself."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0001_tables"),
    ]

    operations = in_one_step(
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
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="credentials",
                        to="tables.gamingtable",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.AddField(
            model_name="unitkey",
            name="other",
            field=models.CharField(blank=True, db_default="", default="", max_length=128),
        ),
        migrations.AddField(
            model_name="unitkey",
            name="other_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="unitpresence",
            name="resent",
            field=models.BigIntegerField(db_default=0, default=0),
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
        migrations.AddConstraint(
            model_name="jackpotsystem",
            constraint=models.CheckConstraint(
                condition=models.Q(("code", "console"), _negated=True),
                name="system_code_is_no_account",
            ),
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
    )
