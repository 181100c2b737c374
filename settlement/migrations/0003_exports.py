"""Reports as files, and those that are made at each close."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.migration_steps import in_one_step


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0002_closing"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = in_one_step(
        migrations.CreateModel(
            name="ReportSchedule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("report", models.CharField(max_length=40)),
                (
                    "moment",
                    models.CharField(
                        choices=[("day", "each gaming day"), ("month", "each month")],
                        max_length=5,
                    ),
                ),
                ("filters", models.JSONField(default=dict)),
                ("formats", models.JSONField()),
                ("mail_to", models.CharField(blank=True, max_length=500)),
                ("folder", models.CharField(blank=True, max_length=80)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.casino",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ReportExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("report", models.CharField(max_length=40)),
                ("filters", models.JSONField()),
                ("formats", models.JSONField()),
                ("key", models.UUIDField(unique=True)),
                ("of_return", models.CharField(blank=True, max_length=120)),
                ("return_key", models.UUIDField(null=True)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Ready"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempts", models.SmallIntegerField(default=0)),
                ("alive_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("rows_total", models.BigIntegerField(null=True)),
                ("rows_done", models.BigIntegerField(default=0)),
                ("cancel_at", models.DateTimeField(null=True)),
                ("fault", models.CharField(blank=True, max_length=500)),
                ("manifest", models.JSONField(null=True)),
                ("delivered_at", models.DateTimeField(null=True)),
                ("deliver_at", models.DateTimeField(null=True)),
                ("deliveries", models.SmallIntegerField(default=0)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.casino",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="settlement.reportschedule",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        models.F("id"),
                        condition=models.Q(("state__in", ["waiting", "running"])),
                        name="exports_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waiting", "running", "done", "failed", "cancelled"])
                        ),
                        name="export_state",
                    ),
                    models.UniqueConstraint(
                        models.F("schedule"),
                        models.F("filters"),
                        name="export_of_schedule_once",
                    ),
                ],
            },
        ),
    )
